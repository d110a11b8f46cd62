-- The clock of a conversation is that of the current step, as both parties see it.
drop trigger chat_group_follows_order on orders;
create trigger chat_group_follows_order after update of status, ship_by, auto_confirm_at, disputed on orders for each row
  when ((old.status, old.ship_by, old.auto_confirm_at, old.disputed) is distinct from (new.status, new.ship_by, new.auto_confirm_at, new.disputed))
  execute function chat_group_follows_order();
create trigger chat_group_follows_step after update of done_at on order_handover for each row when (old.done_at is distinct from new.done_at)
  execute function chat_group_follows_step();
create trigger chat_group_follows_exchange after update of more_at on order_exchange for each row when (old.more_at is distinct from new.more_at)
  execute function chat_group_follows_step();
create trigger chat_group_follows_steps after insert on order_handover referencing new table as made for each statement
  execute function chat_group_follows_steps();
update chat_group set step_by = order_turn_due(order_id) where order_id is not null and status = 1;
