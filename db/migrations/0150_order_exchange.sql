-- A step in which the two parties pass a number or address and one-time codes to each other under seal, to bind the account to the buyer.
alter table order_handover add column exchange text;
alter table order_handover add constraint order_handover_exchange_check check (exchange = any (array['phone', 'mail'])) not valid;

-- The state of such a step. The values are encrypted with the order's data key; they are erased with the step's end.
create table order_exchange (
  order_id bigint not null,
  step smallint not null,
  target_enc bytea,
  target_hint text,
  target_version integer not null default 0,
  target_at timestamptz,
  target_opened_at timestamptz,
  target_openings integer not null default 0,
  target_refused_at timestamptz,
  started_at timestamptz,
  code_enc bytea,
  code_version integer not null default 0,
  code_at timestamptz,
  code_opened_at timestamptz,
  missing_at timestamptz,
  more_at timestamptz,
  moves integer not null default 0,
  primary key (order_id, step),
  foreign key (order_id, step) references order_handover (order_id, step),
  check (moves between 0 and 200)
);
grant select, insert, update on order_exchange to youshi_app;
