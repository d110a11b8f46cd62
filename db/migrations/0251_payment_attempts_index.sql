-- no-transaction
create index concurrently if not exists payment_attempt_of on payment (attempt_of) where attempt_of is not null;
