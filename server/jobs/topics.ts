import { z } from 'zod';
import type { Lane } from './lanes.ts';

/** The payload of a topic's events, the lane that delivers them, and the field that orders them. */
export interface TopicSpec<S extends z.ZodObject = z.ZodObject> {
  readonly lane: Lane;
  readonly payload: S;
  /**
   * Field of the payload: events of the lane with equal values are delivered in the order written, such as those of one order or to one
   * user. Without it there is no fixed order.
   */
  readonly subject: string | undefined;
  /** Why the topic needs no listener. */
  readonly quiet: string | undefined;
}

function topic<S extends z.ZodRawShape>(
  lane: Lane,
  shape: S,
  subject: (keyof S & string) | undefined,
  quiet?: string,
): TopicSpec<z.ZodObject<S>> {
  return { lane, payload: z.object(shape), subject, quiet };
}

const id = z.number().int().positive();
const text = z.string().max(300).default('');
const people = { userId: id.optional(), userIds: z.array(id).max(10_000).optional() };

const ofOrder = { orderId: id };
const ofUser = { userId: id };
const ofBinding = { userId: id, provider: z.string() };
const ofDispute = { disputeId: id, disputeSn: z.string(), orderId: id };
const ofClaim = { claimId: id, claimSn: z.string(), orderId: id };
const ofBlack = { userId: id, blackSn: z.string(), act: z.string() };
const ofRefund = { refundId: id, userId: id, orderId: id.nullish(), amountFen: z.number() };
const ofWithdrawal = { withdrawalId: id, userId: id };
/** One listing or several. */
const ofGoods = { goodsId: id.optional(), goodsIds: z.array(id).optional() };
/** A message about a listing to one user or several: wants, alerts, bargains. */
const aboutGoods = {
  ...people,
  goodsSn: z.string(),
  title: text,
  text,
  link: z.string().optional(),
  ref: z.string().optional(),
};

/**
 * All events. `emit` (effect-writer.ts) writes one in the transaction of its change; subjects listen with `effects.on`. A payload is checked at
 * delivery, so that an incompatible one from another build becomes a dead letter instead of a half-done effect.
 */
export const TOPICS = {
  'account.registered': topic('notices', ofUser, 'userId', 'statistics of a distributor read the users themselves'),
  'account.back': topic('upkeep', ofUser, 'userId'),
  'account.newDevice': topic(
    'notices',
    { userId: id, device: z.string(), region: z.string().default(''), ref: z.string() },
    'userId',
  ),
  'account.phoneChanged': topic('notices', ofUser, 'userId'),
  'account.passwordChanged': topic('notices', ofUser, 'userId'),
  'account.payPasswordChanged': topic('notices', ofUser, 'userId'),
  'account.emailChanged': topic('notices', ofUser, 'userId'),
  'account.payeeBound': topic('notices', { userId: id, kind: z.string().optional() }, 'userId'),
  'account.thirdPartyBound': topic('notices', ofBinding, 'userId'),
  'account.thirdPartyUnbound': topic('notices', ofBinding, 'userId'),
  'account.closed': topic('notices', { userId: id, reason: z.string().nullish() }, 'userId'),

  'alert.search': topic('notices', aboutGoods, 'userId'),
  'alert.price_drop': topic('notices', aboutGoods, 'userId'),
  'alert.back_on_sale': topic('notices', aboutGoods, 'userId'),
  'want.matched': topic('notices', aboutGoods, 'userId'),
  'bargain.changed': topic(
    'notices',
    { ...aboutGoods, distId: id.optional(), bargainId: id.optional(), status: z.number().optional() },
    'userId',
  ),

  'black.decided': topic('notices', ofBlack, 'userId'),
  'black.appealDecided': topic('notices', ofBlack, 'userId'),
  'fakeService.decided': topic('notices', { userId: id, reportId: id, act: z.string() }, 'userId'),

  'chat.card': topic(
    'market',
    { orderId: id, key: z.string(), card: z.string(), title: z.string(), content: z.string() },
    'orderId',
  ),
  'chat.offline': topic('notices', { groupId: id, orderId: id.nullish(), userId: id, seq: z.number() }, 'userId'),

  'claim.opened': topic('market', ofClaim, 'orderId'),
  'claim.chasing': topic('market', ofClaim, 'orderId'),
  'claim.escalated': topic('market', ofClaim, 'orderId'),
  'claim.paid': topic('market', ofClaim, 'orderId'),
  'claim.withdrawn': topic('market', ofClaim, 'orderId'),
  'claim.refused': topic('market', ofClaim, 'orderId'),
  'claim.recovered': topic('market', ofClaim, 'orderId'),

  'debt.recorded': topic('notices', { debtId: id }, 'debtId'),
  'debt.collected': topic('notices', { debtId: id, part: z.number(), fen: z.number() }, 'debtId'),

  'deposit.released': topic('notices', { userId: id, text: z.string() }, 'userId'),
  'deposit.penalty': topic(
    'notices',
    {
      penaltyId: id.optional(),
      userId: id,
      toUserId: id.nullish(),
      text: z.string(),
      ruleNo: z.string().nullish(),
      reason: z.string(),
    },
    'userId',
  ),

  'dispute.opened': topic('market', ofDispute, 'orderId'),
  'dispute.looked': topic('market', ofDispute, 'orderId'),
  'dispute.asked': topic('market', ofDispute, 'orderId'),
  'dispute.answered': topic('market', ofDispute, 'orderId'),
  'dispute.evidence': topic('market', ofDispute, 'orderId'),
  'dispute.late': topic('market', ofDispute, 'orderId'),
  'dispute.ruled': topic('market', ofDispute, 'orderId'),
  'dispute.appealed': topic('market', ofDispute, 'orderId'),
  'dispute.closed': topic('market', ofDispute, 'orderId'),

  'goods.submitted': topic('upkeep', { goodsId: id, sellerId: id }, 'goodsId'),
  'goods.approved': topic(
    'upkeep',
    { goodsId: id, sellerId: id.optional(), version: z.number().optional() },
    'goodsId',
  ),
  'goods.rejected': topic(
    'upkeep',
    { goodsId: id, sellerId: id.optional(), version: z.number().optional(), reason: z.string().default('') },
    'goodsId',
  ),
  'goods.on': topic('upkeep', { goodsId: id }, 'goodsId'),
  'goods.off': topic('upkeep', { goodsId: id }, 'goodsId'),
  'goods.removed': topic('upkeep', { goodsId: id }, 'goodsId'),
  'goods.price': topic('upkeep', { goodsId: id, fromFen: z.number(), toFen: z.number() }, 'goodsId'),
  'goods.passwordDue': topic('notices', { goodsId: id, orderId: id }, 'goodsId'),
  // Both update the search from the current rows, so their order does not matter.
  'goods.reindex': topic('upkeep', ofGoods, undefined),
  'goods.score': topic('upkeep', ofGoods, undefined),
  'offers.match': topic('upkeep', { goodsIds: z.array(id) }, undefined),

  // A game's price model was fitted or removed.
  'valuation.fitted': topic('upkeep', { gameId: id }, 'gameId'),

  // The listener reindexes listings whose texts or filters change with the new version of their game.
  'game.published': topic(
    'upkeep',
    { gameId: id, version: id, merges: z.array(z.object({ from: id, into: id })).default([]) },
    'gameId',
  ),
  'hold.released': topic('market', { holdId: id, userId: id, amountFen: z.number(), orderId: id }, 'orderId'),
  'hold.part': topic(
    'notices',
    { holdId: id, userId: id, amountFen: z.number(), orderSn: z.string(), part: z.number() },
    'userId',
  ),

  'middleman.accepted': topic('market', { orderId: id, dealSn: z.string().optional(), openerId: id }, 'orderId'),
  'news.published': topic('notices', { newsId: id, after: z.number().default(0) }, 'newsId'),
  /** A notice to users (docs/ARCHITECTURE.md, Notices). */
  notice: topic(
    'notices',
    {
      ...people,
      kind: z.string(),
      ref: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).default({}),
      link: z.string().optional(),
      distId: id.optional(),
    },
    'userId',
  ),

  'order.placed': topic('market', ofOrder, 'orderId', 'the buyer sees it, the seller is notified when it is paid'),
  'order.paid': topic('market', ofOrder, 'orderId'),
  'order.sealed': topic('market', ofOrder, 'orderId'),
  'order.shipped': topic('market', ofOrder, 'orderId'),
  'order.completed': topic('market', ofOrder, 'orderId'),
  'order.cancelled': topic('market', ofOrder, 'orderId'),
  'order.sellerCancelled': topic('market', ofOrder, 'orderId'),
  'order.ruled': topic('market', ofOrder, 'orderId'),
  'order.confirmStopped': topic('market', { orderId: id, missing: z.string() }, 'orderId'),
  'order.confirmResumed': topic('market', ofOrder, 'orderId'),
  'order.cancelAsked': topic('market', ofOrder, 'orderId'),
  'order.cancelDeclined': topic('market', ofOrder, 'orderId'),
  'order.offline': topic('market', { orderId: id, userId: id, what: z.string(), text: z.string() }, 'orderId'),
  'order.handover': topic(
    'market',
    { orderId: id, step: z.number(), title: z.string(), isSkipped: z.boolean().optional() },
    'orderId',
  ),
  'order.opened': topic(
    'market',
    {
      orderId: id,
      opening: z.number(),
      name: z.string(),
      party: z.enum(['buyer', 'seller', 'staff']),
      purpose: z.string(),
    },
    'orderId',
  ),

  'payment.paid': topic('market', { paymentId: id, userId: id, late: z.boolean(), text: z.string() }, 'paymentId'),
  'provider.decided': topic(
    'notices',
    { providerId: id, userId: id, kind: z.string(), decision: z.string(), reason: z.string().nullish() },
    'userId',
  ),
  'refund.paid': topic('notices', ofRefund, 'userId'),
  'refund.back': topic('notices', ofRefund, 'userId'),
  'setting.changed': topic('market', { key: z.string() }, 'key'),
  'withdraw.accept': topic('notices', ofWithdrawal, 'userId'),
  'withdraw.paid': topic('notices', ofWithdrawal, 'userId'),
  'withdraw.back': topic('notices', ofWithdrawal, 'userId'),
} as const;

export type Topic = keyof typeof TOPICS;
/** The payload that `emit` takes. */
export type EventInput<T extends Topic> = z.input<(typeof TOPICS)[T]['payload']>;
/** The payload that a listener receives: checked, with defaults filled in. */
export type EventPayload<T extends Topic> = z.output<(typeof TOPICS)[T]['payload']>;
/** The topics whose payloads have the fields of `P`. */
export type TopicWith<P> = { [T in Topic]: P extends EventInput<T> ? T : never }[Topic];

/** The orders named in events, each once and sorted by number, so that batches lock their rows in one order. */
export const orderIdsOf = (events: readonly { orderId: number }[]): number[] =>
  [...new Set(events.map(({ orderId }) => orderId))].toSorted((a, b) => a - b);

/** The goods named in an event, one or many. */
export const goodsIdsOf = ({
  goodsId,
  goodsIds = [],
}: {
  goodsId?: number | undefined;
  goodsIds?: number[] | undefined;
}): number[] => (goodsId === undefined ? goodsIds : [goodsId]);
