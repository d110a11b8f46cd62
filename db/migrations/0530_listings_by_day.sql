-- no-transaction
create index concurrently if not exists goods_created on goods using brin (created_at timestamptz_minmax_multi_ops) with (pages_per_range = 32, autosummarize = on);
