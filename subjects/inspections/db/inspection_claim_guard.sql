-- Trigger of inspection_claim: an insert must match the order and its completed inspection (YS901); a decided claim is immutable (YS902).
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
