import type { z } from 'zod';
import type { Answer } from '#contract/endpoint.ts';
import type { orderDetail, queryOrderList } from '#contract/order.ts';
import { codes } from '#contract/codes.ts';
import { orderStatusName, orderTypeName } from '#contract/rules/order-status.ts';
import { pictureUrls } from '#server/slices/media/service.ts';
import type { HandoverRow } from './handover.ts';
import { currentStep } from './handover.ts';
import type { OrderRow } from './list.ts';
import { openActs, type OrderTerms, sellerNetFen } from './rules.ts';

type ListItem = Answer<typeof queryOrderList>['orderList'][number];
type Detail = Answer<typeof orderDetail>;
export type View = z.input<typeof queryOrderList.data>;

/** A row as the step table knows it. */
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
    late: r.late,
    disputed: r.disputed,
    cancelAsked: r.cancel_asked_at !== null,
  };
}

/** The buttons of an order for a viewer, read from the step table, with those that are no steps added. */
export function actsOf(
  r: OrderRow,
  viewer: 'buyer' | 'seller' | 'staff',
  openRequired: { beforeShip: number; all: number } | null,
): ListItem['acts'] {
  const terms = termsOf(r);
  const acts: ListItem['acts'] = [];
  for (const { name, t, reason } of openActs(terms, viewer)) {
    if (name === 'cancelPaid' && reason === 'ORDER_CANCEL_NEEDS_SELLER') {
      const asked = terms.cancelAsked;
      acts.push({
        act: 'askCancel',
        label: asked ? '已申请取消' : '申请取消',
        enabled: !asked,
        reason: asked ? '等待卖家答复' : null,
        primary: false,
        confirm: '卖家已开始处理，需卖家同意后才能取消。确认申请？',
      });
      continue;
    }
    const waits =
      openRequired &&
      ((name === 'ship' && openRequired.beforeShip > 0) || (name === 'confirm' && openRequired.all > 0));
    const closed = reason ?? (waits ? 'ORDER_HANDOVER_OPEN' : null);
    acts.push({
      act: t.act,
      label: t.label,
      enabled: closed === null,
      reason: closed ? codes[closed][2] : null,
      primary: t.primary === true,
      confirm: t.confirm ?? null,
    });
  }
  if (viewer === 'seller' && r.status === 1 && terms.cancelAsked) {
    acts.push({ act: 'declineCancel', label: '拒绝取消', enabled: true, reason: null, primary: false, confirm: null });
  }
  if (r.status === 3 && !r.rated && viewer !== 'staff')
    acts.push({ act: 'rate', label: '评价', enabled: true, reason: null, primary: true, confirm: null });
  if (r.status >= 6 && viewer === 'buyer')
    acts.push({ act: 'again', label: '再找一件', enabled: true, reason: null, primary: false, confirm: null });
  if ((r.status === 3 || r.status >= 6) && viewer !== 'staff') {
    acts.push({
      act: 'delete',
      label: '删除',
      enabled: true,
      reason: null,
      primary: false,
      confirm: '删除后列表中不再显示，确认删除？',
    });
  }
  return acts;
}

function deadlineOf(r: OrderRow): { at: Date | null; text: string | null } {
  if (r.status === 0) return { at: r.expires_at, text: '超时未付款自动关闭' };
  if (r.status === 1) return { at: r.ship_by, text: r.late ? '已超过发货时限，买家可直接取消' : '卖家需在此之前发货' };
  if (r.status === 2)
    return { at: r.auto_confirm_at, text: r.disputed ? '申诉处理中，计时已停止' : '到时未提出异议将自动确认' };
  return { at: null, text: null };
}

/** One order as lists show it. `sell` = the viewer is its seller. */
export function listItemOf(r: OrderRow, viewer: 'buyer' | 'seller'): ListItem {
  const deadline = deadlineOf(r);
  const { title, gameName, areaName, serverName, gameCode, picture } = r.snapshot;
  return {
    id: r.id,
    orderSn: r.sn,
    orderTypeId: r.type_id,
    orderTypeName: orderTypeName(r.type_id),
    gameId: r.game_id,
    bigTitle: title,
    details: JSON.stringify({ gameName, areaName, serverName }),
    unitPrice: r.unit_price_fen,
    totalPrice: r.total_fen,
    ensurePrice: r.ensure_fen,
    fixEnsurePrice: r.fix_ensure_fen,
    ensureId: r.ensure_id,
    fixEnsureId: r.fix_ensure_id,
    isRecovery: r.is_recovery,
    goodsSn: r.goods_sn,
    goodsNum: r.goods_num,
    payTime: r.paid_at,
    createTime: r.created_at,
    status: r.status,
    statusName: orderStatusName(r.status),
    thumbnail: picture ? pictureUrls(picture, gameCode).thumb : `/art/game/${gameCode}.svg`,
    userId: String(viewer === 'buyer' ? r.seller_id : r.buyer_id),
    belong: viewer === 'buyer' ? 1 : 0,
    partnerName: viewer === 'buyer' ? r.seller_name : r.buyer_name,
    deadline: deadline.at,
    deadlineText: deadline.text,
    groupId: r.group_id === null ? null : String(r.group_id),
    unread: Math.max(0, r.unread),
    rated: r.rated,
    acts: actsOf(r, viewer, null),
  };
}

/** The horizontal line of steps with times. */
export function stepsOf(
  r: OrderRow,
  rows: readonly HandoverRow[],
  releaseAt: Date | null,
  released: boolean,
): Detail['steps'] {
  if (r.status >= 6) {
    return [
      { title: '提交订单', time: r.created_at, text: '', state: 'done' },
      ...(r.paid_at ? [{ title: '付款到托管', time: r.paid_at, text: '', state: 'done' as const }] : []),
      {
        title: orderStatusName(r.status),
        time: null,
        text: r.paid_at ? '货款已退回买家余额' : '未付款',
        state: 'failed',
      },
    ];
  }
  const reached = (n: number): 'done' | 'current' | 'waiting' =>
    r.status > n || r.status === 3 ? 'done' : r.status === n ? 'current' : 'waiting';
  const done = rows.filter((s) => s.doneAt !== null).length;
  const now = currentStep(rows, r.status);
  const doing = now ? `第 ${now.step} 步 / 共 ${rows.length} 步` : rows.length > 0 ? `${done} / ${rows.length} 步` : '';
  return [
    { title: '提交订单', time: r.created_at, text: '', state: 'done' },
    { title: '付款到托管', time: r.paid_at, text: r.paid_at ? '' : '等待付款', state: r.paid_at ? 'done' : 'current' },
    {
      title: rows.length > 0 ? '换绑交付' : '卖家发货',
      time: r.shipped_at,
      text: r.status === 1 ? doing : '',
      state: reached(1),
    },
    { title: '确认收货', time: r.completed_at, text: r.status === 2 ? doing || '等待买家验收' : '', state: reached(2) },
    {
      title: '放款给卖家',
      time: released ? releaseAt : null,
      text: released ? '已放款' : r.status === 3 ? '保护期结束后' : '确认后，保护期结束',
      state: released ? 'done' : r.status === 3 ? 'current' : 'waiting',
    },
  ];
}

export interface HoldState {
  releaseAt: Date | null;
  releasedAt: Date | null;
}

/** Where the money is, and why: received, held until, released (look.md, money line). The seller's part is the seller's to see. */
export function moneyOf(r: OrderRow, viewer: 'buyer' | 'seller', hold: HoldState | null): Detail['money'] {
  const net = sellerNetFen({ goodsFen: r.goods_fen, commissionFen: r.commission_fen });
  const released = Boolean(hold?.releasedAt);
  const cancelled = r.status >= 6;
  const where = cancelled
    ? r.paid_at
      ? '已退回买家余额'
      : '未付款'
    : r.status === 0
      ? '等待付款'
      : r.status < 3
        ? '平台托管中'
        : released
          ? '已放款给卖家'
          : '保护期内，平台冻结中';
  const reason = cancelled
    ? r.paid_at
      ? '订单取消，货款已全额退回买家余额。'
      : '订单未付款，没有产生资金。'
    : r.status === 0
      ? '付款后货款由平台托管，卖家此刻拿不到。'
      : r.disputed
        ? '申诉处理中，计时已停止，货款不会放出。'
        : r.status === 1
          ? '交付未完成，货款由平台托管；超过发货时限买家可直接取消并全额退款。'
          : r.status === 2
            ? '卖家已发货，验收期内买家不确认也不申诉，到时自动确认。'
            : released
              ? '保护期已结束，货款已转入卖家可用余额。'
              : '保护期内买家仍可申诉；到期没有申诉，货款自动转入卖家可用余额。';
  const state = (at: boolean, now: boolean): 'done' | 'current' | 'waiting' =>
    at ? 'done' : now ? 'current' : 'waiting';
  return {
    where,
    reason,
    paid: r.paid_at ? r.total_fen : 0,
    refunded: cancelled && r.paid_at ? r.total_fen : 0,
    sellerGets: viewer === 'seller' ? net : null,
    commission: viewer === 'seller' ? r.commission_fen : null,
    releaseTime: hold?.releaseAt ?? null,
    released,
    points: [
      {
        title: '已收款',
        amount: r.paid_at ? r.total_fen : null,
        text: r.paid_at ? '' : '等待付款',
        state: state(r.paid_at !== null, r.status === 0),
      },
      {
        title: cancelled ? '已退款' : '平台托管中',
        amount: cancelled && r.paid_at ? r.total_fen : r.status >= 1 && r.status <= 3 ? r.total_fen : null,
        text: cancelled ? '' : '卖家此刻拿不到',
        state: state(released || cancelled, r.paid_at !== null && !released),
      },
      {
        title: '放款给卖家',
        amount: viewer === 'seller' ? net : null,
        text: released ? '已放款' : '确认收货且保护期满后',
        state: state(released, false),
      },
    ],
  };
}
