-- no-transaction
create index concurrently if not exists guarantee_claim_opened on guarantee_claim (opened_at, id);
