-- Pictures of a seller's file: those uploaded beside it, by their name, and those fetched from addresses in it (docs/decisions/431).
create table listing_import_picture (
  import_id bigint not null references listing_import on delete cascade,
  -- The address, or the name of the file in lower case. In bytes: an entry of the key's index has room for 2,704.
  source text not null check (source <> '' and octet_length(source) <= 1000),
  stem text check (octet_length(stem) <= 1000),      -- the file's name without its ending
  is_url boolean not null,
  picture_key text references picture (key) on delete cascade,
  failure text check (length(failure) <= 200),       -- why an address gave no picture
  created_at timestamptz not null default now(),
  primary key (import_id, source),
  check (picture_key is null or failure is null),
  check (is_url or picture_key is not null),
  check ((stem is null) = is_url)
);
create index listing_import_picture_key on listing_import_picture (picture_key) where picture_key is not null;
create index listing_import_picture_stem on listing_import_picture (import_id, stem) where stem is not null;
create index listing_import_picture_waiting on listing_import_picture (import_id) where picture_key is null and failure is null;
grant select, insert, update, delete on listing_import_picture to youshi_app;
