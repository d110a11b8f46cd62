-- News have versions and a time from which and until which they are shown.
alter table news
  add column published_until timestamptz,
  add constraint news_times check (published_until is null or published_at is null or published_until > published_at);
comment on column news.published_at is 'From when it is shown once it is published; planned while it is a draft';
comment on column news.version is 'The version of what stands here; newer ones in news_version are drafts';

-- Each save of an article with who and when. The article's dist_id filters.
create table news_version (
  news_id bigint not null references news,
  version int not null check (version > 0),
  content jsonb not null check (jsonb_typeof(content->'blocks') = 'array'),
  restored_from int,                             -- the version that this one brings back
  created_by bigint references staff,            -- null: came with the installation
  created_at timestamptz not null default now(),
  primary key (news_id, version)
);
revoke update, delete, truncate on news_version from youshi_app;

-- Statements of a brand by day were never made or read: the commission page reads them from the postings, so they cannot differ.
drop table dist_day_line, dist_day;
drop function closed_day_stays(), closed_day_line_stays();
