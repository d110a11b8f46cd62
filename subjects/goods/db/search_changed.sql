-- Trigger of goods_search: queues changed listings for the external search engine if one is active.
CREATE OR REPLACE FUNCTION public.search_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from search_feed where engine is not null) then
    insert into search_change (goods_id) select r.goods_id from changed r;
  end if;
  return null;
end $function$;
