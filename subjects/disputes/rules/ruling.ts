import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { feeOf } from '#contract/rules/fee.ts';

/** The amounts of an order that a ruling divides. Integer fen. */
export interface RulingTerms {
  goodsFen: number;
  serviceFeeFen: number;
  ensureFen: number;
  fixEnsureFen: number;
  discountFen: number;
  commissionFen: number;
  distShareFen: number;
  inviteRewardFen: number;
  /** The amount already paid to the seller for milestones, and their part of the price; absent if none. */
  advanceFen?: number;
  advanceGoodsFen?: number;
  /** The reduction of the price after an inspection, already refunded to the buyer. */
  cutFen?: number;
}

/**
 * The part of the price that can be refunded: all except accepted milestones while the order is open, later all except the reduction after an
 * inspection.
 */
export const refundableFen = (
  o: Pick<RulingTerms, 'goodsFen' | 'advanceGoodsFen' | 'cutFen'> & { status: number },
): number => o.goodsFen - (o.status === OrderStatus.Completed ? (o.cutFen ?? 0) : (o.advanceGoodsFen ?? 0));

/** `share`/`total` of an amount, floored; computed exactly even beyond 2^53. */
const part = (fen: number, share: number, total: number): number =>
  Number((BigInt(fen) * BigInt(share)) / BigInt(total));

/** How an order's escrow is divided. The parts add up to the escrow exactly. */
export interface EscrowSplit {
  buyerFen: number;
  /** Returned to the platform: the coupon's part of the refund. */
  couponFen: number;
  sellerFen: number;
  commissionFen: number;
  serviceFen: number;
  distFen: number;
  inviteFen: number;
}

/**
 * Divides the escrow of an order that a ruling closes, when `backFen` of the listing's price is refunded to the buyer (0 to `refundableFen`).
 * Fees are refunded in proportion to the price, premiums completely because the guarantee never starts, and a coupon receives its
 * proportional part of the refund (platform rule 6.1). Amounts already paid for milestones are not part of the escrow.
 */
export function splitEscrow(o: RulingTerms, backFen: number): EscrowSplit {
  const sellerFen = o.goodsFen - backFen;
  const serviceBack = part(o.serviceFeeFen, backFen, o.goodsFen);
  const back = backFen + o.ensureFen + o.fixEnsureFen + serviceBack;
  const total = o.goodsFen + o.serviceFeeFen + o.ensureFen + o.fixEnsureFen;
  const couponFen = part(back, o.discountFen, total);
  const commissionFen = part(o.commissionFen, sellerFen, o.goodsFen);
  return {
    buyerFen: back - couponFen,
    couponFen,
    sellerFen: sellerFen - commissionFen - (o.advanceFen ?? 0),
    commissionFen,
    serviceFen: o.serviceFeeFen - serviceBack,
    distFen: part(o.distShareFen, sellerFen, o.goodsFen),
    inviteFen: part(o.inviteRewardFen, sellerFen, o.goodsFen),
  };
}

/** The amounts that each party returns after completion, while the seller's money is still frozen. */
export interface HeldSplit {
  fromSellerFen: number;
  fromFeeFen: number;
  /** Returned from the shares that were paid out of the fees. */
  fromDistFen: number;
  fromInviterFen: number;
  /** The coupon's part of the returned amount, which goes to the platform. */
  couponFen: number;
  buyerFen: number;
  /** The part of the hold that the seller keeps. */
  sellerFen: number;
}

/**
 * Divides a seller's hold when `backFen` of the listing's price is refunded after completion: the buyer receives that
 * and the proportional service fee, regardless of who received shares of it (platform rule 6.1). Platform, distributor
 * and inviter return what they earned on it, floored; the seller returns the rest, which is the amount received for it
 * and at most 3 fen more. Premiums are not refunded unless the guarantee is cancelled (see guarantees).
 */
export function splitHeld(o: RulingTerms, backFen: number): HeldSplit {
  const netFen = o.goodsFen - o.commissionFen;
  const incomeFen = o.commissionFen + o.serviceFeeFen - o.distShareFen - o.inviteRewardFen;
  const fromFeeFen = part(incomeFen, backFen, o.goodsFen);
  const fromDistFen = part(o.distShareFen, backFen, o.goodsFen);
  const fromInviterFen = part(o.inviteRewardFen, backFen, o.goodsFen);
  const owedFen = backFen + part(o.serviceFeeFen, backFen, o.goodsFen);
  const fromSellerFen = Math.min(netFen, owedFen - fromFeeFen - fromDistFen - fromInviterFen);
  const backAllFen = fromSellerFen + fromFeeFen + fromDistFen + fromInviterFen;
  const total = o.goodsFen + o.serviceFeeFen + o.ensureFen + o.fixEnsureFen;
  const couponFen = part(backAllFen, o.discountFen, total);
  return {
    fromSellerFen,
    fromFeeFen,
    fromDistFen,
    fromInviterFen,
    couponFen,
    buyerFen: backAllFen - couponFen,
    sellerFen: netFen - fromSellerFen,
  };
}

/** The amounts of a ruling for both parties, before the order's status is considered: 1 and 2 divide the escrow, 3 the seller's hold. */
export function rulingOutcome(
  o: RulingTerms,
  status: number,
  backFen: number,
): { buyerFen: number; sellerFen: number } {
  const { buyerFen, sellerFen } = status === OrderStatus.Completed ? splitHeld(o, backFen) : splitEscrow(o, backFen);
  return backFen === 0 ? { buyerFen: 0, sellerFen: o.goodsFen - o.commissionFen } : { buyerFen, sellerFen };
}

/** The penalty for the party at fault who loses a dispute (platform rule 8.3): a share in basis points with its bounds in fen. */
export interface PenaltyTerms {
  lossBp: number;
  lossMinFen: number;
  lossMaxFen: number;
}

/** The party whose deposit may pay: the seller loses when something is refunded, the buyer when nothing is. */
export const loserOf = (backFen: number): 'buyer' | 'seller' => (backFen > 0 ? 'seller' : 'buyer');

/** The penalty of rule 8.3, in fen: based on the refunded amount; on the whole price when the buyer loses. */
export const lossPenalty = (goodsFen: number, backFen: number, t: PenaltyTerms): number =>
  feeOf(backFen > 0 ? backFen : goodsFen, t.lossBp, { minFen: t.lossMinFen, maxFen: t.lossMaxFen });
