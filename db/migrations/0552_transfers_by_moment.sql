-- no-transaction
create index concurrently if not exists ledger_transfer_created on ledger_transfer (created_at, id);
