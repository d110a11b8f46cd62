-- no-transaction
create index concurrently if not exists goods_view_age on goods_view (viewed_at);
