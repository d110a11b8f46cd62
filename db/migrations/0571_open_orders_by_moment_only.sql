-- no-transaction
drop index concurrently if exists orders_open;
