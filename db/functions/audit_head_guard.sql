-- Trigger of audit_head: only an update to the next number and a new hash passes, as audit_seal_row does it. Raises YS900.
CREATE OR REPLACE FUNCTION public.audit_head_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.seq = old.seq + 1 and new.hash <> old.hash then return new; end if;
  raise exception 'audit_head can be changed only by audit_seal_row' using errcode = 'YS900';
end $function$;
