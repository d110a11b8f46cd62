-- A person's own data as a file (docs/decisions/212): asked for with a proof of the owner, made by a timer, sealed at rest, removed after
-- seven days. dist_id records where it was asked for; a file belongs to its person alone.
create table data_export (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  dist_id int not null references distributor,
  status text not null default 'waiting' check (status in ('waiting', 'ready', 'removed')),
  body_enc bytea,                                -- gzip and sealed; null before it is made and after it is removed
  bytes int,                                     -- of the file as it is downloaded
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  removed_at timestamptz,
  check ((status = 'ready') = (body_enc is not null))
);
create index data_export_user on data_export (user_id, created_at desc);
create unique index data_export_one_waits on data_export (user_id) where status = 'waiting';

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('security.export', '个人数据导出', 'security', '{site,sms}', false, false, 430);
insert into notice_template (kind, channel, version, title, body, link) values
  ('security.export', 'site', 1, '{what}', '{text}', '/center/myself/accountSecurity');
