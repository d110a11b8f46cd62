-- Trigger of goods_search: records changes of the on-sale counts in on_sale_delta.
CREATE OR REPLACE FUNCTION public.on_sale_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into on_sale_delta (game_id, type_id, n) values (old.game_id, old.type_id, -1), (new.game_id, new.type_id, 1);
  else
    insert into on_sale_delta (game_id, type_id, n)
      select r.game_id, r.type_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed r group by r.game_id, r.type_id;
  end if;
  return null;
end $function$;
