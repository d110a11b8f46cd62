-- Reserves stock of a listing for an order and returns the new status. Raises YS201 (not on sale), YS202 (changed), YS207 (stock).
-- Called by order_place.
CREATE OR REPLACE FUNCTION public.goods_reserve(p_goods bigint, p_version integer, p_num integer)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  v_status smallint;
  g goods;
begin
  update goods set
      stock = case when type_id in (1, 8, 50) then stock else stock - p_num end,
      status = case when type_id in (1, 8, 50) or stock = p_num then 4 else 2 end,
      updated_at = now()
    where id = p_goods and status = 2 and version = p_version and stock >= p_num
    returning status into v_status;
  if v_status is null then
    select * into g from goods where id = p_goods;
    if g.status is distinct from 2 then raise exception 'listing is not on sale' using errcode = 'YS201'; end if;
    if g.version <> p_version then raise exception 'listing was changed by another transaction' using errcode = 'YS202'; end if;
    raise exception 'listing stock is too low' using errcode = 'YS207';
  end if;
  if v_status = 4 then delete from goods_search where goods_id = p_goods; end if;
  return v_status;
end $function$;
