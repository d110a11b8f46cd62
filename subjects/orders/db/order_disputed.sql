-- Sets orders.disputed. Called by dispute_marks_order.
CREATE OR REPLACE FUNCTION public.order_disputed(p_order bigint, p_open boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update orders set disputed = p_open where id = p_order and disputed is distinct from p_open;
end $function$;
