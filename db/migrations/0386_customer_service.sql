-- Conversations of one user with customer service, without an order (product.md 7, groupType 2).

alter table chat_group
  add column goods_id bigint references goods,    -- the listing that the user asks about
  drop constraint chat_group_check,
  add constraint chat_group_check check ((group_type = 1) = (order_id is not null) and (group_type = 2 or user_id is null));

-- A user has one open conversation at a distributor; two requests at once open one.
create unique index chat_group_service on chat_group (user_id, dist_id) where group_type = 2 and status = 1;
create index chat_group_user on chat_group (user_id, id) where group_type = 2;
