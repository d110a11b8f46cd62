-- Counts a completed order of a provider. Called by quick_coin_follows_order and service_follows_order.
CREATE OR REPLACE FUNCTION public.provider_done(p_provider bigint, p_on_time boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update provider set done_count = done_count + 1, on_time_count = on_time_count + case when p_on_time then 1 else 0 end
    where id = p_provider;
end $function$;
