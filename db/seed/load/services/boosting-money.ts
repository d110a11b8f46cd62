import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { splitEscrow } from '#subjects/disputes/rules/ruling.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { sellerDueFen, transition } from '#subjects/orders/server/rules.ts';
import type { Made } from './boosting-made.ts';
import { DAY, isRequest } from './boosting-plan.ts';
import { type Ordered, paidAgo } from './boosting-orders.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { sellerDeposit } from '../money/deposits.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import type { Market } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import { sellerLevel } from '../people/people.ts';
import { type HeldSale, storeSaleHolds } from '../trades/sale-holds.ts';

const TOP_UP_AGO = 92 * DAY;
/** Balance of a booster for deposits other than the current ones, in fen. */
const SPARE_FEN = 200_000;

const HOLD_COLUMNS = columns(
  'id bigint, user_id bigint, amount_fen bigint, code text, reason text, ref text, released_at timestamptz, release_note text, created_at timestamptz',
);

const DEPOSITS = [
  ['service_safety', 'safetyFen', '安全保证金'],
  ['service_efficiency', 'efficiencyFen', '效率保证金'],
] as const;

/** Minutes before now at which an unclaimed open order ended. */
export const requestEndedAgo = ({ plan }: Made): number | null => {
  if (!isRequest(plan) || plan.status === 'open') return null;
  if (plan.status === 'taken') return plan.ago - 4;
  return plan.status === 'expired' ? plan.ago - DAY : plan.ago - 30;
};

type Line = readonly [ago: number, transfer: Transfer];

/** The money of an open order until a booster claims it. */
function requestMoney(m: Made): Line[] {
  const { plan, request, price, buyer } = m;
  if (!isRequest(plan) || !request) return [];
  const [free, ask] = [account.available(buyer.id), account.boostRequest(request.id)];
  const same = { ref: `request:${request.id}`, fen: price.totalFen, dist: 1 };
  const posted: Line = [plan.ago, { ...same, code: 'boost_ask', debit: free, credit: ask }];
  if (plan.status === 'open' || plan.status === 'taken') return [posted];
  return [posted, [requestEndedAgo(m) ?? 0, { ...same, code: 'boost_ask_back', debit: ask, credit: free }]];
}

/** Returns the transfers of a split, as orders/ruling.ts posts it. */
function splitMoney({ order }: Ordered): Transfer[] {
  const { terms, split } = order;
  if (!split) return [];
  const s = splitEscrow(terms, split.backFen);
  const out = (code: Transfer['code'], credit: string, fen: number): Transfer => ({
    code,
    ref: `order:${terms.id}`,
    debit: account.escrow(terms.id),
    credit,
    fen,
    dist: 1,
    order: terms.id,
  });
  const fee = account.platform('fee', terms.id);
  return [
    out('order_refund', account.available(terms.buyerId), s.buyerFen),
    out('ruling_to_seller', account.frozen(terms.sellerId), s.sellerFen),
    out('sale_commission', fee, s.commissionFen),
    out('service_fee', fee, s.serviceFen),
  ].filter(({ fen }) => fen > 0);
}

/** How an order's escrow is divided at its end. */
function endMoney(m: Ordered): Transfer[] {
  const { terms, progress } = m.order;
  if (progress.state === 'done') return transition('confirm').postings(terms);
  if (progress.ending === 'agreed' || progress.ending === 'late') return splitMoney(m);
  return progress.state === 'ended' ? transition('splitRefund').postings(terms) : [];
}

/** Whether the efficiency deposit is the buyer's: of a booster who gave up or was late. */
export const paysEfficiency = ({ order }: Ordered): boolean =>
  order.progress.ending === 'gaveUp' || order.progress.ending === 'late';

interface Deposit {
  id: number;
  code: (typeof DEPOSITS)[number][0];
  name: string;
  fen: number;
}

/** Deposits are held when the order is accepted, and returned or paid to the buyer at its end. */
function depositMoney(m: Ordered, deposits: readonly Deposit[]): Line[] {
  const { terms, acceptedAgo, endedAgo } = m.order;
  const [free, frozen] = [account.available(terms.sellerId), account.frozen(terms.sellerId)];
  const same = { dist: 1, order: terms.id };
  return deposits.flatMap(({ id, code, fen }): Line[] => {
    const held: Line = [
      acceptedAgo ?? 0,
      { ...same, code: 'service_deposit_in', ref: `${code}:${terms.id}`, debit: free, credit: frozen, fen },
    ];
    if (endedAgo === null) return [held];
    const isPaid = code === 'service_efficiency' && paysEfficiency(m);
    const back: Transfer = isPaid
      ? {
          ...same,
          code: 'service_deposit_paid',
          ref: `hold:${id}`,
          debit: frozen,
          credit: account.available(terms.buyerId),
          fen,
        }
      : { ...same, code: 'service_deposit_out', ref: `hold:${id}`, debit: frozen, credit: free, fen };
    return [held, [endedAgo, back]];
  });
}

function orderMoney(m: Ordered, deposits: readonly Deposit[]): Line[] {
  const { terms, stages, endedAgo } = m.order;
  const escrow = account.escrow(terms.id);
  const same = { dist: 1, order: terms.id };
  const paid: Transfer[] = m.request
    ? [
        {
          ...same,
          code: 'boost_ask_pay',
          ref: `order:${terms.id}`,
          debit: account.boostRequest(m.request.id),
          credit: escrow,
          fen: terms.totalFen,
        },
      ]
    : transition('payBalance').postings(terms);
  return [
    ...paid.map((t): Line => [paidAgo(m), t]),
    ...depositMoney(m, deposits),
    ...stages.flatMap(({ paidFen, answeredAgo }, i): Line[] =>
      paidFen === null
        ? []
        : [
            [
              answeredAgo ?? 0,
              {
                ...same,
                code: 'milestone_paid',
                ref: `order:${terms.id}:${i + 1}`,
                debit: escrow,
                credit: account.available(terms.sellerId),
                fen: paidFen,
              },
            ],
          ],
    ),
    ...endMoney(m).map((t): Line => [endedAgo ?? 0, t]),
  ];
}

async function storeDeposits(market: Market, orders: readonly Ordered[]): Promise<Map<number, Deposit[]>> {
  const accepted = orders.filter(({ order }) => order.acceptedAgo !== null);
  const ids = await reserveIds(market.client, 'hold', accepted.length * DEPOSITS.length);
  const held = new Map(
    accepted.map((m, i) => [
      m.order.terms.id,
      DEPOSITS.map(
        ([code, field, name], k): Deposit => ({ id: ids[i * DEPOSITS.length + k] ?? 0, code, name, fen: m[field] }),
      ),
    ]),
  );
  await insertRows(
    market.client,
    'hold',
    HOLD_COLUMNS,
    accepted.flatMap(({ order: { terms, acceptedAgo, endedAgo } }) =>
      (held.get(terms.id) ?? []).map(({ id, code, name, fen }) => [
        id,
        terms.sellerId,
        fen,
        code,
        `订单 ${terms.sn} 的${name}，订单结束后退回`,
        String(terms.id),
        endedAgo === null ? null : market.ago(endedAgo),
        endedAgo === null ? null : '订单已结束',
        market.ago(acceptedAgo ?? 0),
      ]),
    ),
  );
  return held;
}

/** The part of an ended order that is held for its booster until protection ends; a split amount is held completely. */
const heldOf = (orders: readonly Ordered[]): HeldSale[] =>
  orders.flatMap(({ order: { terms, progress, provider, split, endedAgo } }) => {
    const fen =
      progress.state === 'done' ? sellerDueFen(terms) : progress.state === 'ended' ? (split?.sellerFen ?? 0) : 0;
    if (fen === 0) return [];
    const { person } = provider;
    return [
      {
        orderId: terms.id,
        sn: terms.sn,
        sellerId: terms.sellerId,
        distId: PLATFORM_DIST_ID,
        level: sellerLevel(person),
        fen,
        shares: { distFen: 0, inviteFen: 0, inviterId: null },
        coveredFen: progress.state === 'done' ? sellerDeposit(person) : 0,
        doneAgo: endedAgo ?? 0,
      },
    ];
  });

/** Balances that buyers pay from and boosters put down deposits from. */
async function topUps(market: Market, made: readonly Made[]): Promise<Dated[]> {
  const needs = new Map<number, number>();
  const add = (userId: number, fen: number) => needs.set(userId, (needs.get(userId) ?? 0) + fen);
  for (const m of made) {
    add(m.buyer.id, m.price.totalFen);
    if (m.order && m.order.endedAgo === null) add(m.order.terms.sellerId, m.safetyFen + m.efficiencyFen);
  }
  for (const id of new Set(made.flatMap(({ order }) => order?.terms.sellerId ?? []))) add(id, SPARE_FEN);
  const { topups } = await storeDatedPayments(
    market,
    [...needs].map(([userId, fen]) => ({ userId, distId: PLATFORM_DIST_ID, orderId: null, fen, ago: TOP_UP_AGO })),
  );
  return topups;
}

/** Stores the holds of boosting, and returns each of its postings with its time. */
export async function boostingMoney(
  market: Market,
  made: readonly Made[],
  orders: readonly Ordered[],
  settings: MarketSettings,
): Promise<Dated[]> {
  const deposits = await storeDeposits(market, orders);
  const lines = [
    ...made.flatMap(requestMoney),
    ...orders.flatMap((m) => orderMoney(m, deposits.get(m.order.terms.id) ?? [])),
  ];
  return [
    ...(await topUps(market, made)),
    ...lines.map(([ago, transfer]) => ({ at: market.ago(ago), transfer })),
    ...(await storeSaleHolds(market, heldOf(orders), settings)),
  ];
}
