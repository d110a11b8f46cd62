-- Made from the files of the functions: account_once, audit_head_guard, audit_seal_row, bargain_price_guard, black_appeal_person, books_hash_stays, boost_escrow_agrees, boost_order_steps, boost_request_steps, chat_send, claim_money_guard, companion_order_steps, debt_guard, debt_record, dispute_money_guard, dispute_ruling_cites, dispute_ruling_person, dispute_step_legal, fund_debit_guard, fund_release_holds, goods_account_guard, goods_reserve, guarantee_move, guarantee_tier_kept, hold_money_guard, hold_stage_guard, idempotency_claim, idempotency_keep, inspection_claim_guard, inspection_escrow_agrees, inspection_task_steps, ledger_account_guard, ledger_move, order_cut_once, order_escrow_agrees, order_pay_part, order_place, order_step, order_terms_frozen, published_text_kept, quick_coin_take, recycle_cut_guard, recycle_escrow_agrees, recycle_quote_rises, recycle_request_follows_order, recycle_request_steps, refuse_change, service_tip_capped, site_takes_orders, want_deposit_guard.
CREATE OR REPLACE FUNCTION public.account_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('account:' || encode(new.fingerprint, 'hex'), 0));
  if tg_table_name <> 'recycle_request' and exists (select from recycle_request r where r.fingerprint = new.fingerprint
      and r.status in ('bidding', 'quoted', 'accepted', 'reconfirm')) then
    raise exception 'the account is being recycled' using errcode = 'YS215';
  end if;
  -- A recycled account cannot be offered until its recycler has taken it over and the seller's money is released.
  if exists (select from recycle_request r join hold h on h.code = 'sale_protection' and h.ref = r.order_id::text and h.released_at is null
      where r.fingerprint = new.fingerprint and r.status = 'paid') then
    raise exception 'the account is being taken over' using errcode = 'YS215';
  end if;
  if tg_table_name = 'goods' then
    if exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.status in ('waiting', 'ordered') and deal_is_live(m)) then
      raise exception 'the account is in a private deal' using errcode = 'YS215';
    end if;
  elsif tg_table_name = 'recycle_request' then
    if exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.status in ('waiting', 'ordered') and deal_is_live(m))
      or exists (select from goods g where g.fingerprint = new.fingerprint and g.status in (1, 2, 4)) then
      raise exception 'the account is in another listing or deal' using errcode = 'YS215';
    elsif account_barred(new.fingerprint) then
      raise exception 'the account has an open claim' using errcode = 'YS411';
    end if;
  elsif exists (select from middleman_deal m where m.fingerprint = new.fingerprint and m.id <> new.id and m.status in ('waiting', 'ordered')
      and deal_is_live(m))
    or exists (select from goods g where g.fingerprint = new.fingerprint and g.status in (1, 2, 3, 4, 7)) then
    raise exception 'the account is in another listing or deal' using errcode = 'YS215';
  elsif account_barred(new.fingerprint) then
    raise exception 'the account has an open or paid claim' using errcode = 'YS216';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_head_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.seq = old.seq + 1 and new.hash <> old.hash then return new; end if;
  raise exception 'audit_head can be changed only by audit_seal_row' using errcode = 'YS900';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_seal_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  h audit_head;
  v_at timestamptz;
begin
  select * into h from audit_head for update;
  if not found then raise exception 'audit_head has no row' using errcode = 'YS904'; end if;
  v_at := clock_timestamp();
  h.seq := h.seq + 1;
  h.hash := sha256(h.hash || convert_to(audit_content(h.seq, v_at, new), 'UTF8'));
  insert into audit_seal (seq, audit_id, sealed_at, hash) values (h.seq, new.id, v_at, h.hash);
  update audit_head set seq = h.seq, hash = h.hash;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.bargain_price_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.counter_fen is distinct from old.counter_fen and not (old.status = 0 and new.status = 2) then
    raise exception 'bargain.counter_fen can be set only when the seller makes a counter-offer' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.black_appeal_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.decided_by is not null and exists (select from black_entry e where e.id = new.entry_id and e.reviewed_by = new.decided_by)
  then raise exception 'the appeal must be decided by a different staff member than the reviewer of the entry' using errcode = 'YS403'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.books_hash_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.hash is distinct from new.hash and old.hash is not null then
    raise exception 'the hash of a proved block is immutable';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when r.status = 'open' then r.total_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'boost:' || new.id || ':escrow'), 0)
    into v_due, v_balance from boost_request r where r.id = new.id;
  if v_balance <> v_due then raise exception 'boost request % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from boost_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'boosting transition from % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.boost_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and old.status <> 'open'
  then raise exception 'boost request transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.chat_send(p_group bigint, p_sender text, p_client_id text, p_uid text, p_type text, p_content jsonb, p_expansion jsonb, OUT seq bigint, OUT uid text, OUT created_at timestamp with time zone, OUT repeated boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  g chat_group;
begin
  select * into g from chat_group where id = p_group for update;
  if not found then raise exception 'chat group does not exist' using errcode = 'YS301'; end if;
  select m.seq, m.uid, m.created_at, true into seq, uid, created_at, repeated
    from chat_message m where m.group_id = p_group and m.sender = p_sender and m.client_msg_id = p_client_id;
  if found then return; end if;
  if p_sender <> 'system' and not exists (select from chat_member c where c.group_id = p_group and c.member = p_sender and c.left_at is null) then
    raise exception 'sender is not a member of the chat group' using errcode = 'YS301';
  end if;
  if p_sender <> 'system' and g.status <> 1 then raise exception 'chat group is closed' using errcode = 'YS302'; end if;
  -- A group that was opened while its order moved on has an earlier clock until the card of that transition.
  update chat_group u set last_seq = u.last_seq + 1, last_at = now(), reply_by = chat_reply_by(p_sender, p_type, now()),
      step_by = case when p_sender = 'system' then order_turn_due(u.order_id) else u.step_by end
    where u.id = p_group returning u.last_seq into seq;
  insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, expansion)
    values (p_group, chat_send.seq, p_uid, p_sender, p_client_id, p_type, p_content, p_expansion)
    returning chat_message.uid, chat_message.created_at into uid, created_at;
  repeated := false;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.paid_fen, new.recourse_fen, new.penalty_fen, new.debt_fen) is distinct from (old.paid_fen, old.recourse_fen, old.penalty_fen, old.debt_fen)
      and (old.status = 'paid' or new.status <> 'paid') then
    raise exception 'claim amounts can be set only when the claim is paid' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.companion_order_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from companion_transition t where t.from_state = old.state and t.to_state = new.state)
  then raise exception 'companion transition from % to % does not exist', old.state, new.state using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.debt_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'debts cannot be deleted' using errcode = 'YS900'; end if;
  if (new.debtor_user, new.debtor_dist, new.creditor, new.amount_fen, new.code, new.ref, new.order_id, new.created_at)
      is distinct from (old.debtor_user, old.debtor_dist, old.creditor, old.amount_fen, old.code, old.ref, old.order_id, old.created_at)
      or new.paid_fen <= old.paid_fen or new.parts <> old.parts + 1 then
    raise exception 'a debt is immutable; only paid_fen may change, and only upward' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.debt_record(p jsonb)
 RETURNS debt
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_debtor text := case when p->>'debtorDist' is null then 'user:' || (p->>'debtorUser') || ':available' else 'dist:' || (p->>'debtorDist') || ':commission' end;
  d debt;
begin
  insert into ledger_account (key, may_overdraw) values (v_debtor, false) on conflict do nothing;
  perform 1 from ledger_account where key = v_debtor for update;
  insert into debt (debtor_user, debtor_dist, creditor, amount_fen, code, reason, ref, order_id, dist_id)
    values ((p->>'debtorUser')::bigint, (p->>'debtorDist')::int, p->>'creditor', (p->>'fen')::bigint, p->>'code', p->>'reason', p->>'ref',
      (p->>'order')::bigint, (p->>'dist')::int)
    on conflict (ref) do nothing returning * into d;
  if d.id is null then
    select * into d from debt where ref = p->>'ref';
    if (d.debtor, d.creditor, d.amount_fen) is distinct from (v_debtor, p->>'creditor', (p->>'fen')::bigint) then
      raise exception 'debt % already exists with different contents', p->>'ref' using errcode = 'YS102';
    end if;
    return d;
  end if;
  perform effect_emit('debt.recorded', jsonb_build_object('debtId', d.id));
  perform debt_collect(array[v_debtor]);
  select * into d from debt where id = d.id;
  return d;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.back_fen, new.refunded_fen, new.to_seller_fen, new.owed_fen) is distinct from (old.back_fen, old.refunded_fen, old.to_seller_fen, old.owed_fen)
      and (old.status = 'closed' or new.status <> 'closed') then
    raise exception 'dispute amounts can be set only when the dispute closes' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_ruling_cites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from dispute_ruling_rule r where r.ruling_id = new.id)
  then raise exception 'a ruling must cite at least one rule' using errcode = 'YS404'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_ruling_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.stage = 2 and not exists (select from dispute_appeal a where a.dispute_id = new.dispute_id)
  then raise exception 'no appeal exists for this dispute' using errcode = 'YS402'; end if;
  if exists (select from dispute_ruling r where r.dispute_id = new.dispute_id and r.stage <> new.stage and r.staff_id = new.staff_id)
  then raise exception 'the appeal must be decided by a different staff member than the first ruling' using errcode = 'YS403'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.dispute_step_legal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.order_id, new.opener_id, new.reason_code, new.sn) is distinct from (old.order_id, old.opener_id, old.reason_code, old.sn)
  then raise exception 'order, opener, reason and number of a dispute are immutable' using errcode = 'YS901'; end if;
  if old.status <> new.status and (old.status, new.status) not in (
      ('open', 'answering'), ('open', 'evidence'), ('answering', 'evidence'), ('evidence', 'ruled'), ('ruled', 'appealed'), ('appealed', 'ruled'),
      ('open', 'closed'), ('answering', 'closed'), ('evidence', 'closed'), ('ruled', 'closed'))
  then raise exception 'dispute transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fund_debit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.code = 'premium_back' then
    if new.amount_fen > coalesce((select sum(case code when 'guarantee_premium' then amount_fen else -amount_fen end) from ledger_transfer
        where order_id = new.order_id and code in ('guarantee_premium', 'premium_back')), 0) then
      raise exception 'refund exceeds the guarantee premium of the order' using errcode = 'YS105';
    end if;
  elsif not exists (select from fund_release r where r.code = new.code and r.ref = new.ref and r.amount_fen = new.amount_fen) then
    raise exception 'a guarantee fund debit requires a release approved by two staff members or an expired claim deadline' using errcode = 'YS105';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fund_release_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.approval_id is not null then
    if not exists (select from approval a where a.id = new.approval_id and a.status = 'allowed' and a.decided_by is not null) then
      raise exception 'a guarantee fund release must be approved by two staff members' using errcode = 'YS105';
    end if;
  elsif not exists (select from guarantee_claim c where c.id = new.claim_id and c.deadline_at <= now() and new.ref = 'claim:' || c.id)
      or new.amount_fen > (setting_now('withdraw')->>'secondPersonFen')::bigint then
    raise exception 'a guarantee fund release without an approval requires an expired claim deadline and an amount within the limit' using errcode = 'YS105';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.goods_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform account_lock(new.fingerprint, false);
  if not account_barred(new.fingerprint) then return new; end if;
  if tg_op = 'UPDATE' and old.status in (4, 5, 7) then
    new.status := 3;
    return new;
  end if;
  raise exception 'the account has an open claim' using errcode = 'YS411';
end $function$;

CREATE OR REPLACE FUNCTION public.goods_reserve(p_goods bigint, p_version integer, p_num integer)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  v_status smallint;
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning status into v_status;
  if v_status is null then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'listing is not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'listing was changed by another transaction' using errcode = 'YS202'; end if;
    raise exception 'listing stock is too low' using errcode = 'YS207';
  end if;
  if v_status = 4 then delete from goods_search where goods_id = p_goods; end if;
  return v_status;
end $function$;

CREATE OR REPLACE FUNCTION public.guarantee_move(p_fingerprint bytea, p_kind text, p_user bigint, p_order bigint)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  c guarantee_cover;
  v_seq smallint;
begin
  select * into c from guarantee_cover where fingerprint = p_fingerprint and kind = p_kind and status in ('active', 'claimed') for update;
  if not found then return null; end if;
  select seq into v_seq from guarantee_holder where cover_id = c.id and order_id = p_order;
  if found then return v_seq; end if;
  if c.status = 'claimed' then raise exception 'the cover has an open claim' using errcode = 'YS401'; end if;
  update guarantee_holder set to_at = now() where cover_id = c.id and to_at is null returning seq into v_seq;
  v_seq := coalesce(v_seq, 0) + 1;
  insert into guarantee_holder (cover_id, seq, user_id, order_id) values (c.id, v_seq, p_user, p_order);
  update guarantee_cover set holder_id = p_user where id = c.id;
  return v_seq;
end $function$;

CREATE OR REPLACE FUNCTION public.guarantee_tier_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{status,sort,revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{status,sort,revoked_at,revoked_by}'::text[])
  then raise exception 'an offered guarantee tier is immutable; insert a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null and new.released_at is distinct from old.released_at then
    raise exception 'hold is already released' using errcode = 'YS900';
  end if;
  if new.amount_fen <> old.amount_fen and (old.released_at is not null or old.amount_fen - new.amount_fen is distinct from
      (select sum(s.amount_fen) from hold_stage s where s.hold_id = old.id and s.released_at = now())) then
    raise exception 'hold.amount_fen can be reduced only by releasing a stage' using errcode = 'YS900';
  end if;
  if new.short_fen <> old.short_fen and old.short_fen <> 0 then
    raise exception 'hold.short_fen can be set only once' using errcode = 'YS900';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_stage_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null then raise exception 'hold stage is already released' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.idempotency_claim(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash')
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency key was used with a different request' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;

CREATE OR REPLACE FUNCTION public.idempotency_keep(p jsonb, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v idempotency;
begin
  insert into idempotency (scope, endpoint, key, request_hash, facts) values (p->>'scope', p->>'endpoint', p->>'key', p->>'hash', p_facts)
    on conflict do nothing;
  if found then return null; end if;
  select * into v from idempotency where scope = p->>'scope' and endpoint = p->>'endpoint' and key = p->>'key';
  if v.request_hash is distinct from p->>'hash' then raise exception 'idempotency key was used with a different request' using errcode = 'YS206'; end if;
  return v.facts;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_claim_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not exists (select from orders o join inspection_task t on t.goods_id = o.goods_id
        where o.id = new.order_id and t.id = new.task_id and o.buyer_id = new.buyer_id and t.status = 'done' and t.done_at <= o.created_at
          and new.amount_fen <= o.goods_fen) then
      raise exception 'the inspection claim does not match the order' using errcode = 'YS901';
    end if;
  elsif old.status <> 'open' then raise exception 'the inspection claim is already decided' using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when t.status in ('waiting', 'queued', 'claimed', 'review') then t.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'inspection:' || new.id || ':escrow'), 0)
    into v_due, v_balance from inspection_task t where t.id = new.id;
  if v_balance <> v_due then raise exception 'inspection % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.inspection_task_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from inspection_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'inspection transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  if old.status in ('done', 'closed') then raise exception 'the inspection has ended' using errcode = 'YS902'; end if;
  if new.status in ('done', 'closed') then
    if new.sealed_enc is not null then new.erased_at := now(); end if;
    new.sealed_enc := null;
    new.due_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'ledger accounts cannot be deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'ledger_account.key and may_overdraw are immutable' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'ledger_account.balance can change only through a ledger entry' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_move(p_transfers jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  t jsonb;
  v_debit text;
  v_credit text;
  v_fen bigint;
  v_id bigint;
  v_total int := jsonb_array_length(p_transfers);
  v_new int := 0;
  v_first text;
  v_second text;
  v_delta bigint;
  v_balance1 bigint;
  v_version1 bigint;
  v_balance2 bigint;
  v_version2 bigint;
begin
  if v_total > 1 then
    -- Accounts are locked in key order, so that two postings which share accounts cannot deadlock.
    insert into ledger_account (key, may_overdraw)
      select k, ledger_may_overdraw(k) from (
        select x->>'debit' k from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x) s
      where not exists (select from ledger_account l where l.key = s.k)
      order by k on conflict do nothing;
    perform 1 from ledger_account where key = any (array(
        select x->>'debit' from jsonb_array_elements(p_transfers) x union select x->>'credit' from jsonb_array_elements(p_transfers) x))
      order by key for update;
  end if;
  for i in 0 .. v_total - 1 loop
    t := p_transfers->i;
    v_debit := t->>'debit';
    v_credit := t->>'credit';
    v_fen := (t->>'fen')::bigint;
    if v_debit < v_credit then
      v_first := v_debit; v_second := v_credit; v_delta := -v_fen;
    else
      v_first := v_credit; v_second := v_debit; v_delta := v_fen;
    end if;
    if v_total = 1 then
      insert into ledger_account (key, may_overdraw)
        select k, ledger_may_overdraw(k) from unnest(array[v_first, v_second]) k
        where not exists (select from ledger_account l where l.key = k)
        on conflict do nothing;
    end if;
    insert into ledger_transfer (code, ref, debit, credit, amount_fen, dist_id, order_id)
      values (t->>'code', t->>'ref', v_debit, v_credit, v_fen, (t->>'dist')::int, (t->>'order')::bigint)
      on conflict (code, ref) do nothing returning id into v_id;
    if v_id is null then
      perform 1 from ledger_transfer l
        where l.code = t->>'code' and l.ref = t->>'ref' and l.debit = v_debit and l.credit = v_credit and l.amount_fen = v_fen;
      if not found then raise exception 'transfer % % already exists with different contents', t->>'code', t->>'ref' using errcode = 'YS102'; end if;
      continue;
    end if;
    v_new := v_new + 1;
    update ledger_account set balance = balance + v_delta, version = version + 1 where key = v_first
      returning balance, version into strict v_balance1, v_version1;
    update ledger_account set balance = balance - v_delta, version = version + 1 where key = v_second
      returning balance, version into strict v_balance2, v_version2;
    insert into ledger_entry (account, version, transfer_id, delta, balance_after)
      values (v_first, v_version1, v_id, v_delta, v_balance1), (v_second, v_version2, v_id, -v_delta, v_balance2);
  end loop;
  if v_new > 0 and v_new < v_total then raise exception 'transfer set was only partially posted before' using errcode = 'YS102'; end if;
  return v_new > 0;
end $function$;

CREATE OR REPLACE FUNCTION public.order_cut_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.cut_fen <> 0 or new.type_id <> 52 or new.status <> 3 then raise exception 'orders.cut_fen can be set only once, on a completed recycling order' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.order_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_status smallint;
  v_due bigint;
begin
  select o.status, case when o.status in (1, 2) then o.total_fen + o.discount_fen - o.advance_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'order:' || new.id || ':escrow'), 0)
    into v_status, v_due, v_balance from orders o where o.id = new.id;
  if v_balance <> v_due then
    raise exception 'order % with status % has an unexpected escrow balance of %', new.id, v_status, v_balance using errcode = 'YS903';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_pay_part(p_order bigint, p_goods bigint, p_ref text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  o orders;
  v_goods bigint;
  v_fen bigint;
begin
  select * into o from orders where id = p_order for update;
  if o.status is distinct from 1 or o.disputed or p_goods <= 0 then raise exception 'order status was changed by another transaction' using errcode = 'YS208'; end if;
  v_goods := o.advance_goods_fen + p_goods;
  v_fen := greatest(v_goods - ceil(o.commission_fen::numeric * v_goods / o.goods_fen)::bigint - 1 - o.advance_fen, 0);
  update orders set advance_fen = advance_fen + v_fen, advance_goods_fen = v_goods where id = p_order;
  if v_fen > 0 then
    perform ledger_post(jsonb_build_array(jsonb_build_object('code', 'milestone_paid', 'ref', p_ref, 'debit', 'order:' || p_order || ':escrow',
      'credit', 'user:' || o.seller_id || ':available', 'fen', v_fen, 'dist', o.dist_id, 'order', p_order)));
  end if;
  return v_fen;
end $function$;

CREATE OR REPLACE FUNCTION public.order_place(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  r jsonb := p->'order';
  v_id bigint := nextval('orders_id_seq');
  v_earlier jsonb;
  v_facts jsonb := jsonb_build_object('orderId', v_id, 'orderSn', r->>'sn', 'status', 0, 'totalFen', (r->>'total_fen')::bigint, 'createTime', now());
  v_buyer bigint := (r->>'buyer_id')::bigint;
  v_goods bigint := (r->>'goods_id')::bigint;
  v_num int := (r->>'goods_num')::int;
  v_max int := (p->>'maxUnpaid')::int;
  v_unpaid int;
  v_status smallint;
  v_self boolean := p->>'actor' = 'user:' || (r->>'buyer_id');
  v_until timestamptz;
begin
  if p ? 'idem' then
    v_earlier := idempotency_keep(p->'idem', v_facts);
    if v_earlier is not null then return v_earlier || '{"replay": true}'; end if;
  end if;
  if v_self then
    -- Concurrent orders of one buyer are placed one after the other, so that the counts below are right for each.
    perform pg_advisory_xact_lock(hashtextextended('order_place', v_buyer));
    select count(*) into v_unpaid from (select from orders where buyer_id = v_buyer and status = 0 and self_placed limit v_max) x;
    if v_unpaid >= v_max then
      raise exception 'buyer has too many unpaid orders' using errcode = 'YS203';
    end if;
    v_until := unpaid_pause_until(v_buyer, p->'pauseSeconds');
    if v_until > now() then
      raise exception 'buyer is paused after unpaid orders' using errcode = 'YS212', detail = extract(epoch from v_until)::text;
    end if;
  end if;
  -- Services, quick coin, recycling and private deals are orders without goods; their own slice takes what they need in the same transaction.
  if v_goods is not null then
    v_status := goods_reserve(v_goods, (p->>'goodsVersion')::int, v_num);
    if v_status = 4 and v_self then
      select max(unpaid_end_at) + interval '1 day' into v_until from orders
        where buyer_id = v_buyer and goods_id = v_goods and unpaid_end_at > now() - interval '1 day';
      if v_until is not null then
        raise exception 'listing was already reserved by this buyer' using errcode = 'YS213', detail = extract(epoch from v_until)::text;
      end if;
    end if;
  end if;
  insert into orders (id, sn, dist_id, type_id, goods_id, goods_sn, game_id, buyer_id, seller_id, goods_num, unit_price_fen, goods_fen, service_fee_fen,
      ensure_fen, fix_ensure_fen, discount_fen, total_fen, commission_fen, dist_share_fen, invite_reward_fen, inviter_id, ensure_id, fix_ensure_id,
      coupon_id, bargain_id, fees, snapshot, self_placed)
    overriding system value
    values (v_id, r->>'sn', (r->>'dist_id')::int, (r->>'type_id')::smallint, v_goods, r->>'goods_sn', (r->>'game_id')::int, v_buyer,
      (r->>'seller_id')::bigint, v_num, (r->>'unit_price_fen')::bigint, (r->>'goods_fen')::bigint, (r->>'service_fee_fen')::bigint,
      (r->>'ensure_fen')::bigint, (r->>'fix_ensure_fen')::bigint, (r->>'discount_fen')::bigint, (r->>'total_fen')::bigint,
      (r->>'commission_fen')::bigint, (r->>'dist_share_fen')::bigint, (r->>'invite_reward_fen')::bigint, (r->>'inviter_id')::bigint,
      (r->>'ensure_id')::int, (r->>'fix_ensure_id')::int, (r->>'coupon_id')::bigint, (r->>'bargain_id')::bigint, r->'fees', r->'snapshot', v_self);
  if r->>'coupon_id' is not null and not coupon_use((r->>'coupon_id')::bigint, v_buyer, v_id) then
    raise exception 'coupon is no longer usable' using errcode = 'YS204';
  end if;
  if r->>'bargain_id' is not null and not bargain_use((r->>'bargain_id')::bigint, v_buyer, v_goods, v_id) then
    raise exception 'bargain is no longer valid' using errcode = 'YS205';
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, 0, p->>'explain', p->>'actor');
  perform effect_schedule('order.expire', v_id::text, now() + make_interval(secs => (p->>'expireSeconds')::int));
  perform effect_emit('order.placed', jsonb_build_object('orderId', v_id));
  return v_facts;
end $function$;

CREATE OR REPLACE FUNCTION public.order_step(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_id bigint := (p->>'orderId')::bigint;
  v_ref text := p->>'orderId';
  v_from smallint[] := translate(p->>'from', '[]', '{}')::smallint[];
  v_to smallint := (p->>'to')::smallint;
  v_stamp text := p->>'stamp';
  v_ship int := (p->>'shipSeconds')::int;
  v_confirm int := (p->>'confirmSeconds')::int;
  v_untouched boolean := p->'only'->>'untouched' is not null;
  v_undisputed boolean := p->'only'->>'undisputed' is not null;
  v_late boolean := p->'only'->>'late' is not null;
  v_clear text[] := translate(p->'timers'->>'clear', '[]"', '{}')::text[];
  v_set jsonb := p->'timers'->'set';
  v_events jsonb := p->'events';
  v_facts jsonb := jsonb_build_object('orderId', v_id, 'orderSn', p->>'sn', 'status', v_to);
  v_earlier jsonb;
  o record;
begin
  if p ? 'idem' then
    v_earlier := idempotency_keep(p->'idem', v_facts);
    if v_earlier is not null then return v_earlier || '{"replay": true}'; end if;
  end if;
  if v_to in (2, 3) then
    -- A hand-over step is changed under a lock of the order's row, so what is read under this lock is still true when the status changes.
    perform from orders where id = v_id and status = any (v_from) for update;
    if not found then raise exception 'order status was changed by another transaction' using errcode = 'YS208'; end if;
    if not order_steps_done(v_id, v_to) then raise exception 'required handover steps are not done' using errcode = 'YS214'; end if;
    -- When the deadline was moved after its timer became due, the order is not confirmed before the new deadline.
    if p->'only'->>'due' is not null
        and not exists (select from timer where kind = 'order.autoConfirm' and ref = v_ref and (attempts > 0 or due_at <= now())) then
      raise exception 'order deadline was changed by another transaction' using errcode = 'YS208';
    end if;
    if p ? 'receiptStep' then
      update order_handover set done_by = p->>'actor', done_at = now() where order_id = v_id and step = (p->>'receiptStep')::int and done_at is null;
    end if;
    -- Who confirms the receipt does without the optional steps that are open.
    if v_to = 3 and p->>'actor' like 'user:%' then
      update order_handover set skipped = true, done_by = p->>'actor', done_at = now() where order_id = v_id and not required and done_at is null;
    end if;
  end if;
  update orders set
      status = v_to,
      paid_at = case when v_stamp = 'paid' then now() else paid_at end,
      shipped_at = case when v_stamp = 'shipped' then now() else shipped_at end,
      completed_at = case when v_stamp = 'completed' then now() else completed_at end,
      ship_by = case when v_ship is not null then now() + make_interval(secs => v_ship) else ship_by end,
      auto_confirm_at = case when v_confirm is not null then now() + make_interval(secs => v_confirm) else auto_confirm_at end,
      confirm_stopped_at = null,
      unpaid_end_at = case when v_to in (6, 7) and paid_at is null and self_placed then now() else unpaid_end_at end
    where id = v_id and status = any (v_from)
      and (not v_untouched or ((touched_at is null or ship_by < now()) and buyer_opened_at is null and delivered_at is null))
      and (not v_undisputed or not disputed)
      and (not v_late or (late_end_at <= now() and late_warned_at is not null and order_ends_when_late(id)))
    returning goods_id, goods_num, coupon_id, seller_id, buyer_id, total_fen, credential_opened_at into o;
  if not found then raise exception 'order status was changed by another transaction' using errcode = 'YS208'; end if;
  if p->>'goods' is not null and o.goods_id is not null then
    perform goods_settle(o.goods_id, o.goods_num, p->>'goods' = 'sold');
    if p->>'goods' = 'free' and o.credential_opened_at is not null then
      if goods_password_due(o.goods_id) then
        perform effect_emit('goods.passwordDue', jsonb_build_object('goodsId', o.goods_id, 'orderId', v_id));
      end if;
    end if;
  end if;
  if p->>'coupon' = 'return' and o.coupon_id is not null then perform coupon_return(o.coupon_id); end if;
  if p->>'complete' = 'true' then perform user_trade_done(o.seller_id, o.buyer_id, o.total_fen); end if;
  if jsonb_array_length(p->'transfers') > 0 then
    if not ledger_post(p->'transfers') then raise exception 'the transfers of the transition to % were already posted', v_to using errcode = 'YS102'; end if;
  end if;
  if p ? 'holds' then
    perform sale_hold(v_ref, o.seller_id, p->'holds', p->'stages');
  end if;
  insert into order_process (order_id, order_status, explain, actor) values (v_id, v_to, p->>'explain', p->>'actor');
  if v_clear <> '{}' then perform effect_cancel(v_clear, v_ref); end if;
  for i in 0 .. coalesce(jsonb_array_length(v_set), 0) - 1 loop
    perform effect_schedule(v_set->i->>'kind', v_ref, now() + make_interval(secs => (v_set->i->>'seconds')::int));
  end loop;
  for i in 0 .. coalesce(jsonb_array_length(v_events), 0) - 1 loop
    perform effect_emit(v_events->>i, jsonb_build_object('orderId', v_id));
  end loop;
  return v_facts;
end $function$;

CREATE OR REPLACE FUNCTION public.order_terms_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.sn, new.dist_id, new.type_id, new.goods_id, new.buyer_id, new.seller_id, new.goods_num, new.unit_price_fen, new.goods_fen, new.service_fee_fen,
      new.ensure_fen, new.fix_ensure_fen, new.discount_fen, new.total_fen, new.commission_fen, new.dist_share_fen, new.invite_reward_fen)
     is distinct from
     (old.sn, old.dist_id, old.type_id, old.goods_id, old.buyer_id, old.seller_id, old.goods_num, old.unit_price_fen, old.goods_fen, old.service_fee_fen,
      old.ensure_fen, old.fix_ensure_fen, old.discount_fen, old.total_fen, old.commission_fen, old.dist_share_fen, old.invite_reward_fen)
  then raise exception 'the terms of an order are immutable' using errcode = 'YS901'; end if;
  if old.status <> new.status and not exists (select from order_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'order transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.published_text_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - '{revoked_at,revoked_by}'::text[]) is distinct from (to_jsonb(old) - '{revoked_at,revoked_by}'::text[])
    or old.revoked_at is not null or old.in_force_from <= now()
  then raise exception 'a published text version is immutable; insert a new version' using errcode = 'YS900'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.quick_coin_take(p_offer bigint, p_version integer, p_lots integer)
 RETURNS quick_coin_offer
 LANGUAGE plpgsql
AS $function$
declare
  c quick_coin_offer;
begin
  update quick_coin_offer set stock = stock - p_lots, updated_at = now()
    where id = p_offer and status = 1 and version = p_version and stock >= p_lots and p_lots between min_lots and max_lots
    returning * into c;
  if found then return c; end if;
  select * into c from quick_coin_offer where id = p_offer;
  if c.status is distinct from 1 then raise exception 'coin offer is not on sale' using errcode = 'YS201'; end if;
  if c.version <> p_version then raise exception 'coin offer was changed by another transaction' using errcode = 'YS202'; end if;
  if p_lots not between c.min_lots and c.max_lots then raise exception 'lot count is outside the offer''s minimum and maximum' using errcode = 'YS211'; end if;
  raise exception 'coin offer stock is too low' using errcode = 'YS207';
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_cut_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'accepted' then raise exception 'recycle_request.cut_fen can change only while the inspection runs' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_escrow_agrees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  v_balance bigint;
  v_due bigint;
begin
  select case when q.status = 'open' then q.amount_fen + q.fee_fen else 0 end,
      coalesce((select a.balance from ledger_account a where a.key = 'recycle:' || new.id || ':escrow'), 0)
    into v_due, v_balance from recycle_quote q where q.id = new.id;
  if v_balance <> v_due then raise exception 'bid % has an unexpected escrow balance of %', new.id, v_balance using errcode = 'YS903'; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_quote_rises()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.request_id, new.recycler_id) is distinct from (old.request_id, old.recycler_id) or new.amount_fen < old.amount_fen or new.fee_fen < old.fee_fen
    or (old.status <> 'open' and (new.status, new.amount_fen) is distinct from (old.status, old.amount_fen))
  then raise exception 'a bid cannot be lowered or changed once it is closed' using errcode = 'YS901'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_request_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 2 and exists (select from recycle_request r where r.order_id = new.id and r.status <> 'paid') then
    raise exception 'the recycled account is not inspected yet' using errcode = 'YS208';
  end if;
  if new.status in (7, 8, 9) then
    update recycle_request set status = 'closed', due_at = null, updated_at = now() where order_id = new.id and status in ('accepted', 'reconfirm');
  elsif new.status = 3 then
    update recycler r set won_count = r.won_count + 1, lowered_count = r.lowered_count + case when q.cut_fen > 0 then 1 else 0 end
      from recycle_request q where q.order_id = new.id and r.user_id = new.buyer_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.recycle_request_steps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> new.status and not exists (select from recycle_transition t where t.from_status = old.status and t.to_status = new.status)
  then raise exception 'recycling transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'table % is insert-only, % is not allowed', tg_table_name, tg_op using errcode = 'YS900';
end $function$;

CREATE OR REPLACE FUNCTION public.service_tip_capped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select coalesce(sum(amount_fen), 0) from service_tip where order_id = new.order_id) > 20000 then
    raise exception 'tips of an order exceed the limit' using errcode = 'YS901';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.site_takes_orders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from distributor where id = new.dist_id and suspended_at is null for share;
  if not found then raise exception 'the site does not accept orders' using errcode = 'YS217'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.want_deposit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deposit_fen <> old.deposit_fen and new.deposit_fen <> 0 then raise exception 'a want deposit can only be returned in full' using errcode = 'YS900'; end if;
  return new;
end $function$;
