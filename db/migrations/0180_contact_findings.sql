-- What the contact filter cut from a listing, for the reviewer alone (docs/decisions/180). Sealed with the goods' id as its place, and
-- deleted with the decision. dist_id stands in goods; neither filters nor records here.
create table goods_finding (
  goods_id bigint primary key references goods,
  sealed bytea not null,                         -- JSON: label, original and cut sentences of each text
  created_at timestamptz not null default now()
);
grant delete on goods_finding to youshi_app;
