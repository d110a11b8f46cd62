-- Trigger of dispute: updates orders.disputed and counts the first dispute of an order.
CREATE OR REPLACE FUNCTION public.dispute_marks_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform order_disputed(new.order_id, exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed'));
  if tg_op = 'INSERT' and not exists (select from dispute d where d.order_id = new.order_id and d.id <> new.id) then
    perform order_dispute_counted(new.order_id);
  end if;
  return null;
end $function$;
