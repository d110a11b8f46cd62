-- Public questions under a listing, and what people report of a listing, a question or an answer (docs/decisions/294).

create table goods_question (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  dist_id int not null references distributor,       -- records, and filters what a distributor's staff see
  seller_id bigint not null references app_user,
  user_id bigint not null references app_user,
  content text not null check (length(content) between 1 and 100),
  created_at timestamptz not null default now(),
  answer text check (length(answer) between 1 and 300),
  answered_at timestamptz,
  merged_at timestamptz,                             -- when the seller put the answer into the description
  hidden_at timestamptz,
  hidden_reason text,
  answer_hidden_at timestamptz,
  answer_hidden_reason text,
  check (user_id <> seller_id),
  check ((answer is null) = (answered_at is null)),
  check (merged_at is null or answered_at is not null)
);
create index goods_question_public on goods_question (goods_id, id desc) where hidden_at is null;
create index goods_question_waiting on goods_question (seller_id, id) where answered_at is null and hidden_at is null;
create index goods_question_seller on goods_question (seller_id, id desc);
create index goods_question_user on goods_question (user_id, created_at);

-- Reasons of reports are reasons of the same list that staff edit (0301): state 0 stands for a listing that is not ordered.
alter table dispute_reason drop constraint dispute_reason_order_states_check,
  add constraint dispute_reason_order_states_check check (order_states <@ '{0,1,2,3}' and cardinality(order_states) > 0);
insert into dispute_reason (code, name, goods_types, order_states, form, evidence, sort, status) values
  ('report_false', '描述或截图与实际不符', null, '{0}', '[]', '能看出不符的截图', 610, 1),
  ('report_contact', '含联系方式、引导线下交易', null, '{0}', '[]', '', 620, 1),
  ('report_stolen', '账号来路不明或被盗', null, '{0}', '[]', '能证明账号归属的截图', 630, 1),
  ('report_repeated', '重复发布、占位刷屏', null, '{0}', '[]', '', 640, 1),
  ('report_forbidden', '外挂、违法或禁售内容', null, '{0}', '[]', '', 650, 1),
  ('report_abuse', '辱骂、威胁或泄露隐私', null, '{0}', '[]', '', 660, 1),
  ('report_other', '其他问题', null, '{0}', '[]', '', 690, 1);
insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status)
  select code, version, name, goods_types, order_states, form, evidence, sort, status from dispute_reason where order_states = '{0}';

create table goods_report (
  id bigint generated always as identity primary key,
  goods_id bigint not null references goods,
  question_id bigint references goods_question,
  dist_id int not null references distributor,
  part text not null check (part in ('goods', 'question', 'answer')),
  user_id bigint not null references app_user,
  reason_code text not null,
  reason_version int not null,
  note text not null default '' check (length(note) <= 200),
  pictures jsonb not null default '[]',
  status text not null default 'waiting' check (status in ('waiting', 'kept', 'hidden')),
  is_false boolean not null default false,           -- staff found that the reporter made it up
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references staff,
  decision text,
  check ((part = 'goods') = (question_id is null)),
  check ((status = 'waiting') = (decided_at is null)),
  foreign key (reason_code, reason_version) references dispute_reason_version
);
-- One open report of a person on a thing.
create unique index goods_report_open on goods_report (user_id, goods_id, part, coalesce(question_id, 0)) where status = 'waiting';
create index goods_report_waiting on goods_report (goods_id, part, question_id) where status = 'waiting';
create index goods_report_status on goods_report (status, id desc);
create index goods_report_user on goods_report (user_id, created_at);

grant select, insert, update on goods_question, goods_report to youshi_app;

insert into notice_kind (code, name, grp, channels, optional, urgent, sort) values
  ('goods.question', '商品提问', 'goods', '{site,wechat}', true, false, 260),
  ('goods.answer', '提问的回答', 'goods', '{site,wechat}', true, false, 261),
  ('goods.taken', '商品因举报下架', 'goods', '{site,wechat}', false, true, 262),
  ('goods.text_hidden', '提问或回答被隐藏', 'goods', '{site}', true, false, 263),
  ('service.goods_report', '商品举报结果', 'service', '{site,wechat}', true, false, 545);
insert into notice_template (kind, channel, version, title, body, link) values
  ('goods.question', 'site', 1, '有人问您的商品', '「{goods}」：{text}', '/center/questions'),
  ('goods.answer', 'site', 1, '卖家回答了您的提问', '「{goods}」：{text}', '/detail/{goodsSn}'),
  ('goods.taken', 'site', 1, '您的商品已下架', '「{goods}」经核查下架：{text}。修改后可以重新提交审核。', '/center/sellOutGoods'),
  ('goods.text_hidden', 'site', 1, '您的{part}已被隐藏', '「{goods}」下的{part}经核查隐藏：{text}。', '/detail/{goodsSn}'),
  ('service.goods_report', 'site', 1, '举报已处理，{what}', '您举报的「{goods}」{text}', '/center/notices');
