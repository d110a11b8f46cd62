-- The rows of an order in the order statistics. Called by order_counted and by orders/server/figures/daily-sums.ts.
CREATE OR REPLACE FUNCTION public.order_figures(o orders)
 RETURNS TABLE(figure text, day date, n integer, amount bigint)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select f.figure, (f.at at time zone 'Asia/Shanghai')::date, 1, f.amount
  from (values
    ('placed', o.created_at, o.total_fen),
    ('paid', o.paid_at, o.total_fen),
    ('bought', case when o.paid_at is not null then o.created_at end, o.total_fen),
    ('shipped', case when o.paid_at is not null then o.shipped_at end, extract(epoch from o.shipped_at - o.paid_at)::bigint),
    ('done', case when o.status = 3 then o.completed_at end, o.total_fen),
    ('escrow', case when o.status in (1, 2) then coalesce(o.paid_at, o.created_at) end, o.total_fen)
  ) f (figure, at, amount)
  where f.at is not null
$function$;
