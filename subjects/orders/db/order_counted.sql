-- Trigger of orders: records changes of the order statistics in order_delta.
CREATE OR REPLACE FUNCTION public.order_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Placing and paying are most of what happens: their rows are written without working out the differences of all figures.
  if tg_op = 'INSERT' and new.status = 0 and new.paid_at is null then
    insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
      values ('placed', (new.created_at at time zone 'Asia/Shanghai')::date, new.dist_id, new.game_id, new.type_id, new.seller_id, 1, new.total_fen);
    return null;
  end if;
  if tg_op = 'UPDATE' and old.status = 0 and new.status = 1 and old.paid_at is null and new.paid_at is not null
    and new.shipped_at is null and new.completed_at is null and new.total_fen = old.total_fen then
    insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
      select f.figure, (f.at at time zone 'Asia/Shanghai')::date, new.dist_id, new.game_id, new.type_id, new.seller_id, 1, new.total_fen
      from (values ('paid', new.paid_at), ('bought', new.created_at), ('escrow', new.paid_at)) f (figure, at);
    return null;
  end if;
  insert into order_delta (figure, day, dist_id, game_id, type_id, seller_id, n, amount)
    select f.figure, f.day, new.dist_id, new.game_id, new.type_id, new.seller_id, sum(f.n), sum(f.amount)
    from (select * from order_figures(new) union all select x.figure, x.day, -x.n, -x.amount from order_figures(old) x) f
    group by f.figure, f.day having sum(f.n) <> 0 or sum(f.amount) <> 0;
  return null;
end $function$;
