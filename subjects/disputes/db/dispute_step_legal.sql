-- Trigger of dispute: keeps the identifying columns (YS901) and allows only legal status transitions (YS902).
CREATE OR REPLACE FUNCTION public.dispute_step_legal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.order_id, new.opener_id, new.reason_code, new.sn) is distinct from (old.order_id, old.opener_id, old.reason_code, old.sn)
  then raise exception 'order, opener, reason and number of a dispute are immutable' using errcode = 'YS901'; end if;
  if old.status <> new.status and (old.status, new.status) not in (
      ('open', 'answering'), ('open', 'evidence'), ('answering', 'evidence'), ('evidence', 'ruled'), ('ruled', 'appealed'), ('appealed', 'ruled'),
      ('open', 'closed'), ('answering', 'closed'), ('evidence', 'closed'), ('ruled', 'closed'))
  then raise exception 'dispute transition from % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $function$;
