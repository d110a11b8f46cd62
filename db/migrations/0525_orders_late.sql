-- no-transaction
create index concurrently if not exists orders_ship_by on orders (ship_by) where status = 1;
