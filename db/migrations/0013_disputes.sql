-- A dispute is a record on an order, not a status (domain.md 2): while one is open the order's timers stand still. First look
-- 15 min, the seller answers in 24 h (coins 2 h), ruling 48 h, one appeal to another person. A ruling cites numbered public rules.

-- The public rules. A version is never changed; the newest one in force counts for new orders, a ruling names the one it used.
create table platform_rule (
  no text not null check (no ~ '^\d{1,2}(\.\d{1,2}){0,2}$'),
  version int not null check (version > 0),
  title text not null,
  body text not null,
  in_force_from timestamptz not null,
  retired boolean not null default false,        -- this version says that the rule no longer applies
  created_by bigint references staff,
  created_at timestamptz not null default now(),
  primary key (no, version)
);
create trigger platform_rule_immutable before update or delete or truncate on platform_rule for each statement execute function refuse_change();

-- Typed reasons with the short form that both sides fill in; data, so that a new reason needs no deploy.
create table dispute_reason (
  code text primary key check (code ~ '^[a-z_]{2,40}$'),
  name text not null,
  goods_types smallint[],                        -- null = every type
  form jsonb not null default '[]' check (jsonb_typeof(form) = 'array'), -- [{key, label, kind: text|choice|yes_no|amount|time, options?, side: buyer|seller|both, required}]
  evidence text not null default '',             -- what is asked for
  after_completion boolean not null default true,
  sort int not null default 0,
  status smallint not null default 1 check (status in (1, 2))
);

insert into dispute_reason (code, name, goods_types, form, evidence, sort) values
  ('recovered', '账号被找回', '{1,8,50}', '[{"key":"lost_at","label":"什么时候登录不上","kind":"time","side":"buyer","required":true},{"key":"contacted","label":"对方是否联系过你","kind":"yes_no","side":"buyer","required":true},{"key":"reset","label":"是否由你操作找回","kind":"yes_no","side":"seller","required":true}]', '登录失败或密码被改的截图', 10),
  ('handover', '换绑问题', '{1,8,50}', '[{"key":"step","label":"卡在哪一步","kind":"text","side":"both","required":true}]', '换绑页面截图', 20),
  ('real_name', '实名或防沉迷问题', '{1,8,50}', '[{"key":"state","label":"现在的实名状态","kind":"text","side":"both","required":true}]', '实名或防沉迷页面截图', 30),
  ('not_as_described', '与描述不符', null, '[{"key":"field","label":"哪一项不符","kind":"text","side":"buyer","required":true},{"key":"found","label":"实际是什么","kind":"text","side":"buyer","required":true},{"key":"answer","label":"卖家说明","kind":"text","side":"seller","required":true}]', '能看到该项的游戏内截图', 40),
  ('not_delivered', '没有收到货', '{2,22,27,53}', '[{"key":"role","label":"收货角色名","kind":"text","side":"buyer","required":true},{"key":"sent_at","label":"发货时间","kind":"time","side":"seller","required":true}]', '邮件、拍卖或面交记录截图', 50),
  ('short_delivered', '数量不足', '{2,22,27,53}', '[{"key":"received","label":"实际收到数量","kind":"text","side":"buyer","required":true},{"key":"sent","label":"实际发货数量","kind":"text","side":"seller","required":true}]', '到账记录截图', 60),
  ('service_quality', '服务未达约定', '{60,61}', '[{"key":"done","label":"完成到哪里","kind":"text","side":"both","required":true}]', '战绩或进度截图', 70),
  ('service_absent', '服务者未到场或中途离开', '{60,61}', '[{"key":"since","label":"从什么时候开始","kind":"time","side":"buyer","required":true}]', '聊天或游戏内截图', 80),
  ('staff', '客服处理不当', null, '[{"key":"what","label":"哪里处理不当","kind":"text","side":"both","required":true}]', '聊天记录截图', 90),
  ('other', '其他问题', null, '[{"key":"what","label":"发生了什么","kind":"text","side":"both","required":true}]', '能说明问题的截图', 100);

-- dist_id filters: an operator sees the disputes of its own site.
create table dispute (
  id bigint generated always as identity primary key,
  sn text not null unique,
  dist_id int not null references distributor,
  order_id bigint not null references orders,
  opener_id bigint not null references app_user,
  opener_belong smallint not null check (opener_belong in (0, 1)), -- 1 the buyer opened it, 0 the seller (product.md 2)
  reason_code text not null references dispute_reason,
  want text not null check (want in ('refund', 'part_refund', 'continue', 'redo', 'release', 'other')),
  want_fen bigint not null default 0 check (want_fen >= 0),
  status text not null default 'open' check (status in ('open', 'answering', 'evidence', 'ruled', 'appealed', 'closed')),
  outcome text check (outcome in ('withdrawn', 'settled', 'ruled')), -- set when closed
  staff_id bigint references staff,              -- the named case owner
  appeal_staff_id bigint references staff,
  first_look_by timestamptz not null,
  first_look_at timestamptz,
  answer_by timestamptz,
  rule_by timestamptz,
  appeal_until timestamptz,                      -- after a ruling; money moves when this passes or the appeal is ruled
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  check ((status = 'closed') = (closed_at is not null)),
  check ((status = 'closed') = (outcome is not null)),
  check (appeal_staff_id is null or appeal_staff_id is distinct from staff_id)
);
create unique index dispute_open on dispute (order_id) where status <> 'closed';
create index dispute_order on dispute (order_id, id);
create index dispute_opener on dispute (opener_id, id desc);
create index dispute_queue on dispute (status, first_look_by) where status <> 'closed';
create index dispute_staff on dispute (staff_id) where status <> 'closed';

-- orders.disputed says what every timer and guard asks; it follows the records here and is set by nobody else.
create function dispute_marks_order() returns trigger language plpgsql as $$
begin
  update orders set disputed = exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed')
    where id = new.order_id
      and disputed is distinct from exists (select from dispute d where d.order_id = new.order_id and d.status <> 'closed');
  return null;
end $$;
create trigger dispute_marks_order after insert or update of status on dispute for each row execute function dispute_marks_order();

-- The legal steps of a record; a closed one stays closed.
create function dispute_step_legal() returns trigger language plpgsql as $$
begin
  if (new.order_id, new.opener_id, new.reason_code, new.sn) is distinct from (old.order_id, old.opener_id, old.reason_code, old.sn)
  then raise exception 'what a dispute is about does not change' using errcode = 'YS901'; end if;
  if old.status <> new.status and (old.status, new.status) not in (
      ('open', 'answering'), ('open', 'evidence'), ('answering', 'evidence'), ('evidence', 'ruled'), ('ruled', 'appealed'), ('appealed', 'ruled'),
      ('open', 'closed'), ('answering', 'closed'), ('evidence', 'closed'), ('ruled', 'closed'))
  then raise exception 'dispute step % to % does not exist', old.status, new.status using errcode = 'YS902'; end if;
  return new;
end $$;
create trigger dispute_step_legal before update on dispute for each row execute function dispute_step_legal();

-- What each side said: the reason's form, words and pictures. One form per side; more evidence is more rows. Insert only.
create table dispute_statement (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  belong smallint not null check (belong in (0, 1)),
  user_id bigint not null references app_user,
  kind text not null check (kind in ('form', 'evidence')),
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  text text not null default '',
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now()
);
create unique index dispute_statement_form on dispute_statement (dispute_id, belong) where kind = 'form';
create index dispute_statement_dispute on dispute_statement (dispute_id, id);
create trigger dispute_statement_immutable before update or delete or truncate on dispute_statement for each statement execute function refuse_change();

-- The record's own timeline, beside what orders, chat, reveals and payments already tell.
create table dispute_event (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  kind text not null,                            -- opened, looked, asked, answered, evidence, late, ruled, appealed, settled, withdrawn, closed
  actor text not null,
  explain text not null,
  created_at timestamptz not null default now()
);
create index dispute_event_dispute on dispute_event (dispute_id, id);
create trigger dispute_event_immutable before update or delete or truncate on dispute_event for each statement execute function refuse_change();

-- stage 1 the first ruling, 2 the ruling on the appeal. What it orders is executed once, by a posting with this id as its ref.
create table dispute_ruling (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute,
  stage smallint not null check (stage in (1, 2)),
  staff_id bigint not null references staff,
  refund_fen bigint not null check (refund_fen >= 0),      -- to the buyer
  release_fen bigint not null check (release_fen >= 0),    -- to the seller
  penalty_fen bigint not null default 0 check (penalty_fen >= 0), -- from the loser's deposit
  penalty_user bigint references app_user,
  reason text not null,
  public_text text,                              -- anonymised, for the searchable list of rulings
  created_at timestamptz not null default now(),
  unique (dispute_id, stage),
  check ((penalty_fen > 0) = (penalty_user is not null))
);
create table dispute_ruling_rule (
  ruling_id bigint not null references dispute_ruling,
  rule_no text not null,
  rule_version int not null,
  primary key (ruling_id, rule_no),
  foreign key (rule_no, rule_version) references platform_rule
);
create index dispute_ruling_rule_of on dispute_ruling_rule (rule_no, ruling_id desc);
create trigger dispute_ruling_immutable before update or delete or truncate on dispute_ruling for each statement execute function refuse_change();
create trigger dispute_ruling_rule_immutable before update or delete or truncate on dispute_ruling_rule for each statement execute function refuse_change();

-- The person who ruled does not rule on the appeal, and the appeal's ruling needs an appeal.
create function dispute_ruling_person() returns trigger language plpgsql as $$
begin
  if new.stage = 2 and not exists (select from dispute_appeal a where a.dispute_id = new.dispute_id)
  then raise exception 'nobody appealed' using errcode = 'YS402'; end if;
  if exists (select from dispute_ruling r where r.dispute_id = new.dispute_id and r.stage <> new.stage and r.staff_id = new.staff_id)
  then raise exception 'another person rules on an appeal' using errcode = 'YS403'; end if;
  return new;
end $$;
create trigger dispute_ruling_person before insert on dispute_ruling for each row execute function dispute_ruling_person();

-- A ruling without a rule is none. Checked when the transaction commits, because the ruling's row comes first.
create function dispute_ruling_cites() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from dispute_ruling_rule r where r.ruling_id = new.id)
  then raise exception 'a ruling cites a rule' using errcode = 'YS404'; end if;
  return null;
end $$;
create constraint trigger dispute_ruling_cites after insert on dispute_ruling deferrable initially deferred
  for each row execute function dispute_ruling_cites();

-- One appeal: the key is the dispute itself.
create table dispute_appeal (
  dispute_id bigint primary key references dispute,
  user_id bigint not null references app_user,
  reason text not null,
  pictures jsonb not null default '[]' check (jsonb_typeof(pictures) = 'array'),
  created_at timestamptz not null default now()
);
create trigger dispute_appeal_immutable before update or delete or truncate on dispute_appeal for each statement execute function refuse_change();

revoke update, delete, truncate on platform_rule, dispute_statement, dispute_event, dispute_ruling, dispute_ruling_rule, dispute_appeal from youshi_app;
revoke delete, truncate on dispute from youshi_app;
