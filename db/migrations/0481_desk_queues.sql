-- The search of the back office finds people by how their name begins.
create index app_user_nick on app_user (lower(nick_name) text_pattern_ops);
-- The queues of the back office are counted by indexes that hold the waiting rows alone; those of orders are made in 0525 and 0526.
create index approval_waiting on approval (expires_at) where status = 'waiting';
create index black_entry_waiting on black_entry (created_at) where status = 'reviewing';
