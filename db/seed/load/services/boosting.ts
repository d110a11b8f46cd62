import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { type Made, buildPlans } from './boosting-made.ts';
import { boostingMoney, paysEfficiency, requestEndedAgo } from './boosting-money.ts';
import { askedAgo, type Ordered, PAUSED_AGO, storeBoostingOrders } from './boosting-orders.ts';
import { ACCEPT_DAYS, DAY, HOUR, isRequest } from './boosting-plan.ts';
import { columns, insertRows } from '../bulk.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import type { Market } from '../market.ts';
import type { Dated } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import type { ServiceOffer } from './service-packages.ts';
import { type Reviewed, storeServiceReviews } from './service-reviews.ts';

const REQUEST_COLUMNS = columns(
  `id bigint, sn text, dist_id int, buyer_id bigint, game_id int, kind smallint, scope_kind text, from_rank text, to_rank text, area text, note text, mode text,
  minutes int, milestones jsonb, goods_fen bigint, total_fen bigint, safety_fen bigint, efficiency_fen bigint, price jsonb, status text, order_id bigint,
  expires_at timestamptz, created_at timestamptz, ended_at timestamptz`,
);
const SERVICE_COLUMNS = columns(
  `order_id bigint, package_id bigint, provider_id bigint, type_id smallint, units int, minutes int, mode text, form jsonb, state text, safety_fen bigint,
  efficiency_fen bigint, accept_by timestamptz, accepted_at timestamptz, started_at timestamptz, due_at timestamptz, paused_at timestamptz,
  finished_at timestamptz, proof_due_at timestamptz, efficiency_to_buyer boolean, account_free_at timestamptz, late_told_at timestamptz,
  buyer_start_at timestamptz, seller_start_at timestamptz`,
);
const MILESTONE_COLUMNS = columns(
  `order_id bigint, seq smallint, title text, share_fen bigint, state text, pictures jsonb, note text, submitted_at timestamptz, answered_at timestamptz,
  progress_percent smallint, paid_fen bigint`,
);
const PROGRESS_COLUMNS = columns(
  'order_id bigint, actor text, kind text, text text, pictures jsonb, created_at timestamptz, seq smallint, percent smallint',
);
const CANCEL_COLUMNS = columns(
  `order_id bigint, asked_by smallint, reason text, pay_fen bigint, cost_efficiency_fen bigint, computed jsonb, status text, created_at timestamptz,
  answered_at timestamptz`,
);
const PROOF_DUE = -90;
/** While the account is missing so long after acceptance, giving up costs the booster nothing. */
const ACCOUNT_FREE = 2 * HOUR;
const LATE_ENDS = 2 * DAY;
const REVIEW_AFTER = 40;
const NOTES = ['进行顺利，截图见下', '过半了，进度见截图', '已到约定的目标，请看截图'];

/** Drawn by the server, as the pictures of the demo's listings are, under the code of a seeded game: the seed stores no files. */
const proofOf = ({ gameCode }: Made, seq: number) => ({ key: `../art/screen/${gameCode}/${seq + 6}/0.svg` });

function requestRow(market: Market, m: Made): unknown[] {
  const { plan, request, price } = m;
  if (!isRequest(plan) || !request) return [];
  const endedAgo = requestEndedAgo(m);
  return [
    request.id,
    request.sn,
    1,
    m.buyer.id,
    m.gameId,
    m.kind,
    'rank',
    plan.from,
    plan.to,
    m.area,
    plan.note ?? '',
    m.mode,
    m.minutes,
    m.milestones,
    price.goodsFen,
    price.totalFen,
    m.safetyFen,
    m.efficiencyFen,
    { ...price, lines: m.lines },
    plan.status,
    m.order?.terms.id ?? null,
    market.ago(plan.ago - DAY),
    market.ago(plan.ago),
    endedAgo === null ? null : market.ago(endedAgo),
  ];
}

/** When an order is due, in minutes before now; null before its promised time has begun. */
const dueAgo = ({ order: { progress, acceptedAgo }, minutes }: Ordered): number | null =>
  acceptedAgo === null || progress.state === 'waiting' ? null : acceptedAgo - minutes;
const isLate = (m: Ordered): boolean =>
  m.order.progress.state === 'working' &&
  (dueAgo(m) ?? 0) > 0 &&
  !m.order.stages.some(({ state }) => state === 'submitted');

/** When the parties of a running order are notified that it is late; for orders that are late already, when the order ends. */
function lateClock(m: Ordered): [kind: string, ref: number, ago: number] {
  const due = dueAgo(m) ?? 0;
  return ['service.late', m.order.terms.id, isLate(m) ? due - LATE_ENDS : due];
}

function serviceRow(market: Market, m: Ordered): unknown[] {
  const { terms, progress, provider, acceptedAgo, finishedAgo } = m.order;
  const at = (minutes: number | null): Date | null => (minutes === null ? null : market.ago(minutes));
  const begunAgo = progress.state === 'waiting' ? null : acceptedAgo;
  // Where they play together, both came when the order was accepted.
  const cameAt = m.mode === 'account' ? null : at(begunAgo);
  return [
    terms.id,
    m.offer?.packageId ?? null,
    provider.providerId,
    BOOSTING,
    1,
    m.minutes,
    m.mode,
    { area: m.area, note: m.plan.note ?? '' },
    progress.state,
    m.safetyFen,
    m.efficiencyFen,
    progress.state === 'pending' ? market.ago(-ACCEPT_DAYS * DAY) : null,
    at(acceptedAgo),
    at(begunAgo),
    at(dueAgo(m)),
    progress.state === 'paused' ? market.ago(PAUSED_AGO) : null,
    at(finishedAgo),
    progress.state === 'working' ? market.ago(PROOF_DUE) : null,
    paysEfficiency(m),
    progress.state === 'waiting' ? at((acceptedAgo ?? 0) - ACCOUNT_FREE) : null,
    isLate(m) ? at(dueAgo(m)) : null,
    cameAt,
    cameAt,
  ];
}

function milestoneRows(market: Market, m: Ordered): unknown[][] {
  const at = (minutes: number | null): Date | null => (minutes === null ? null : market.ago(minutes));
  return m.order.stages.map((s, i) => [
    m.order.terms.id,
    i + 1,
    s.title,
    s.shareFen,
    s.state,
    s.percent > 0 ? [proofOf(m, i)] : [],
    s.percent > 0 ? (NOTES[i % NOTES.length] ?? '') : '',
    at(s.submittedAgo),
    at(s.answeredAgo),
    s.percent,
    s.paidFen,
  ]);
}

/** When the booster reported, as parts of a stage's time, and how far it was, as parts of what it came to. */
const REPORTED = [
  [0.3, 0.25],
  [0.7, 0.6],
  [1, 1],
] as const;

/** The booster's reports of each stage that was begun, the last with what the stage shows. */
const progressRows = (market: Market, m: Ordered): unknown[][] =>
  m.order.stages.flatMap((s, i) => {
    if (s.percent === 0) return [];
    const endedAgo = s.submittedAgo ?? (m.order.finishedAgo ?? PAUSED_AGO) + 10;
    const begunAgo = m.order.stages[i - 1]?.submittedAgo ?? m.order.acceptedAgo ?? endedAgo;
    return REPORTED.map(([time, part]) => {
      const percent = Math.max(1, Math.round(s.percent * part));
      return [
        m.order.terms.id,
        `user:${m.order.terms.sellerId}`,
        'progress',
        `第 ${i + 1} 段 ${percent}%：${NOTES[i % NOTES.length] ?? ''}`,
        [proofOf(m, i)],
        market.ago(begunAgo - (begunAgo - endedAgo) * time),
        i + 1,
        percent,
      ];
    });
  });

function cancelRow(market: Market, m: Ordered): unknown[][] {
  const { terms, progress, split, endedAgo } = m.order;
  if (!split) return [];
  return [
    [
      terms.id,
      0,
      split.efficiencyToBuyer ? 'late' : 'plan',
      split.sellerFen,
      split.efficiencyToBuyer ? m.efficiencyFen : 0,
      split,
      progress.state === 'ended' ? 'agreed' : 'asked',
      market.ago(askedAgo(m.order)),
      endedAgo === null ? null : market.ago(endedAgo),
    ],
  ];
}

/** The clocks of what runs: kind, what it is of, and when it rings, in minutes before now. */
function clocksOf(m: Made): [kind: string, ref: number, ago: number][] {
  const { plan, request, order } = m;
  if (request && isRequest(plan) && plan.status === 'open') return [['boost.expire', request.id, plan.ago - DAY]];
  if (!order) return [];
  const { terms, progress, stages, finishedAgo, acceptedAgo } = order;
  const late = lateClock({ ...m, order });
  const waiting = stages.find(({ state }) => state === 'submitted');
  switch (progress.state) {
    case 'pending':
      return [['service.accept', terms.id, -ACCEPT_DAYS * DAY]];
    case 'waiting':
      return [
        ['service.account', terms.id, -ACCEPT_DAYS * DAY],
        ['service.proof', terms.id, (acceptedAgo ?? 0) - ACCOUNT_FREE],
      ];
    case 'working':
      return [
        late,
        ['service.proof', terms.id, PROOF_DUE],
        ...(waiting
          ? [['service.milestone', terms.id, (waiting.submittedAgo ?? 0) - 12 * HOUR] as [string, number, number]]
          : []),
      ];
    case 'paused':
      return [
        late,
        ['service.resume', terms.id, PAUSED_AGO - 3 * DAY],
        ...(progress.cancelAgo === undefined
          ? []
          : [['service.cancelAnswer', terms.id, progress.cancelAgo - 6 * HOUR] as [string, number, number]]),
      ];
    case 'checking':
      return [['order.autoConfirm', terms.id, (finishedAgo ?? 0) - 3 * DAY]];
    default:
      return [];
  }
}

const reviewsOf = (orders: readonly Ordered[]): Reviewed[] =>
  orders.flatMap(({ gameId, order: { terms, progress, endedAgo } }) =>
    progress.review
      ? [
          {
            orderId: terms.id,
            typeId: BOOSTING,
            gameId,
            buyerId: terms.buyerId,
            sellerId: terms.sellerId,
            review: progress.review,
            ago: Math.max(1, (endedAgo ?? 0) - REVIEW_AFTER),
          },
        ]
      : [],
  );

/** Boosting in every state: open orders, orders of packages, what came of them, and their money. Returns the postings with their times. */
export async function storeBoosting(
  market: Market,
  people: readonly Person[],
  offers: readonly ServiceOffer[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const { client } = market;
  const made = await buildPlans(market, people, offers, settings, orderIds);
  const orders = made.filter((m): m is Ordered => m.order !== null);
  await storeBoostingOrders(market, orders);
  const rowsOf: [table: string, cols: ReturnType<typeof columns>, rows: unknown[][]][] = [
    ['boost_request', REQUEST_COLUMNS, made.filter(({ request }) => request).map((m) => requestRow(market, m))],
    ['service_order', SERVICE_COLUMNS, orders.map((m) => serviceRow(market, m))],
    ['service_milestone', MILESTONE_COLUMNS, orders.flatMap((m) => milestoneRows(market, m))],
    ['service_progress', PROGRESS_COLUMNS, orders.flatMap((m) => progressRows(market, m))],
    ['service_cancel', CANCEL_COLUMNS, orders.flatMap((m) => cancelRow(market, m))],
  ];
  for (const [table, cols, rows] of rowsOf) await insertRows(client, table, cols, rows);
  await storeServiceReviews(market, reviewsOf(orders));
  const dated = await boostingMoney(market, made, orders, settings);
  for (const [kind, ref, ago] of made.flatMap(clocksOf))
    await client.query('select effect_schedule($1, $2, $3)', [kind, String(ref), market.ago(ago)]);
  return dated;
}
