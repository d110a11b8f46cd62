-- A transfer that the channel called done may still come back: the payee's account was closed or refused it. So a paid withdrawal is asked
-- about again some days later, and what came back returns to the balance.
alter table withdrawal add column bounced_at timestamptz, add constraint withdrawal_bounced check (bounced_at is null or status = 3);
insert into setting (key, version, value) values
  ('payout', 2, '{"smsFen": 500000, "recheckDays": [1, 3, 7]}');
