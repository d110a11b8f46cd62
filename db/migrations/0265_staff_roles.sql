-- A role is a named set of permissions that staff may edit. The permissions themselves are constants of the program
-- (contract/rules/staff.ts); a role whose set is null has the one that the program ships for it, so that a new permission reaches it
-- with the program that knows it.
create table staff_role (
  code text primary key check (code ~ '^[a-z][a-z0-9-]{1,31}$'),
  name text not null check (char_length(name) between 1 and 20),
  permissions text[],
  -- Shipped with the program: never deleted.
  is_system boolean not null default false,
  -- Staff with this role must be bound to one distributor.
  site_only boolean not null default false,
  -- A distributor's own role; null for roles of the platform.
  dist_id int references distributor(id),
  updated_at timestamptz not null default now(),
  -- Only shipped roles may leave their set to the program.
  check (is_system or permissions is not null)
);
create unique index staff_role_name on staff_role (coalesce(dist_id, 0), name);
grant select, insert, update, delete on staff_role to youshi_app;

insert into staff_role (code, name, permissions, is_system, site_only) values
  ('admin', '管理员', null, true, false),
  ('service', '客服', null, true, false),
  ('reviewer', '审核', null, true, false),
  ('finance', '财务', null, true, false),
  ('content', '内容', null, true, false),
  ('operator', '分销商运营', null, true, true),
  -- For staff whose permissions are given one by one.
  ('none', '单独授权', '{}', true, false);

alter table staff drop constraint staff_role_check;
alter table staff add constraint staff_role_fkey foreign key (role) references staff_role(code);
-- Permissions beside those of the role.
alter table staff add column permissions text[] not null default '{}';
-- Staff who have not set a password or second factor yet, or whose was reset, have none.
alter table staff alter column password_hash drop not null, alter column totp_secret_enc drop not null;
-- 1 active, 2 disabled, 9 not a person: what the admin command does is done by this row.
alter table staff add constraint staff_status_check check (status in (1, 2, 9));
alter table staff add column disabled_at timestamptz;
insert into staff (id, login, name, role, im_uid, status) overriding system value values (0, 'admin-command', '管理命令', 'admin', 's0', 9);

-- One-time addresses by which staff set a password, a second factor, or both. Only the hash of the token is stored.
create table staff_invite (
  token_hash bytea primary key,
  staff_id bigint not null references staff(id),
  sets_password boolean not null,
  sets_factor boolean not null,
  -- The second factor that the page offers; it counts only once a code of it was given.
  totp_secret_enc bytea,
  created_by bigint references staff(id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  tries smallint not null default 0,
  check (sets_password or sets_factor),
  check (sets_factor = (totp_secret_enc is not null))
);
-- A newer address replaces the older one.
create unique index staff_invite_open on staff_invite (staff_id) where used_at is null;
grant select, insert, update, delete on staff_invite to youshi_app;

-- When the second factor was given again in this session, for decisions on money and on people.
alter table session add column factor_verified_at timestamptz;
create index session_staff on session (staff_id) where staff_id is not null;

-- Idle end and length of a staff session, and how long a second factor that was given again counts. Minutes.
insert into setting (key, version, value) values ('staffSession', 1, '{"idleMinutes": 60, "maxMinutes": 480, "stepUpMinutes": 10, "inviteHours": 48}');
