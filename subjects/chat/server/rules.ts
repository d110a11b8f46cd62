import { type orderGroups, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { HISTORY_BATCH } from '#contract/rules/limits.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { BOOSTING, isAccountOrder, isService, receiptName, sellerNoun } from '#subjects/orders/rules/order-types.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { yuanLabel } from '#contract/wire.ts';

/** Limits of the chat (reliability.md b.36, c.9; product.md 9). */
export const LIMITS = {
  sendsPerWindow: 20,
  windowSeconds: 10,
  textChars: 2000,
  recallSeconds: 120,
  historyPage: HISTORY_BATCH,
  afterPage: 100,
  /** Messages in one response to `sync`. */
  syncMessages: 500,
  syncBytes: 256 * 1024,
  /** Unread messages are summed over this many newest groups. */
  groupsCounted: 500,
  ticketSeconds: 60,
  /** A gateway without a heartbeat for this long counts as stopped. */
  gatewaySilenceSeconds: 75,
  /** Interval between attempts to assign a queued group. */
  assignRetrySeconds: 30,
  /** The shortest interval between forms that customer service posts in a group. */
  formEverySeconds: 600,
  /** After this time in the queue any staff may take a group, regardless of its assignment rule. */
  anybodyAfterSeconds: 120,
  /** Results of one search. */
  searchPage: 20,
  /** Messages of a group that one search scans. */
  searchScan: 20_000,
  /** The shortest time that a completed order's group stays open. */
  openAfterDoneSeconds: 24 * 3600,
  /** Frames of any kind that a connection may send in the window of `windowSeconds`. */
  framesPerWindow: 300,
  /** Frames of a connection in its queue. */
  framesWaiting: 128,
  /** Bytes sent on a connection and not read by the client. */
  unreadBytes: 1024 * 1024,
  frameBytes: 16 * 1024,
  typingMs: 1500,
  socketsPerMember: 8,
  sockets: 20_000,
} as const;

/**
 * A group's opening message is number 0, stored with the group, so that the messages of members count from 1 without a gap. A member who has
 * read nothing has a read position before it.
 */
export const OPENING_SEQ = 0;
export const NOTHING_READ = -1;

/** The content of a message; the `content` on the wire, which is empty for a recalled message. */
export interface StoredContent {
  content?: string;
  imageUri?: string;
  width?: number;
  height?: number;
  masked?: boolean;
  card?: string;
  title?: string;
  /** Id of the record that a card is about. */
  ref?: string;
  /** The items that a form requests. */
  items?: FormItem[];
  recallUId?: string;
  recallSeq?: number;
}

/** A step of the hand-over in a form. */
export interface FormItem {
  step: number;
  title: string;
  needs: string[];
}

/** An open step of the hand-over that requires something to be handed in. */
export interface OpenStep {
  step: number;
  title: string;
  actor: 'seller' | 'buyer';
  secret: boolean;
  evidence: boolean;
  /** The value that the next move of its exchange seals, in place of the step's picture. */
  value?: string;
}

export interface Card extends StoredContent {
  card: string;
  title: string;
  content: string;
}

/** The fields of an order that cards show. */
export interface CardOrder {
  sn: string;
  status: number;
  goodsFen: number;
  autoConfirmAt: Date | null;
  /** Steps between the shipping and the receipt are open. */
  isHandingOver?: boolean;
  /** The goods type of the traded item: services are completed, not shipped. */
  typeId: number;
  /** An account sold to a recycler: inspected and paid, with no receipt to confirm. */
  isRecycled?: boolean;
}

/** Day and time in China's time zone. */
export const moment = (at: Date): string => fullTime(at.getTime()).slice(5);

/** Whether an account is transferred, or lent to a booster. */
const hasAccount = ({ typeId, isRecycled }: CardOrder): boolean =>
  isAccountOrder(typeId) || isRecycled === true || typeId === BOOSTING;

/**
 * The card that opens a group. The amount is that of the goods only: the seller must not see the buyer's fees (product.md 2, chat
 * page).
 */
export function paidCard(order: CardOrder, staffName: string | null): Card {
  const who = staffName === null ? '正在为本单安排平台客服' : `${staffLabel(staffName)}负责本单`;
  return {
    card: 'order.paid',
    title: `货款 ¥${yuanLabel(order.goodsFen)} 已由平台托管`,
    content: `群聊已开通，${who}。${
      hasAccount(order) ? '账号密码请在订单页密封提交，不要发在群里' : '请在群里约好时间，不要在站外付款或加联系方式'
    }`,
  };
}

/** The card for a shipped order. */
export function shippedCard(order: CardOrder): Card {
  if (order.isRecycled === true)
    return {
      card: 'order.shipped',
      title: '验号通过',
      content: '请回收商打开密封信息，改密改绑后确认接管；有问题先申诉，不要确认',
    };
  if (order.isHandingOver === true)
    return {
      card: 'order.shipped',
      title: '发货前的步骤都已完成',
      content: '请双方按交付卡片继续；全部完成后由买家验收，货款由平台托管',
    };
  const until = order.autoConfirmAt ? `，${moment(order.autoConfirmAt)} 前没有确认也没有申诉将自动确认` : '';
  const title = isService(order.typeId) ? '服务已完成，请验收' : '卖家已发货';
  return { card: 'order.shipped', title, content: `请买家核对无误后${receiptName(order.typeId)}${until}` };
}

/** The card for a completed order, with the time until which members can write. */
export function completedCard(openUntil: Date, typeId: number): Card {
  return {
    card: 'order.completed',
    title: '交易成功',
    content: `货款进入保护期，期满自动放给${sellerNoun(typeId)}。群聊保留到 ${moment(openUntil)}，有问题请在此之前提出`,
  };
}

/** Why an order was cancelled, by its status (domain.md 2). */
export function cancelledCard(order: CardOrder): Card {
  // A service ends with this state whoever ended it: its own card and record name who and why.
  const isEnded = order.status === OrderStatus.ClosedByPlatform && isService(order.typeId);
  const why: Readonly<Record<number, string>> = {
    [OrderStatus.BuyerCancelled]: '买家取消了订单',
    [OrderStatus.SellerCancelled]: `${sellerNoun(order.typeId)}取消了订单`,
    [OrderStatus.ClosedByPlatform]: isEnded ? '服务已提前结束，原因见订单页' : '平台已关闭订单',
    [OrderStatus.ClosedUnpaid]: '订单已关闭',
  } satisfies Record<(typeof orderGroups.cancelled)[number], string>;
  return {
    card: 'order.cancelled',
    title: isEnded ? '服务已结束' : '订单已取消',
    content: `${why[order.status] ?? '订单已关闭'}，群聊已结束`,
  };
}

/** The card for a refund, before the group closes. Only the buyer may see the amount. */
export const refundedCard: Card = {
  card: 'order.refunded',
  title: '货款已退回买家',
  content: '托管的货款全额退还买家，可在订单页查看',
};

export const cancelRequestedCard: Card = {
  card: 'order.cancelAsked',
  title: '买家申请取消订单',
  content: '卖家同意后货款全额退回买家，也可以在群里继续沟通',
};

export const declinedCard: Card = {
  card: 'order.cancelDeclined',
  title: '卖家没有同意取消',
  content: '交易继续，有分歧可请平台客服介入',
};

/** The titles of the cards about a dispute. */
export const disputeTitles = {
  opened: '本单已发起申诉',
  ruled: '申诉已裁决',
  appealed: '已提出上诉',
  closed: '申诉已结案',
} as const;

/** The labels of a step's requirements. */
export const needsOf = (one: Pick<OpenStep, 'secret' | 'evidence' | 'value'>): string[] =>
  one.value !== undefined
    ? [one.value]
    : [one.secret && '密封信息', one.evidence && '截图'].filter((label) => label !== false);

/** The addressees of a form, by the actors of its steps. */
function addresseeOf(missing: readonly OpenStep[]): string {
  const actors = new Set(missing.map(({ actor }) => actor));
  return actors.size > 1 ? '双方' : actors.has('buyer') ? '买家' : '卖家';
}

/**
 * The form for the missing parts of the hand-over: encrypted credentials, and pictures as proof. `by`: the name of the
 * member of staff who requests it.
 */
export function formCard(missing: readonly OpenStep[], by: string | null = null): Card {
  const items = missing.map(({ step, title, ...one }) => ({ step, title, needs: needsOf(one) }));
  const list = items.map(({ title, needs }) => `${title}（${needs.join('、')}）`).join('；');
  const credentialHint = missing.some((one) => one.secret) ? '。密封信息只有对方能打开一次，不要发在群里' : '';
  return {
    card: 'form',
    title:
      by === null ? `请${addresseeOf(missing)}填写交付资料` : `${staffLabel(by)}请${addresseeOf(missing)}补齐交付资料`,
    content: `待填 ${missing.length} 项：${list}${credentialHint}`,
    items,
  };
}

/** The card by which staff remind the seller of the due step; `due` is its headline for the seller. */
export const remindCard = (due: string, typeId: number): Card => ({
  card: 'order.remind',
  title: due,
  content: `买家在等，请${sellerNoun(typeId)}尽快处理；有困难请在群里说明`,
});

/** The card for a step of the hand-over that was completed, or that the buyer has skipped. */
export function handoverCard(step: number, title: string, isSkipped = false): Card {
  const content = '交付进度和下一步见交付卡片';
  const what = isSkipped ? '买家不需要，已跳过' : '已完成';
  return { card: 'order.handover', title: `第 ${step} 步「${title}」${what}`, content, ref: String(step) };
}

/** The card that names the member of staff in charge of the group, and the previous one. */
export function staffCard(name: string, before: string | null): Card {
  return {
    card: 'staff',
    title: before === null ? `${staffLabel(name)}已接入` : `已转给${staffLabel(name)}`,
    content: before === null ? '有任何问题可以直接在群里说' : `${before} 不再负责，记录都在，无需重复说明`,
  };
}

/** The card for a group whose member of staff went off duty while no one else is free. */
export function pendingCard(before: string | null): Card {
  return {
    card: 'staff',
    title: '正在安排平台客服',
    content: `${before ?? '平台客服'}已下班，下一位客服接入后会在这里告诉您`,
  };
}

export const closedCard: Card = {
  card: 'closed',
  title: '群聊已结束',
  content: '本单的保护期已过。如需帮助，请从订单页联系客服',
};

/** The warning shown to both parties under a masked message (domain.md 5). */
export const warnCard: Card = {
  card: 'warn',
  title: '已遮挡敏感内容',
  content: '联系方式、站外链接、账号密码已遮挡，站外交易与付款不受平台保护',
};

/** The preview of a message in a list; a list without a message has none. */
export function previewText(row: {
  recalled: boolean;
  type: 'text' | 'image' | 'recall' | 'card' | null;
  content: StoredContent | null;
}): string {
  if (row.recalled || row.type === 'recall') return '撤回了一条消息';
  if (row.type === 'image') return '[图片]';
  if (row.type === 'card') return row.content?.title ?? '';
  return (row.content?.content ?? '').slice(0, 60);
}

/** The first card of a conversation with customer service. */
export function serviceOpenedCard(staffName: string | null): Card {
  return {
    card: 'service.opened',
    title: staffName === null ? '正在排队接入客服' : `${staffLabel(staffName)}已接入`,
    content: '请直接说明问题。客服不会要求站外付款，也不会索要账号密码和验证码',
  };
}

/** The subject of the user's question. */
export function serviceTopicCard(title: string, goodsSn: string): Card {
  return { card: 'service.topic', title: `咨询商品：${title}`, content: `商品编号 ${goodsSn}` };
}

export const serviceEndedCard: Card = {
  card: 'closed',
  title: '本次咨询已结束',
  content: '可以评价客服；还有问题请重新联系客服，记录都在',
};

/** The key of a warning: at most one a minute in a group, since a repeated key stores nothing. */
export const warnKey = (now: Date): string => `warn-${Math.floor(now.getTime() / 60_000)}`;

/** Replaces a link to an external picture, which neither party nor the server ever loads (reliability.md b.30). */
export const imageLinkCard: Card = {
  card: 'link',
  title: '外部图片',
  content: '外部图片链接已遮挡，请直接上传图片',
  masked: true,
};

/** When a completed order's group closes: at the end of the protection period, but at least a day after completion. */
export function closesAt(completedAt: Date, protectedUntil: Date | null): Date {
  const least = completedAt.getTime() + LIMITS.openAfterDoneSeconds * 1000;
  return new Date(Math.max(least, protectedUntil?.getTime() ?? 0));
}

/** Whether a member is staff: users are identified by their id, staff by their im_uid. */
export const isStaffMember = (member: string): boolean => !/^\d+$/.test(member);

/** Groups of one page of the workbench's list. */
export const SCOPE_PAGE = 100;

/** Staff of the platform see every distributor's groups, others their own's. */
export const isVisitedBy = (staffDistId: number | null, groupDistId: number): boolean =>
  staffDistId === null || staffDistId === groupDistId;
