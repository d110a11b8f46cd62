-- Texts of notices are versions: one that staff write names its author; the newest of a channel counts. A channel without a text of its
-- own says what the list on the site says; `removed` takes an own text away again.
alter table notice_template
  add column removed boolean not null default false,
  add column reason text not null default '',
  add constraint notice_template_vendor check (vendor_template is null or vendor_template ~ '^[A-Za-z0-9_-]{3,40}$'),
  add constraint notice_template_lengths check (length(title) <= 60 and length(body) <= 300);
revoke update on notice_template from youshi_app;
-- What a delivery says where its channel has a text of its own.
alter table notice_delivery add column title text, add column body text;
grant insert (title, body), select (title, body) on notice_delivery to youshi_app;
-- The kinds are the program's; staff choose where each is told by default, and whether it waits for quiet hours.
revoke insert, update on notice_kind from youshi_app;
alter table notice_kind add column version int not null default 1;
grant update (channels, urgent, version) on notice_kind to youshi_app;
