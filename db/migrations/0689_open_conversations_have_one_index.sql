-- no-transaction
-- chat_group_urgency finds the open conversations of a brand as well.
drop index concurrently if exists chat_group_open;
