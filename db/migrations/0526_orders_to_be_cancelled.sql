-- no-transaction
create index concurrently if not exists orders_cancel_asked on orders (cancel_asked_at) where status = 1 and cancel_asked_at is not null;
