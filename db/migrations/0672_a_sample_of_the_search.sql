-- no-transaction
-- Every node reads a sample of the listings on sale, one in sixteen at most (server/slices/goods/search/sampling.ts).
create index concurrently if not exists goods_search_sample on goods_search (hashint8(goods_id), goods_id) where hashint8(goods_id) < -1879048192;
