import { type RawBuilder, sql } from 'kysely';
import type { personRecords } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { type AuditAction, auditActions } from '../../rules/audit.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite } from '#server/access/permissions.ts';
import { loadSessions } from '#subjects/accounts/server/service.ts';
import { statusName } from '#subjects/disputes/server/service.ts';
import { claimName } from '#subjects/guarantees/server/service.ts';
import { requirePerson } from './person.ts';

type Records = HandlerResult<typeof personRecords>;

const ROWS = 8;
/** Disputes are searched among this many newest orders of each side. */
const MAX_ORDERS = 500;

interface FileRow {
  sn: string;
  title: string;
  status: string;
  note: string;
  time: Date;
}

async function loadGoods(call: StaffCall, id: number): Promise<Records['goods']> {
  const { rows } = await sql<{
    sn: string;
    title: string;
    status: number;
    game: string;
    price_fen: number;
    created_at: Date;
  }>`
    select g.sn, g.title, g.status, m.name as game, g.price_fen, g.created_at from goods g join game m on m.id = g.game_id
    where g.seller_id = ${id} order by g.id desc limit ${ROWS}`.execute(call.ctx.db);
  return rows.map((row) => ({
    sn: row.sn,
    title: row.title,
    statusName: offerStatusName(row.status),
    note: row.game,
    price: row.price_fen,
    time: row.created_at,
  }));
}

async function loadDisputes(call: StaffCall, id: number): Promise<Records['disputes']> {
  if (!staffCan(call.staff, 'dispute.read')) return null;
  const site = ownSite(call.staff, sql`d.dist_id`);
  const ordersAs = (side: RawBuilder<unknown>) =>
    sql`(select o.id, o.sn, ${side} = o.buyer_id as bought from orders o where ${side} = ${id} order by o.id desc limit ${MAX_ORDERS})`;
  const { rows } = await sql<FileRow & { bought: boolean; opened: boolean; order_sn: string }>`
    select d.sn, v.name as title, d.status, o.bought, d.opener_id = ${id} as opened, o.sn as order_sn, '' as note, d.opened_at as time
    from (${ordersAs(sql`o.seller_id`)} union all ${ordersAs(sql`o.buyer_id`)}) o join dispute d on d.order_id = o.id
      join dispute_reason_version v on v.code = d.reason_code and v.version = d.reason_version
    where true ${site} order by d.id desc limit ${ROWS}`.execute(call.ctx.db);
  return rows.map((row) => ({
    sn: row.sn,
    title: row.title,
    statusName: statusName(row.status as Parameters<typeof statusName>[0]),
    note: `${row.bought ? '作为买家' : '作为卖家'}${row.opened ? '发起' : ''}，订单 ${row.order_sn}`,
    time: row.time,
  }));
}

async function loadClaims(call: StaffCall, id: number): Promise<Records['claims']> {
  if (!staffCan(call.staff, 'claim.read')) return null;
  const { rows } = await sql<FileRow>`
    select c.sn, o.sn as title, c.status, '' as note, c.opened_at as time from guarantee_claim c join orders o on o.id = c.order_id
    where c.user_id = ${id} ${ownSite(call.staff, sql`c.dist_id`)} order by c.id desc limit ${ROWS}`.execute(
    call.ctx.db,
  );
  return rows.map((row) => ({
    sn: row.sn,
    title: `订单 ${row.title}`,
    statusName: claimName(row.status as Parameters<typeof claimName>[0]),
    note: row.note,
    time: row.time,
  }));
}

async function loadReviews(call: StaffCall, id: number): Promise<Records['reviews']> {
  if (!staffCan(call.staff, 'review.read')) return null;
  const site = ownSite(call.staff, sql`r.dist_id`);
  const { rows } = await sql<{ sn: string; own: boolean; score: number; content: string; created_at: Date }>`
    select o.sn, r.own, r.score, r.content, r.created_at from (
      (select r.order_id, true as own, r.score, r.content, r.created_at from order_review r where r.user_id = ${id} ${site} order by r.id desc limit ${ROWS})
      union all
      (select r.order_id, false, r.score, r.content, r.created_at from order_review r where r.target_id = ${id} ${site} order by r.created_at desc limit ${ROWS})
    ) r join orders o on o.id = r.order_id order by r.created_at desc limit ${ROWS}`.execute(call.ctx.db);
  return rows.map((row) => ({
    orderSn: row.sn,
    isOwn: row.own,
    score: row.score,
    content: row.content,
    time: row.created_at,
  }));
}

async function loadNotices(call: StaffCall, id: number): Promise<Records['notices']> {
  const { rows } = await sql<{ title: string; body: string; read: boolean; created_at: Date }>`
    select n.title, n.body, n.read_at is not null as read, n.created_at from notice n
    where n.user_id = ${id} and n.removed_at is null ${ownSite(call.staff, sql`n.dist_id`)} order by n.id desc limit ${ROWS}`.execute(
    call.ctx.db,
  );
  return rows.map((row) => ({ title: row.title, body: row.body, isRead: row.read, time: row.created_at }));
}

async function loadBrowsers(call: StaffCall, id: number): Promise<Records['browsers']> {
  const { rows } = await sql<{ code: string; shared: number; first_at: Date; last_at: Date }>`
    select upper(substring(encode(x.browser_hash, 'hex') for 4)) as code, x.first_at, x.last_at,
      (select count(*)::int from user_browser y join app_user u on u.id = y.user_id ${ownSite(call.staff, sql`u.dist_id`)}
        where y.browser_hash = x.browser_hash and y.user_id <> x.user_id) as shared
    from user_browser x where x.user_id = ${id} order by x.last_at desc limit ${ROWS}`.execute(call.ctx.db);
  return rows.map((row) => ({
    code: row.code,
    sharedWith: row.shared,
    firstTime: row.first_at,
    lastTime: row.last_at,
  }));
}

async function loadNotes(call: StaffCall, id: number): Promise<Records['notes']> {
  const { rows } = await sql<{ text: string; staff_name: string; created_at: Date }>`
    select n.text, s.name as staff_name, n.created_at from staff_note n join staff s on s.id = n.staff_id
    where n.user_id = ${id} ${ownSite(call.staff, sql`n.dist_id`)} order by n.id desc limit 20`.execute(call.ctx.db);
  return rows.map((row) => ({ text: row.text, staffName: row.staff_name, time: row.created_at }));
}

async function loadActions(call: StaffCall, id: number): Promise<Records['actions']> {
  if (!staffCan(call.staff, 'audit.read') || call.staff.distId !== null) return null;
  const { rows } = await sql<{
    act: string;
    detail: Record<string, unknown>;
    staff_name: string | null;
    created_at: Date;
  }>`
    select a.act, a.detail, s.name as staff_name, a.created_at from audit_log a left join staff s on s.id = a.staff_id
    where a.target = ${`user:${id}`} order by a.id desc limit 12`.execute(call.ctx.db);
  return rows.map((row) => ({
    actName: auditActions[row.act as AuditAction] ?? row.act,
    detail: typeof row.detail['reason'] === 'string' ? row.detail['reason'] : '',
    staffName: row.staff_name ?? '系统',
    time: row.created_at,
  }));
}

/** Other records about a user. Throws FORBIDDEN, NOT_FOUND. */
export async function loadRecords(call: StaffCall, { userId }: Parsed<typeof personRecords>): Promise<Records> {
  const id = await requirePerson(call, userId);
  const [goods, disputes, claims, reviews, notices, sessions, browsers, notes, actions] = await Promise.all([
    loadGoods(call, id),
    loadDisputes(call, id),
    loadClaims(call, id),
    loadReviews(call, id),
    loadNotices(call, id),
    loadSessions(call.ctx.db, id),
    loadBrowsers(call, id),
    loadNotes(call, id),
    loadActions(call, id),
  ]);
  return { goods, disputes, claims, reviews, notices, sessions, browsers, notes, actions };
}
