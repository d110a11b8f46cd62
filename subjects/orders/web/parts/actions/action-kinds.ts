import {
  requestCancel,
  cancelOrder,
  deleteOrder,
  offlineTranAnswer,
  offlineTranSub,
} from '#subjects/orders/contract/order.ts';
import type { Protection } from '../../../rules/protection.ts';
import { OFFLINE_MEANING, offlineMethods } from '../../../rules/offline.ts';
import type { HandoverStep } from '../handover/handover-step.ts';
import { call } from '#web/lib/api/api.ts';
import { againPath, complaintPath, payPath, ratePath } from '../order/order-links.ts';

/** The properties of an order that its buttons depend on. */
export interface ActionOrder {
  id: number;
  orderSn: string;
  goodsSn: string | null;
  belong: number;
  createTime: string;
  gameId: number | null;
  orderTypeId: number;
  /** The goods type of the traded item. */
  tradedTypeId: number;
  /** The effect of confirming receipt on the money; absent in lists, which link to the order's page. */
  receipt?: { amount: string; frozenUntil: string; hasStages: boolean } | null;
  protection?: Protection | null;
  handover?: readonly HandoverStep[];
  /** A guarantee begins with the receipt; 0 without one. */
  fixEnsureId?: number;
}

/** A button from the server's transition table (subjects/orders/contract/order.ts, `acts`). */
export interface OrderAction {
  act: string;
  label: string;
  enabled: boolean;
  reason: string | null;
  primary: boolean;
  confirm: string | null;
}

/** An action that is confirmed and then posted. */
export interface ConfirmedAction {
  kind: 'ask';
  /** Sends the action. The key makes a repeated call return the same result. */
  send: (orderId: number, reason: string | undefined, idempotencyKey: string) => Promise<unknown>;
  /** Label of the field for a reason; absent where no reason is taken. */
  reasonLabel?: string;
  /** A choice in place of a reason; the first option is preset, unless the user must choose. */
  choice?: { label: string; isNeeded?: boolean; options: readonly { value: string; label: string; hint?: string }[] };
  /** The question when the transition table has none. */
  question: string;
  /** The consequences, displayed before the action is confirmed. */
  consequence: string;
  done: string;
  danger?: boolean;
}

type ActionKind = ConfirmedAction | { kind: 'receipt' } | { kind: 'link'; to: (order: ActionOrder) => string };

const withKey = (idempotencyKey: string) => ({ idempotencyKey, quiet: true });
const because = (reason: string | undefined) => (reason ? { reason } : {});

const cancel: ConfirmedAction = {
  kind: 'ask',
  send: (orderId, reason, key) => call(cancelOrder, { orderId, ...because(reason) }, withKey(key)),
  reasonLabel: '原因',
  question: '确认取消这个订单？',
  consequence: '取消后不能恢复；已付的货款全额退还：在线支付的默认原路退回，余额付的退到余额。',
  done: '订单已取消',
  danger: true,
};

const kinds: Readonly<Record<string, ActionKind>> = {
  pay: { kind: 'link', to: payPath },
  rate: { kind: 'link', to: (order) => ratePath(order, Date.parse(order.createTime)) },
  again: { kind: 'link', to: againPath },
  dispute: { kind: 'link', to: complaintPath },
  cancel,
  sellerCancel: {
    ...cancel,
    consequence:
      '取消会计入您的卖家记录；货款全额退还买家，商品恢复在售；账号资料被查看过的，转为下架，修改密码后再上架。',
  },
  askCancel: {
    kind: 'ask',
    send: (orderId, reason, key) => call(requestCancel, { orderId, act: 'ask', ...because(reason) }, withKey(key)),
    reasonLabel: '原因',
    question: '向卖家申请取消订单？',
    consequence: '卖家或客服已开始处理，卖家同意后订单取消，货款全额退还给您；卖家拒绝时交易继续。',
    done: '已向卖家发出取消申请',
  },
  agreeCancel: {
    kind: 'ask',
    send: (orderId, _reason, key) => call(requestCancel, { orderId, act: 'agree' }, withKey(key)),
    question: '同意取消这个订单？',
    consequence: '同意后订单取消，货款全额退还买家，商品恢复在售；账号资料被查看过的，转为下架，请先修改密码再上架。',
    done: '订单已取消',
    danger: true,
  },
  declineCancel: {
    kind: 'ask',
    send: (orderId, reason, key) => call(requestCancel, { orderId, act: 'decline', ...because(reason) }, withKey(key)),
    reasonLabel: '给买家的说明',
    question: '拒绝买家的取消申请？',
    consequence: '拒绝后交易继续，请按时完成交付步骤与发货。',
    done: '已拒绝取消申请',
  },
  markOffline: {
    kind: 'ask',
    send: (orderId, method, key) => call(offlineTranSub, { orderId, isRecovery: Number(method) }, withKey(key)),
    choice: {
      label: '交付方式',
      isNeeded: true,
      options: Object.entries(offlineMethods).map(([value, label]) => ({ value, label, hint: '买家会核对是否属实' })),
    },
    question: '这笔订单是在平台外交付的？',
    consequence: OFFLINE_MEANING,
    done: '已标明，等买家核对',
  },
  ship: {
    kind: 'ask',
    send: (orderId, _reason, key) => call(offlineTranSub, { orderId }, withKey(key)),
    question: '确认商品已交付给买家？',
    consequence: '发货后开始计算买家的验收时间；买家确认或验收期满，货款进入您的冻结余额，保护期结束后可提现。',
    done: '已发货，等待买家验收',
  },
  confirm: { kind: 'receipt' },
  answerOffline: {
    kind: 'ask',
    send: (orderId, agree) => call(offlineTranAnswer, { orderId, agree: Number(agree) }, { quiet: true }),
    choice: {
      label: '核对结果',
      isNeeded: true,
      options: [
        { value: '1', label: '属实，是线下交付' },
        { value: '0', label: '不属实，或还没有收到' },
      ],
    },
    question: '卖家标明这笔订单是线下交付，属实吗？',
    consequence: `${OFFLINE_MEANING}没有收到请不要确认收货，可以申诉。`,
    done: '已答复卖家',
  },
  delete: {
    kind: 'ask',
    send: (orderId) => call(deleteOrder, { orderId }, { quiet: true }),
    question: '从列表中删除这个订单？',
    consequence: '只是不再显示在您的列表里，交易记录与凭证仍然保留。',
    done: '已从列表删除',
  },
};

/** How an action is performed; undefined for one without a UI, whose button is omitted. */
export function actionKind(name: string): ActionKind | undefined {
  return kinds[name];
}

/** The actions with a UI: first those available now, the primary one at the end, where users expect it. */
export function visibleActions(actions: readonly OrderAction[]): OrderAction[] {
  const rank = (action: OrderAction) => (action.primary ? 2 : 0) + (action.enabled ? 1 : 0);
  return actions.filter(({ act: action }) => kinds[action]).toSorted((a, b) => rank(a) - rank(b));
}

/** Whether the bar at the bottom of a narrow screen has the action: the main one, once it is available. */
export const isInBar = ({ primary, enabled }: OrderAction): boolean => primary && enabled;

/**
 * Whether the action is in the menu of further ones: an action that hides the order is not a button next to the others.
 */
export const isInMenu = ({ act: action }: OrderAction): boolean => action === 'delete';

/**
 * Whether a narrow screen would show here only the actions of its bar: the container and its margins are then left out.
 */
export const isBarOnly = (actions: readonly OrderAction[]): boolean => actions.every(isInBar);
