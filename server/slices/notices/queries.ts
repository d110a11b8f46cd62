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
}

const KIND = sql`k.code, k.name, k.grp as "group", k.channels, k.optional, k.urgent`;

/** Every kind of notice, in the order of the settings page. */
export async function allKinds(db: Trx): Promise<KindRow[]> {
  const { rows } = await sql<KindRow>`select ${KIND} from notice_kind k order by k.sort, k.code`.execute(db);
  return rows;
}

/** A kind with the newest of its texts; undefined for one that does not exist or has none. */
export async function kindWithText(
  db: Trx,
  code: string,
): Promise<(KindRow & { title: string; body: string; link: string | null }) | undefined> {
  const { rows } = await sql<KindRow & { title: string; body: string; link: string | null }>`
    select ${KIND}, t.title, t.body, t.link from notice_kind k join notice_template t on t.kind = k.code and t.channel = 'site'
    where k.code = ${code} order by t.version desc limit 1`.execute(db);
  return rows[0];
}

export interface NewNotice {
  kind: string;
  ref: string;
  title: string;
  body: string;
  link: string | null;
  /** The site on which the thing happened; null: where the person registered. */
  distId: number | null;
  /** Also to somebody whose account was closed and is not erased yet. */
  toClosed: boolean;
}

/** Puts a notice into people's lists; those who have it already, or are no longer there, get nothing. Answers the new rows. */
export async function addNotices(
  db: Trx,
  userIds: readonly number[],
  n: NewNotice,
): Promise<{ id: number; userId: number }[]> {
  const { rows } = await sql<{ id: number; userId: number }>`
    insert into notice (dist_id, user_id, kind, ref, title, body, link)
    select coalesce(${n.distId}::int, u.dist_id), u.id, ${n.kind}, ${n.ref}, ${n.title}, ${n.body}, ${n.link}
    from app_user u where u.id = any(${[...userIds]}) and (u.status <> 3 or ${n.toClosed} and u.erased_at is null)
    on conflict (user_id, kind, ref) do nothing returning id, user_id as "userId"`.execute(db);
  return rows;
}

/** What decides how somebody is reached: their choice for a kind, their quiet hours, the ways that lead to them. */
export interface Reach {
  userId: number;
  channels: Channel[] | null;
  frequency: 'now' | 'daily';
  quiet: Quiet | null;
  ways: Outlet[];
}

/** The ways that lead to a person; a phone everybody has. */
const WAYS = sql`array_remove(array['sms', case when u.email_enc is not null then 'email' end,
  case when exists (select from third_party_binding b where b.user_id = u.id and b.provider = 'wechat_push') then 'wechat' end,
  case when exists (select from push_subscription s where s.user_id = u.id) then 'push' end], null)`;
const QUIET = sql`case when q.user_id is null then null else json_build_object('fromMinute', q.from_minute, 'toMinute', q.to_minute) end`;

/** How people are reached for a kind. */
export async function reachOf(db: Trx, userIds: readonly number[], kind: string): Promise<Reach[]> {
  const { rows } = await sql<Reach>`
    select u.id as "userId", p.channels, coalesce(p.frequency, 'now') as frequency, ${QUIET} as quiet, ${WAYS} as ways
    from app_user u left join notice_preference p on p.user_id = u.id and p.kind = ${kind}
      left join notice_quiet q on q.user_id = u.id where u.id = any(${[...userIds]})`.execute(db);
  return rows;
}

/** One person's quiet hours and the ways that lead to them. */
export async function ownReach(db: Trx, userId: number): Promise<{ quiet: Quiet | null; ways: Outlet[] }> {
  const { rows } = await sql<{ quiet: Quiet | null; ways: Outlet[] }>`
    select ${QUIET} as quiet, ${WAYS} as ways from app_user u left join notice_quiet q on q.user_id = u.id where u.id = ${userId}`.execute(
    db,
  );
  return rows[0] ?? { quiet: null, ways: [] };
}

export interface NewDelivery {
  noticeId: number;
  userId: number;
  channel: Outlet;
  dueAt: Date;
  digest: boolean;
}

/** Stores what is to leave the site. */
export async function addDeliveries(db: Trx, list: readonly NewDelivery[]): Promise<void> {
  if (list.length === 0) return;
  await sql`
    insert into notice_delivery (notice_id, user_id, channel, due_at, digest)
    select * from unnest(${list.map((d) => d.noticeId)}::bigint[], ${list.map((d) => d.userId)}::bigint[], ${list.map((d) => d.channel)}::text[],
      ${list.map((d) => d.dueAt)}::timestamptz[], ${list.map((d) => d.digest)}::boolean[])
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

/** A person's notices before an id, newest first. */
export async function noticesOf(
  db: Trx,
  userId: number,
  asked: { group: string | undefined; unread: boolean; before: number | undefined; limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select n.id, n.kind, k.grp as "group", n.title, n.body, n.link, n.read_at is not null as read, n.created_at as "createTime"
    from notice n join notice_kind k on k.code = n.kind where ${mine(userId, asked)}
      ${asked.before === undefined ? sql`` : sql`and n.id < ${asked.before}`}
    order by n.id desc limit ${asked.limit}`.execute(db);
  return rows;
}

function mine(userId: number, asked: { group: string | undefined; unread: boolean }): RawBuilder<unknown> {
  return sql`n.user_id = ${userId} and n.removed_at is null ${asked.unread ? sql`and n.read_at is null` : sql``}
    ${asked.group === undefined ? sql`` : sql`and k.grp = ${asked.group}`}`;
}

const COUNTED = 1000;

/** How many notices there are, up to one more than lists count. */
export async function countNotices(
  db: Trx,
  userId: number,
  asked: { group: string | undefined; unread: boolean },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from notice n join notice_kind k on k.code = n.kind where ${mine(userId, asked)} limit ${COUNTED + 1}) c`.execute(
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

/** Unread notices, counted up to one more than a badge shows, and the newest of them. */
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

/** Marks one's own notices read; without ids all of them. */
export async function markRead(db: Trx, userId: number, ids: readonly number[] | undefined): Promise<void> {
  await sql`update notice set read_at = now() where user_id = ${userId} and read_at is null
    ${ids === undefined ? sql`` : sql`and id = any(${[...ids]})`}`.execute(db);
}
