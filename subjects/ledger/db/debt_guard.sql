-- Trigger of debt: rejects deletes and any change except a payment of one more part. Raises YS900.
CREATE OR REPLACE FUNCTION public.debt_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then raise exception 'debts cannot be deleted' using errcode = 'YS900'; end if;
  if (new.debtor_user, new.debtor_dist, new.creditor, new.amount_fen, new.code, new.ref, new.order_id, new.created_at)
      is distinct from (old.debtor_user, old.debtor_dist, old.creditor, old.amount_fen, old.code, old.ref, old.order_id, old.created_at)
      or new.paid_fen <= old.paid_fen or new.parts <> old.parts + 1 then
    raise exception 'a debt is immutable; only paid_fen may change, and only upward' using errcode = 'YS900';
  end if;
  return new;
end $function$;
