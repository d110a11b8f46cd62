import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import {
  type CancelSplit,
  cancelSplit,
  milestoneShares,
  type MilestoneState,
} from '#subjects/services/rules/service.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { type FeeLine, type Price } from '#subjects/orders/server/placing/pricing.ts';
import type { OrderTerms } from '#subjects/orders/server/rules.ts';
import { reserveIds } from '../bulk.ts';
import {
  isRequest,
  type PackagePlan,
  type Plan,
  plansOf,
  type Progress,
  type RequestPlan,
  stagesOf,
  HOUR,
} from './boosting-plan.ts';
import { orderSnAt, type MarketSettings } from '../trades/trades-price.ts';
import type { Market } from '../market.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import { priced } from '../trades/plain-orders.ts';
import { type Milestone, regionText, type ServiceOffer } from './service-packages.ts';

/** Users unrelated to the demo's people who order services; none of them provides one. */
const STRANGERS_FROM = 200;
const ANSWER_MINUTES = 15;
const CONFIRM_MINUTES = 50;

export interface Stage {
  title: string;
  shareFen: number;
  state: MilestoneState;
  percent: number;
  submittedAgo: number | null;
  answeredAgo: number | null;
  /** Amount paid before the order's end. */
  paidFen: number | null;
}

/** The order that came of a plan. Moments are minutes before now. */
export interface MadeOrder {
  terms: OrderTerms;
  progress: Progress;
  provider: ServiceOffer;
  stages: Stage[];
  acceptedAgo: number | null;
  finishedAgo: number | null;
  endedAgo: number | null;
  /** How a cancel by agreement divides it. */
  split: CancelSplit | null;
}

export interface Made {
  plan: Plan;
  buyer: Person;
  gameId: number;
  gameName: string;
  gameCode: string;
  kind: number | null;
  title: string;
  area: string;
  mode: ServiceOffer['mode'];
  minutes: number;
  price: Price;
  lines: FeeLine[];
  safetyFen: number;
  efficiencyFen: number;
  milestones: readonly Milestone[];
  request: { id: number; sn: string } | null;
  offer: ServiceOffer | null;
  order: MadeOrder | null;
}

/** Everything of a plan but its numbers and its order. */
type Base = Omit<Made, 'request' | 'order'> & { provider: ServiceOffer };

interface Known {
  settings: MarketSettings;
  /** The packages of each booster. */
  shelves: readonly (readonly ServiceOffer[])[];
  demoBuyer: Person;
  strangers: readonly Person[];
}

function requestBase(plan: RequestPlan, { settings, shelves, demoBuyer }: Known): Base | undefined {
  const game = GAMES.find((g) => g.code === plan.code && g.goodsTypes.some(({ id }) => id === BOOSTING));
  const provider = shelves[0]?.[0];
  if (!game || !provider) return undefined;
  const kind = game.fields.find(({ key }) => key === 'boost_kind')?.options?.[0]?.v;
  const price = priced(settings, { unitFen: plan.fen, num: 1 });
  return {
    plan,
    buyer: demoBuyer,
    gameId: game.id,
    gameName: game.name,
    gameCode: game.code,
    kind: typeof kind === 'number' ? kind : null,
    title: `${game.name} ${plan.from} 打到 ${plan.to}`,
    area: regionText(game.id),
    mode: plan.mode,
    minutes: plan.hours * HOUR,
    price,
    lines: price.lines.map((line) =>
      line.code === 'goods' ? { ...line, label: '出价', rule: '' } : { ...line, label: '服务费', rule: '1%' },
    ),
    safetyFen: Math.round(plan.fen / 5),
    efficiencyFen: Math.round(plan.fen / 10),
    milestones: stagesOf(plan),
    offer: null,
    provider,
  };
}

/** A package without milestones has a single one, like its orders. */
const WHOLE: readonly Milestone[] = [{ title: '完成全部服务', shareBp: 10_000 }];

function packageBase(plan: PackagePlan, { settings, shelves, demoBuyer, strangers }: Known): Base | undefined {
  const fitting = (shelves[plan.booster] ?? []).filter(
    ({ milestones }) => Math.max(1, milestones.length) === plan.stages,
  );
  const offer = fitting[plan.nth % Math.max(1, fitting.length)];
  const buyer = plan.stranger === undefined ? demoBuyer : strangers[plan.stranger % strangers.length];
  if (!offer || !buyer) return undefined;
  const price = priced(settings, { unitFen: offer.fen, num: 1 });
  const { gameId, gameName, gameCode, title, mode, minutes, safetyFen, efficiencyFen } = offer;
  return {
    gameId,
    gameName,
    gameCode,
    title,
    mode,
    minutes,
    safetyFen,
    efficiencyFen,
    plan,
    buyer,
    kind: null,
    area: regionText(gameId),
    price,
    lines: price.lines,
    milestones: offer.milestones.length > 0 ? offer.milestones : WHOLE,
    offer,
    provider: offer,
  };
}

const STATUS: Readonly<Record<Progress['state'], number>> = {
  pending: OrderStatus.Paid,
  waiting: OrderStatus.Paid,
  working: OrderStatus.Paid,
  paused: OrderStatus.Paid,
  checking: OrderStatus.Shipped,
  done: OrderStatus.Completed,
  ended: OrderStatus.ClosedByPlatform,
};

/** When a stage was submitted: the work is spread evenly over them. */
const submittedAgo = (from: number, to: number, seq: number, count: number): number =>
  Math.round(from - ((from - to) * seq) / count);

function stagesMade(
  base: Base,
  progress: Progress,
  at: Pick<MadeOrder, 'acceptedAgo' | 'finishedAgo' | 'endedAgo'>,
): Stage[] {
  const { milestones, price } = base;
  const shares = milestoneShares(
    price.goodsFen,
    milestones.map(({ shareBp }) => shareBp),
  );
  const { goodsFen, commissionFen } = price;
  const last = milestones.length - 1;
  const isDone = progress.state === 'done';
  const paid = isDone ? last : (progress.paid ?? 0);
  const percent = isDone ? 100 : (progress.percent ?? 0);
  const steps = isDone || progress.state === 'checking' ? last + 1 : paid + (percent === 100 ? 1 : 2);
  let [goodsPaid, advance] = [0, 0];
  return milestones.map(({ title }, i): Stage => {
    const shareFen = shares[i] ?? 0;
    const none = {
      title,
      shareFen,
      state: 'pending' as const,
      percent: 0,
      submittedAgo: null,
      answeredAgo: null,
      paidFen: null,
    };
    if (i > paid || at.acceptedAgo === null) return none;
    const submitted = submittedAgo(at.acceptedAgo, at.finishedAgo ?? ANSWER_MINUTES + 5, i + 1, steps);
    if (i < paid) {
      goodsPaid += shareFen;
      // The computation of order_pay_part: without the commission, and one fen remains in escrow.
      const paidFen = goodsPaid - Math.ceil((commissionFen * goodsPaid) / goodsFen) - 1 - advance;
      advance += paidFen;
      return {
        ...none,
        state: 'accepted',
        percent: 100,
        submittedAgo: submitted,
        answeredAgo: Math.max(1, submitted - ANSWER_MINUTES),
        paidFen,
      };
    }
    if (isDone) return { ...none, state: 'accepted', percent, submittedAgo: submitted, answeredAgo: at.endedAgo };
    return percent === 100 ? { ...none, state: 'submitted', percent, submittedAgo: submitted } : { ...none, percent };
  });
}

/** The moments of an order: an open order is placed, paid and accepted at the same moment. */
function momentsOf(
  { plan, minutes }: Base,
  progress: Progress,
): Pick<MadeOrder, 'acceptedAgo' | 'finishedAgo' | 'endedAgo'> {
  const isAccepted = progress.state !== 'pending' && progress.ending !== 'refused';
  const acceptedAgo = isAccepted ? plan.ago - (isRequest(plan) ? 4 : 9) : null;
  if (progress.ending === 'refused') return { acceptedAgo, finishedAgo: plan.ago - 18, endedAgo: plan.ago - 18 };
  if (acceptedAgo === null || progress.took === undefined) return { acceptedAgo, finishedAgo: null, endedAgo: null };
  const finishedAgo = Math.max(CONFIRM_MINUTES + 5, Math.round(acceptedAgo - minutes * progress.took));
  const isOver = progress.state === 'done' || progress.state === 'ended';
  return {
    acceptedAgo,
    finishedAgo,
    endedAgo: !isOver ? null : progress.ending ? finishedAgo : finishedAgo - CONFIRM_MINUTES,
  };
}

function orderOf(market: Market, base: Base, progress: Progress, id: number): MadeOrder {
  const { plan, buyer, provider, price } = base;
  const moments = momentsOf(base, progress);
  const stages = stagesMade(base, progress, moments);
  const paid = stages.filter(({ paidFen }) => paidFen !== null);
  const terms: OrderTerms = {
    id,
    sn: orderSnAt(market.ago(plan.ago - (isRequest(plan) ? 4 : 0)), id * 7 + 5),
    distId: PLATFORM_DIST_ID,
    typeId: BOOSTING,
    goodsId: null,
    buyerId: buyer.id,
    sellerId: provider.person.id,
    staffId: null,
    status: STATUS[progress.state],
    ...price,
    inviterId: null,
    touched: moments.acceptedAgo !== null,
    overdue: false,
    buyerOpened: false,
    delivered: paid.length > 0,
    disputed: false,
    cancelAsked: false,
    binding: false,
    shipSeconds: null,
    advanceFen: paid.reduce((sum, { paidFen }) => sum + (paidFen ?? 0), 0),
    advanceGoodsFen: paid.reduce((sum, { shareFen }) => sum + shareFen, 0),
    cutFen: 0,
    isService: true,
    isRecycledAccount: false,
    shut: progress.state === 'paused',
  };
  const reason = progress.ending === 'late' ? 'late' : 'plan';
  const isSplit = progress.ending === 'agreed' || progress.ending === 'late' || progress.cancelAgo !== undefined;
  const split = isSplit
    ? cancelSplit(
        terms,
        stages.map(({ shareFen, state, percent }) => ({ shareFen, state, progressPercent: percent })),
        reason,
      )
    : null;
  return { terms, progress, provider, stages, ...moments, split };
}

/** Every plan with its numbers, price, people and order, the oldest first. */
export async function buildPlans(
  market: Market,
  people: readonly Person[],
  offers: readonly ServiceOffer[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Made[]> {
  const [demoBuyer] = people;
  if (!demoBuyer) return [];
  const shelves = [...Map.groupBy(offers, ({ providerId }) => providerId).values()];
  const strangers = people.filter(
    (p) => p.index >= STRANGERS_FROM && p.verified && !p.merchant && p.distId === PLATFORM_DIST_ID,
  );
  const known: Known = { settings, shelves, demoBuyer, strangers };
  const bases = plansOf(market).flatMap((plan) => {
    const base = isRequest(plan) ? requestBase(plan, known) : packageBase(plan, known);
    return base ? [base] : [];
  });
  const requests = await reserveIds(market.client, 'boost_request', bases.filter(({ plan }) => isRequest(plan)).length);
  const firstId = requests[0] ?? 0;
  return bases.map(({ provider, ...base }): Made => {
    const { plan } = base;
    const id = isRequest(plan) ? requests.shift() : undefined;
    const request = id === undefined ? null : { id, sn: `BRDEMO${String(id - firstId + 1).padStart(4, '0')}` };
    const placedAgo = plan.ago - (isRequest(plan) ? 4 : 0);
    const order = plan.progress && orderOf(market, { ...base, provider }, plan.progress, orderIds.between(placedAgo));
    return { ...base, request, order: order ?? null };
  });
}
