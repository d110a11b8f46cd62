-- no-transaction
create index concurrently if not exists orders_staff_open on orders (staff_id, id desc) where status in (1, 2) and staff_id is not null;
