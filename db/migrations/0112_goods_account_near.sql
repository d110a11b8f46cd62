-- no-transaction
create index concurrently if not exists goods_account_near on goods (account_near) where account_near is not null;
