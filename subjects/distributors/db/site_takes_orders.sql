-- Trigger of orders: rejects an order on a suspended site with YS217 and locks the site against concurrent suspension.
CREATE OR REPLACE FUNCTION public.site_takes_orders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from distributor where id = new.dist_id and suspended_at is null for share;
  if not found then raise exception 'the site does not accept orders' using errcode = 'YS217'; end if;
  return new;
end $function$;
