-- no-transaction
create index concurrently if not exists dispute_opened on dispute (opened_at, id);
