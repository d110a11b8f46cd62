-- no-transaction
create index concurrently if not exists app_user_created on app_user (created_at);
