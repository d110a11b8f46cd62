import type { z } from 'zod';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail, queryOrderList } from '#subjects/orders/contract/order.ts';
import { codes } from '#contract/codes.ts';
import { CLOCK_STOPPED, OrderStatus, orderStatusName, isCancelled } from '../rules/order-status.ts';
import {
  BOOSTING,
  receiptName,
  sellerNoun,
  handoverName,
  isAccountOrder,
  orderTypeName,
  isService,
} from '../rules/order-types.ts';
import { type OfflineState, offlineMethodName } from '../rules/offline.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { gameCover, pictureUrls } from '#subjects/media/server/service.ts';
import type { HandoverRow } from './handover/handover.ts';
import { currentStep, openOf } from './handover/handover.ts';
import type { OrderRow } from './list.ts';
import type { OpenStep } from './queries.ts';
import { openActions, type OrderTerms, type TransitionName } from './rules.ts';
import { isRecycled } from './money-parts.ts';
import { sellerGetsFen } from './money-view.ts';
import { blockingRelease, missingText, receiptOf } from './handover/steps-gate.ts';

type ListItem = HandlerResult<typeof queryOrderList>['orderList'][number];
type Detail = HandlerResult<typeof orderDetail>;
export type View = z.input<typeof queryOrderList.data>;

/** The goods type of the traded item; an order without one is named by its own type. */
const tradedType = (r: OrderRow): number => r.snapshot.handoverType || r.type_id;

/** Converts a row to the terms that the transition table uses. */
export function termsOf(r: OrderRow): OrderTerms {
  return {
    id: r.id,
    sn: r.sn,
    distId: r.dist_id,
    typeId: r.type_id,
    goodsId: r.goods_id,
    buyerId: r.buyer_id,
    sellerId: r.seller_id,
    staffId: r.staff_id,
    status: r.status,
    goodsFen: r.goods_fen,
    serviceFeeFen: r.service_fee_fen,
    ensureFen: r.ensure_fen,
    fixEnsureFen: r.fix_ensure_fen,
    discountFen: r.discount_fen,
    totalFen: r.total_fen,
    commissionFen: r.commission_fen,
    distShareFen: r.dist_share_fen,
    inviteRewardFen: r.invite_reward_fen,
    inviterId: r.inviter_id,
    touched: r.touched_at !== null,
    overdue: r.overdue,
    buyerOpened: r.buyer_opened_at !== null,
    delivered: r.delivered_at !== null,
    disputed: r.disputed,
    cancelAsked: r.cancel_asked_at !== null,
    binding: r.snapshot.binding ?? false,
    shipSeconds: r.snapshot.shipSeconds ?? null,
    advanceFen: r.advance_fen,
    advanceGoodsFen: r.advance_goods_fen,
    cutFen: r.cut_fen,
    isService: r.snapshot.service === true,
    isRecycledAccount: isRecycled(r),
    shut: r.shut_at !== null,
  };
}

/** The confirmation question of shipping and confirming, for the traded type. */
function confirmText(name: TransitionName, typeId: number): string | undefined {
  if (name === 'ship') return isAccountOrder(typeId) ? '确认账号已交付给买家？' : '确认商品已按约定数量交付给买家？';
  if (name === 'confirm' && isService(typeId))
    return typeId === BOOSTING ? '已核对结果与截图，确认完成？' : '已核对时长，确认完成？';
  if (name === 'confirm') return isAccountOrder(typeId) ? '确认账号已归您控制？' : '确认已如数收到商品？';
  return undefined;
}

/** The reason text while a dispute is open. */
const DISPUTED_TEXT = '申诉处理中，裁决后再操作';

/** Why a transition is blocked by hand-over steps, naming them; null when it is not. */
function missingFor(name: TransitionName, open: readonly OpenStep[]): string | null {
  const missing =
    name === 'ship' ? open.filter((s) => s.beforeShip) : name === 'confirm' && !receiptOf(open) ? [...open] : [];
  return missing.length === 0 ? null : `请先完成${missingText(missing)}`;
}

/** The confirmation question of a request to cancel, by the reason for requiring the seller's consent. */
function cancelQuestion(o: OrderTerms): string {
  if (o.buyerOpened) return '您已查看过账号密码，需卖家同意后才能取消；卖家不同意可以申诉。确认申请？';
  if (o.delivered) return '卖家已在游戏内交付，需卖家同意后才能取消；没有收到可以申诉。确认申请？';
  return '卖家已开始处理，需卖家同意后才能取消。确认申请？';
}

/** The actions that are not transitions: answers, marks, the rating and actions after the end. */
function otherActions(r: OrderRow, viewer: 'buyer' | 'seller' | 'staff', terms: OrderTerms): ListItem['acts'] {
  const actions: ListItem['acts'] = [];
  if (viewer === 'seller' && r.status === OrderStatus.Paid && terms.cancelAsked) {
    actions.push({
      act: 'declineCancel',
      label: '拒绝取消',
      enabled: true,
      reason: null,
      primary: false,
      confirm: null,
    });
  }
  if (
    viewer === 'seller' &&
    r.status === OrderStatus.Shipped &&
    r.offline_mark === null &&
    !terms.isService &&
    !terms.disputed
  )
    actions.push({
      act: 'markOffline',
      label: '标明线下交付',
      enabled: true,
      reason: null,
      primary: false,
      confirm: null,
    });
  if (viewer === 'buyer' && offlineState(r) === 'pending')
    actions.push({
      act: 'answerOffline',
      label: '核对线下交付',
      enabled: !r.disputed,
      reason: r.disputed ? DISPUTED_TEXT : null,
      primary: false,
      confirm: `卖家标明这笔订单是${offlineMethodName(r.offline_mark)}，属实吗？`,
    });
  if (r.may_rate && !r.rated && viewer !== 'staff')
    actions.push({ act: 'rate', label: '评价', enabled: true, reason: null, primary: true, confirm: null });
  if (isCancelled(r.status) && viewer === 'buyer')
    actions.push({ act: 'again', label: '再找一件', enabled: true, reason: null, primary: false, confirm: null });
  // While the sale is protected, a complaint starts from its order.
  if ((r.status === OrderStatus.Completed || isCancelled(r.status)) && viewer !== 'staff' && !r.is_held) {
    actions.push({
      act: 'delete',
      label: '删除',
      enabled: true,
      reason: null,
      primary: false,
      confirm: '删除后列表中不再显示，确认删除？',
    });
  }
  return actions;
}

/**
 * The actions of an order for a viewer: those of the transition table and the others. `open`: the required steps that are not done.
 */
export function actionsOf(
  r: OrderRow,
  viewer: 'buyer' | 'seller' | 'staff',
  open: readonly OpenStep[],
): ListItem['acts'] {
  const terms = termsOf(r);
  const actions: ListItem['acts'] = [];
  for (const { name, t, reason } of openActions(terms, viewer)) {
    if (name === 'cancelPaid' && reason === 'ORDER_CANCEL_NEEDS_SELLER') {
      const requested = terms.cancelAsked;
      actions.push({
        act: 'askCancel',
        label: requested ? '已申请取消' : '申请取消',
        enabled: !requested,
        reason: requested ? '等待卖家答复' : null,
        primary: false,
        confirm: cancelQuestion(terms),
      });
      continue;
    }
    // The last step before the shipping also ships the order.
    if (name === 'ship' && viewer === 'seller' && open.some((s) => s.beforeShip)) continue;
    const why = reason === 'ORDER_STATE' && terms.disputed ? DISPUTED_TEXT : reason && codes[reason][2];
    const closed = why ?? missingFor(name, open);
    actions.push({
      act: t.act,
      label: name === 'confirm' ? receiptName(tradedType(r)) : t.label,
      enabled: closed === null,
      reason: closed,
      primary: t.primary === true,
      confirm: confirmText(name, tradedType(r)) ?? t.confirm ?? null,
    });
  }
  return [...actions, ...otherActions(r, viewer, terms)];
}

/** The state of the seller's mark of an offline transaction: only a shipped order can be pending the buyer's answer. */
function offlineState(r: OrderRow): OfflineState {
  if (r.offline_mark === null) return 'none';
  if (r.offline_agreed !== null) return r.offline_agreed ? 'agreed' : 'denied';
  return r.status === OrderStatus.Shipped ? 'pending' : 'lapsed';
}

/** Whether the seller of an inspected account must agree to a lower price. */
export const isCutAsked = (r: Pick<OrderRow, 'status' | 'recycle_state'>): boolean =>
  r.status === OrderStatus.Paid && r.recycle_state === 'reconfirm';

/** The pending event of a paid order of a recycled account: the inspection, or the seller's answer to its result. */
function recycledDeadline(r: OrderRow, viewer: 'buyer' | 'seller'): { at: Date | null; text: string } {
  if (!isCutAsked(r)) return { at: r.ship_by, text: r.overdue ? '验号晚于预计，仍在进行' : '预计此前验号完成' };
  if (r.disputed) return { at: null, text: CLOCK_STOPPED };
  return {
    at: r.recycle_due_at,
    text: viewer === 'seller' ? '请答复减价，到期没有答复按免费取回处理' : '等待卖家答复减价，到期没有答复全额退回',
  };
}

function shipText(r: OrderRow, viewer: 'buyer' | 'seller'): string {
  if (r.account_missing) return '提交账号资料截止，到期自动退款';
  if (isService(r.type_id)) return r.overdue ? '已超过约定时间，可按超时取消或申诉' : '服务完成截止';
  if (!r.overdue) {
    const who = viewer === 'seller' ? ['请', '买家'] : ['卖家须', ''];
    return `${who[0]}在此前发货；逾期${who[1]}可立即取消，一直未发货自动全额退款`;
  }
  const may =
    r.buyer_opened_at !== null || r.delivered_at !== null
      ? '已超过发货时限，买家可申请取消或申诉'
      : '已超过发货时限，买家可直接取消';
  if (r.late_end_at === null || r.disputed) return may;
  const end = r.late_by_rule === true ? '前仍未发货自动全额退款' : '前没有进展转客服处理';
  return `${may}；${fullTime(r.late_end_at.getTime())} ${end}`;
}

function deadlineOf(r: OrderRow, viewer: 'buyer' | 'seller'): { at: Date | null; text: string | null } {
  if (r.status === OrderStatus.Unpaid) return { at: r.expires_at, text: '超时未付款自动关闭' };
  if (r.status === OrderStatus.Paid && isRecycled(r)) return recycledDeadline(r, viewer);
  if (r.status === OrderStatus.Paid) return { at: r.ship_by, text: shipText(r, viewer) };
  if (r.status === OrderStatus.Shipped && r.confirm_stopped_at !== null && !r.disputed)
    return { at: null, text: `自动确认已停止，等待完成${missingText(blockingRelease(r.open_steps))}` };
  if (r.status === OrderStatus.Shipped)
    return { at: r.auto_confirm_at, text: r.disputed ? CLOCK_STOPPED : `到期自动${receiptName(r.type_id)}` };
  return { at: null, text: null };
}

/**
 * The picture of an order: the listing's, else a cover that names the game; a private deal without a known game has the
 * market's logo.
 */
export function thumbnailOf({ picture, gameCode }: OrderRow['snapshot']): string {
  if (picture) return pictureUrls(picture, gameCode).thumb;
  return gameCode === '' ? '/icon.svg' : gameCover(gameCode);
}

/** What the seller of an order receives for it. An order that was closed unpaid brings nothing. */
function saleOf(r: OrderRow): NonNullable<ListItem['sale']> {
  const isRegular = !isCancelled(r.status) && r.taken_fen === 0;
  return {
    price: r.goods_fen - r.cut_fen,
    commission: isRegular ? r.commission_fen : null,
    gets:
      isCancelled(r.status) && r.paid_at === null
        ? 0
        : sellerGetsFen(r, { holdFen: r.hold_fen, takenFen: r.taken_fen }),
  };
}

/** An order for lists. `sell` means that the viewer is its seller. */
export function listItemOf(r: OrderRow, viewer: 'buyer' | 'seller'): ListItem {
  const deadline = deadlineOf(r, viewer);
  const { title, gameName, areaName, serverName } = r.snapshot;
  return {
    id: r.id,
    orderSn: r.sn,
    orderTypeId: r.type_id,
    orderTypeName: orderTypeName(r.type_id),
    tradedTypeId: tradedType(r),
    gameId: r.game_id,
    bigTitle: title,
    details: JSON.stringify({ gameName, areaName, serverName }),
    unitPrice: r.unit_price_fen,
    totalPrice: r.total_fen,
    sale: viewer === 'seller' ? saleOf(r) : null,
    ensurePrice: r.ensure_fen,
    fixEnsurePrice: r.fix_ensure_fen,
    ensureId: r.ensure_id,
    fixEnsureId: r.fix_ensure_id,
    isRecovery: r.is_recovery,
    offline: { state: offlineState(r), method: r.offline_mark ?? 0, name: offlineMethodName(r.offline_mark) },
    goodsSn: r.goods_sn,
    goodsNum: r.goods_num,
    payTime: r.paid_at,
    createTime: r.created_at,
    status: r.status,
    statusName: orderStatusName(r.status, r.type_id),
    thumbnail: thumbnailOf(r.snapshot),
    userId: String(viewer === 'buyer' ? r.seller_id : r.buyer_id),
    belong: viewer === 'buyer' ? BUYS : SELLS,
    partnerName: viewer === 'buyer' ? r.seller_name : r.buyer_name,
    deadline: deadline.at,
    deadlineText: deadline.text,
    stepDue: r.cancel_asked_at === null ? r.step_due : null,
    groupId: r.group_id === null ? null : String(r.group_id),
    unread: Math.max(0, r.unread),
    rated: r.rated,
    acts: actionsOf(r, viewer, r.open_steps),
  };
}

/** The horizontal line of steps with times. */
export function stepsOf(
  r: OrderRow,
  rows: readonly HandoverRow[],
  { releasedAt, refundedFen }: { releasedAt: Date | null; refundedFen: number },
): Detail['steps'] {
  if (isCancelled(r.status)) {
    // A service that ended by its progress was partly paid.
    const isSettled = isService(r.type_id) && r.paid_at !== null && refundedFen < r.total_fen;
    return [
      { title: '提交订单', time: r.created_at, text: '', state: 'done' },
      ...(r.paid_at ? [{ title: '付款到托管', time: r.paid_at, text: '', state: 'done' as const }] : []),
      {
        title: isSettled ? '按进度结算' : orderStatusName(r.status, r.type_id),
        time: null,
        text: !r.paid_at ? '未付款' : refundedFen < r.total_fen ? '部分货款退还买家' : '货款退还买家',
        state: isSettled ? 'done' : 'failed',
      },
    ];
  }
  const reached = (n: number): 'done' | 'current' | 'waiting' =>
    r.status > n || r.status === OrderStatus.Completed ? 'done' : r.status === n ? 'current' : 'waiting';
  const done = rows.filter((s) => s.doneAt !== null).length;
  const now = currentStep(rows, r.status);
  const doing = now ? `第 ${now.step} 步 / 共 ${rows.length} 步` : rows.length > 0 ? `${done} / ${rows.length} 步` : '';
  // The hand-over continues after the shipping, up to the buyer's receipt.
  const isHandingOver =
    r.status === OrderStatus.Shipped && now !== undefined && now.step !== receiptOf(openOf(rows, r.status))?.step;
  const handsOver = r.status === OrderStatus.Paid || isHandingOver;
  return [
    { title: '提交订单', time: r.created_at, text: '', state: 'done' },
    { title: '付款到托管', time: r.paid_at, text: r.paid_at ? '' : '等待付款', state: r.paid_at ? 'done' : 'current' },
    {
      title: rows.length > 0 || isService(r.type_id) ? handoverName(tradedType(r)) : '卖家发货',
      time: isHandingOver ? null : r.shipped_at,
      text: handsOver ? doing : '',
      state: isHandingOver ? 'current' : reached(1),
    },
    {
      title: isRecycled(r) ? '验号通过' : receiptName(r.type_id),
      time: r.completed_at,
      text: r.status === OrderStatus.Shipped && !isHandingOver ? '等待买家验收' : '',
      state: isHandingOver ? 'waiting' : reached(2),
    },
    {
      title: `放款给${sellerNoun(r.type_id)}`,
      time: releasedAt,
      text: releasedAt
        ? '已放款'
        : isRecycled(r)
          ? `${r.platform_buys ? '平台' : '买家'}接管账号后`
          : r.status === OrderStatus.Completed
            ? '保护期结束后'
            : '确认后，保护期结束',
      state: releasedAt ? 'done' : r.status === OrderStatus.Completed ? 'current' : 'waiting',
    },
  ];
}
