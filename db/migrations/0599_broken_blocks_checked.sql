alter table books_block validate constraint books_block_has_hash;
alter table books_block validate constraint books_block_begins;
alter table books_block validate constraint books_block_size;
