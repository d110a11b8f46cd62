-- Reserves stock like goods_reserve, without a result. The current program does not call it.
CREATE OR REPLACE FUNCTION public.goods_take(p_goods bigint, p_version integer, p_num integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform goods_reserve(p_goods, p_version, p_num);
end $function$;
