-- Orders of sorting of further lists of the back office (docs/decisions/330). Small tables, and rare orders of large ones, are sorted as they are read.
create index app_user_created on app_user (created_at, id);
create index app_user_sold on app_user (sold_count, id);
create index audit_log_created on audit_log (created_at, id);
create index goods_created on goods (created_at, id);
create index goods_price on goods (price_fen, id);
create index withdrawal_created on withdrawal (created_at, id);
create index hold_open_created on hold (created_at, id) where released_at is null;
create index payment_topups on payment (coalesce(paid_at, created_at), id) where status = 1 and purpose in ('topup', 'deposit');
