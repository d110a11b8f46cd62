import type { DueText, OrderParty, OrderReader } from './order-party.ts';
import { OrderStatus, isCancelled, isInProgress } from './order-status.ts';
import { isAccountOrder, OrderType, receiptName, RECYCLED_ACCOUNT, sellerNoun } from './order-types.ts';
import { type Protection, protectionText } from './protection.ts';
import { type ServiceDueInput, serviceHeadline, wasPlayed } from '#subjects/services/rules/service-due.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';

/** The properties of a hand-over step that its texts depend on. */
export interface StepText {
  key: string;
  title: string;
  actor: string;
  state: 'done' | 'current' | 'waiting';
}

/**
 * The properties of an order that its texts depend on. `tradedTypeId`: the goods type of the traded item, also in a
 * private deal.
 */
export interface OrderTextInput {
  status: number;
  statusName: string;
  tradedTypeId: number;
  handover: readonly StepText[];
  cancelAsked: boolean;
  /** The seller of an inspected account must agree to a lower price. */
  cutAsked: boolean;
  /** The party that has paid for an inspected account and still has to take it over; null for other orders. */
  takeOver: TakeOver | null;
  disputed: boolean;
  /** For boosting and companion play, whose states give the headline; null for goods. */
  service: ServiceDueInput | null;
}

/** The party that takes over a recycled account. */
export type TakeOver = 'recycler' | 'platform';

const partyNames: Readonly<Record<OrderParty, string>> = { buyer: '买家', seller: '卖家', staff: '客服' };

/** The noun for the traded item. */
const goodsNouns: Readonly<Record<number, string>> = {
  [OrderType.Account]: '账号',
  [OrderType.Coin]: '金币',
  [OrderType.FirstTopup]: '账号',
  [OrderType.Ingots]: '元宝',
  [OrderType.Items]: '道具',
  [OrderType.Consigned]: '账号',
  [OrderType.Middleman]: '商品',
  [OrderType.Recycling]: '商品',
  [OrderType.QuickCoin]: '金币',
  [OrderType.Boosting]: '代练结果',
  [OrderType.Companion]: '陪玩时长',
} satisfies Record<OrderType, string>;
const goodsNoun = (typeId: number): string => goodsNouns[typeId] ?? '商品';

const counted: readonly number[] = [OrderType.Coin, OrderType.QuickCoin, OrderType.Ingots];

/** The verb for accepting a delivery: an account is inspected, coins are counted, everything else is compared. */
const takeOver = (typeId: number): string =>
  (isAccountOrder(typeId) ? '验收' : counted.includes(typeId) ? '清点' : '核对') + goodsNoun(typeId);

/** Steps that take a while and are phrased as in progress, independent of the actor: 正在换绑手机. */
const GOES_ON: ReadonlySet<string> = new Set(['phone', 'mail', 'question', 'realname', 'face', 'progress', 'play']);

/** The action of a step without its actor: 卖家解除旧设备 without 卖家. */
function stepActionText({ key, title }: Pick<StepText, 'key' | 'title'>, typeId: number): string {
  if (key === 'accept' || key === 'count') return takeOver(typeId);
  if (key === 'deliver') return `交付${goodsNoun(typeId)}`;
  if (key === 'progress') return '代练';
  if (key === 'play') return '陪玩';
  return title.replace(/^(卖家|买家|客服)/, '');
}

const partyOf = (actor: string): OrderParty => (actor === 'buyer' || actor === 'seller' ? actor : 'staff');

function dueText(action: string, turn: OrderParty, viewer: OrderReader): DueText {
  return { title: turn === viewer ? `请${action}` : `等待${partyNames[turn]}${action}`, turn };
}

/** A step of the hand-over as a headline: 请提交账号资料, 等待客服验号, 正在换绑手机. */
export function stepHeadline(step: StepText, typeId: number, viewer: OrderReader): DueText {
  const turn = partyOf(step.actor);
  const action = stepActionText(step, typeId);
  if (GOES_ON.has(step.key)) return { title: `正在${action}`, turn };
  if (step.key === 'check_login' && viewer !== 'staff') return dueText('验号', turn, viewer);
  return dueText(action, turn, viewer);
}

/** A recycled account was inspected and paid for; its seller's money waits until it is taken over. */
function takeOverDue(by: TakeOver, viewer: OrderReader): DueText {
  if (by === 'platform') return { title: viewer === 'staff' ? '请接管账号' : '等待平台接管账号', turn: 'staff' };
  return { title: viewer === 'buyer' ? '请接管账号' : '等待回收商接管账号', turn: 'buyer' };
}

/** The next action once every step allowed by the order's state is done. */
function afterSteps(order: OrderTextInput, viewer: OrderReader): DueText {
  if (order.status === OrderStatus.Shipped) return dueText(takeOver(order.tradedTypeId), 'buyer', viewer);
  if (order.cutAsked) return dueText('答复减价', 'seller', viewer);
  if (order.tradedTypeId === RECYCLED_ACCOUNT) return { title: '等待验号结果', turn: 'staff' };
  const action = order.handover.length > 0 ? '确认发货' : `交付${goodsNoun(order.tradedTypeId)}`;
  return dueText(action, 'seller', viewer);
}

/**
 * The due step of the hand-over; undefined while a dispute or a cancellation request takes precedence, or when no step
 * is due.
 */
export function dueStep<S extends StepText>(
  order: Pick<OrderTextInput, 'status' | 'disputed' | 'cancelAsked'> & { handover: readonly S[] },
): S | undefined {
  if (!isInProgress(order.status) || order.disputed || order.cancelAsked) return undefined;
  return order.handover.find(({ state }) => state === 'current');
}

/**
 * The headline of an order's page: the pending step, worded for the traded item, and the current actor. The order pages
 * of both parties, the back office and the workbench use the same text.
 */
export function orderHeadline(order: OrderTextInput, viewer: OrderReader): DueText {
  const { status } = order;
  if (status === OrderStatus.Unpaid) return dueText('付款', 'buyer', viewer);
  // Companion play that took place was not cancelled, even if a part of its price was refunded.
  if (isCancelled(status) && order.service && wasPlayed(order.service))
    return { title: serviceHeadline(order.service, viewer).title, turn: null };
  if (order.disputed && (isInProgress(status) || status === OrderStatus.Completed))
    return { title: '申诉处理中', turn: 'staff' };
  if (order.takeOver) return takeOverDue(order.takeOver, viewer);
  if (!isInProgress(status)) return { title: order.statusName, turn: null };
  if (order.service) return serviceHeadline(order.service, viewer);
  if (order.cancelAsked) return dueText('答复取消申请', 'seller', viewer);
  const open = dueStep(order);
  return open ? stepHeadline(open, order.tradedTypeId, viewer) : afterSteps(order, viewer);
}

/** The properties of an order that its explanation depends on, in addition to those of its headline. */
export interface OrderExplanationInput extends Omit<OrderTextInput, 'service'> {
  money: { released: boolean; releaseTime: string | null; staged?: boolean };
  process: readonly { explain: string }[];
  protection: Protection | null;
}

/** Where the money of a completed order is, and when it is released, for the seller. */
function completedText(
  {
    money: { released, releaseTime, staged = false },
    takeOver,
    tradedTypeId,
  }: Pick<OrderExplanationInput, 'money' | 'takeOver' | 'tradedTypeId'>,
  viewer: 'buyer' | 'seller',
): string {
  const buys = viewer === 'buyer';
  const seller = sellerNoun(tradedTypeId);
  if (released) return buys ? `货款已放给${seller}。` : '货款已转入您的可用余额。';
  const at = releaseTime === null ? '期满' : `${fullTime(Date.parse(releaseTime)).slice(5)} `;
  if (takeOver === 'platform')
    return '验号通过，货款已付。平台接管账号后马上到您的可用余额；没有按时接管转客服裁决，不会自动放款。';
  if (tradedTypeId === RECYCLED_ACCOUNT)
    return buys
      ? `验号通过。请打开密封信息改密改绑，再确认接管；${at}没有确认也自动放款，有问题请在此之前申诉。`
      : `验号通过，货款已付。买家接管账号后马上到您的可用余额，最迟 ${at.trim()}。`;
  // A part may be released before, by the seller's level; the buyer's page names it with the money.
  return buys
    ? `${releaseTime === null ? '保护期满后' : `保护期到 ${at.trim()}，期满`}货款全部放给${seller}；在此之前仍可申诉。`
    : `货款在保护期内冻结，${at}${staged ? '前分段' : '自动'}转入您的可用余额；在此之前买家仍可申诉。`;
}

/**
 * The consequences of the order's state for one of its parties, in one or two sentences; a hand-over step needs no
 * explanation.
 */
export function orderExplanation(order: OrderExplanationInput, viewer: 'buyer' | 'seller'): string {
  const buys = viewer === 'buyer';
  if (order.status === OrderStatus.Unpaid)
    return buys
      ? `付款后货款由平台托管，您验收、保护期满后才放款给${sellerNoun(order.tradedTypeId)}。`
      : '买家付款后货款由平台托管，您再开始交付。';
  if (order.status === OrderStatus.Completed) return completedText(order, viewer);
  if (isCancelled(order.status)) return order.process.at(-1)?.explain ?? '';
  if (order.cancelAsked)
    return buys
      ? '您已申请取消。卖家同意后货款全额退还给您；卖家拒绝时交易继续，您可以申诉。'
      : '买家申请取消订单。同意后货款全额退回买家；拒绝后请按时完成交付。';
  if (order.status === OrderStatus.Paid) {
    if (order.cutAsked)
      return buys
        ? '验号有差异，已按公布的表算出减价。卖家接受就按减价后的价付款；不接受或没有按时答复，货款全额退回您的余额。'
        : '验号有差异，已按公布的表算出减价。接受就按减价后的价付款；不接受或没有按时答复，免费取回账号，货款退回买家。';
    if (order.tradedTypeId === RECYCLED_ACCOUNT)
      return '验号员逐项核验：对得上按报价付款，对不上按公布的数减价，由卖家决定卖不卖；结果会通知双方。';
    const done = order.handover.length > 0;
    if (buys) return done ? '发货前的步骤都已完成，等卖家确认发货。' : '卖家交付后会确认发货，请留意交易群。';
    return done
      ? '发货前的步骤都已完成，确认发货后开始计算买家的验收时间。'
      : '交付后请确认发货，开始计算买家的验收时间。';
  }
  return buys
    ? `核对无误后按「${receiptName(order.tradedTypeId)}」。${protectionText(order.protection)}；有问题请先申诉，不要确认。`
    : `买家${receiptName(order.tradedTypeId)}，或到期自动确认后，货款进入您的冻结余额。`;
}

/** Label next to the headline that names the current actor: 轮到您, 轮到卖家, 轮到打手. */
export const turnLabel = (turn: OrderParty, viewer: OrderReader, typeId = 0): string =>
  turn === viewer ? '轮到您' : `轮到${turnName(turn, typeId)}`;

function turnName(turn: OrderParty, typeId: number): string {
  if (turn === 'seller') return sellerNoun(typeId);
  return turn === 'buyer' && typeId === RECYCLED_ACCOUNT ? '回收商' : partyNames[turn];
}

/** The display name of a member of staff, in one form everywhere: 客服小宁. */
export const staffLabel = (name: string | null): string =>
  name === null ? '客服' : `客服${name.replace(/^(平台)?客服/, '')}`;
