import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { turnLabel } from '#subjects/orders/rules/order-text.ts';
import { ChatGroupStatus, StaffStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { staffImColleagues, staffImGroups } from '#subjects/chat/contract/im-staff.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { Context } from '#server/context.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requirePermission, staffHolds } from '#server/access/permissions.ts';
import { catalogue, iconOf } from '#subjects/games/server/service.ts';
import { decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { dueColumns, dueOf, type DueRow } from '#subjects/orders/server/service.ts';
import { isVisitedBy, previewText, SCOPE_PAGE } from '../rules.ts';
import { groupById, loadGroup, type MessageRow, onlineAmong } from '../queries.ts';

/**
 * Checks that a member of staff may read a group: its members, and administrators of its distributor. Returns in which capacity.
 * Throws FORBIDDEN for other roles, else CHAT_NOT_MEMBER.
 */
export async function staffReads(ctx: Context, staff: SessionStaff, groupId: number): Promise<'member' | 'admin'> {
  requirePermission(staff, 'chat.serve');
  if (await loadGroup(ctx.db, groupId, staff.imUid)) return 'member';
  const group = staffCan(staff, 'chat.supervise') ? await groupById(ctx.db, groupId) : undefined;
  if (!group || !isVisitedBy(staff.distId, group.distId))
    throw new AppError('CHAT_NOT_MEMBER', { text: '这个会话由别的客服接待，需要时请对方转接' });
  return 'admin';
}

interface Row extends Omit<DueRow, 'status'> {
  id: number;
  place: number;
  orderSn: string | null;
  orderStatus: number | null;
  title: string | null;
  buyerName: string | null;
  sellerName: string | null;
  /** The user of a conversation without an order, and the title of the listing in question. */
  ownerName: string | null;
  goodsTitle: string | null;
  staffName: string | null;
  closed: boolean;
  unread: number;
  lastSeq: number;
  type: MessageRow['type'] | null;
  content: MessageRow['content'] | null;
  recalled: boolean;
  lastTime: Date | null;
  gameName: string | null;
  gameId: number | null;
  replyTime: Date | null;
  stepTime: Date | null;
  stepLimit: number;
}

interface GroupsInput {
  scope: 'mine' | 'waiting' | 'all';
  keyWord?: string | undefined;
  cursor?: string | undefined;
}

/** Sort keys of the list: open groups by `chat_urgency`, ended ones behind them by their ids. */
const ENDED = 8e15;
const URGENCY = sql`chat_urgency(g.reply_by, g.step_by, g.last_at)`;

interface Page {
  /** The start of the page: after this key, and after this id among equal keys. */
  after: number;
  afterId: number;
  /** The condition of a search. */
  found: RawBuilder<unknown>;
}

/** SQL condition: the row comes after the cursor. Only the first half allows an index to start there. */
const isAfter = (key: RawBuilder<unknown>, { after, afterId }: Page) =>
  sql`${key} >= ${after}::bigint and (${key} > ${after}::bigint or g.id < ${afterId}::bigint)`;
const isEndedAfter = ({ after, afterId }: Page) =>
  sql`(${after}::bigint < ${ENDED}::bigint or g.id < ${afterId}::bigint)`;

/** The queue, by the waiting time of each group. */
function queuePage(mine: RawBuilder<unknown>, page: Page): RawBuilder<unknown> {
  const since = sql`(extract(epoch from q.since) * 1000000)::bigint`;
  return sql`select g.id, ${since} as place from chat_group g join service_queue q on q.group_id = g.id
    where g.status = ${sql.lit(ChatGroupStatus.Open)} and ${mine} and ${page.found} and ${isAfter(since, page)} order by place, g.id desc limit ${SCOPE_PAGE + 1}`;
}

/** The groups of one member of staff, who can have no more open ones than one person serves. */
function ownPage(imUid: string, mine: RawBuilder<unknown>, page: Page): RawBuilder<unknown> {
  const own = sql`join chat_member c on c.group_id = g.id and c.member = ${imUid} and c.left_at is null`;
  return sql`(select g.id, ${URGENCY} as place from chat_group g ${own} where g.status = ${sql.lit(ChatGroupStatus.Open)} and c.is_current and ${mine} and ${page.found}
      and ${isAfter(URGENCY, page)} order by place, g.id desc limit ${SCOPE_PAGE + 1})
    union all (select g.id, ${ENDED}::bigint from chat_group g ${own} where g.status <> ${sql.lit(ChatGroupStatus.Open)} and ${mine} and ${page.found} and ${isEndedAfter(page)}
      order by g.id desc limit ${SCOPE_PAGE + 1})
    order by place, id desc limit ${SCOPE_PAGE + 1}`;
}

/** All groups: at most one page per brand is read, from the indexes `chat_group_urgency` and `chat_group_ended`. */
function brandsPage(distId: number | null, page: Page): RawBuilder<unknown> {
  const brand = distId === null ? sql`true` : sql`d.id = ${distId}`;
  return sql`select p.id, p.place from distributor d cross join lateral (
      (select g.id, ${URGENCY} as place from chat_group g where g.dist_id = d.id and g.status = ${sql.lit(ChatGroupStatus.Open)} and ${page.found}
        and ${isAfter(URGENCY, page)} order by ${URGENCY}, g.id desc limit ${SCOPE_PAGE + 1})
      union all (select g.id, ${ENDED}::bigint from chat_group g where g.dist_id = d.id and g.status <> ${sql.lit(ChatGroupStatus.Open)} and ${page.found} and ${isEndedAfter(page)}
        order by g.id desc limit ${SCOPE_PAGE + 1})) p
    where ${brand} order by p.place, p.id desc limit ${SCOPE_PAGE + 1}`;
}

/** A page of groups with their sort keys: the nearest deadline first, the queue by waiting time. */
function sortKeysOf(staff: SessionStaff, { scope, keyWord, cursor }: GroupsInput): RawBuilder<unknown> {
  const [after, afterId] = decodeKeyAndId(cursor) ?? [0, 0];
  const found =
    keyWord === undefined ? sql`true` : sql`g.order_id = (select o.id from orders o where o.sn = ${keyWord})`;
  const page = { after, afterId, found };
  if (scope === 'all') return brandsPage(staff.distId, page);
  const mine = staff.distId === null ? sql`true` : sql`g.dist_id = ${staff.distId}`;
  return scope === 'waiting' ? queuePage(mine, page) : ownPage(staff.imUid, mine, page);
}

/**
 * Groups for the workbench: the nearest deadline first, ended groups last; the queue in its own order. Scope `all` is
 * for administrators. Throws FORBIDDEN.
 */
export async function staffGroups(
  ctx: Context,
  staff: SessionStaff,
  input: GroupsInput,
): Promise<HandlerResult<typeof staffImGroups>> {
  requirePermission(staff, 'chat.serve');
  if (input.scope === 'all') requirePermission(staff, 'chat.supervise');
  const { rows } = await sql<Row>`
    with page as (${sortKeysOf(staff, input)})
    select g.id, page.place, o.sn as "orderSn", o.status as "orderStatus", ${dueColumns}, o.snapshot->>'title' as title, b.nick_name as "buyerName",
      s.nick_name as "sellerName", u.nick_name as "ownerName", t.title as "goodsTitle", f.name as "staffName", g.status <> ${sql.lit(ChatGroupStatus.Open)} as closed,
      case when c.member is null then 0 else greatest(g.last_seq - c.read_seq, 0) end::int as unread, g.last_seq as "lastSeq",
      m.type, m.content, m.recalled_at is not null as recalled, m.created_at as "lastTime",
      o.snapshot->>'gameName' as "gameName", coalesce(o.game_id, t.game_id) as "gameId", case when g.status = ${sql.lit(ChatGroupStatus.Open)} then g.reply_by end as "replyTime", order_turn_due(o.id) as "stepTime",
      coalesce(greatest(extract(epoch from case o.status when ${sql.lit(OrderStatus.Paid)} then o.ship_by - o.paid_at when ${sql.lit(OrderStatus.Shipped)} then o.auto_confirm_at - o.shipped_at end), 1), 1)::int as "stepLimit"
    from page join chat_group g on g.id = page.id
    left join chat_member c on c.group_id = g.id and c.member = ${staff.imUid} and c.left_at is null
    left join orders o on o.id = g.order_id left join app_user b on b.id = o.buyer_id left join app_user s on s.id = o.seller_id
    left join app_user u on u.id = g.user_id left join goods t on t.id = g.goods_id
    left join chat_member n on n.group_id = g.id and n.is_current and n.left_at is null left join staff f on f.im_uid = n.member
    left join chat_message m on m.group_id = g.id and m.seq = g.last_seq
    order by page.place, g.id desc`.execute(ctx.db);
  const last = rows.length > SCOPE_PAGE ? rows[SCOPE_PAGE - 1] : undefined;
  const page = rows.slice(0, SCOPE_PAGE);
  const all = await catalogue(ctx);
  // Groups of colleagues are read, not served.
  const reader = input.scope === 'mine' ? 'staff' : 'onlooker';
  return {
    list: page.map((row) => ({
      groupId: String(row.id),
      orderSn: row.orderSn,
      orderStatus: row.orderStatus,
      ...dueTexts(row, reader),
      title: row.title ?? (row.goodsTitle === null ? '咨询客服' : `咨询：${row.goodsTitle}`),
      buyerName: row.buyerName ?? row.ownerName ?? '',
      sellerName: row.sellerName ?? '',
      staffName: row.staffName,
      closed: row.closed,
      unread: row.unread,
      lastSeq: row.lastSeq,
      lastText: previewText(row),
      lastTime: row.lastTime,
      gameName: row.gameName ?? '',
      gameIcon: iconOf(all, row.gameId),
      replyTime: row.replyTime,
      stepTime: row.stepTime,
      stepLimit: row.stepLimit,
    })),
    next: last ? encodeCursor([last.place, last.id]) : null,
  };
}

/** The due step of a group's order, and the label of its actor for the reader. */
function dueTexts(row: Row, reader: 'staff' | 'onlooker') {
  const due = dueOf({ ...row, status: row.orderStatus }, reader);
  return { due, turnText: due?.turn ? turnLabel(due.turn, reader, row.tradedTypeId ?? 0) : null };
}

/** Staff to whom a group can be transferred: customer service and administrators of the same distributor, least loaded first. */
export async function colleagues(ctx: Context, staff: SessionStaff): Promise<HandlerResult<typeof staffImColleagues>> {
  requirePermission(staff, 'chat.serve');
  const mine = staff.distId === null ? sql`true` : sql`(t.dist_id is null or t.dist_id = ${staff.distId})`;
  const { rows } = await sql<{ staffId: number; name: string; imUid: string; load: number; maxChats: number }>`
    select t.id as "staffId", t.name, t.im_uid as "imUid", t.max_chats as "maxChats",
      (select count(*) from chat_member m where m.member = t.im_uid and m.is_current and m.left_at is null)::int as load
    from staff t where t.status = ${sql.lit(StaffStatus.Active)} and ${staffHolds(sql`t`, 'chat.serve')} and ${mine} order by load, t.id limit 200`.execute(
    ctx.db,
  );
  const online = await onlineAmong(
    ctx.db,
    rows.map((row) => row.imUid),
  );
  return { list: rows.map((row) => ({ ...row, online: online.has(row.imUid) })) };
}
