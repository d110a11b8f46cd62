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
import { allowSecond, isSecondPerson, openDraft, secondPersonFen } from './approvals.ts';
import { audit } from '#server/audit.ts';
import { sealAccessOf } from './credentials.ts';
import { auditLookUp, personIds } from './look-ups.ts';
import { countOf, pageOf } from './paging.ts';
import { requirePermission } from '#server/access/permissions.ts';

type Item = HandlerResult<typeof c.staffOrderList>['list'][number];

/** Acts on an order that let money go, and the request of each that waits for a second person. */
const SECOND = { staffClose: 'order.close', ship: 'order.ship' } as const;

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

/** What a search word stands for: a phone, a user's number, else a number of an order or of goods. */
function wordFilter(call: StaffCall, word: string): RawBuilder<unknown> {
  const parties = (user: RawBuilder<unknown>) => sql`(o.buyer_id in (${user}) or o.seller_id in (${user}))`;
  const person = personIds(call, word);
  return person ? parties(person) : sql`(o.sn = ${word} or o.goods_sn = ${word.toUpperCase()})`;
}

/** A refund or a release that waits for its second person. */
const ASKED = sql`a.act in ('order.close', 'order.ship')`;
const openAsks = sql`select from approval a where a.act in ('order.close', 'order.ship', 'order.open') and a.target = 'order:' || o.sn and a.status = 'waiting' and a.expires_at > now()`;

function filterOf(call: StaffCall, input: Parsed<typeof c.staffOrderList>): RawBuilder<unknown> {
  const { staff } = call;
  const parts = [sql`true`];
  if (staff.distId !== null) parts.push(sql`o.dist_id = ${staff.distId}`);
  if (input.status === FAILED_TAB) parts.push(sql`o.status in (6, 7, 8, 9)`);
  else if (input.status !== undefined) parts.push(sql`o.status = ${input.status}`);
  if (input.goodsTypeId !== undefined) parts.push(sql`o.type_id = ${input.goodsTypeId}`);
  if (input.mine === true) parts.push(sql`o.staff_id = ${staff.id}`);
  if (input.late === true) parts.push(sql`o.status = 1 and o.ship_by < now()`);
  if (input.cancelAsked === true) parts.push(sql`o.status = 1 and o.cancel_asked_at is not null`);
  if (input.stopped === true) parts.push(sql`o.status = 2 and o.confirm_stopped_at is not null`);
  if (input.second === true) parts.push(sql`exists (${openAsks})`);
  if (input.keyWord !== undefined) parts.push(wordFilter(call, input.keyWord));
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
    statusName: orderStatusName(row.status),
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

/** Orders for staff, newest first; whoever is bound to a distributor sees that distributor's. A search for a person is audited. Throws FORBIDDEN. */
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
  const shown = page.cut(rows);
  await auditLookUp(
    call,
    'order',
    input.keyWord,
    shown.rows.map((row) => row.sn),
  );
  return { list: shown.rows.map(itemOf), ...(await countOf(db, sql`orders o where ${filter}`)), next: shown.next };
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

/** One order whole. Throws FORBIDDEN, ORDER_NOT_FOUND for missing ones and other distributors' alike. */
export async function orderForStaff(
  call: StaffCall,
  { orderSn }: Parsed<typeof c.staffOrderDetail>,
): Promise<HandlerResult<typeof c.staffOrderDetail>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'order.read');
  const sealAccess = await sealAccessOf(call, orderSn);
  const detail = await detailOf(ctx, orderSn, { staffDistId: staff.distId, mayOpen: sealAccess?.isMine === true });
  const { rows } = await sql<People>`
    select b.nick_name as buyer_name, b.union_num as buyer_union, s.nick_name as seller_name, s.union_num as seller_union, o.staff_id,
      d.name as dist_name, a.act as asked_act, a.asked_by, f.name as asked_name,
      a.reason as asked_reason, a.payload->'pictures' as asked_pictures
    from orders o join app_user b on b.id = o.buyer_id join app_user s on s.id = o.seller_id join distributor d on d.id = o.dist_id
      left join approval a on ${ASKED} and a.target = 'order:' || o.sn and a.status = 'waiting' and a.expires_at > now()
      left join staff f on f.id = a.asked_by
    where o.id = ${detail.id}`.execute(ctx.db);
  const people = rows[0];
  if (!people) throw new AppError('ORDER_NOT_FOUND');
  const canAct = staffCan(staff.role, 'order.act');
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
            act: people.asked_act === SECOND.ship ? ('ship' as const) : ('staffClose' as const),
            by: people.asked_name,
            reason: people.asked_reason ?? '',
            pictures: (people.asked_pictures ?? []).map(pictureOf),
            isMine: people.asked_by === staff.id,
          },
    sealAccess,
    canAct,
    isAssigned: people.staff_id === staff.id,
  };
}

const pictureOf = (key: string) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) });

/**
 * What an act of staff on an order lets go, in fen: the larger of what goes back to the buyer and what goes to the seller (design section
 * 8). Above the limit a second person decides.
 */
const releasedFen = (order: OrderTerms, act: keyof typeof SECOND): number =>
  act === 'staffClose' ? order.totalFen : sellerNetFen(order);

/**
 * Whether the buyer may have what he paid for: it was shipped, he has opened a credential, or it was handed over in the game. Whoever sends
 * the money back then may give away the account, so no sum is small enough for one person. A ruling by one person can be appealed against;
 * a close cannot (design section 8; decision 190).
 */
const mayBeHanded = (order: OrderTerms): boolean =>
  order.status === OrderStatus.Shipped || order.buyerOpened || order.delivered;

/** Staff act on the orders assigned to them; an administrator takes one over first. Throws ORDER_NOT_ASSIGNED. */
function requireAssigned(call: StaffCall, order: OrderTerms): void {
  if (order.staffId !== call.staff.id) throw new AppError('ORDER_NOT_ASSIGNED');
}

/**
 * A step of the transition table by the assigned member of staff, with pictures as evidence and its audit entry in the same transaction.
 * Closing or shipping above the limit needs a second person, and so does closing what may be handed over, whatever the sum: the first call
 * asks, a colleague's call decides. Throws FORBIDDEN, ORDER_*, BAD_INPUT, PICTURE_BROKEN, SECOND_PERSON.
 */
export async function stepOrder(
  call: StaffCall,
  { orderId, act, reason, pictures }: Parsed<typeof c.staffOrderStep>,
): Promise<HandlerResult<typeof c.staffOrderStep>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  const target = `order:${order.sn}` as const;
  const secondAct = SECOND[act];
  const amountFen = releasedFen(order, act);
  const isOpen =
    !order.disputed &&
    (order.status === OrderStatus.Paid || (act === 'staffClose' && order.status === OrderStatus.Shipped));
  const needsSecond = isOpen && (amountFen > secondPersonFen(call) || (act === 'staffClose' && mayBeHanded(order)));
  const draft = needsSecond ? await openDraft<Evidence>(ctx.db, secondAct, target) : undefined;
  if (!draft && isOpen) await requireEvidence(call, order, pictures);
  const wish = { act: secondAct, target, amountFen, reason, distId: order.distId, payload: { pictures } } as const;
  if (needsSecond && !(await isSecondPerson(call, wish)))
    return { orderId, status: order.status, statusName: orderStatusName(order.status), waits: true };
  const done = await inTransaction(ctx.db, async (trx) => {
    const stepped = await staffStep(ctx, trx, staff, orderId, act, reason);
    if (draft) await allowSecond(trx, call, { ...wish, draftId: draft.id });
    await audit(trx, staff, secondAct, target, { reason, pictures: draft?.payload.pictures ?? pictures }, ip);
    return stepped;
  });
  return { orderId: done.orderId, status: done.status, statusName: orderStatusName(done.status), waits: false };
}

interface Evidence {
  pictures: readonly string[];
}

/** The first who acts shows what the act rests on. Throws ORDER_NOT_ASSIGNED, BAD_INPUT, PICTURE_BROKEN. */
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
 * Marks the current hand-over step done: staff's own, or with a reason the seller's, of orders up to the limit. Evidence is asked for as
 * from everybody. Throws FORBIDDEN, ORDER_*, BAD_INPUT, PICTURE_BROKEN.
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

/** What the parties left for the transaction, for who looks after it. Throws FORBIDDEN, ORDER_NOT_FOUND, ORDER_FORBIDDEN. */
export async function contacts(
  call: StaffCall,
  { orderId }: Parsed<typeof c.staffOrderContact>,
): Promise<HandlerResult<typeof c.staffOrderContact>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  if (order.staffId !== staff.id && staff.role !== 'admin')
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
