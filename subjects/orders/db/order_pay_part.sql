-- Pays a part of the price out of escrow, less its share of the commission, and returns the amount in fen. Raises YS208 unless the order
-- is paid and undisputed. Called by orders/server/handover/service-steps.ts.
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
