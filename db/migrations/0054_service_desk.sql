-- The workbench of customer service: when the one who had a group called its matter settled.
alter table chat_assignment add column solved_at timestamptz;
