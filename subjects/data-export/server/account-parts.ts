import { type RawBuilder, sql } from 'kysely';

/** One part of the file: its name, the tables it is read from, and the query that gives its rows. */
export interface Part {
  name: string;
  tables: readonly string[];
  rows: RawBuilder<unknown>;
}

/** The maximum number of rows of one part; the newest are included. */
export const PART_ROWS = 20_000;
const limit = sql`limit ${PART_ROWS}`;

/** Fen as yuan text. */
export const yuan = (column: string): RawBuilder<string> => sql.raw(`round(${column} / 100.0, 2)::text`);

/** A nickname of another user, masked as on public pages. */
export const masked = (column: string): RawBuilder<string> =>
  sql.raw(`left(${column}, 1) || '**' || case when length(${column}) > 2 then right(${column}, 1) else '' end`);

/** The account: profile, log-in methods, consents, bindings, notices and settings. Phone and account numbers are masked. */
const person = (id: number): Part[] => [
  {
    name: '账户资料',
    tables: ['app_user', 'real_name', 'seller_standing'],
    rows: sql`select u.union_num as "用户编号", u.nick_name as "昵称", u.phone_mask as "手机", u.email_enc is not null as "已绑定邮箱",
      u.invite_code as "邀请码", u.seller_level as "卖家等级", u.sold_count as "卖出", u.rating_count as "收到评价", u.rating_good as "其中好评",
      r.name_mask as "实名", r.id_mask as "证件号", r.birth_date::text as "出生日期", r.verified_at as "实名时间",
      s.counted as "等级计算依据", u.created_at as "注册时间", u.last_seen_at as "最近使用"
      from app_user u left join real_name r on r.user_id = u.id left join seller_standing s on s.user_id = u.id where u.id = ${id}`,
  },
  {
    name: '登录中的设备',
    tables: ['session'],
    rows: sql`select agent as "设备", ip as "网络地址", created_at as "登录时间", last_seen_at as "最近使用", expires_at as "有效期至"
      from session where user_id = ${id} order by created_at desc ${limit}`,
  },
  {
    name: '登录过的设备',
    tables: ['known_device'],
    rows: sql`select first_at as "第一次登录", last_at as "最近一次登录" from known_device where user_id = ${id} order by last_at desc ${limit}`,
  },
  {
    name: '同意记录',
    tables: ['consent'],
    rows: sql`select text_code as "文本", text_version as "版本", ip as "网络地址", created_at as "时间" from consent where user_id = ${id} order by created_at desc ${limit}`,
  },
  {
    name: '第三方账号',
    tables: ['third_party_binding'],
    rows: sql`select provider as "平台", created_at as "绑定时间" from third_party_binding where user_id = ${id}`,
  },
  {
    name: '收款账户',
    tables: ['payout_account'],
    rows: sql`select kind as "类型", account_mask as "账号", created_at as "绑定时间", removed_at as "解绑时间" from payout_account where user_id = ${id} order by id desc`,
  },
  {
    name: '角色卡',
    tables: ['role_card'],
    rows: sql`select g.name as "游戏", c.role_name as "角色名", c.role_level as "等级", c.note as "备注", c.created_at as "创建时间"
      from role_card c join game g on g.id = c.game_id where c.user_id = ${id} order by c.id desc ${limit}`,
  },
  {
    name: '消息通知',
    tables: ['notice'],
    rows: sql`select title as "标题", body as "内容", read_at as "阅读时间", created_at as "时间" from notice where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '通知设置',
    tables: ['notice_preference', 'notice_quiet'],
    rows: sql`select p.kind as "类型", p.channels as "渠道", p.frequency as "频率", to_jsonb(q) - 'user_id' as "免打扰"
      from notice_preference p left join notice_quiet q on q.user_id = p.user_id where p.user_id = ${id}`,
  },
];

/** Activity other than trading: follows, views, reports, applications. */
const activity = (id: number): Part[] => [
  {
    name: '收藏',
    tables: ['goods_follow'],
    rows: sql`select g.sn as "商品编号", g.title as "标题", f.created_at as "时间" from goods_follow f join goods g on g.id = f.goods_id
      where f.user_id = ${id} order by f.created_at desc ${limit}`,
  },
  {
    name: '浏览记录',
    tables: ['goods_view'],
    rows: sql`select g.sn as "商品编号", g.title as "标题", v.viewed_at as "时间" from goods_view v join goods g on g.id = v.goods_id
      where v.user_id = ${id} order by v.viewed_at desc ${limit}`,
  },
  {
    name: '订阅',
    tables: ['alert'],
    rows: sql`select title as "名称", kind as "类型", channels as "渠道", paused as "已暂停", created_at as "时间" from alert where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '黑号举报',
    tables: ['black_entry'],
    rows: sql`select sn as "编号", title as "标题", text as "经过", status as "状态", created_at as "时间" from black_entry where reporter_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '黑号申诉',
    tables: ['black_appeal'],
    rows: sql`select e.sn as "记录编号", a.text as "理由", a.status as "状态", a.answer as "答复", a.created_at as "时间"
      from black_appeal a join black_entry e on e.id = a.entry_id where a.user_id = ${id} order by a.id desc ${limit}`,
  },
  {
    name: '假客服举报',
    tables: ['fake_service_report'],
    rows: sql`select kind as "类型", value_mask as "账号", text as "经过", status as "状态", created_at as "时间" from fake_service_report where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '客服评价',
    tables: ['service_satisfaction'],
    rows: sql`select score as "评分", tags as "标签", content as "内容", created_at as "时间" from service_satisfaction where user_id = ${id} order by created_at desc ${limit}`,
  },
  {
    name: '合作申请',
    tables: ['cooperation_request'],
    rows: sql`select sn as "编号", company as "公司", phone_mask as "手机", text as "内容", created_at as "时间" from cooperation_request where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '入驻申请',
    tables: ['provider', 'recycler'],
    rows: sql`select kind as "类型", name as "名称", intro as "介绍", profile as "资料", status as "状态", created_at as "时间" from provider where user_id = ${id}
      union all select 'recycler', name, null, null, null, null from recycler where user_id = ${id}`,
  },
  {
    name: '估价记录',
    tables: ['valuation'],
    rows: sql`select sn as "编号", details as "填写内容", created_at as "时间" from valuation where user_id = ${id} order by id desc ${limit}`,
  },
  {
    name: '卖家等级变化',
    tables: ['seller_level_change'],
    rows: sql`select from_level as "从", to_level as "到", counted as "依据", created_at as "时间" from seller_level_change where user_id = ${id} order by id desc ${limit}`,
  },
];

/** Uploaded files, and blocked players. */
const uploads = (id: number): Part[] => [
  {
    name: '上传的图片',
    tables: ['picture'],
    rows: sql`select purpose as "用途", width as "宽", height as "高", bytes as "字节", created_at as "时间" from picture where owner_id = ${id} order by created_at desc ${limit}`,
  },
  {
    name: '上传的语音',
    tables: ['voice_clip'],
    rows: sql`select seconds as "秒", bytes as "字节", created_at as "时间" from voice_clip where owner_id = ${id} order by created_at desc ${limit}`,
  },
  {
    name: '拉黑的人',
    tables: ['service_block'],
    rows: sql`select u.nick_name as "昵称", b.created_at as "时间" from service_block b join app_user u on u.id = b.blocked_id
      where b.user_id = ${id} order by b.created_at desc ${limit}`,
  },
];

/** All parts of a user's data that are neither trade nor money. */
export const accountParts = (id: number): Part[] => [...person(id), ...activity(id), ...uploads(id)];
