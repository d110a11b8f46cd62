-- no-transaction
create index concurrently if not exists orders_open on orders (status, id desc) where status in (0, 1, 2);
