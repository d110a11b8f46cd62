-- Counts a disputed order in the order statistics. Called by dispute_marks_order.
CREATE OR REPLACE FUNCTION public.order_dispute_counted(p_order bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select 'disputed', (o.created_at at time zone 'Asia/Shanghai')::date, o.dist_id, o.game_id, o.type_id, o.seller_id, 1, o.total_fen
    from orders o where o.id = p_order
$function$;
