-- Coupons and the lottery as staff run them (domain.md 7). `stock` is what is left; `total` is what was planned, so that the money a
-- campaign can cost at most, total x amount_fen, is known before it opens. dist_id filters where it is set.
alter table coupon_campaign
  add column total int,
  -- 0 waits for a second person, 1 runs within its dates, 2 stopped; coupons that are out stay good
  add column status smallint not null default 1 check (status in (0, 1, 2)),
  add column note text not null default '',      -- whom it is for, as staff read it
  add column created_by bigint references staff,
  add column opened_by bigint references staff,
  add column stopped_by bigint references staff,
  add column stopped_at timestamptz,
  add column stop_reason text;
update coupon_campaign set total = stock;
alter table coupon_campaign
  alter column total set not null,
  add constraint coupon_campaign_stock check (stock <= total),
  add constraint coupon_campaign_dates check (ends_at > starts_at),
  add constraint coupon_campaign_odds check (odds_bp between 1 and 10000),
  add constraint coupon_campaign_valid check (valid_days between 1 and 365),
  add constraint coupon_campaign_person check (per_person between 1 and 1000),
  add constraint coupon_campaign_second check (opened_by is distinct from created_by or opened_by is null);
create index coupon_campaign_open on coupon_campaign (ends_at) where status = 1;
create index coupon_of_campaign on coupon (campaign_id, id desc);
create index lottery_draw_won on lottery_draw (id desc) where campaign_id is not null;

-- The lottery's frame; its prizes are campaigns with odds. Above secondPersonFen a campaign waits for a second person.
insert into setting (key, version, value) values
  ('lottery', 1, '{"open": true, "drawsPerDay": 3}'),
  ('coupon', 1, '{"secondPersonFen": 500000}');
