-- Trigger of orders (companion play): frees the booked hours when the play is finished or the order ends.
CREATE OR REPLACE FUNCTION public.companion_slot_follows_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from companion_slot where order_id = new.id;
  return null;
end $function$;
