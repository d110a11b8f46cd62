-- Books hours of a companion for an order. False if they overlap a booking. Called by services/server/companions/booking.ts and
-- service_follows_case.
CREATE OR REPLACE FUNCTION public.companion_slot_take(p_order bigint, p_provider bigint, p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into companion_slot (order_id, provider_id, during) values (p_order, p_provider, tstzrange(date_trunc('second', p_from), date_trunc('second', p_to)))
    on conflict (order_id) do update set during = excluded.during;
  return true;
exception when exclusion_violation then
  return false;
end $function$;
