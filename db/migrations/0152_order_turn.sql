-- An optional step that the buyer does without.
alter table order_handover add column skipped boolean not null default false;
