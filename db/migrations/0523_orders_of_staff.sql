-- no-transaction
create index concurrently if not exists orders_staff on orders (staff_id, id desc) where staff_id is not null;
