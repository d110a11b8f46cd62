-- Distributors (tenants). Branding and attribution over shared goods (domain.md 1).
create table distributor (
  id int generated always as identity (start with 1) primary key,
  code text not null unique,
  name text not null,
  conf jsonb not null default '{}',       -- distBaseConf, pictArea, adverPosMap, botQuals, bottomVerInfo … (product.md 3)
  theme jsonb not null default '{}',      -- brand hue and chroma, index layout
  games int[],                            -- the games it shows; null = all
  mark_up_bp int not null default 0 check (mark_up_bp between 0 and 3000),
  commission_bp int not null default 2000 check (commission_bp between 0 and 10000), -- its share of the platform's fees
  status smallint not null default 1,
  created_at timestamptz not null default now()
);

create table dist_host (
  host text primary key check (host = lower(host)),
  dist_id int not null references distributor
);

-- Fee rates and limits that domain.md gives as defaults; staff change them here. Newest row of a key counts.
create table setting (
  key text not null,
  version int not null,
  value jsonb not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (key, version)
);
