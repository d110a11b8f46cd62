-- Trigger of ledger_account: rejects deletes, renames and balance changes without a new version. Raises YS900.
CREATE OR REPLACE FUNCTION public.ledger_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'ledger accounts cannot be deleted' using errcode = 'YS900'; end if;
  if new.key <> old.key or new.may_overdraw <> old.may_overdraw then raise exception 'ledger_account.key and may_overdraw are immutable' using errcode = 'YS900'; end if;
  if new.version <> old.version + 1 or new.balance = old.balance then raise exception 'ledger_account.balance can change only through a ledger entry' using errcode = 'YS900'; end if;
  return new;
end $function$;
