-- no-transaction
create index concurrently if not exists app_user_seen on app_user (last_seen_at, id);
