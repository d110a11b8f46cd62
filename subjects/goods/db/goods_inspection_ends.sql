-- Trigger of goods: discards the inspection result when the listing's attributes or account change or it returns to sale.
CREATE OR REPLACE FUNCTION public.goods_inspection_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_found boolean;
begin
  if new.inspected_at is not null and new.inspected_at is distinct from old.inspected_at then return new; end if;
  delete from inspection where goods_id = new.id;
  v_found := found;
  if v_found or old.inspected_at is not null then
    insert into goods_event (goods_id, kind, actor, detail) values (new.id, 'uninspected', 'system', '{}');
  end if;
  new.inspected_at := null;
  return new;
end $function$;
