-- chat_group_urgency finds the open conversations of a brand as well.
drop index chat_group_open;
