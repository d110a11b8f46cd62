-- account_near: the fingerprint without the mail domain; staff see offers with an equal one as possible duplicates.
-- account_hint: the account name with its middle hidden, shown to the owner and to staff.
alter table goods add column account_near bytea, add column account_hint text;
alter table middleman_deal add column account_near bytea, add column account_hint text;
alter table recycle_request add column account_near bytea, add column account_hint text;
grant update (account_near, account_hint) on middleman_deal to youshi_app;
