-- Every private deal under a game has a type.
alter table middleman_deal validate constraint middleman_deal_type_check;
