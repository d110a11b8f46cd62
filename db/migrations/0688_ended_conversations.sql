-- no-transaction
-- Ended conversations follow the open ones, the newest first.
create index concurrently if not exists chat_group_ended on chat_group (dist_id, id desc) where status <> 1;
