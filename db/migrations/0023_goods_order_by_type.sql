-- A list of a game is nearly always one goods type (product.md 9: the type has a default), and types differ in price and score by
-- themselves: a walk along the game's cheapest goods would meet thousands of items before the first account. Each order of a
-- game's type therefore has its own index; gs_game_* stay for lists of all types.
create index gs_type_price on goods_search (game_id, type_id, price_fen, goods_id);
create index gs_type_new on goods_search (game_id, type_id, refreshed_at desc, goods_id desc);
create index gs_type_score on goods_search (game_id, type_id, score desc, goods_id desc);
drop index gs_game_type;
