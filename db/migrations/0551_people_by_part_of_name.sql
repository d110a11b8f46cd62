-- no-transaction
create index concurrently if not exists app_user_name_parts on app_user using gin (name_parts(nick_name));
