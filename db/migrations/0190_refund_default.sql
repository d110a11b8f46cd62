-- An order paid by a channel is refunded to that channel unless its buyer prefers the balance (decision 560).
alter table payment add column refund_to_balance boolean not null default false;
grant update (refund_to_balance) on payment to youshi_app;
alter table refund drop constraint refund_cause_check;
alter table refund add constraint refund_cause_check check (cause in ('late', 'asked', 'staff', 'default')) not valid;
