-- Deferred trigger of dispute_ruling: a ruling must cite a rule by the end of the transaction. Raises YS404.
CREATE OR REPLACE FUNCTION public.dispute_ruling_cites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from dispute_ruling_rule r where r.ruling_id = new.id)
  then raise exception 'a ruling must cite at least one rule' using errcode = 'YS404'; end if;
  return null;
end $function$;
