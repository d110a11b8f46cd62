import { UserStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import type { Channel, Outlet, Quiet } from './rules.ts';

export interface KindRow {
  code: string;
  name: string;
  group: string;
  channels: Channel[];
  optional: boolean;
  urgent: boolean;
  version: number;
}

const KIND = sql`k.code, k.name, k.grp as "group", k.channels, k.optional, k.urgent, k.version`;

/** Every kind of notice, in the order of the settings page. */
export async function allKinds(db: Trx): Promise<KindRow[]> {
  const { rows } = await sql<KindRow>`select ${KIND} from notice_kind k order by k.sort, k.code`.execute(db);
  return rows;
}

/** A kind with its newest text, and the separate texts of channels. */
export interface KindText extends KindRow {
  title: string;
  body: string;
  link: string | null;
  ofChannel: Partial<Record<Outlet, { title: string; body: string }>>;
}

/** Kinds with their newest texts; kinds that do not exist or have no text are omitted. */
export async function kindsWithText(db: Trx, codes: readonly string[]): Promise<Map<string, KindText>> {
  const { rows } = await sql<KindText>`
    select distinct on (k.code) ${KIND}, t.title, t.body, t.link,
      coalesce((select jsonb_object_agg(o.channel, jsonb_build_object('title', o.title, 'body', o.body)) from (
        select distinct on (x.channel) x.channel, x.title, x.body, x.removed from notice_template x
        where x.kind = k.code and x.channel <> 'site' order by x.channel, x.version desc) o where not o.removed), '{}') as "ofChannel"
    from notice_kind k join notice_template t on t.kind = k.code and t.channel = 'site'
    where k.code = any(${[...codes]}::text[]) order by k.code, t.version desc`.execute(db);
  return new Map(rows.map((row) => [row.code, row]));
}

export interface NewNotice {
  userId: number;
  kind: string;
  ref: string;
  title: string;
  body: string;
  link: string | null;
  /** The site on which it happened; null for the site where the user registered. */
  distId: number | null;
  /** Also to a user whose account is closed but not erased yet. */
  toClosed: boolean;
}

/** Adds notices to users' lists in the given order, except where they exist already or the account is closed. Returns the new rows. */
export async function addNotices(
  db: Trx,
  list: readonly NewNotice[],
): Promise<{ id: number; userId: number; kind: string; ref: string }[]> {
  const { rows } = await sql<{ id: number; userId: number; kind: string; ref: string }>`
    insert into notice (dist_id, user_id, kind, ref, title, body, link)
    select coalesce(n.dist_id, u.dist_id), u.id, n.kind, n.ref, n.title, n.body, n.link
    from unnest(${list.map((n) => n.userId)}::bigint[], ${list.map((n) => n.kind)}::text[], ${list.map((n) => n.ref)}::text[],
        ${list.map((n) => n.title)}::text[], ${list.map((n) => n.body)}::text[], ${list.map((n) => n.link)}::text[],
        ${list.map((n) => n.distId)}::int[], ${list.map((n) => n.toClosed)}::boolean[])
      with ordinality as n(user_id, kind, ref, title, body, link, dist_id, to_closed, position)
      join app_user u on u.id = n.user_id and (u.status <> ${sql.lit(UserStatus.Closed)} or n.to_closed and u.erased_at is null)
    order by n.position on conflict (user_id, kind, ref) do nothing returning id, user_id as "userId", kind, ref`.execute(
    db,
  );
  return rows;
}

/** How a user is reached for a kind: the choice, the quiet hours, and the available outlets. */
export interface Reach {
  userId: number;
  kind: string;
  channels: Channel[] | null;
  frequency: 'now' | 'daily';
  quiet: Quiet | null;
  outlets: Outlet[];
}

/** The available outlets of a user; every user has a phone. */
const OUTLETS = sql`array_remove(array['sms', case when u.email_enc is not null then 'email' end,
  case when exists (select from third_party_binding b where b.user_id = u.id and b.provider = 'wechat_push') then 'wechat' end,
  case when exists (select from push_subscription s where s.user_id = u.id) then 'push' end], null)`;
const QUIET = sql`case when q.user_id is null then null else json_build_object('fromMinute', q.from_minute, 'toMinute', q.to_minute) end`;

/** How users are reached for kinds. */
export async function loadReach(db: Trx, queries: readonly { userId: number; kind: string }[]): Promise<Reach[]> {
  const { rows } = await sql<Reach>`
    select u.id as "userId", a.kind, p.channels, coalesce(p.frequency, 'now') as frequency, ${QUIET} as quiet, ${OUTLETS} as outlets
    from (select distinct user_id, kind
        from unnest(${queries.map((a) => a.userId)}::bigint[], ${queries.map((a) => a.kind)}::text[]) as a(user_id, kind)) a
      join app_user u on u.id = a.user_id left join notice_preference p on p.user_id = u.id and p.kind = a.kind
      left join notice_quiet q on q.user_id = u.id`.execute(db);
  return rows;
}

/** A user's quiet hours and available outlets. */
export async function ownReach(db: Trx, userId: number): Promise<{ quiet: Quiet | null; outlets: Outlet[] }> {
  const { rows } = await sql<{ quiet: Quiet | null; outlets: Outlet[] }>`
    select ${QUIET} as quiet, ${OUTLETS} as outlets from app_user u left join notice_quiet q on q.user_id = u.id where u.id = ${userId}`.execute(
    db,
  );
  return rows[0] ?? { quiet: null, outlets: [] };
}

export interface NewDelivery {
  noticeId: number;
  userId: number;
  channel: Outlet;
  dueAt: Date;
  digest: boolean;
  /** The channel's own text; undefined when the notice's text is used. */
  text: { title: string; body: string } | undefined;
}

/** The vendor's template that staff gave a kind for its SMS; undefined when the vendor's settings apply. */
export async function loadSmsTemplate(db: Trx, kind: string): Promise<string | undefined> {
  const { rows } = await sql<{ template: string | null }>`
    select case when removed then null else vendor_template end as template from notice_template
    where kind = ${kind} and channel = 'sms' order by version desc limit 1`.execute(db);
  return rows[0]?.template ?? undefined;
}

/** Stores deliveries by outlets. */
export async function addDeliveries(db: Trx, list: readonly NewDelivery[]): Promise<void> {
  if (list.length === 0) return;
  await sql`
    insert into notice_delivery (notice_id, user_id, channel, due_at, digest, title, body)
    select * from unnest(${list.map((d) => d.noticeId)}::bigint[], ${list.map((d) => d.userId)}::bigint[], ${list.map((d) => d.channel)}::text[],
      ${list.map((d) => d.dueAt)}::timestamptz[], ${list.map((d) => d.digest)}::boolean[], ${list.map((d) => d.text?.title ?? null)}::text[], ${list.map((d) => d.text?.body ?? null)}::text[])
    on conflict (notice_id, channel) do nothing`.execute(db);
}

export interface NoticeRow {
  id: number;
  kind: string;
  group: string;
  title: string;
  body: string;
  link: string | null;
  read: boolean;
  createTime: Date;
}

/** A user's notices before an id, newest first. */
export async function loadNotices(
  db: Trx,
  userId: number,
  filter: { group: string | undefined; unread: boolean; before: number | undefined; limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select n.id, n.kind, k.grp as "group", n.title, n.body, n.link, n.read_at is not null as read, n.created_at as "createTime"
    from notice n join notice_kind k on k.code = n.kind where ${matching(userId, filter)}
      ${filter.before === undefined ? sql`` : sql`and n.id < ${filter.before}`}
    order by n.id desc limit ${filter.limit}`.execute(db);
  return rows;
}

function matching(userId: number, filter: { group: string | undefined; unread: boolean }): RawBuilder<unknown> {
  return sql`n.user_id = ${userId} and n.removed_at is null ${filter.unread ? sql`and n.read_at is null` : sql``}
    ${filter.group === undefined ? sql`` : sql`and k.grp = ${filter.group}`}`;
}

const COUNTED = 1000;

/** The number of notices, capped at one above the limit of lists. */
export async function countNotices(
  db: Trx,
  userId: number,
  filter: { group: string | undefined; unread: boolean },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from notice n join notice_kind k on k.code = n.kind where ${matching(userId, filter)} limit ${COUNTED + 1}) c`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Unread notices by group. */
export async function unreadByGroup(db: Trx, userId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ grp: string; n: number }>`
    select k.grp, count(*)::int as n from notice n join notice_kind k on k.code = n.kind
    where n.user_id = ${userId} and n.read_at is null and n.removed_at is null group by k.grp`.execute(db);
  return Object.fromEntries(rows.map((r) => [r.grp, r.n]));
}

/** The number of unread notices, capped at `upTo`, and the newest of them. */
export async function unreadTotal(
  db: Trx,
  userId: number,
  upTo: number,
): Promise<{ total: number; latestId: number | null }> {
  const { rows } = await sql<{ total: number; latestId: number | null }>`
    select count(*)::int as total, max(id) as "latestId" from (select id from notice
      where user_id = ${userId} and read_at is null and removed_at is null order by id desc limit ${upTo}) u`.execute(
    db,
  );
  return rows[0] ?? { total: 0, latestId: null };
}

/** Marks a user's notices read; without ids all of them. */
export async function markRead(db: Trx, userId: number, ids: readonly number[] | undefined): Promise<void> {
  await sql`update notice set read_at = now() where user_id = ${userId} and read_at is null
    ${ids === undefined ? sql`` : sql`and id = any(${[...ids]})`}`.execute(db);
}
