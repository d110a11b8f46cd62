-- no-transaction
create index concurrently if not exists middleman_deal_account_near on middleman_deal (account_near) where account_near is not null;
