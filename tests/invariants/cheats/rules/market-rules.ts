/** Ground rules of the trade, checked in the market's own tables: a broken one does harm later, or to another person. */

/** States that the market forbids, one row each: an order and what is wrong with it. */
export const MARKET_RULES = `
  select o.id, 'the money was released while the step "' || h.key || '" was open' as text from orders o join order_handover h on h.order_id = o.id
    where o.buyer_id = any($1) and o.completed_at is not null and h.required and h.actor in ('seller', 'staff')
      and (h.done_at is null or h.done_at > o.completed_at)
      and not exists (select from dispute d where d.order_id = o.id and d.status = 'closed' and d.closed_at <= o.completed_at)
  union all
  select o.id, 'what staff checked is not what was delivered: the log-in was sealed anew after the check, which still counts'
    from orders o join order_handover h on h.order_id = o.id and h.key = 'check_login'
    where (o.buyer_id = any($1) or o.seller_id = any($1)) and o.status in (2, 3)
      and exists (select from sealed_credential s where s.order_id = o.id and s.from_user = o.seller_id and s.created_at > h.done_at)
  union all
  select o.id, 'the platform paid for an account that nobody had taken over' from recycle_request r join orders o on o.id = r.order_id
      join recycle_quote q on q.id = r.best_quote_id join recycler c on c.user_id = q.recycler_id and c.is_platform
      join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is not null
    where r.user_id = any($1) and o.status = 3 and not exists (select from dispute d where d.order_id = o.id)
      and not exists (select from approval a where a.act = 'recycle.taken' and a.target = 'order:' || o.sn and a.status = 'allowed')
  union all
  select o.id, 'who inspected an account for the platform said that it was taken over' from recycle_request r join orders o on o.id = r.order_id
      join recycle_reading x on x.request_id = r.id
      join approval a on a.act = 'recycle.taken' and a.target = 'order:' || o.sn and a.status = 'allowed' and x.staff_id in (a.asked_by, a.decided_by)
    where r.user_id = any($1)
  union all
  select o.id, 'the order was shipped while the step "' || h.key || '" was open' from orders o join order_handover h on h.order_id = o.id
    where o.buyer_id = any($1) and o.shipped_at is not null and h.required and h.before_ship and (h.done_at is null or h.done_at > o.shipped_at)
  union all
  select o.id, 'the goods went back on sale by themselves after their password was seen' from orders o join goods g on g.id = o.goods_id
    where o.buyer_id = any($1) and o.seller_id = $2 and o.status in (7, 8, 9) and o.credential_opened_at is not null and g.status = 2
  union all
  select o.id, 'the password of an order above the limit was opened by one member of staff alone' from orders o join credential_opening c on c.order_id = o.id
    where o.buyer_id = any($1) and c.party = 'staff' and o.total_fen > $3
      and not exists (select from approval a where a.act = 'order.open' and a.target = 'order:' || o.sn and a.status = 'allowed')
  union all
  select o.id, 'one member of staff alone let go of more than the limit' from orders o
    where o.buyer_id = any($1) and greatest(o.total_fen, o.goods_fen - o.commission_fen) > $3
      and exists (select from order_process p where p.order_id = o.id and p.actor like 'staff:%' and p.order_status = 9 and o.status = 9)
      and not exists (select from dispute d where d.order_id = o.id)
      and not exists (select from approval a where a.target = 'order:' || o.sn and a.status = 'allowed' and a.act = 'order.close')
  union all
  select o.id, 'the account was ordered while a claim on it was open' from orders o join goods g on g.id = o.goods_id
      join guarantee_claim k on k.fingerprint = g.fingerprint
    where o.buyer_id = any($1) and o.created_at > k.opened_at and o.created_at < coalesce(k.decided_at, 'infinity') and k.order_id <> o.id
  union all
  select k.order_id, 'the account stays on sale after the fund paid for its loss' from guarantee_claim k join goods g on g.fingerprint = k.fingerprint
    where k.user_id = any($1) and k.status = 'paid' and g.status in (1, 2)
  union all
  select k.order_id, 'the fund paid by a deadline between people who are linked' from guarantee_claim k join orders o on o.id = k.order_id
    where k.user_id = any($1) and k.status = 'paid' and k.staff_id is null and cardinality(user_links(o.buyer_id, o.seller_id)) > 0
  union all
  select o.id, 'one member of staff alone ruled on more than the limit' from dispute_ruling r join dispute d on d.id = r.dispute_id join orders o on o.id = d.order_id
    where o.buyer_id = any($1) and greatest(r.back_fen, o.goods_fen - o.commission_fen - r.back_fen) > $3
      and not exists (select from approval a where a.act = 'dispute.rule' and a.target = 'dispute:' || d.sn and a.status = 'allowed')
  union all
  select o.id, 'the first ruling and that on the appeal are of one person' from dispute_ruling r join dispute_ruling q on q.dispute_id = r.dispute_id
      and q.stage = 2 and r.stage = 1 and q.staff_id = r.staff_id join dispute d on d.id = r.dispute_id join orders o on o.id = d.order_id
    where o.buyer_id = any($1)
  union all
  select o.id, 'a member of staff acted on an order of a colleague' from orders o
    where o.buyer_id = any($1) and (
      exists (select from order_handover h where h.order_id = o.id and h.done_by like 'staff:%' and h.done_by <> 'staff:' || coalesce(o.staff_id, 0))
      or exists (select from order_process p where p.order_id = o.id and p.order_status in (2, 9) and p.actor like 'staff:%'
        and p.actor <> 'staff:' || coalesce(o.staff_id, 0) and o.status in (2, 3, 9) and not exists (select from dispute d where d.order_id = o.id)
        and not exists (select from approval a where a.target = 'order:' || o.sn and a.status = 'allowed')))
  union all
  select o.id, 'one member of staff alone shipped what lets go of more than the limit' from orders o
    where o.buyer_id = any($1) and o.goods_fen - o.commission_fen > $3
      and exists (select from order_process p where p.order_id = o.id and p.order_status = 2 and p.actor like 'staff:%' and p.explain like '%已发货%')
      and not exists (select from approval a where a.act = 'order.ship' and a.target = 'order:' || o.sn and a.status = 'allowed')
  union all
  select coalesce(d.order_id, 0), 'somebody who owes keeps free money' from debt d join ledger_account l on l.key = d.debtor
    where d.debtor_user = any($1) and d.settled_at is null and l.balance > 0
  union all
  select o.id, 'more came free early than the seller had paid as a deposit' from hold h join orders o on o.id = h.ref::bigint
    where h.code = 'sale_protection' and h.user_id = any($1)
      and (select coalesce(sum(s.amount_fen), 0) from hold_stage s where s.hold_id = h.id)
        > (select coalesce(sum(e.amount_fen), 0) from deposit_entry e where e.user_id = h.user_id and e.kind = 1)
  union all
  select k.order_id, 'the fund lost by a deadline' from guarantee_claim k join guarantee_cover c on c.id = k.cover_id join debt d on d.ref = 'claim:' || k.id
    where k.user_id = any($1) and k.status = 'paid' and k.staff_id is null and d.amount_fen - d.paid_fen > c.premium_fen
  union all
  select o.id, 'one member of finance alone ended a protection above the limit' from hold h join orders o on o.id = h.ref::bigint
    where h.code = 'sale_protection' and h.user_id = any($1) and h.amount_fen > $3 and h.release_note like '提前解冻%'
      and not exists (select from approval a where a.act = 'hold.release' and a.target = 'hold:' || h.id and a.status = 'allowed')
  union all
  select o.id, 'one member of finance alone ended a protection whose buyer had not confirmed the receipt' from hold h join orders o on o.id = h.ref::bigint
    where h.code = 'sale_protection' and h.user_id = any($1) and o.status = 3 and h.release_note like '提前解冻%'
      and 'user:' || o.buyer_id <> (select p.actor from order_process p where p.order_id = o.id and p.order_status = 3 order by p.id limit 1)
      and not exists (select from approval a where a.act = 'hold.release' and a.target = 'hold:' || h.id and a.status = 'allowed')
  union all
  select o.id, 'one member of staff alone decided on deposits above the limit' from service_order s join orders o on o.id = s.order_id
    join dispute d on d.id = s.ruled_dispute_id and d.reason_code not in ('cancel_unanswered', 'service_late')
    where o.buyer_id = any($1) and s.safety_fen + s.efficiency_fen > $3
      and not exists (select from approval a where a.act = 'boosting.deposits' and a.target = 'order:' || o.sn and a.status = 'allowed')
  union all
  select o.id, 'the money of an order of boosting waits for nobody' from service_order s join orders o on o.id = s.order_id
    where o.buyer_id = any($1) and s.type_id = 60 and o.status in (1, 2) and not o.disputed and not exists (
      select from timer t where t.ref = o.id::text and t.kind in ('service.accept', 'service.account', 'service.late', 'order.autoConfirm'))
  union all
  select o.id, 'the money of an order waits for nobody' from orders o
    where o.buyer_id = any($1) and o.status in (1, 2) and not o.disputed and o.snapshot->>'service' is null
      and not exists (select from timer t where t.ref = o.id::text and t.kind in ('order.late', 'order.autoConfirm'))
      and not exists (select from recycle_request r join timer t on t.kind = 'recycle.due' and t.ref = r.id::text where r.order_id = o.id)
  union all
  select k.order_id, 'who read an account decided on a claim on his reading' from inspection_claim k join inspection_task t on t.id = k.task_id
    where k.buyer_id = any($1) and k.status <> 'open' and k.staff_id = t.staff_id`;
