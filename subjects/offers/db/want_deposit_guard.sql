-- Trigger of want: the deposit can only be returned in full. Raises YS900.
CREATE OR REPLACE FUNCTION public.want_deposit_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deposit_fen <> old.deposit_fen and new.deposit_fen <> 0 then raise exception 'a want deposit can only be returned in full' using errcode = 'YS900'; end if;
  return new;
end $function$;
