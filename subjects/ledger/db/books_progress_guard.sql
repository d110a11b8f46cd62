-- Trigger of books_progress: only the table's owner can change the seen_* columns; updates by other roles keep the old values.
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
