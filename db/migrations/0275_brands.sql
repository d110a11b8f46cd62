-- Brands are written in the back office (docs/decisions/243). What is live stands in distributor; these tables hold how it came to be.
alter table distributor add column version int not null default 0; -- the live version; 0 = what the installation came with
-- Columns of this table are granted one by one (0201); rates stay written once and change by rows of brand_terms.
grant update (version) on distributor to youshi_app;
comment on column distributor.mark_up_bp is 'Mark-up before the first row of brand_terms';
comment on column distributor.commission_bp is 'Share of the fees before the first row of brand_terms';

-- Each save of a brand. dist_id filters: an operator sees the versions of the own brand only.
create table brand_version (
  dist_id int not null references distributor,
  version int not null check (version >= 0),
  content jsonb not null,                        -- contract/rules/brand.ts, whole
  reason text not null,
  restored_from int,                             -- the version that this one brings back
  created_by bigint references staff,            -- null: command line, first start, installation
  created_at timestamptz not null default now(),
  primary key (dist_id, version)
);

-- Each time that a version went live. dist_id filters.
create table brand_publication (
  id bigint generated always as identity primary key,
  dist_id int not null,
  version int not null,
  published_by bigint references staff,
  published_at timestamptz not null default now(),
  foreign key (dist_id, version) references brand_version
);
create index brand_publication_dist on brand_publication (dist_id, id desc);

-- One working copy for each brand and member of staff: what the preview shows. dist_id filters.
create table brand_draft (
  dist_id int not null references distributor,
  staff_id bigint not null references staff,
  base_version int not null,                     -- the version that it was begun from
  content jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (dist_id, staff_id)
);
grant delete on brand_draft to youshi_app;

-- What a brand adds to the price and gets of the fees, from a time on. In force is the newest row that has started; orders freeze their
-- fee lines when they are placed and never read this again. dist_id filters.
create table brand_terms (
  dist_id int not null references distributor,
  version int not null check (version > 0),
  mark_up_bp int not null check (mark_up_bp between 0 and 3000),
  commission_bp int not null check (commission_bp between 0 and 10000),
  starts_at timestamptz not null,
  reason text not null,
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (dist_id, version)
);

revoke update on brand_version, brand_publication, brand_terms from youshi_app;

-- Hosts: one of a brand's is its own address, the others may lead there. A name that is given up can be taken by another brand.
alter table dist_host add column is_primary boolean not null default false;
alter table dist_host add column redirects boolean not null default false; -- pages of this host lead to the primary one
alter table dist_host add column created_by bigint references staff;
alter table dist_host add column created_at timestamptz not null default now();
create unique index dist_host_primary on dist_host (dist_id) where is_primary;
alter table dist_host add constraint dist_host_not_to_itself check (not (is_primary and redirects));
grant delete on dist_host to youshi_app;

-- Adverts of the home page are rows like the others, with pictures; these two tables never had a reader or a writer.
drop table partner_link, site_certificate;
