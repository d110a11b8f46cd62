import { sql } from 'kysely';
import type * as c from '#subjects/orders/contract/staff-orders.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { OrderStatus, orderStatusName } from '#subjects/orders/rules/order-status.ts';
import { staffCan } from '../../rules/staff.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  completeStep,
  type Contact,
  loadContacts,
  loadDetail,
  listedAccountFor,
  type OrderTerms,
  sellerNetFen,
  staffStep,
  termsForSystem,
} from '#subjects/orders/server/service.ts';
import { imageUrl, staffPictures } from '#subjects/media/server/service.ts';
import { approveRequest, requestOrConfirm, openDraft, secondPersonFen } from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { loadCredentialAccess } from './credentials.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

/** Actions on an order that release money, with the kind of their approval request. */
const SECOND_ACTIONS = { staffClose: 'order.close', ship: 'order.ship' } as const;

/** A refund or a release, as an approval request. */
const RELEASE_ACTIONS = sql`a.act in ('order.close', 'order.ship')`;

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
  const credentialAccess = await loadCredentialAccess(call, orderSn);
  const detail = await loadDetail(ctx, orderSn, {
    staffDistId: staff.distId,
    staffId: staff.id,
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
    listedAccount: await listedAccountFor(ctx.db, detail.id),
    sealAccess: credentialAccess,
    canAct,
    isAssigned: people.staff_id === staff.id,
    readsChat: staffCan(staff, 'chat.serve') && (people.staff_id === staff.id || staffCan(staff, 'chat.supervise')),
  };
}

const pictureOf = (key: string) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) });

/**
 * The money that an action of staff on an order releases, in fen: the refund to the buyer or the proceeds of the seller (design section 8).
 * Above the limit a second person decides.
 */
const releasedFen = (order: OrderTerms, action: keyof typeof SECOND_ACTIONS): number =>
  action === 'staffClose' ? order.totalFen : sellerNetFen(order);

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
  { orderId, act: action, reason, pictures }: Parsed<typeof c.staffOrderStep>,
): Promise<HandlerResult<typeof c.staffOrderStep>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  requireFactor(call);
  const target = `order:${order.sn}` as const;
  const secondAction = SECOND_ACTIONS[action];
  const amountFen = releasedFen(order, action);
  const isOpen =
    !order.disputed &&
    (order.status === OrderStatus.Paid || (action === 'staffClose' && order.status === OrderStatus.Shipped));
  const needsSecond =
    isOpen && (amountFen > secondPersonFen(call) || (action === 'staffClose' && mayBeDelivered(order)));
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
  // A person who saw a colleague's request decides on it; one who saw none creates one, if the order's state is
  // unchanged.
  const requireDue = async (trx: Trx): Promise<void> => {
    const { rows } = await sql`
      select from orders where id = ${orderId} and status = ${order.status} and not disputed for share`.execute(trx);
    if (draft || rows.length === 0) throw errorOf('ORDER_STATE', 'orderJustHandled');
  };
  const isSecond = needsSecond && (await requestOrConfirm(call, request, requireDue));
  if (isSecond && !draft) throw errorOf('ORDER_STATE', 'sameRequestJustMade');
  if (needsSecond && !isSecond)
    return { orderId, status: order.status, statusName: orderStatusName(order.status, order.typeId), waits: true };
  const done = await inTransaction(ctx.db, async (trx) => {
    const stepped = await staffStep(ctx, trx, staff, orderId, action, reason);
    if (draft) await approveRequest(trx, call, { ...request, draftId: draft.id });
    await audit(trx, staff, secondAction, target, { reason, pictures: draft?.payload.pictures ?? pictures }, ip);
    return stepped;
  });
  return {
    orderId: done.orderId,
    status: done.status,
    statusName: orderStatusName(done.status, order.typeId),
    waits: false,
  };
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
 * Marks the current hand-over step done: a step of staff, or with a reason one of the seller, for orders up to the
 * limit. Evidence is required as for the parties. Throws FORBIDDEN, ORDER_*, BAD_INPUT, PICTURE_BROKEN.
 */
export async function finishStep(
  call: StaffCall,
  { orderId, step, reason, pictures }: Parsed<typeof c.staffHandoverDone>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  requireAssigned(call, order);
  // The reading of a recycled account decides on the payment, and completes its step.
  if (order.isRecycledAccount) throw errorOf('ORDER_STATE', 'readingInRecycling');
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
export async function orderContacts(
  call: StaffCall,
  { orderId }: Parsed<typeof c.staffOrderContact>,
): Promise<HandlerResult<typeof c.staffOrderContact>> {
  const { ctx, staff, ip } = call;
  const order = await termsFor(call, orderId);
  if (order.staffId !== staff.id && !staffCan(staff, 'chat.supervise'))
    throw new AppError('ORDER_FORBIDDEN', { text: '交易联系方式只对负责本单的客服开放' });
  const found = await loadContacts(ctx, order);
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
