-- What money rests on is written once. The server adds rows and moves their states; amounts, parties, references and terms of what was
-- agreed, asked, paid or frozen are not in its reach, whatever statement is slipped in (tests/http/money-columns.test.ts lists every
-- column of money with what guards it; decision 201).
-- A column that a later migration adds to one of these tables is in nobody's reach until that migration grants it.
do $$
declare
  r record;
  v_free text;
begin
  for r in select * from (values
    ('orders', '{sn,dist_id,type_id,goods_id,buyer_id,seller_id,goods_num,unit_price_fen,goods_fen,service_fee_fen,ensure_fen,fix_ensure_fen,
      discount_fen,total_fen,commission_fen,dist_share_fen,invite_reward_fen,inviter_id,ensure_id,fix_ensure_id,is_recovery,fees}'::text[]),
    ('payment', '{pay_rand,inter_sn,dist_id,user_id,purpose,order_id,channel,amount_fen,balance_part_fen,deposit_role,deposit_level}'),
    ('refund', '{refund_no,payment_id,order_id,amount_fen,dist_id,user_id,channel,cause}'),
    ('withdrawal', '{sn,dist_id,user_id,payout_account_id,amount_fen,fee_fen}'),
    ('payout_account', '{user_id,kind,account_enc,account_hash,account_mask,name_enc,usable_from}'),
    ('hold', '{user_id,code,ref}'),
    ('hold_stage', '{hold_id,seq,amount_fen,before_end}'),
    ('guarantee_cover', '{dist_id,tier_id,kind,order_id,goods_id,price_fen,premium_fen,payout_max_fen,terms}'),
    ('guarantee_claim', '{sn,dist_id,cover_id,user_id,order_id,reason,asked_fen}'),
    ('guarantee_receipt', '{claim_id,amount_fen,paid_on,note,pictures,staff_id}'),
    ('deposit_level', '{role,level,amount_fen}'),
    ('deposit_release', '{sn,dist_id,user_id,role,amount_fen}'),
    ('dispute', '{sn,opener_id,opener_belong,want_fen}'),
    ('dist_day', '{dist_id,day,paid_fen,done_fen,refunded_fen,service_fee_fen,seller_commission_fen,premium_fen,dist_share_fen,correction_fen,withdrawn_fen}'),
    ('distributor', '{code,mark_up_bp,commission_bp}'),
    ('dist_settlement', '{sn,dist_id,amount_fen,asked_by}'),
    ('approval', '{dist_id,act,target,payload,amount_fen,asked_by}'),
    ('bargain', '{goods_id,buyer_id,seller_id,dist_id,offer_fen,price_fen}'),
    ('coupon', '{campaign_id,user_id,serial}'),
    ('coupon_campaign', '{code,dist_id,kind,amount_fen,minimum_fen,per_person,odds_bp,total,created_by}'),
    ('lottery_draw', '{user_id,campaign_id,roll}'),
    ('middleman_deal', '{sn,dist_id,opener_id,opener_belong,price_fen,fee_side,fee_fen}'),
    ('time_sale', '{goods_id,goods_version,price_fen,was_fen}'),
    ('goods_price_day', '{goods_id,price_fen}'),
    ('recycle_difference', '{request_id,field,cut_fen,staff_id}'),
    ('recycle_floor', '{game_id,type_id,version,floor_bp,max_fen}'),
    ('recycle_request', '{sn,dist_id,user_id,floor_fen}'),
    ('service_addition', '{order_id,asked_by,add_fen}'),
    ('service_cancel', '{order_id,asked_by,pay_fen,cost_safety_fen,cost_efficiency_fen}'),
    ('service_milestone', '{order_id,seq,share_fen}'),
    ('service_order', '{order_id,package_id,provider_id,units,safety_fen,efficiency_fen}')
  ) as t (name, frozen) loop
    if exists (select from unnest(r.frozen) f where trim(f) not in
        (select attname from pg_attribute where attrelid = r.name::regclass and attnum > 0 and not attisdropped)) then
      raise exception 'a frozen column of % does not exist', r.name;
    end if;
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into v_free from pg_attribute a
      where a.attrelid = r.name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
        and a.attname <> all (select trim(f) from unnest(r.frozen) f);
    execute format('revoke update on %I from youshi_app', r.name);
    if v_free is not null then execute format('grant update (%s) on %I to youshi_app', v_free, r.name); end if;
  end loop;
end $$;

-- Amounts that do change, each by one step.

-- A protection hold is lessened by the stages that come free in the same transaction, and by nothing else; what ended stays so. What
-- its seller could not give back is written down once.
create function hold_money_guard() returns trigger language plpgsql as $$
begin
  if old.released_at is not null and new.released_at is distinct from old.released_at then
    raise exception 'a hold ends once' using errcode = 'YS900';
  end if;
  if new.amount_fen <> old.amount_fen and (old.released_at is not null or old.amount_fen - new.amount_fen is distinct from
      (select sum(s.amount_fen) from hold_stage s where s.hold_id = old.id and s.released_at = now())) then
    raise exception 'a hold is lessened by its stages only' using errcode = 'YS900';
  end if;
  if new.short_fen <> old.short_fen and old.short_fen <> 0 then
    raise exception 'what lacked is written down once' using errcode = 'YS900';
  end if;
  return new;
end $$;
create trigger hold_money_guard before update of amount_fen, short_fen, released_at on hold
  for each row execute function hold_money_guard();

create function hold_stage_guard() returns trigger language plpgsql as $$
begin
  if old.released_at is not null then raise exception 'a stage comes free once' using errcode = 'YS900'; end if;
  return new;
end $$;
create trigger hold_stage_guard before update on hold_stage for each row execute function hold_stage_guard();

-- How a case ended is written with its end.
create function dispute_money_guard() returns trigger language plpgsql as $$
begin
  if (new.back_fen, new.refunded_fen, new.to_seller_fen, new.owed_fen) is distinct from (old.back_fen, old.refunded_fen, old.to_seller_fen, old.owed_fen)
      and (old.status = 'closed' or new.status <> 'closed') then
    raise exception 'a case''s figures are written when it closes' using errcode = 'YS900';
  end if;
  return new;
end $$;
create trigger dispute_money_guard before update of back_fen, refunded_fen, to_seller_fen, owed_fen on dispute
  for each row execute function dispute_money_guard();

create function claim_money_guard() returns trigger language plpgsql as $$
begin
  if (new.paid_fen, new.recourse_fen, new.penalty_fen, new.debt_fen) is distinct from (old.paid_fen, old.recourse_fen, old.penalty_fen, old.debt_fen)
      and (old.status = 'paid' or new.status <> 'paid') then
    raise exception 'a claim''s figures are written when it is paid' using errcode = 'YS900';
  end if;
  return new;
end $$;
create trigger claim_money_guard before update of paid_fen, recourse_fen, penalty_fen, debt_fen on guarantee_claim
  for each row execute function claim_money_guard();

-- A wanted post's deposit goes back whole.
create function want_deposit_guard() returns trigger language plpgsql as $$
begin
  if new.deposit_fen <> old.deposit_fen and new.deposit_fen <> 0 then raise exception 'a deposit goes back whole' using errcode = 'YS900'; end if;
  return new;
end $$;
create trigger want_deposit_guard before update of deposit_fen on want for each row execute function want_deposit_guard();

-- A counter-offer is made with the step that makes it, and what was agreed on or ordered is not priced again.
create function bargain_price_guard() returns trigger language plpgsql as $$
begin
  if new.counter_fen is distinct from old.counter_fen and not (old.status = 0 and new.status = 2) then
    raise exception 'a price that was agreed on does not change' using errcode = 'YS900';
  end if;
  return new;
end $$;
create trigger bargain_price_guard before update of counter_fen on bargain for each row execute function bargain_price_guard();
