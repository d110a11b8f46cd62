-- Notes the newest transfer and the newest transaction, once what was noted before has ended and is proved, so that nobody can hold the proof
-- up by looking again. A transaction that this cluster never had, as after a restore, is forgotten.
CREATE OR REPLACE FUNCTION public.books_look(p_settle_seconds integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update books_progress set seen_id = coalesce((select max(id) from ledger_transfer), 0), seen_at = clock_timestamp(),
      seen_xid = pg_current_xact_id()::text::bigint
    where seen_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      or (pg_snapshot_xmin(pg_current_snapshot())::text::bigint > seen_xid
        and seen_at <= clock_timestamp() - make_interval(secs => p_settle_seconds)
        and seen_id <= coalesce((select to_id from books_block order by to_id desc limit 1), 0));
end $function$;
