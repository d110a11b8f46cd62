-- Sealed credentials: versions under one data key per order, each opening on record, kept until hold, dispute and cover have ended
-- (design section 2; docs/decisions/130). dist_id: none of these tables has one, they follow their order.

-- The data key of an order's sealed forms, wrapped by the server's keys. Erasing it leaves nothing that could be read, in a backup either.
create table order_key (
  order_id bigint primary key references orders,
  wrapped bytea,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  check ((wrapped is null) = (erased_at is not null))
);
revoke delete on order_key from youshi_app;

-- Each opening of a sealed form. Rows are never changed.
create table credential_opening (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  step smallint not null,
  version integer not null,
  opener text not null,                          -- 'user:5', 'staff:101'
  party text not null check (party in ('buyer', 'seller', 'staff')),
  purpose text not null,
  opened_at timestamptz not null default now()
);
create index credential_opening_order on credential_opening (order_id, id);
revoke update, delete on credential_opening from youshi_app;

-- A form has versions: a later one takes no earlier one's place. `scheme` 1 is free text under the server's own key, 2 fields under the
-- order's key.
alter table sealed_credential
  add column version integer,
  add column scheme smallint not null default 2 check (scheme in (1, 2));
update sealed_credential c set scheme = 1, version = v.n
from (select id, row_number() over (partition by order_id, step order by id) as n from sealed_credential) v where v.id = c.id;

insert into credential_opening (order_id, step, version, opener, party, purpose, opened_at)
select order_id, step, version, revealed_to, case when for_actor = 'buyer' then 'buyer' else 'staff' end,
  case when for_actor = 'buyer' then 'accept' else 'assist' end, revealed_at
from sealed_credential where revealed_at is not null and revealed_to is not null order by revealed_at, id;

update orders o set credential_opened_at = f.at, buyer_opened_at = f.buyer_at
from (select order_id, min(opened_at) as at, min(opened_at) filter (where party = 'buyer') as buyer_at from credential_opening group by order_id) f
where f.order_id = o.id;

drop index sealed_credential_live;
alter table sealed_credential
  alter column version set not null,
  drop column for_actor,
  drop column revealed_to,
  drop column revealed_at,
  add unique (order_id, step, version);
create index sealed_credential_kept on sealed_credential (order_id) where erased_at is null;

-- What a step's sealed form asks for; empty = the usual fields.
alter table order_handover add column fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array');

-- Steps of the catalogue that the goods' own facts rule out: shown with their reason, behind step `after_step`, and never done.
create table order_step_ruled_out (
  order_id bigint not null references orders,
  key text not null,
  after_step smallint not null,
  title text not null,
  reason text not null,
  primary key (order_id, key)
);
