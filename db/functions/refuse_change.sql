-- Trigger of insert-only tables: rejects updates, deletes and truncates with YS900.
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'table % is insert-only, % is not allowed', tg_table_name, tg_op using errcode = 'YS900';
end $function$;
