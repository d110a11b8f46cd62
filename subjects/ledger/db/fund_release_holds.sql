-- Deferred trigger of fund_release: requires an approval by a second person, or an expired claim deadline and an amount under the limit.
-- Raises YS105.
CREATE OR REPLACE FUNCTION public.fund_release_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.approval_id is not null then
    if not exists (select from approval a where a.id = new.approval_id and a.status = 'allowed' and a.decided_by is not null) then
      raise exception 'a guarantee fund release must be approved by two staff members' using errcode = 'YS105';
    end if;
  elsif not exists (select from guarantee_claim c where c.id = new.claim_id and c.deadline_at <= now() and new.ref = 'claim:' || c.id)
      or new.amount_fen > (setting_now('withdraw')->>'secondPersonFen')::bigint then
    raise exception 'a guarantee fund release without an approval requires an expired claim deadline and an amount within the limit' using errcode = 'YS105';
  end if;
  return null;
end $function$;
