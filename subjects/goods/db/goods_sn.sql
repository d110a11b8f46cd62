-- The public number of a listing: a reversible permutation of its id. Default expression of goods.sn.
CREATE OR REPLACE FUNCTION public.goods_sn(p_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'Y' || chr(65 + (((p_id / 10000000) + 18) % 26)::int) || lpad(((p_id % 10000000) * 7368787 % 10000000)::text, 7, '0');
$function$;
