import { type RawBuilder, sql } from 'kysely';
import type * as c from '#contract/backstage-orders.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { OrderStatus, orderStatusName, orderTypeName, FAILED_TAB } from '#contract/rules/order-status.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { inTransaction } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  completeStep,
  type Contact,
  contactsOf,
  detailOf,
  type OrderTerms,
  sellerNetFen,
  staffStep,
  termsForSystem,
} from '#server/slices/orders/service.ts';
import { imageUrl, staffPictures } from '#server/slices/media/service.ts';
import { approveRequest, requestOrConfirm, openDraft, secondPersonFen } from '../approvals.ts';
import { audit } from '#server/audit.ts';
import { credentialAccessOf } from './credentials.ts';
import { auditUserSearch, userIdsFor } from '../people/user-search.ts';
import { countOf, pageOf } from '../paging.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { ORDERS_CANCELLED } from '#server/order-states.ts';
import { requireFactor } from '#server/access/staff-session.ts';

type Item = HandlerResult<typeof c.staffOrderList>['list'][number];

/** Actions on an order that release money, with the kind of their approval request. */
const SECOND_ACTIONS = { staffClose: 'order.close', ship: 'order.ship' } as const;

interface Row {
  id: number;
  sn: string;
  type_id: number;
  game_name: string | null;
  title: string | null;
  goods_sn: string | null;
  total_fen: number;
  status: number;
  buyer_id: number;
  buyer_name: string;
  seller_id: number;
  seller_name: string;
  staff_name: string | null;
  dist_name: string;
  created_at: Date;
  deadline: Date | null;
  late: boolean;
  disputed: boolean;
  cancel_asked: boolean;
}

/** The filter of a keyword: a phone or the number of a user, else the number of an order or listing. */
function keywordFilter(call: StaffCall, keyword: string): RawBuilder<unknown> {
  const parties = (user: RawBuilder<unknown>) => sql`(o.buyer_id in (${user}) or o.seller_id in (${user}))`;
  const person = userIdsFor(call, keyword);
  return person ? parties(person) : sql`(o.sn = ${keyword} or o.goods_sn = ${keyword.toUpperCase()})`;
}

/** A refund or a release, as an approval request. */
const RELEASE_ACTIONS = sql`a.act in ('order.close', 'order.ship')`;
const openRequests = sql`select from approval a where a.act in ('order.close', 'order.ship', 'order.open') and a.target = 'order:' || o.sn and a.status = 'waiting' and a.expires_at > now()`;

function filterOf(call: StaffCall, input: Parsed<typeof c.staffOrderList>): RawBuilder<unknown> {
  const { staff } = call;
  const parts = [sql`true`];
  if (staff.distId !== null) parts.push(sql`o.dist_id = ${staff.distId}`);
  if (input.status === FAILED_TAB) parts.push(sql`o.status in ${ORDERS_CANCELLED}`);
  else if (input.status !== undefined) parts.push(sql`o.status = ${input.status}`);
  if (input.goodsTypeId !== undefined) parts.push(sql`o.type_id = ${input.goodsTypeId}`);
  if (input.mine === true) parts.push(sql`o.staff_id = ${staff.id}`);
  if (input.late === true) parts.push(sql`o.status = 1 and o.ship_by < now()`);
  if (input.cancelAsked === true) parts.push(sql`o.status = 1 and o.cancel_asked_at is not null`);
  if (input.stopped === true) parts.push(sql`o.status = 2 and o.confirm_stopped_at is not null`);
  if (input.second === true) parts.push(sql`exists (${openRequests})`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  return sql.join(parts, sql` and `);
}

function itemOf(row: Row): Item {
  return {
    orderId: row.id,
    orderSn: row.sn,
    orderTypeId: row.type_id,
    orderTypeName: orderTypeName(row.type_id),
    gameName: row.game_name ?? '',
    bigTitle: row.title ?? '',
    goodsSn: row.goods_sn,
    totalPrice: row.total_fen,
    status: row.status,
    statusName: orderStatusName(row.status, row.type_id),
    buyerId: String(row.buyer_id),
    buyerName: row.buyer_name,
    sellerId: String(row.seller_id),
    sellerName: row.seller_name,
    staffName: row.staff_name,
    distName: row.dist_name,
    createTime: row.created_at,
    deadline: row.deadline,
    late: row.late,
    disputed: row.disputed,
    cancelAsked: row.cancel_asked,
  };
}

/** Orders for staff, newest first; staff of a distributor see only its orders. A search for a user is audited. Throws FORBIDDEN. */
export async function listOrders(
  call: StaffCall,
  input: Parsed<typeof c.staffOrderList>,
): Promise<HandlerResult<typeof c.staffOrderList>> {
  requirePermission(call.staff, 'order.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageOf(input, sql`o.id`);
  const { rows } = await sql<Row>`
    select o.id, o.sn, o.type_id, o.snapshot->>'gameName' as game_name, o.snapshot->>'title' as title, o.goods_sn, o.total_fen, o.status,
      o.buyer_id, b.nick_name as buyer_name, o.seller_id, s.nick_name as seller_name, f.name as staff_name, d.name as dist_name, o.created_at,
      case o.status when 1 then o.ship_by when 2 then o.auto_confirm_at end as deadline, o.status = 1 and coalesce(o.ship_by < now(), false) as late,
      o.disputed, o.status = 1 and o.cancel_asked_at is not null as cancel_asked
    from orders o join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id join distributor d on d.id = o.dist_id
      left join staff f on f.id = o.staff_id
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  await auditUserSearch(
    call,
    'order',
    input.keyWord,
    result.rows.map((row) => row.sn),
  );
  return { list: result.rows.map(itemOf), ...(await countOf(db, sql`orders o where ${filter}`)), next: result.next };
}

interface People {
  buyer_name: string;
  buyer_union: string;
  seller_name: string;
  seller_union: string;
  staff_id: number | null;
  dist_name: string;
  asked_act: string | null;
  asked_by: number | null;
  asked_name: string | null;
  asked_reason: string | null;
  asked_pictures: string[] | null;
}

/** One order in full. Throws FORBIDDEN, ORDER_NOT_FOUND both for a missing order and for one of another distributor. */
export async function orderForStaff(
  call: StaffCall,
  { orderSn }: Parsed<typeof c.staffOrderDetail>,
): Promise<HandlerResult<typeof c.staffOrderDetail>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'order.read');
  const credentialAccess = await credentialAccessOf(call, orderSn);
  const detail = await detailOf(ctx, orderSn, {
    staffDistId: staff.distId,
    mayOpen: credentialAccess?.isMine === true,
  });
  const { rows } = await sql<People>`
    select b.nick_name as buyer_name, b.union_num as buyer_union, s.nick_name as seller_name, s.union_num as seller_union, o.staff_id,
      d.name as dist_name, a.act as asked_act, a.asked_by, f.name as asked_name,
      a.reason as asked_reason, a.payload->'pictures' as asked_pictures
    from orders o join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id join distributor d on d.id = o.dist_id
      left join approval a on ${RELEASE_ACTIONS} and a.target = 'order:' || o.sn and a.status = 'waiting' and a.expires_at > now()
      left join staff f on f.id = a.asked_by
    where o.id = ${detail.id}`.execute(ctx.db);
  const people = rows[0];
  if (!people) throw new AppError('ORDER_NOT_FOUND');
  const canAct = staffCan(staff, 'order.act');
  return {
    ...detail,
    acts: canAct ? detail.acts : [],
    buyerName: people.buyer_name,
    buyerUnion: people.buyer_union,
    sellerName: people.seller_name,
    sellerUnion: people.seller_union,
    staffId: people.staff_id,
    distName: people.dist_name,
    secondAsked:
      people.asked_name === null
        ? null
        : {
            act: people.asked_act === SECOND_ACTIONS.ship ? ('ship' as const) : ('staffClose' as const),
            by: people.asked_name,
            reason: people.asked_reason ?? '',
            pictures: (people.asked_pictures ?? []).map(pictureOf),
            isMine: people.asked_by === staff.id,
          },
    sealAccess: credentialAccess,
    canAct,
    isAssigned: people.staff_id === staff.id,
  };
}

const pictureOf = (key: string) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) });

/**
 * The money that an action of staff on an order releases, in fen: the refund to the buyer or the proceeds of the seller (design section 8).
 * Above the limit a second person decides.
 */
const releasedFen = (order: OrderTerms, act: keyof typeof SECOND_ACTIONS): number =>
  act === 'staffClose' ? order.totalFen : sellerNetFen(order);

/**
 * Whether the buyer may already have the goods: shipped, a credential revealed, or delivered in the game. A refund may then give away the
 * account, so it needs two people for any amount. A ruling by one person can be appealed; a close cannot (design section 8; decision
 * 190).
 */
const mayBeDelivered = (order: OrderTerms): boolean =>
  order.status === OrderStatus.Shipped || order.buyerOpened || order.delivered;

/** Staff act only on orders assigned to them; an administrator must take the order over first. Throws ORDER_NOT_ASSIGNED. */
function requireAssigned(call: StaffCall, order: OrderTerms): void {
  if (order.staffId !== call.staff.id) throw new AppError('ORDER_NOT_ASSIGNED');
}

/**
 * A transition by the assigned member of staff, with pictures as evidence and an audit entry in the same transaction. Closing or shipping
 * above the limit needs a second person, and so does closing an order that may be delivered, for any amount: the first call stores a
 * request, a colleague's call decides. Throws FORBIDDEN, FACTOR_REQUIRED, ORDER_*, BAD_INPUT, PICTURE_BROKEN, SECOND_PERSON.
 */
export async function stepOrder(
  call: StaffCall,
  { orderId, act, reason, pictures }: Parsed<typeof c.staffOrderStep>,
): Promise<HandlerResult<typeof c.staffOrderStep>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  requireFactor(call);
  const target = `order:${order.sn}` as const;
  const secondAction = SECOND_ACTIONS[act];
  const amountFen = releasedFen(order, act);
  const isOpen =
    !order.disputed &&
    (order.status === OrderStatus.Paid || (act === 'staffClose' && order.status === OrderStatus.Shipped));
  const needsSecond = isOpen && (amountFen > secondPersonFen(call) || (act === 'staffClose' && mayBeDelivered(order)));
  const draft = needsSecond ? await openDraft<Evidence>(ctx.db, secondAction, target) : undefined;
  if (!draft && isOpen) await requireEvidence(call, order, pictures);
  const request = {
    act: secondAction,
    target,
    amountFen,
    reason,
    distId: order.distId,
    payload: { pictures },
  } as const;
  if (needsSecond && !(await requestOrConfirm(call, request)))
    return { orderId, status: order.status, statusName: orderStatusName(order.status), waits: true };
  const done = await inTransaction(ctx.db, async (trx) => {
    const stepped = await staffStep(ctx, trx, staff, orderId, act, reason);
    if (draft) await approveRequest(trx, call, { ...request, draftId: draft.id });
    await audit(trx, staff, secondAction, target, { reason, pictures: draft?.payload.pictures ?? pictures }, ip);
    return stepped;
  });
  return { orderId: done.orderId, status: done.status, statusName: orderStatusName(done.status), waits: false };
}

interface Evidence {
  pictures: readonly string[];
}

/** The first person must provide evidence. Throws ORDER_NOT_ASSIGNED, BAD_INPUT, PICTURE_BROKEN. */
async function requireEvidence(call: StaffCall, order: OrderTerms, pictures: readonly string[]): Promise<void> {
  requireAssigned(call, order);
  if (pictures.length === 0)
    throw new AppError('BAD_INPUT', { text: '请上传凭证截图，例如与买卖双方的沟通记录', field: 'pictures' });
  await staffPictures(call.ctx.db, call.staff.id, 'evidence', pictures);
}

async function termsFor(call: StaffCall, orderId: number): Promise<OrderTerms> {
  requirePermission(call.staff, 'order.act');
  const order = await termsForSystem(call.ctx.db, { id: orderId }, call.staff.distId);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  return order;
}

/**
 * Marks the current hand-over step done: a step of staff, or with a reason one of the seller, for orders up to the limit. Evidence is
 * required as from the parties. Throws FORBIDDEN, ORDER_*, BAD_INPUT, PICTURE_BROKEN.
 */
export async function finishStep(
  call: StaffCall,
  { orderId, step, reason, pictures }: Parsed<typeof c.staffHandoverDone>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  requireAssigned(call, order);
  const mayActForSeller = sellerNetFen(order) <= secondPersonFen(call);
  const who = { role: 'staff' as const, staffId: staff.id, reason, mayActForSeller };
  await completeStep(ctx, order, who, { step, pictures }, (trx) =>
    audit(trx, staff, 'order.handover', `order:${order.sn}`, { step, pictures, ...(reason && { reason }) }, ip),
  );
  return {};
}

const contactLabels: readonly (readonly [keyof Contact, string])[] = [
  ['contactPhone', '手机'],
  ['qq', 'QQ'],
  ['weChat', '微信'],
  ['roleName', '角色名'],
  ['onlineTime', '在线时间'],
  ['note', '备注'],
];

/** The contact details that the parties left for the order, for the assigned staff. Throws FORBIDDEN, ORDER_NOT_FOUND, ORDER_FORBIDDEN. */
export async function contacts(
  call: StaffCall,
  { orderId }: Parsed<typeof c.staffOrderContact>,
): Promise<HandlerResult<typeof c.staffOrderContact>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  if (order.staffId !== staff.id && !staffCan(staff, 'chat.supervise'))
    throw new AppError('ORDER_FORBIDDEN', { text: '交易联系方式只对负责本单的客服开放' });
  const found = await contactsOf(ctx, order);
  await audit(ctx.db, staff, 'order.contact', `order:${order.sn}`, { sides: found.map((f) => f.side) }, ip);
  return {
    list: found.map(({ side, contact }) => ({
      side,
      fields: contactLabels.flatMap(([key, label]) => {
        const value = contact[key];
        return value === undefined ? [] : [{ label, value }];
      }),
    })),
  };
}
