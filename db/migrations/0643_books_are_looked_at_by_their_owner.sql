-- How far the proof may go is written by the function of the owner alone (docs/decisions/441): a number of a transaction that never was would hold it up.
-- A server of an earlier build, still running during an upgrade, writes it itself: its statement passes and changes nothing of that.
CREATE OR REPLACE FUNCTION public.books_progress_guard()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'MEMBER') then
    new.seen_id := old.seen_id;
    new.seen_xid := old.seen_xid;
    new.seen_at := old.seen_at;
  end if;
  return new;
end $function$;
create trigger books_progress_guard before update on books_progress for each row execute function books_progress_guard();
