-- The counted deposit of a user in one role, in fen. Called by deposits, goods, services and quick-coin.
CREATE OR REPLACE FUNCTION public.deposit_counted(p_user bigint, p_role text)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  -- What counts of a user's deposit in one role, in fen: paid in, less penalties and returns, less what is being released (domain.md 10).
  -- Levels, limits, badges, approvals and public pages all read this function.
  select greatest(0,
    coalesce((select sum(case kind when 1 then amount_fen else -amount_fen end) from deposit_entry where user_id = p_user and role = p_role), 0)
    - coalesce((select sum(amount_fen) from deposit_release where user_id = p_user and role = p_role and status = 'waiting'), 0))::bigint
$function$;
