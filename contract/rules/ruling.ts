import { OrderStatus } from './order-status.ts';
import { feeOf } from './fee.ts';

/** An order's amounts, as far as a ruling divides them. Integer fen. */
export interface RulingTerms {
  goodsFen: number;
  serviceFeeFen: number;
  ensureFen: number;
  fixEnsureFen: number;
  discountFen: number;
  commissionFen: number;
  distShareFen: number;
  inviteRewardFen: number;
}

/** What part `share` of `whole` is of an amount, floored; exact beyond 2^53 on the way. */
const part = (fen: number, share: number, total: number): number =>
  Number((BigInt(fen) * BigInt(share)) / BigInt(total));

/** Who gets what of an order's escrow. The sum is the escrow to the fen. */
export interface EscrowSplit {
  buyerFen: number;
  /** Back to the platform: the coupon's part of what is refunded. */
  couponFen: number;
  sellerFen: number;
  commissionFen: number;
  serviceFen: number;
  distFen: number;
  inviteFen: number;
}

/**
 * Divides the escrow of an order that a ruling closes, when `backFen` of the goods' price goes back to the buyer (0 to goodsFen).
 * Fees follow the price in proportion, premiums go back whole because the cover never begins, and a coupon takes its own part of what is
 * refunded (platform rule 6.1).
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
    sellerFen: sellerFen - commissionFen,
    commissionFen,
    serviceFen: o.serviceFeeFen - serviceBack,
    distFen: part(o.distShareFen, sellerFen, o.goodsFen),
    inviteFen: part(o.inviteRewardFen, sellerFen, o.goodsFen),
  };
}

/** Who gives back what after completion, while the seller's part is still held. */
export interface HeldSplit {
  fromSellerFen: number;
  fromFeeFen: number;
  /** Of the shares that were paid out of the fees. */
  fromDistFen: number;
  fromInviterFen: number;
  /** Of what comes back, the coupon's part, which is the platform's. */
  couponFen: number;
  buyerFen: number;
  /** What the seller keeps of the hold. */
  sellerFen: number;
}

/**
 * Divides a seller's hold when `backFen` of the goods' price goes back to the buyer after completion: the buyer gets that and the service
 * fee in proportion, whoever had a part of it (platform rule 6.1). Platform, distributor and inviter give back what they earned by it,
 * floored, and the seller the rest, which is what he got for it and at most 3 fen. Premiums stay, unless the cover is given up (see
 * guarantees).
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

/** What a ruling means for both sides, before the order's status is looked at: 1 and 2 divide the escrow, 3 the seller's hold. */
export function rulingOutcome(
  o: RulingTerms,
  status: number,
  backFen: number,
): { buyerFen: number; sellerFen: number } {
  const { buyerFen, sellerFen } = status === OrderStatus.Completed ? splitHeld(o, backFen) : splitEscrow(o, backFen);
  return backFen === 0 ? { buyerFen: 0, sellerFen: o.goodsFen - o.commissionFen } : { buyerFen, sellerFen };
}

/** What losing a dispute by own fault costs (platform rule 8.3): a share in basis points with its bounds in fen. */
export interface PenaltyTerms {
  lossBp: number;
  lossMinFen: number;
  lossMaxFen: number;
}

/** Whose deposit may pay: the seller's side loses when something goes back, the buyer's when nothing does. */
export const loserOf = (backFen: number): 'buyer' | 'seller' => (backFen > 0 ? 'seller' : 'buyer');

/** What rule 8.3 takes, in fen: of what goes back; of the whole price where the loser is the buying side. */
export const lossPenalty = (goodsFen: number, backFen: number, t: PenaltyTerms): number =>
  feeOf(backFen > 0 ? backFen : goodsFen, t.lossBp, { minFen: t.lossMinFen, maxFen: t.lossMaxFen });
