-- no-transaction
create index concurrently if not exists orders_moments on orders using brin (created_at timestamptz_minmax_multi_ops, paid_at timestamptz_minmax_multi_ops, shipped_at timestamptz_minmax_multi_ops, completed_at timestamptz_minmax_multi_ops) with (pages_per_range = 32, autosummarize = on);
