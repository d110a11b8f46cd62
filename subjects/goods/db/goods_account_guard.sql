-- Trigger of goods: blocks the sale of an account with an open or paid claim or an open case (account_barred). A listing that returns from an
-- order goes off sale; all others raise YS411.
CREATE OR REPLACE FUNCTION public.goods_account_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform account_lock(new.fingerprint, false);
  if not account_barred(new.fingerprint) then return new; end if;
  if tg_op = 'UPDATE' and old.status in (4, 5, 7) then
    new.status := 3;
    return new;
  end if;
  raise exception 'the account has an open claim or case' using errcode = 'YS411';
end $function$;
