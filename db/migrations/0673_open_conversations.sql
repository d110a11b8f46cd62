-- no-transaction
-- The workbench shows open conversations by their deadlines; without an index it read every conversation that has ever ended.
create index concurrently if not exists chat_group_open on chat_group (dist_id) where status = 1;
