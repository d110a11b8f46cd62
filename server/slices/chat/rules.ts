import { fullTime } from '#contract/rules/time-label.ts';
import { yuanText } from '#contract/wire.ts';

/** Numbers of the chat (reliability.md b.36, c.9; product.md 9). */
export const LIMITS = {
  sendsPerWindow: 20,
  windowSeconds: 10,
  textChars: 2000,
  recallSeconds: 120,
  historyPage: 20,
  afterPage: 100,
  /** Of one answer to `sync`. */
  syncMessages: 500,
  syncBytes: 256 * 1024,
  /** Groups whose unread messages are added up; older ones are read or of no interest. */
  groupsCounted: 500,
  ticketSeconds: 60,
  /** A gateway that has not beaten for so long is gone. */
  gatewaySilenceSeconds: 75,
  /** Between two looks for somebody who can take a waiting group. */
  assignRetrySeconds: 30,
  /** Customer service asks for the hand-over's forms again so often at most, per group. */
  formEverySeconds: 600,
  /** After so long in the queue anybody may take a group, whatever the rule of its order says. */
  anybodyAfterSeconds: 120,
  /** Results of one search. */
  searchPage: 20,
  /** Texts of a group that one search looks through. */
  searchScan: 20_000,
  /** The shortest time that a completed order's group stays open. */
  openAfterDoneSeconds: 24 * 3600,
  /** Frames of any kind that a connection may send in the window of `windowSeconds`. */
  framesPerWindow: 300,
  /** Frames of a connection that wait for their turn. */
  framesWaiting: 128,
  /** Of one connection, sent and not read by the client. */
  unreadBytes: 1024 * 1024,
  frameBytes: 16 * 1024,
  typingMs: 1500,
  socketsPerMember: 8,
  sockets: 20_000,
} as const;

/**
 * A group's opening line is number 0, written with the group, so that what is said in it counts from 1 without a gap. Who has
 * read nothing stands before it.
 */
export const OPENING_SEQ = 0;
export const NOTHING_READ = -1;

/** What a message holds; the wire's `content` but for a taken-back one. */
export interface StoredContent {
  content?: string;
  imageUri?: string;
  width?: number;
  height?: number;
  masked?: boolean;
  card?: string;
  title?: string;
  /** Number of the record that a card is about. */
  ref?: string;
  /** Of a form: what is asked for. */
  items?: FormItem[];
  recallUId?: string;
  recallSeq?: number;
}

/** A step of the hand-over as a form names it. */
export interface FormItem {
  step: number;
  title: string;
  needs: string[];
}

/** A step of the hand-over that is not done and asks for something to be handed in. */
export interface OpenStep {
  step: number;
  title: string;
  actor: 'seller' | 'buyer';
  secret: boolean;
  evidence: boolean;
}

export interface Card extends StoredContent {
  card: string;
  title: string;
  content: string;
}

/** An order as the cards speak of it. */
export interface CardOrder {
  sn: string;
  status: number;
  goodsFen: number;
  autoConfirmAt: Date | null;
}

/** How a member of customer service is spoken of; many are named by their work already. */
const called = (name: string): string => `平台客服 ${name.replace(/^(平台)?客服/, '')} `;

/** Day and minute by China's clock. */
export const moment = (at: Date): string => fullTime(at.getTime()).slice(5);

/**
 * Tells that the group is open. The amount is the goods' alone: what the buyer pays besides is not the seller's to see
 * (product.md 2, chat page).
 */
export function paidCard(order: CardOrder, staffName: string | null): Card {
  const who = staffName === null ? '正在为本单安排平台客服' : `${called(staffName)}负责本单`;
  return {
    card: 'order.paid',
    title: `货款 ¥${yuanText(order.goodsFen)} 已由平台托管`,
    content: `群聊已开通，${who}。账号密码请在订单页密封提交，不要发在群里`,
  };
}

/** The line that says that the seller has shipped. */
export function shippedCard(order: CardOrder): Card {
  const until = order.autoConfirmAt ? `，${moment(order.autoConfirmAt)} 前没有确认也没有申诉将自动确认` : '';
  return { card: 'order.shipped', title: '卖家已发货', content: `请买家核对无误后确认收货${until}` };
}

/** The line that says that the trade is done, and until when one may still write. */
export function completedCard(openUntil: Date): Card {
  return {
    card: 'order.completed',
    title: '交易成功',
    content: `货款进入保护期，期满自动放给卖家。群聊保留到 ${moment(openUntil)}，有问题请在此之前提出`,
  };
}

/** Why an order was cancelled, by its status (domain.md 2). */
export function cancelledCard(order: CardOrder): Card {
  const why: Record<number, string> = { 7: '买家取消了订单', 8: '卖家取消了订单', 9: '平台已关闭订单' };
  return {
    card: 'order.cancelled',
    title: '订单已取消',
    content: `${why[order.status] ?? '订单已关闭'}，群聊已结束`,
  };
}

/** Before the group closes: where the money went. The amount is the buyer's alone to see. */
export const refundedCard: Card = {
  card: 'order.refunded',
  title: '货款已退回买家',
  content: '托管的货款已全额退回买家余额，可在钱包账单查看',
};

export const askedCard: Card = {
  card: 'order.cancelAsked',
  title: '买家申请取消订单',
  content: '卖家同意后货款全额退回买家，也可以在群里继续沟通',
};

export const declinedCard: Card = {
  card: 'order.cancelDeclined',
  title: '卖家没有同意取消',
  content: '交易继续，有分歧可请平台客服介入',
};

/** What the cards about a dispute are headed with. */
export const disputeTitles = {
  opened: '本单已发起申诉',
  ruled: '申诉已裁决',
  appealed: '已提出上诉',
  closed: '申诉已结案',
} as const;

/** What a step wants, in words. */
export const needsOf = (one: Pick<OpenStep, 'secret' | 'evidence'>): string[] =>
  [one.secret && '密封信息', one.evidence && '截图'].filter((word) => word !== false);

/** Who is asked, by whose turn the steps are. */
function askedOf(missing: readonly OpenStep[]): string {
  const actors = new Set(missing.map(({ actor }) => actor));
  return actors.size > 1 ? '双方' : actors.has('buyer') ? '买家' : '卖家';
}

/** Asks for what the hand-over lacks: credentials under seal, proofs as pictures. `by` names the one of customer service who asks. */
export function formCard(missing: readonly OpenStep[], by: string | null = null): Card {
  const items = missing.map(({ step, title, ...one }) => ({ step, title, needs: needsOf(one) }));
  const list = items.map(({ title, needs }) => `${title}（${needs.join('、')}）`).join('；');
  const sealed = missing.some((one) => one.secret) ? '。密封信息只有对方能打开一次，不要发在群里' : '';
  return {
    card: 'form',
    title: by === null ? `请${askedOf(missing)}填写交付资料` : `${called(by)}请${askedOf(missing)}补齐交付资料`,
    content: `待填 ${missing.length} 项：${list}${sealed}`,
    items,
  };
}

/** A step of the hand-over that is done. */
export function handoverCard(step: number, title: string): Card {
  const content = '交付进度和下一步见交付卡片';
  return { card: 'order.handover', title: `第 ${step} 步「${title}」已完成`, content, ref: String(step) };
}

/** The line that says who of customer service looks after the group now, and who did before. */
export function staffCard(name: string, before: string | null): Card {
  return {
    card: 'staff',
    title: before === null ? `${called(name)}已接入` : `本单已转给${called(name).trimEnd()}`,
    content: before === null ? '有任何问题可以直接在群里说' : `${before} 不再负责本单，记录都在，无需重复说明`,
  };
}

/** Whoever had the group has gone off duty and nobody is free. */
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

/** The warning that both sides see under a masked message (domain.md 5). */
export const warnCard: Card = {
  card: 'warn',
  title: '已遮挡敏感内容',
  content: '联系方式、站外链接、账号密码已遮挡，站外交易与付款不受平台保护',
};

/** One warning a minute is enough for a group: its key repeats, and a repeated key stores nothing. */
export const warnKey = (now: Date): string => `warn-${Math.floor(now.getTime() / 60_000)}`;

/** What stands for a link to a picture elsewhere: it is never loaded, by neither side nor the server (reliability.md b.30). */
export const imageLinkCard: Card = {
  card: 'link',
  title: '外部图片',
  content: '外部图片链接已遮挡，请直接上传图片',
  masked: true,
};

/** When a completed order's group closes: with the seller's protection, and not before a day has passed. */
export function closesAt(completedAt: Date, protectedUntil: Date | null): Date {
  const least = completedAt.getTime() + LIMITS.openAfterDoneSeconds * 1000;
  return new Date(Math.max(least, protectedUntil?.getTime() ?? 0));
}

/** A person in a group: users are their number, staff their im_uid. */
export const isStaffMember = (member: string): boolean => !/^\d+$/.test(member);

/** Groups of one page of the workbench's list. */
export const SCOPE_PAGE = 100;

/** Staff of the platform see every distributor's groups, others their own's. */
export const isVisitedBy = (staffDistId: number | null, groupDistId: number): boolean =>
  staffDistId === null || staffDistId === groupDistId;
