-- no-transaction
-- Whether an account was recycled is asked whenever one is offered (db/functions/account_once.sql).
create index concurrently if not exists recycle_request_recycled on recycle_request (fingerprint) where status = 'paid';
