-- Marks reserved stock as sold, or releases it and reindexes the listing. Called by order_step.
CREATE OR REPLACE FUNCTION public.goods_settle(p_goods bigint, p_num integer, p_sold boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_sold then
    update goods set status = 5, updated_at = now() where id = p_goods and status = 4 and (type_id in (1, 8, 50) or stock = 0);
  else
    update goods set
        stock = case when type_id in (1, 8, 50) then stock else stock + p_num end,
        status = case when status in (4, 5) then 2 else status end,
        updated_at = now()
      where id = p_goods;
    perform effect_emit('goods.reindex', jsonb_build_object('goodsId', p_goods));
  end if;
end $function$;
