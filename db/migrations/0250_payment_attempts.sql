-- A payer who chooses another way gets a new payment, and the one before is closed at its channel first. The payments of one wish to
-- top up, or to pay a deposit, stand in one line: `attempt_of` names its first. Of a line only one counts; money that comes by
-- another is returned like a late payment. An order's payments need no line, their order is one.
alter table payment
  add column attempt_of bigint,
  -- The payer chose another way: closed at the channel as soon as it answers.
  add column dropped_at timestamptz;
alter table payment add constraint payment_attempt_of_fkey foreign key (attempt_of) references payment(id) not valid;
alter table payment validate constraint payment_attempt_of_fkey;
grant update (dropped_at) on payment to youshi_app;
