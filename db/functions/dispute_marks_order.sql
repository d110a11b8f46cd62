CREATE OR REPLACE FUNCTION public.dispute_marks_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform order_disputed(new.order_id, exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed'));
  return null;
end $function$;
