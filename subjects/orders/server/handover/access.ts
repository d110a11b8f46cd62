import type { ErrorName } from '#contract/codes.ts';
import { isInProgress, OrderStatus } from '../../rules/order-status.ts';
import { BOOSTING, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { type OpeningPurpose, openingPurposes } from '../../rules/sealed-fields.ts';

/** The step at which staff check the login, before the buyer's turn. */
export const CHECK_LOGIN = 'check_login';

/** The facts of an order that decide who may open its forms. */
export interface OpeningContext {
  typeId: number;
  status: number;
  disputed: boolean;
  sellerId: number;
  /** Staff still have to check the login. */
  unchecked: boolean;
  /** Its provider has not accepted the service yet. */
  unaccepted: boolean;
  /** The service is paused. */
  shut: boolean;
}

/** Kinds of forms: of a sold account, of a recycled account, from a buyer to a booster, other forms from buyers, and values passed within a step. */
export type FormKind = keyof typeof ACCESS;

/**
 * Who opens a form: a party, the member of staff assigned to the order, the one assigned to its open dispute, or a colleague of the inspector
 * who takes over an account that the platform bought (determined in back-office/trade/credentials.ts).
 */
export type OpeningRole = 'buyer' | 'seller' | 'staff' | 'judge' | 'taker';

/** The purpose for which a form may be opened, or the error for a caller who may not. */
type Access = OpeningPurpose | ClosedError;
type ClosedError = Extract<ErrorName, `ORDER_${string}` | `SEAL_${string}`>;
type Row = Readonly<Record<OpeningRole, Access>>;

const NEVER = 'ORDER_FORBIDDEN';
const OVER = 'ORDER_STATE';

const row = (buyer: Access, seller: Access, staff: Access, taker: Access = NEVER): Row => ({
  buyer,
  seller,
  staff,
  judge: 'dispute',
  taker,
});

/**
 * Values that one party passes to the other within a step. No one else needs them: staff only see that they were sealed
 * and read.
 */
function exchanged(to: 'buyer' | 'seller') {
  const forOther = (access: Access): Row => ({
    buyer: to === 'buyer' ? access : NEVER,
    seller: to === 'seller' ? access : NEVER,
    staff: NEVER,
    judge: NEVER,
    taker: NEVER,
  });
  return { current: forOther('bind'), disputed: forOther('ORDER_DISPUTED'), past: forOther(OVER) } as const;
}

/** Forms that a seller sealed. */
const BY_SELLER = {
  unpaid: row(OVER, NEVER, OVER),
  unchecked: row('SEAL_NOT_YET', NEVER, 'check_login'),
  checked: row('SEAL_NOT_YET', NEVER, 'assist'),
  shipped: row('accept', NEVER, 'assist'),
  // Staff requested a new version after shipping: the buyer can open it only after the check.
  checkedAgain: row('SEAL_NOT_YET', NEVER, 'check_login'),
  disputed: row('ORDER_DISPUTED', NEVER, 'assist'),
  // The buyer can read the received forms until they are erased.
  completed: row('accept', NEVER, OVER),
  completedDisputed: row('ORDER_DISPUTED', NEVER, OVER),
  cancelled: row(OVER, NEVER, OVER),
} as const satisfies Record<string, Row>;

/**
 * The only definition of who may open a sealed form (domain.md 2): by the form's author, the order's state, and the
 * reader. Each cell is the recorded purpose, or the error. No one can open their own form.
 */
export const ACCESS = {
  sold: BY_SELLER,
  // A recycler takes the account over once the seller was paid, also while a dispute about it is open; for the platform
  // a colleague does.
  recycled: {
    ...BY_SELLER,
    completed: row('accept', NEVER, OVER, 'accept'),
    completedDisputed: row('accept', NEVER, OVER),
  },
  // A booster opens the buyer's form from accepting the order until the final delivery.
  boosted: {
    unpaid: row(NEVER, OVER, OVER),
    unaccepted: row(NEVER, 'SEAL_NOT_ACCEPTED', 'assist'),
    working: row(NEVER, 'boost', 'assist'),
    paused: row(NEVER, 'SEAL_PAUSED', 'assist'),
    shipped: row(NEVER, 'SEAL_DELIVERED', 'assist'),
    disputed: row(NEVER, 'ORDER_DISPUTED', 'assist'),
    completed: row(NEVER, OVER, OVER),
    completedDisputed: row(NEVER, OVER, OVER),
    cancelled: row(NEVER, OVER, OVER),
  },
  // In any other order only staff may open the buyer's forms.
  other: {
    unpaid: row(NEVER, NEVER, OVER),
    unchecked: row(NEVER, NEVER, 'check_login'),
    checked: row(NEVER, NEVER, 'assist'),
    shipped: row(NEVER, NEVER, 'assist'),
    checkedAgain: row(NEVER, NEVER, 'check_login'),
    disputed: row(NEVER, NEVER, 'assist'),
    completed: row(NEVER, NEVER, OVER),
    completedDisputed: row(NEVER, NEVER, OVER),
    cancelled: row(NEVER, NEVER, OVER),
  },
  // The buyer's number and the code of the new phone, for the seller who binds the account, while that step is the current one.
  exchangedByBuyer: exchanged('seller'),
  // The code of the old phone, for a buyer who binds the account.
  exchangedBySeller: exchanged('buyer'),
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

type TradeState = keyof typeof BY_SELLER;
type ServiceState = keyof typeof ACCESS.boosted;

function tradeState(o: OpeningContext): TradeState {
  if (o.status === OrderStatus.Shipped) return o.unchecked ? 'checkedAgain' : 'shipped';
  return o.unchecked ? 'unchecked' : 'checked';
}

function serviceState(o: OpeningContext): ServiceState {
  if (o.status === OrderStatus.Shipped) return 'shipped';
  if (o.unaccepted) return 'unaccepted';
  return o.shut ? 'paused' : 'working';
}

/** The state of an order that has ended, was not paid, or is disputed; undefined for one whose steps decide. */
function commonState(o: OpeningContext): (TradeState & ServiceState) | undefined {
  if (o.status === OrderStatus.Unpaid) return 'unpaid';
  if (o.status === OrderStatus.Completed) return o.disputed ? 'completedDisputed' : 'completed';
  if (!isInProgress(o.status)) return 'cancelled';
  return o.disputed ? 'disputed' : undefined;
}

/** Whether `role` may open a form that `fromUser` sealed, and for which purpose. */
export function accessOf(
  o: OpeningContext,
  role: OpeningRole,
  fromUser: number,
): { purpose: OpeningPurpose } | { closed: ClosedError } {
  const state = commonState(o);
  const access = rowOf(o, state, fromUser === o.sellerId)[role];
  return access in openingPurposes ? { purpose: access as OpeningPurpose } : { closed: access as ClosedError };
}

function rowOf(o: OpeningContext, state: (TradeState & ServiceState) | undefined, bySeller: boolean): Row {
  if (!bySeller && o.typeId === BOOSTING) return ACCESS.boosted[state ?? serviceState(o)];
  const kind = !bySeller ? 'other' : o.typeId === RECYCLED_ACCOUNT ? 'recycled' : 'sold';
  return ACCESS[kind][state ?? tradeState(o)];
}

/** Whether `role` may open a value that the other party sealed within a step; `isCurrent`: whether that step is the current one. */
export function exchangeAccessOf(
  o: Pick<OpeningContext, 'disputed'> & { isCurrent: boolean },
  role: OpeningRole,
  from: 'buyer' | 'seller',
): { purpose: OpeningPurpose } | { closed: ClosedError } {
  const kind = from === 'buyer' ? ACCESS.exchangedByBuyer : ACCESS.exchangedBySeller;
  const state = !o.isCurrent ? 'past' : o.disputed ? 'disputed' : 'current';
  const access: Access = kind[state][role];
  return access in openingPurposes ? { purpose: access as OpeningPurpose } : { closed: access as ClosedError };
}
