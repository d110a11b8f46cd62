import { account, type Transfer } from '#subjects/ledger/server/rules.ts';

/** The terms of an order that transitions need. Amounts in fen. */
export interface OrderTerms {
  id: number;
  sn: string;
  distId: number;
  typeId: number;
  goodsId: number | null;
  buyerId: number;
  sellerId: number;
  staffId: number | null;
  status: number;
  goodsFen: number;
  serviceFeeFen: number;
  ensureFen: number;
  fixEnsureFen: number;
  discountFen: number;
  totalFen: number;
  commissionFen: number;
  distShareFen: number;
  inviteRewardFen: number;
  inviterId: number | null;
  touched: boolean;
  overdue: boolean;
  /** The buyer has opened a credential of the order. */
  buyerOpened: boolean;
  /** Something was handed over in the game. */
  delivered: boolean;
  disputed: boolean;
  cancelAsked: boolean;
  /** The buyer made a binding bid and can cancel alone only when nothing was delivered in time. */
  binding: boolean;
  /** The seller's own promise in the offer; null for the setting of the type. */
  shipSeconds: number | null;
  /** The amount already paid to the seller for accepted milestones, and their part of the price. */
  advanceFen: number;
  advanceGoodsFen: number;
  /** The price reduction after an inspection, already refunded to the buyer. */
  cutFen: number;
  /** Boosting or companion play: accepting, delivering and cancelling are actions of the service (subjects/services). */
  isService: boolean;
  /** An account sold to a recycler: its inspection ships and completes it. Coin sold to a recycler has the same type and is shipped. */
  isRecycledAccount: boolean;
  /** A service is paused: its booster opens no sealed form. */
  shut: boolean;
}

/** One posting of an order. */
export const move = (o: OrderTerms, code: Transfer['code'], debit: string, credit: string, fen: number): Transfer => ({
  code,
  ref: `order:${o.id}`,
  debit,
  credit,
  fen,
  dist: o.distId,
  order: o.id,
});

/** Returns the escrow to its sources: the buyer's balance, and the coupon's part to the platform. */
export function refund(o: OrderTerms): Transfer[] {
  const out = [move(o, 'order_refund', account.escrow(o.id), account.available(o.buyerId), o.totalFen)];
  if (o.discountFen > 0)
    out.push(
      move(o, 'order_refund_coupon', account.escrow(o.id), account.platform('coupon_expense', o.id), o.discountFen),
    );
  return out;
}

/** The seller's proceeds for the whole order, in fen. */
export const sellerNetFen = (o: Pick<OrderTerms, 'goodsFen' | 'commissionFen'>): number => o.goodsFen - o.commissionFen;

/** The amount in escrow for the seller: the net proceeds less payments for accepted milestones, in fen. */
export const sellerDueFen = (o: Pick<OrderTerms, 'goodsFen' | 'commissionFen' | 'advanceFen'>): number =>
  sellerNetFen(o) - o.advanceFen;

/**
 * The escrow of an order in progress: the payment and the coupon's part, less payments for accepted milestones, in fen.
 */
export const escrowFen = (o: Pick<OrderTerms, 'totalFen' | 'discountFen' | 'advanceFen'>): number =>
  o.totalFen + o.discountFen - o.advanceFen;

/**
 * Distributes the escrow to all recipients. The distributor's share and the inviter's reward come out of the commission
 * first, then out of the service fee, so the platform keeps the rest and nothing is rounded away.
 */
export function release(o: OrderTerms): Transfer[] {
  const escrow = account.escrow(o.id);
  const fee = account.platform('fee', o.id);
  let shares = o.distShareFen + o.inviteRewardFen;
  const fromCommission = Math.min(shares, o.commissionFen);
  shares -= fromCommission;
  const lines: Transfer[] = [
    move(o, 'sale_proceeds', escrow, account.frozen(o.sellerId), sellerDueFen(o)),
    move(o, 'sale_commission', escrow, fee, o.commissionFen - fromCommission),
    move(o, 'service_fee', escrow, fee, o.serviceFeeFen - shares),
    move(o, 'dist_share', escrow, account.distMaturing(o.distId), o.distShareFen),
    move(o, 'guarantee_premium', escrow, account.platform('guarantee_fund', o.id), o.ensureFen + o.fixEnsureFen),
  ];
  if (o.inviterId !== null)
    lines.push(move(o, 'invite_reward', escrow, account.maturing(o.inviterId), o.inviteRewardFen));
  return lines.filter((t) => t.fen > 0);
}

/** The coupon's part of an order that is being paid: the platform pays it into the escrow. */
export function couponPart(o: OrderTerms): Transfer[] {
  return o.discountFen > 0
    ? [move(o, 'order_coupon', account.platform('coupon_expense', o.id), account.escrow(o.id), o.discountFen)]
    : [];
}
