-- Trigger of books_block: a stored hash is immutable.
CREATE OR REPLACE FUNCTION public.books_hash_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.hash is distinct from new.hash and old.hash is not null then
    raise exception 'the hash of a proved block is immutable';
  end if;
  return new;
end $function$;
