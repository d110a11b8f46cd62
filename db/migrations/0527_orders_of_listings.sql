-- no-transaction
create index concurrently if not exists orders_goods_sn on orders (goods_sn) where goods_sn is not null;
