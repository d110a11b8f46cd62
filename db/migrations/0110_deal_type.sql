-- A private deal under a game has one of that game's goods types; only a subject without a game has none.
update middleman_deal set game_id = null where type_id = 0 and game_id is not null;
alter table middleman_deal add constraint middleman_deal_type_check check ((game_id is null) = (type_id = 0)) not valid;
