-- no-transaction
create index concurrently if not exists orders_open_moment on orders (status, created_at, id) where status in (0, 1, 2);
