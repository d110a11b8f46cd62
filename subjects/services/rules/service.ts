/** Boosting and companion play as states, shares and splits (domain.md 6). Integer fen. */
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { splitEscrow, type RulingTerms } from '#subjects/disputes/rules/ruling.ts';

/** The names of a service and of its provider. */
export const serviceLabels = (typeId: number): { service: string; provider: string } =>
  typeId === COMPANION_PLAY ? { service: '陪玩', provider: '陪玩' } : { service: '代练', provider: '打手' };

export const serviceStates = [
  'pending',
  'waiting',
  'working',
  'paused',
  'ending',
  'checking',
  'done',
  'ended',
] as const;
export type ServiceState = (typeof serviceStates)[number];

const stateNames: Readonly<Record<ServiceState, string>> = {
  pending: '待接单',
  waiting: '待开始',
  working: '进行中',
  paused: '已暂停',
  ending: '待确认结束',
  checking: '待验收',
  done: '已完成',
  ended: '已结束',
};

/** The name of a service order's state. */
export function serviceStateName(state: ServiceState, typeId: number): string {
  if (state === 'working' && typeId === COMPANION_PLAY) return '陪玩中';
  return state === 'waiting' && typeId !== COMPANION_PLAY ? '待提交账号' : stateNames[state];
}

interface ServiceTransition {
  by: 'buyer' | 'seller' | 'both';
  from: readonly ServiceState[];
  to: ServiceState;
}

/**
 * The parties' actions in each state of a boosting order, and the resulting state. An order whose account is handed
 * over waits for it after acceptance, unless it was handed over before.
 */
const boosting = {
  accept: { by: 'seller', from: ['pending'], to: 'working' },
  await: { by: 'seller', from: ['pending'], to: 'waiting' },
  handOver: { by: 'buyer', from: ['waiting'], to: 'working' },
  decline: { by: 'seller', from: ['pending'], to: 'ended' },
  cancel: { by: 'buyer', from: ['pending'], to: 'ended' },
  pause: { by: 'both', from: ['working'], to: 'paused' },
  resume: { by: 'both', from: ['paused'], to: 'working' },
  start: { by: 'both', from: ['working'], to: 'working' },
  submit: { by: 'seller', from: ['working'], to: 'working' },
  cannotLogIn: { by: 'seller', from: ['working'], to: 'working' },
  submitLast: { by: 'seller', from: ['working'], to: 'checking' },
  confirm: { by: 'buyer', from: ['working', 'paused'], to: 'working' },
  confirmLast: { by: 'buyer', from: ['checking'], to: 'done' },
  giveUp: { by: 'seller', from: ['waiting', 'working', 'paused'], to: 'ended' },
  agree: { by: 'both', from: ['waiting', 'working', 'paused'], to: 'ended' },
} as const satisfies Record<string, ServiceTransition>;

interface Step {
  from: ServiceState;
  to: ServiceState;
}

/** The state changes by actions of the parties, each once, and those made only by a timer or a ruling. */
function stepsOf(actions: Readonly<Record<string, ServiceTransition>>, others: readonly Step[]): Step[] {
  const steps = Object.values(actions).flatMap(({ from, to }) =>
    from.flatMap((state) => (state === to ? [] : [{ from: state, to }])),
  );
  const all = [...steps, ...others];
  return all.filter((step, i) => all.findIndex((s) => s.from === step.from && s.to === step.to) === i);
}

/**
 * Every step from one state of a boosting order to another, by actions of the parties, and the one made only by a
 * ruling. The database has the same table (`boost_transition`).
 */
export const boostingSteps = (): Step[] => stepsOf(boosting, [{ from: 'checking', to: 'ended' }]);

/**
 * The same for companion play: both start, either ends, and the other agrees or the deadline passes; a party who feels
 * unsafe can stop immediately.
 */
const companion = {
  accept: { by: 'seller', from: ['pending'], to: 'waiting' },
  decline: { by: 'seller', from: ['pending'], to: 'ended' },
  cancel: { by: 'buyer', from: ['pending'], to: 'ended' },
  start: { by: 'both', from: ['waiting'], to: 'working' },
  giveUp: { by: 'both', from: ['waiting'], to: 'ended' },
  end: { by: 'both', from: ['working'], to: 'ending' },
  agreeEnd: { by: 'both', from: ['ending'], to: 'ended' },
  stop: { by: 'both', from: ['waiting', 'working', 'ending'], to: 'ended' },
  confirmLast: { by: 'buyer', from: ['checking'], to: 'done' },
} as const satisfies Record<string, ServiceTransition>;

/**
 * The same for companion play. All ordered minutes are delivered by the clock, or by a ruling that refunds nothing of an end that a party
 * requested. The database has the same table (`companion_transition`).
 */
export const companionSteps = (): Step[] =>
  stepsOf(companion, [
    { from: 'working', to: 'checking' },
    { from: 'ending', to: 'checking' },
    { from: 'checking', to: 'ended' },
  ]);

export type ServiceAction = keyof typeof boosting | keyof typeof companion;

/** The transition of an action for a type of service; undefined when the type has no such action. */
export function serviceTransition(typeId: number, action: ServiceAction): ServiceTransition | undefined {
  const table: Readonly<Partial<Record<ServiceAction, ServiceTransition>>> =
    typeId === COMPANION_PLAY ? companion : boosting;
  return table[action];
}

const MINUTE_MS = 60_000;

/** The minutes of play that are paid: begun ones count, at least one, at most those that were ordered. */
export function playedMinutes(startMs: number, endMs: number, ordered: number): number {
  return Math.min(ordered, Math.max(1, Math.ceil((endMs - startMs) / MINUTE_MS)));
}

/** The part of the price to refund, in fen, after this many of the ordered minutes were played; the played part rounds up. */
export function unplayedFen(goodsFen: number, played: number, ordered: number): number {
  return Number((BigInt(goodsFen) * BigInt(Math.max(0, ordered - played))) / BigInt(ordered));
}

export const milestoneStates = ['pending', 'submitted', 'accepted', 'refused'] as const;
export type MilestoneState = (typeof milestoneStates)[number];

/** The fen of each milestone: shares in basis points of the price, which they add up to exactly. */
export function milestoneShares(goodsFen: number, sharesBp: readonly number[]): number[] {
  let doneBp = 0;
  let doneFen = 0;
  return sharesBp.map((bp) => {
    doneBp += bp;
    const until = Number((BigInt(goodsFen) * BigInt(doneBp)) / 10_000n);
    const fen = until - doneFen;
    doneFen = until;
    return fen;
  });
}

/** The cumulative percentage of each stage; equal steps when the price is zero. */
export function wholeShares(sharesFen: readonly number[]): number[] {
  const whole = sharesFen.reduce((sum, fen) => sum + fen, 0);
  const weights = whole > 0 ? sharesFen : sharesFen.map(() => 1);
  const total = whole > 0 ? whole : sharesFen.length;
  let until = 0;
  return weights.map((weight) => {
    until += weight;
    return (until / total) * 100;
  });
}

/** The properties of a milestone for the split. */
export interface SplitMilestone {
  shareFen: number;
  state: MilestoneState;
  /** Progress that the booster reported with a picture, 0 to 100. */
  progressPercent: number;
}

export const cancelReasons = ['plan', 'late'] as const;
export type CancelReason = (typeof cancelReasons)[number];

export const cancelReasonNames: Readonly<Record<CancelReason, string>> = {
  plan: '计划有变，按进度结算',
  late: '打手超过约定时间',
};

/** The split of a cancellation, in fen. */
export interface CancelSplit {
  /** The refunded part of the price. */
  backFen: number;
  buyerFen: number;
  /** Paid already for accepted milestones. */
  paidFen: number;
  /** Still to be paid; at least a fen for each paid milestone (decision 280), so it is shown only in the sum. */
  sellerFen: number;
  /** The provider's total: the amounts already paid and still to be paid. */
  providerFen: number;
  /** Fees that remain due for finished work, including the shares of others. */
  feeFen: number;
  /** The buyer's part of them. */
  serviceFen: number;
  efficiencyToBuyer: boolean;
}

/**
 * The split of a cancellation, computed and not negotiable (domain.md 6): accepted milestones stay paid, submitted ones
 * count whole, the running one by its reported share; fees are kept only for completed work. A booster who is late
 * loses the efficiency deposit to the buyer.
 */
export function cancelSplit(
  order: RulingTerms & { advanceFen: number; advanceGoodsFen: number },
  milestones: readonly SplitMilestone[],
  reason: CancelReason,
): CancelSplit {
  const doneFen = milestones.reduce((sum, m) => sum + doneOf(m), 0);
  const backFen = order.goodsFen - doneFen;
  const split = splitEscrow(order, backFen);
  return {
    backFen,
    buyerFen: split.buyerFen,
    paidFen: order.advanceFen,
    sellerFen: split.sellerFen,
    providerFen: order.advanceFen + split.sellerFen,
    feeFen: split.commissionFen + split.serviceFen,
    serviceFen: split.serviceFen,
    efficiencyToBuyer: reason === 'late',
  };
}

function doneOf(m: SplitMilestone): number {
  if (m.state === 'accepted' || m.state === 'submitted') return m.shareFen;
  return Math.floor((m.shareFen * m.progressPercent) / 100);
}
