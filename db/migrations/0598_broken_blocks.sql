-- A block that is not whole is proved again each night, until it is (docs/decisions/406). The hash of one that never was is stored when it is.
alter table books_block
  add column is_broken boolean not null default false,
  alter column hash drop not null,
  add constraint books_block_has_hash check (hash is not null or is_broken) not valid,
  add constraint books_block_begins check (after_id >= 0) not valid,
  add constraint books_block_size check (to_id - after_id <= 5000) not valid;   -- the size of a block in server/slices/ledger/proof.ts

-- New tables may be updated unless that is taken back.
revoke update on books_block from youshi_app;
grant update (hash, is_broken, checked_at) on books_block to youshi_app;

create function books_hash_stays() returns trigger
language plpgsql
as $function$
begin
  if old.hash is distinct from new.hash and old.hash is not null then
    raise exception 'the hash of a block that was whole stays';
  end if;
  return new;
end $function$;

create trigger books_hash_stays before update on books_block for each row execute function books_hash_stays();
