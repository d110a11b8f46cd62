-- What a guarantee promises stands in one table (guarantee_tier): the price and the cover both read it, and a row that was sold does not
-- change. A change of terms is a new row of the same code with the next version and an id of its own; orders name the id, so that each
-- order keeps the terms it bought.
delete from setting where key = 'guarantees';

alter table guarantee_tier drop constraint guarantee_tier_code_key;
alter table guarantee_tier
  add column version int not null default 1 check (version > 0),
  -- By reason: {"most": "price" | "receipts", "byItself": whether the deadline may pay it, "fall"?: {"afterDays", "everyDays", "stepBp", "floorBp"}}.
  -- A reason that is absent is not covered.
  add column reasons jsonb not null default '{}' check (jsonb_typeof(reasons) = 'object'),
  add constraint guarantee_tier_version unique (code, version);
create unique index guarantee_tier_offered on guarantee_tier (code) where status = 1;

update guarantee_tier set reasons = '{
    "recovered": {"most": "price", "byItself": true},
    "banned": {"most": "price", "byItself": true, "fall": {"afterDays": 30, "everyDays": 30, "stepBp": 1000, "floorBp": 3000}},
    "not_as_described": {"most": "price", "byItself": false},
    "other": {"most": "price", "byItself": false}}'::jsonb
  || case code when 'face' then '{"face_refused": {"most": "price", "byItself": true}}'::jsonb
       when 'topup' then '{"topup_lost": {"most": "receipts", "byItself": true}}'::jsonb else '{}'::jsonb end;
update guarantee_tier set cover_text = case code
    when 'recovery' then '账号被原号主找回，最多赔付商品价，7 天内未追回且无须人工核实的自动赔付到余额'
    when 'face' then '含找回包赔；卖家不配合人脸核验导致无法登录时同样赔付，最多赔付商品价'
    else '含找回包赔；购号后的充值按充值凭证另赔，合计不超过商品价 1.5 倍' end;

create function guarantee_tier_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - 'status' - 'sort') is distinct from (to_jsonb(old) - 'status' - 'sort')
  then raise exception 'terms that were offered do not change: write a new version' using errcode = 'YS900'; end if;
  return new;
end $$;
create trigger guarantee_tier_kept before update or delete on guarantee_tier for each row execute function guarantee_tier_kept();

-- Covers that were sold before keep their price as their most for every reason of their tier, without falling.
update guarantee_cover c set terms = c.terms || jsonb_build_object('version', t.version, 'reasons', t.reasons #- '{banned,fall}')
  from guarantee_tier t where t.id = c.tier_id;

-- A claim that the deadline may not pay by itself waits for two persons under a clock of its own.
alter table guarantee_claim
  drop column late_coupon_id,
  drop constraint guarantee_claim_status_check,
  drop constraint guarantee_claim_check3,
  add constraint guarantee_claim_status_check check (status in ('checking', 'chasing', 'escalated', 'paid', 'refused', 'recovered', 'withdrawn')),
  add constraint guarantee_claim_open_undecided check ((status in ('checking', 'chasing', 'escalated')) = (decided_at is null)),
  add column fingerprint bytea,                  -- the account that is claimed for: barred from sale while the claim runs and once it is paid
  add column escalated_for text[] not null default '{}', -- why the deadline did not pay: limit, cover, reason, related, moved, debt, loss
  add column decide_by timestamptz,              -- until when two persons decide on an escalated claim
  add column spares_seller boolean not null default false, -- paid, and the loss is not the seller's
  add column penalty_fen bigint not null default 0 check (penalty_fen >= 0), -- taken from the seller's deposit
  add column debt_fen bigint not null default 0 check (debt_fen >= 0),       -- written down as the seller's debt to the fund
  add constraint guarantee_claim_escalated check (status <> 'escalated' or decide_by is not null),
  add constraint guarantee_claim_shares check (recourse_fen + penalty_fen + debt_fen <= paid_fen);
drop index guarantee_claim_open;
create unique index guarantee_claim_open on guarantee_claim (cover_id) where status in ('checking', 'chasing', 'escalated');
create index guarantee_claim_decide on guarantee_claim (decide_by) where status = 'escalated';
update guarantee_claim k set fingerprint = g.fingerprint from orders o join goods g on g.id = o.goods_id where o.id = k.order_id;
create index guarantee_claim_account on guarantee_claim (fingerprint)
  where fingerprint is not null and status in ('checking', 'chasing', 'escalated', 'paid');

insert into setting (key, version, value)
  select key, version + 1, value || '{"decideSeconds": 172800, "autoLossFen": 0}' from setting where key = 'claims' order by version desc limit 1;

-- What proves a loss beyond the price: receipts of top-ups, entered by staff who saw them. Insert only; a wrong one is struck out.
create table guarantee_receipt (
  id bigint generated always as identity primary key,
  claim_id bigint not null references guarantee_claim,
  amount_fen bigint not null check (amount_fen > 0),
  paid_on date not null,
  note text not null,
  pictures jsonb not null check (jsonb_typeof(pictures) = 'array' and jsonb_array_length(pictures) > 0),
  staff_id bigint not null references staff,
  created_at timestamptz not null default now(),
  struck_by bigint references staff,
  struck_at timestamptz,
  check ((struck_by is null) = (struck_at is null))
);
create index guarantee_receipt_claim on guarantee_receipt (claim_id, id);
revoke delete, truncate on guarantee_receipt from youshi_app;

-- An account under a running claim, or one that a claim was paid for, is not offered: neither published, put back on sale nor given to a
-- recycler. The lock makes a claim that opens and goods that appear at the same moment see each other; the claim takes it whole.
create function account_lock(p_fingerprint bytea, p_whole boolean) returns void language plpgsql as $$
begin
  if p_whole then perform pg_advisory_xact_lock(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('account:' || encode(p_fingerprint, 'hex'), 0)); end if;
end $$;

create function account_barred(p_fingerprint bytea) returns boolean language sql stable as $$
  select exists (select from guarantee_claim where fingerprint = p_fingerprint and status in ('checking', 'chasing', 'escalated', 'paid'))
$$;

-- Goods that come back by themselves (an order that was cancelled, a seller's return) come back off sale. Error YS411: whoever offers is told.
create function goods_account_guard() returns trigger language plpgsql as $$
begin
  perform account_lock(new.fingerprint, false);
  if not account_barred(new.fingerprint) then return new; end if;
  if tg_op = 'UPDATE' and old.status in (4, 5, 7) then
    new.status := 3;
    return new;
  end if;
  raise exception 'the account is under a claim' using errcode = 'YS411';
end $$;
create trigger goods_account_inserted before insert on goods for each row
  when (new.fingerprint is not null and new.status in (1, 2)) execute function goods_account_guard();
create trigger goods_account_offered before update of status, fingerprint on goods for each row
  when (new.fingerprint is not null and new.status in (1, 2)
    and (old.status not in (1, 2) or old.status = 1 and new.status = 2 or old.fingerprint is distinct from new.fingerprint))
  execute function goods_account_guard();

create function recycle_account_guard() returns trigger language plpgsql as $$
begin
  perform account_lock(new.fingerprint, false);
  if account_barred(new.fingerprint) then raise exception 'the account is under a claim' using errcode = 'YS411'; end if;
  return new;
end $$;
create trigger recycle_account_inserted before insert on recycle_request for each row
  when (new.fingerprint is not null) execute function recycle_account_guard();

insert into platform_rule (no, version, title, body, in_force_from) values
  ('5.3', 2, '赔付后向卖家追偿', '理赔期间，卖家尚未解冻的货款停止计时。赔付后，损失由卖家造成的，先从这笔货款收回，再从卖家保证金和余额收回，仍不足的记为卖家对包赔基金的欠款，从以后的收入中偿还，并计入卖家等级；两名工作人员认定损失与卖家无关的，不追偿。未赔付的，货款继续计时，到期放出。', '2026-11-22 00:00+08'),
  ('5.4', 1, '每种原因最多赔多少', '找回、人脸核验不通过：最多商品价。因原号主行为被封：最多商品价，保障满 30 天后每 30 天减少一成，不低于三成。购号后的充值：以客服核实录入的充值凭证为限，合计不超过条款写明的上限。转手购得的账号，以最近一次成交价为准。', '2026-11-22 00:00+08'),
  ('5.5', 1, '什么情况下自动赔付', '追索期满未追回的自动赔付，须同时符合：金额不超过单人限额；在该原因的赔付范围内；买卖双方没有共用浏览器、收款账户、网络或邀请关系；账号没有转手；赔付可由卖家货款、保证金、余额与本单保费覆盖。不符合的转由两名工作人员裁定，时限对外公示。', '2026-11-22 00:00+08'),
  ('5.6', 1, '理赔中的账号不得出售', '理赔期间及赔付之后，同一游戏账号的商品下架，不能再次发布、上架、下单或回收。理赔未赔付的，结束后可以重新上架。', '2026-11-22 00:00+08');

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('goods.barred', '账号理赔，商品下架', 'goods', '{site,wechat}', false, false, 45);
insert into notice_template (kind, channel, version, title, body, link) values
  ('goods.barred', 'site', 1, '账号正在理赔，商品已下架', '「{goods}」{text}', '/center/myGoods');
create index guarantee_claim_order on guarantee_claim (order_id);
