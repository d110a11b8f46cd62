-- Reviews are read: on the order by both sides, on the seller's page and beside goods by everybody; answered once, reported, kept or hidden
-- (docs/decisions/210).

alter table order_review
  add column id bigint generated always as identity,
  add column dist_id int references distributor,       -- of the order: records, and filters what a distributor's staff see
  add column type_id smallint,
  add column game_id int,
  add column goods_id bigint references goods,
  add column excluded text check (excluded in ('undone', 'private', 'related')), -- why it is not public and not in the score; null = it is
  add column hidden_at timestamptz,
  add column hidden_reason text,
  add column answer text,
  add column answered_at timestamptz,
  add column answer_hidden_at timestamptz,
  add column answer_hidden_reason text,
  add constraint order_review_answer check ((answer is null) = (answered_at is null));

update order_review r set dist_id = o.dist_id, type_id = o.type_id, game_id = o.game_id, goods_id = o.goods_id from orders o where o.id = r.order_id;
alter table order_review alter column dist_id set not null, alter column type_id set not null;

-- Why the review of an order does not count: the trade was undone (half of the price or more went back by a settlement, a ruling or a paid
-- claim), was agreed privately, or was between accounts that may be one person. Null when it counts.
create function review_exclusion(p_order bigint) returns text language sql stable as $$
  select case
    when o.status <> 3 or 2 * coalesce((select sum(d.back_fen) from dispute d where d.order_id = o.id and d.status = 'closed'), 0) >= o.goods_fen
      or exists (select from guarantee_claim k where k.order_id = o.id and k.status = 'paid' and not k.spares_seller) then 'undone'
    when o.type_id = 51 or o.is_recovery <> 0 then 'private'
    when cardinality(user_links(o.buyer_id, o.seller_id)) > 0 then 'related' end
  from orders o where o.id = p_order
$$;

-- The score as people read it: how many of the reviews that count give four stars or five.
alter table app_user add column rating_good int not null default 0;

update order_review set excluded = review_exclusion(order_id);
update app_user u set rating_good = coalesce(r.good, 0), rating_sum = u.rating_sum - coalesce(r.sum_out, 0), rating_count = u.rating_count - coalesce(r.n_out, 0)
from (select target_id, count(*) filter (where excluded is null and score >= 4)::int as good,
    coalesce(sum(score) filter (where excluded is not null), 0)::int as sum_out, (count(*) filter (where excluded is not null))::int as n_out
  from order_review where belong = 1 group by target_id) r
where r.target_id = u.id;

create unique index order_review_id on order_review (id);
drop index order_review_target;
create index order_review_by_user on order_review (user_id, id desc);
create index order_review_to_user on order_review (target_id, created_at desc);
create index order_review_public on order_review (target_id, created_at desc, id desc) include (type_id, score) where belong = 1 and excluded is null and hidden_at is null;
create index order_review_goods on order_review (goods_id, created_at desc, id desc) where belong = 1 and excluded is null and hidden_at is null;

-- What people report of a review or of the answer to it. All that wait on one part are decided together. dist_id filters: staff of a
-- distributor see the reports on reviews of its own orders.
create table review_report (
  id bigint generated always as identity primary key,
  review_id bigint not null references order_review (id),
  dist_id int not null references distributor,
  part text not null check (part in ('review', 'answer')),
  user_id bigint not null references app_user,
  reason text not null check (reason in ('contact', 'abuse', 'false', 'privacy', 'other')),
  note text not null default '',
  status text not null default 'waiting' check (status in ('waiting', 'kept', 'hidden')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references staff,
  decision text,
  unique (review_id, part, user_id)
);
create index review_report_waiting on review_report (review_id, part) where status = 'waiting';
create index review_report_status on review_report (status, id desc);
create index review_report_user on review_report (user_id, created_at);

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('order.review', '评价与回复', 'order', '{site,wechat}', true, false, 48),
  ('service.report', '评价举报结果', 'service', '{site,wechat}', true, false, 540);
insert into notice_template (kind, channel, version, title, body, link) values
  ('order.review', 'site', 1, '{what}', '{text}', '/center/buyOrderDetail?orderSn={orderSn}'),
  ('service.report', 'site', 1, '{what}', '{text}', '/seller/{sellerId}');
