-- Trigger of ledger_account: rejects deletes, renames and balance changes without a new version. Raises YS900.
CREATE OR REPLACE FUNCTION public.ledger_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'accounts are not deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'accounts are not renamed' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'a balance moves by an entry only' using errcode = 'YS900'; end if;
  return new;
end $function$;
