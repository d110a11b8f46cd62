-- Trigger of hold: a hold ends once, its amount shrinks only by released stages, and its shortfall is set once. Raises YS900.
CREATE OR REPLACE FUNCTION public.hold_money_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.released_at is not null and new.released_at is distinct from old.released_at then
    raise exception 'hold is already released' using errcode = 'YS900';
  end if;
  if new.amount_fen <> old.amount_fen and (old.released_at is not null or old.amount_fen - new.amount_fen is distinct from
      (select sum(s.amount_fen) from hold_stage s where s.hold_id = old.id and s.released_at = now())) then
    raise exception 'hold.amount_fen can be reduced only by releasing a stage' using errcode = 'YS900';
  end if;
  if new.short_fen <> old.short_fen and old.short_fen <> 0 then
    raise exception 'hold.short_fen can be set only once' using errcode = 'YS900';
  end if;
  return new;
end $function$;
