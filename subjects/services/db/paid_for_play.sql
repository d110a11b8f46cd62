-- The upper limit of tips for a companion order. Called by services/server/companions/tips.ts.
CREATE OR REPLACE FUNCTION public.paid_for_play(p_order bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  -- What a buyer has paid for play that was played and is settled, in fen: without the service fee's part and what was refunded. Tips cannot exceed it.
  select coalesce((select floor(greatest(0, (select sum(case
        when t.code in ('order_pay', 'order_pay_channel', 'ruling_coupon') then t.amount_fen
        when t.code in ('order_refund', 'ruling_take_back', 'ruling_from_balance', 'ruling_from_deposit', 'ruling_from_fund', 'ruling_fee_back',
          'dist_share_back', 'invite_reward_back', 'premium_back') then -t.amount_fen else 0 end) from ledger_transfer t where t.order_id = o.id))
      * o.goods_fen / greatest(1, o.goods_fen + o.service_fee_fen))
    from orders o join service_order s on s.order_id = o.id
    where o.id = p_order and s.type_id = 61 and s.started_at is not null and s.state in ('done', 'ended')), 0)::bigint
$function$;
