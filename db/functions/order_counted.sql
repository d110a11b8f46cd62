CREATE OR REPLACE FUNCTION public.order_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select f.figure, f.day, new.dist_id, new.game_id, new.type_id, new.seller_id, sum(f.n), sum(f.amount)
    from (select * from order_figures(new) union all select x.figure, x.day, -x.n, -x.amount from order_figures(old) x) f
    group by f.figure, f.day having sum(f.n) <> 0 or sum(f.amount) <> 0;
  return null;
end $function$;
