-- Accounts sold to recyclers: blind bids whose money lies in escrow from the bid on, a binding offer, an inspection by named fields, paid at
-- once (decisions 273 to 275). Every bid's money is on an account of its own.
drop table recycle_floor;

-- The platform bids like everybody, by a user that nobody can log in as. Its money comes from the platform when it bids (setting recycling.budgetFen).
alter table recycler add column is_platform boolean not null default false;
create unique index recycler_platform on recycler (is_platform) where is_platform;

create or replace function ledger_may_overdraw(p_key text) returns boolean language sql immutable as $$
  select p_key like 'clearing:%' or p_key like 'platform:coupon_expense:%' or p_key like 'platform:rounding:%' or p_key like 'platform:guarantee_fund:%'
    or p_key like 'platform:recycling:%';
$$;

alter table recycle_request drop constraint recycle_request_status_check;
alter table recycle_request drop constraint recycle_request_check;
alter table recycle_request drop constraint recycle_request_check1;
alter table recycle_request drop column pictures, drop column description, drop column staff_id;
alter table recycle_request
  add column cuts jsonb not null default '[]' check (jsonb_typeof(cuts) = 'array'), -- the published amounts: what each difference takes off
  add column cut_fen bigint not null default 0 check (cut_fen >= 0),
  add column due_at timestamptz,                 -- end of the clock that runs: bids, offer, hand-over, answer
  add constraint recycle_request_status check (status in
    ('bidding', 'quoted', 'accepted', 'reconfirm', 'paid', 'declined', 'expired', 'withdrawn', 'closed')),
  add constraint recycle_request_order check ((status in ('accepted', 'reconfirm', 'paid', 'declined', 'closed')) = (order_id is not null)),
  add constraint recycle_request_quoted check (status not in ('quoted', 'accepted', 'reconfirm', 'paid', 'declined') or best_quote_id is not null);
drop index recycle_request_live;
create unique index recycle_request_live on recycle_request (fingerprint)
  where fingerprint is not null and status in ('bidding', 'quoted', 'accepted', 'reconfirm');
create index recycle_request_status on recycle_request (status, due_at);
grant update (cuts, cut_fen, due_at) on recycle_request to youshi_app;

-- The legal steps, once more where no code can pass them by (server/slices/recycling/states.ts has who and what).
create table recycle_transition (from_status text not null, to_status text not null, primary key (from_status, to_status));
insert into recycle_transition values ('bidding', 'quoted'), ('bidding', 'expired'), ('bidding', 'withdrawn'), ('bidding', 'accepted'),
  ('quoted', 'accepted'), ('quoted', 'expired'), ('quoted', 'withdrawn'), ('accepted', 'paid'), ('accepted', 'reconfirm'), ('accepted', 'closed'),
  ('reconfirm', 'paid'), ('reconfirm', 'declined'), ('reconfirm', 'closed');
grant select on recycle_transition to youshi_app;
create function recycle_request_steps() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not exists (select from recycle_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'recycling step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $$;
create trigger recycle_request_steps before update on recycle_request for each row execute function recycle_request_steps();

-- A bid: amount for the seller and the recycler's service fee; both lie in escrow while it is open.
alter table recycle_quote
  add column fee_fen bigint not null default 0 check (fee_fen >= 0),
  add column status text not null default 'open' check (status in ('open', 'returned', 'paid'));
alter table recycle_quote alter column recycler_id set not null;
create or replace function recycle_quote_rises() returns trigger language plpgsql as $$
begin
  if (new.request_id, new.recycler_id) is distinct from (old.request_id, old.recycler_id) or new.amount_fen < old.amount_fen or new.fee_fen < old.fee_fen
    or (old.status <> 'open' and (new.status, new.amount_fen) is distinct from (old.status, old.amount_fen))
  then raise exception 'a bid is not lowered' using errcode = 'YS901'; end if;
  return new;
end $$;
create function recycle_escrow_agrees() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when q.status = 'open' then q.amount_fen + q.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'recycle:' || new.id || ':escrow'), 0)
    into v_due, v_balance from recycle_quote q where q.id = new.id;
  if v_balance <> v_due then raise exception 'bid % has % in escrow', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $$;
create constraint trigger recycle_escrow_agrees after insert or update on recycle_quote deferrable initially deferred
  for each row execute function recycle_escrow_agrees();

-- Every field that the inspector read, with what it takes off; 0 where it is as stated.
alter table recycle_difference rename to recycle_reading;
alter table recycle_reading drop column picture_key;
alter table recycle_reading add column pictures jsonb not null default '[]';
grant update (pictures, found, cut_fen, staff_id, created_at) on recycle_reading to youshi_app;

-- The request follows its order when that ends another way, and nothing is shipped before it was inspected.
create function recycle_request_follows_order() returns trigger language plpgsql as $$
begin
  if new.status = 2 and exists (select from recycle_request r where r.order_id = new.id and r.status <> 'paid') then
    raise exception 'not inspected' using errcode = 'YS208';
  end if;
  if new.status in (7, 8, 9) then
    update recycle_request set status = 'closed', due_at = null, updated_at = now() where order_id = new.id and status in ('accepted', 'reconfirm');
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1, lowered_count = r.lowered_count + case when q.cut_fen > 0 then 1 else 0 end
      from recycle_request q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return new;
end $$;
create trigger recycle_request_follows_order before update of status on orders for each row
  when (new.type_id = 52 and old.status is distinct from new.status) execute function recycle_request_follows_order();

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('recycle.seller', '账号回收', 'order', '{site,sms}', false, true, 350),
  ('recycle.recycler', '回收竞价', 'order', '{site}', false, false, 351);
insert into notice_template (kind, channel, version, title, body, link) values
  ('recycle.seller', 'site', 1, '{what}', '{text}', '/center/buyback?sn={sn}'),
  ('recycle.recycler', 'site', 1, '{what}', '{text}', '/specilPage/businessRecycling');
