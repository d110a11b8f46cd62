-- Ends an order's hold and pays its frozen money to p_to. False if no such hold is open. Called by service_follows_order.
CREATE OR REPLACE FUNCTION public.hold_give(p_code text, p_order bigint, p_to bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  h hold;
begin
  update hold set released_at = now(), release_note = '订单已结束' where code = p_code and ref = p_order::text and released_at is null
    returning * into h;
  if not found then return false; end if;
  perform ledger_post(jsonb_build_array(jsonb_build_object(
    'code', case when h.user_id = p_to then 'service_deposit_out' else 'service_deposit_paid' end, 'ref', 'hold:' || h.id,
    'debit', 'user:' || h.user_id || ':frozen', 'credit', 'user:' || p_to || ':available', 'fen', h.amount_fen,
    'dist', (select dist_id from orders where id = p_order), 'order', p_order)));
  return true;
end $function$;
