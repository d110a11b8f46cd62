import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { personLinkMark, personLinks } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { linkNames, type LinkReason } from '../../rules/links.ts';
import { payoutKindNames, type PayoutKind } from '#subjects/payments/rules/payout-methods.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import { UserStatus } from '#contract/rules/statuses.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { requirePerson } from './person.ts';

type Links = HandlerResult<typeof personLinks>;
type Reason = Links['reasons'][number];

/** Including the user, the graph has twelve circles. */
const MAX_OTHERS = 11;
/** A network with more users than this is public (decision 110). */
const MAX_SHARED = 8;
const MAX_ROWS = 300;
const STRENGTHS = { browser: 'strong', payee: 'strong', inviter: 'medium', network: 'weak' } as const;
const WEIGHTS = { strong: 9, medium: 3, weak: 1 } as const;

/** One thing that the user shares with one other. */
interface Tie {
  kind: LinkReason;
  /** Hash of the shared thing. */
  key: string;
  label: string;
  other: number;
  own_at: Date;
  other_at: Date;
}

/** SQL: networks of the last 30 days that at most eight people used. */
const IS_PRIVATE = sql`(select count(*) from (select from user_network n where n.network_hash = x.network_hash and n.last_at > now() - interval '30 days' limit ${MAX_SHARED + 1}) c) <= ${MAX_SHARED}`;

async function loadTies(call: StaffCall, id: number): Promise<Tie[]> {
  const site = ownSite(call.staff, sql`u.dist_id`);
  const { rows } = await sql<Tie>`
    select t.kind, t.key, t.label, t.other, t.own_at, t.other_at from (
      select 'browser' as kind, encode(x.browser_hash, 'hex') as key, '' as label, y.user_id as other, x.last_at as own_at, y.last_at as other_at
        from (select browser_hash, last_at from user_browser where user_id = ${id} order by last_at desc limit 50) x
          join user_browser y on y.browser_hash = x.browser_hash and y.user_id <> ${id}
      union all
      select 'payee', encode(x.account_hash, 'hex'), x.kind || ' ' || x.account_mask, y.user_id, x.created_at, y.created_at
        from payout_account x join payout_account y on y.account_hash = x.account_hash and y.user_id <> ${id} where x.user_id = ${id}
      union all
      select 'network', encode(x.network_hash, 'hex'), '', y.user_id, x.last_at, y.last_at
        from user_network x join user_network y on y.network_hash = x.network_hash and y.user_id <> ${id} and y.last_at > now() - interval '30 days'
        where x.user_id = ${id} and x.last_at > now() - interval '30 days' and ${IS_PRIVATE}
      union all
      select 'inviter', 'by', '', u.inviter_id, u.created_at, u.created_at from app_user u where u.id = ${id} and u.inviter_id is not null
      union all
      select 'inviter', 'of', '', v.id, v.created_at, v.created_at from (select id, created_at from app_user where inviter_id = ${id} order by id desc limit 50) v
    ) t join app_user u on u.id = t.other ${site} order by t.own_at desc limit ${MAX_ROWS}`.execute(call.ctx.db);
  return rows;
}

/** Networks of the last 30 days that more than eight people use. */
async function publicNetworks(call: StaffCall, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from user_network x where x.user_id = ${id} and x.last_at > now() - interval '30 days' and not ${IS_PRIVATE}`.execute(
    call.ctx.db,
  );
  return rows[0]?.n ?? 0;
}

/** The linked users, strongest link first. */
function ranked(ties: readonly Tie[]): number[] {
  const weights = new Map<number, number>();
  for (const { kind, other } of ties) weights.set(other, (weights.get(other) ?? 0) + WEIGHTS[STRENGTHS[kind]]);
  return [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([other]) => other);
}

const at = (date: Date): string => fullTime(date.getTime()).slice(5);
const day = (date: Date): string => fullTime(date.getTime()).slice(0, 10);

/** The recorded data as a sentence. */
function evidenceOf(kind: LinkReason, key: string, ties: readonly Tie[]): string {
  const own = ties[0]?.own_at ?? new Date(0);
  const latest = new Date(Math.max(...ties.map(({ other_at: seen }) => seen.getTime())));
  if (kind === 'browser') return `本人最近 ${at(own)} 登录，对方最近 ${at(latest)}`;
  if (kind === 'payee') return `本人 ${day(own)} 绑定，对方 ${day(latest)} 绑定`;
  if (kind === 'network') return `30 天内都用过，本人最近 ${at(own)}，对方最近 ${at(latest)}`;
  return key === 'by' ? `${day(own)} 受邀注册` : `邀请注册，最近一位 ${day(latest)}`;
}

function labelOf(kind: LinkReason, key: string, label: string): string {
  if (kind === 'browser') return `浏览器 ${key.slice(0, 4).toUpperCase()}`;
  if (kind === 'network') return `网络 ${key.slice(0, 4).toUpperCase()}`;
  if (kind === 'inviter') return key === 'by' ? '邀请人' : '邀请的人';
  const [type = '', mask = ''] = label.split(' ');
  return `${payoutKindNames[type as PayoutKind] ?? ''} ${mask}`;
}

interface Mark {
  other: number;
  kind: LinkReason;
  reason: string;
  staff_name: string;
  created_at: Date;
}

async function loadMarks(call: StaffCall, id: number): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select m.user_a + m.user_b - ${id} as other, m.kind, m.reason, s.name as staff_name, m.created_at
    from link_mark m join staff s on s.id = m.staff_id where m.user_a = ${id} or m.user_b = ${id}`.execute(call.ctx.db);
  return rows;
}

function reasonsOf(ties: readonly Tie[], marks: readonly Mark[]): Reason[] {
  const groups = Map.groupBy(ties, ({ kind, key }) => `${kind}:${key}`);
  const reasons = [...groups].map(([name, own]): Reason => {
    const [first] = own;
    const kind = first?.kind ?? 'network';
    const key = first?.key ?? '';
    const users = [...new Set(own.map(({ other }) => other))];
    return {
      // Never the hash itself: it is the same for all users who share it.
      key: `${kind}:${name.slice(kind.length + 1, kind.length + 9)}`,
      kind,
      kindName: linkNames[kind],
      label: labelOf(kind, key, first?.label ?? ''),
      strength: STRENGTHS[kind],
      evidence: evidenceOf(kind, key, own),
      users: users.map(String),
      mark: marks
        .filter((mark) => mark.kind === kind && users.includes(mark.other))
        .map((mark) => ({
          userId: String(mark.other),
          reason: mark.reason,
          staffName: mark.staff_name,
          time: mark.created_at,
        })),
    };
  });
  return reasons.sort((a, b) => WEIGHTS[b.strength] - WEIGHTS[a.strength] || b.users.length - a.users.length);
}

interface OtherRow {
  id: number;
  nick_name: string;
  avatar: string | null;
  status: number;
  seller_level: number;
  sold_count: number;
  created_at: Date;
  sold_num: number;
  sold_fen: number;
  bought_num: number;
  bought_fen: number;
}

async function loadPeople(call: StaffCall, id: number, others: readonly number[]): Promise<Links['people']> {
  const { rows } = await sql<OtherRow>`
    select u.id, u.nick_name, u.avatar, u.status, u.seller_level, u.sold_count, u.created_at,
      count(o.id) filter (where o.seller_id = ${id})::int as sold_num, coalesce(sum(o.total_fen) filter (where o.seller_id = ${id}), 0)::bigint as sold_fen,
      count(o.id) filter (where o.buyer_id = ${id})::int as bought_num, coalesce(sum(o.total_fen) filter (where o.buyer_id = ${id}), 0)::bigint as bought_fen
    from app_user u left join (
      select o.id, o.buyer_id, o.seller_id, o.total_fen from orders o where o.buyer_id = any(${others}) and o.seller_id = ${id} and o.status = ${sql.lit(OrderStatus.Completed)} ${ownSite(call.staff, sql`o.dist_id`)}
      union all
      select o.id, o.buyer_id, o.seller_id, o.total_fen from orders o where o.buyer_id = ${id} and o.seller_id = any(${others}) and o.status = ${sql.lit(OrderStatus.Completed)} ${ownSite(call.staff, sql`o.dist_id`)}
    ) o on u.id in (o.buyer_id, o.seller_id)
    where u.id = any(${others}) group by u.id order by array_position(${others}::bigint[], u.id)`.execute(call.ctx.db);
  return rows.map((row) => ({
    userId: String(row.id),
    nickName: row.nick_name,
    avatar: avatarUrl(row.avatar, row.nick_name, row.id),
    status: row.status,
    role:
      row.status === UserStatus.Restricted
        ? '已限制'
        : row.sold_count > 0
          ? `${sellerLevelName(row.seller_level)}卖家`
          : '买家',
    createTime: row.created_at,
    sold: { orders: row.sold_num, amount: row.sold_fen },
    bought: { orders: row.bought_num, amount: row.bought_fen },
  }));
}

/** The users linked to a user, with the reasons. Throws FORBIDDEN, NOT_FOUND. */
export async function loadLinks(call: StaffCall, { userId }: Parsed<typeof personLinks>): Promise<Links> {
  const id = await requirePerson(call, userId);
  const ties = await loadTies(call, id);
  const all = ranked(ties);
  const visible = all.slice(0, MAX_OTHERS);
  const listed = ties.filter(({ other }) => visible.includes(other));
  return {
    people: visible.length === 0 ? [] : await loadPeople(call, id, visible),
    others: all.length - visible.length,
    reasons: reasonsOf(listed, await loadMarks(call, id)),
    publicNetworks: await publicNetworks(call, id),
  };
}

/**
 * Marks a link as meaningless, or removes the mark; no rule depends on it (decision 340). Throws FORBIDDEN, NOT_FOUND,
 * BAD_INPUT for a pair without this link.
 */
export async function markLink(
  call: StaffCall,
  { userId, otherId, kind, isUnrelated, reason }: Parsed<typeof personLinkMark>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'trust.decide');
  const id = await requirePerson(call, userId);
  const other = await requirePerson(call, otherId);
  const [a, b] = id < other ? [id, other] : [other, id];
  await inTransaction(ctx.db, async (trx) => {
    if (isUnrelated) {
      const { rows } = await sql<{ linked: boolean }>`select ${kind} = any(user_links(${a}, ${b})) as linked`.execute(
        trx,
      );
      if (rows[0]?.linked !== true)
        throw new AppError('BAD_INPUT', { text: '两人之间已没有这种关联，请刷新后再看', field: 'kind' });
      await sql`insert into link_mark (user_a, user_b, kind, reason, staff_id) values (${a}, ${b}, ${kind}, ${reason}, ${staff.id})
        on conflict (user_a, user_b, kind) do update set reason = excluded.reason, staff_id = excluded.staff_id, created_at = now()`.execute(
        trx,
      );
    } else {
      await sql`delete from link_mark where user_a = ${a} and user_b = ${b} and kind = ${kind}`.execute(trx);
    }
    const action = isUnrelated ? 'user.unrelate' : 'user.relate';
    await audit(trx, staff, action, `user:${id}`, { userId: String(other), name: linkNames[kind], reason }, ip);
  });
  return {};
}
