-- A question that only its asker and the seller can read, also after the answer.
alter table goods_question add column is_private boolean not null default false;
