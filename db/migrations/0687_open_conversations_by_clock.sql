-- no-transaction
-- A page of the open conversations of a brand is read in the order of their clocks.
create index concurrently if not exists chat_group_urgency on chat_group (dist_id, chat_urgency(reply_by, step_by, last_at), id desc) where status = 1;
