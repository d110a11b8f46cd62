-- Catalogue: what the search needs beyond a game's name.
alter table game add column aliases text[] not null default '{}';
alter table game add column default_type smallint not null default 1;
comment on column game.aliases is 'Other names that people search a game by.';
comment on column game.default_type is 'Goods type that a search in this game starts with (product.md 9).';

-- Most viewed, by game. The counter stays out of goods_search, whose ten indexes would all be written for each batch of views;
-- game_id is set only while the goods are on sale, so that a walk meets nothing that cannot be shown.
alter table goods_stat add column game_id int;
update goods_stat st set game_id = s.game_id from goods_search s where s.goods_id = st.goods_id;
drop index goods_stat_views;
create index goods_stat_views on goods_stat (views desc, goods_id desc) where game_id is not null;
create index goods_stat_game_views on goods_stat (game_id, views desc, goods_id desc) where game_id is not null;

-- How many are on sale by game and goods type is counted from this index alone.
create index gs_game_type on goods_search (game_id, type_id);
