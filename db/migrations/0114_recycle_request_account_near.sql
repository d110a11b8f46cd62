-- no-transaction
create index concurrently if not exists recycle_request_account_near on recycle_request (account_near) where account_near is not null;
