import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderStatus, isInProgress, isPaidFor } from '#subjects/orders/rules/order-status.ts';
import { type Price, priceOf } from '#subjects/orders/server/placing/pricing.ts';
import { type OrderTerms, sellerNetFen, transition } from '#subjects/orders/server/rules.ts';
import type { UnlistedSnapshot } from '#subjects/orders/server/service.ts';
import type { Transfer } from '#subjects/ledger/server/rules.ts';
import { columns, insertRows } from '../bulk.ts';
import { orderSnAt, type MarketSettings, NO_SERVICE } from './trades-price.ts';
import { HANDOVER_COLUMNS, handoverRows, stepsOf } from './handover.ts';
import type { Market } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import type { OrderIds } from './order-ids.ts';
import { type Person, sellerLevel } from '../people/people.ts';
import { sellerDeposit } from '../money/deposits.ts';
import { type HeldSale, storeSaleHolds } from './sale-holds.ts';

/** How far an order without a listing has come. */
export type PlainEnd = 'unpaid' | 'paid' | 'shipped' | 'completed' | 'cancelled' | 'refused';

/** An order of coin, recycling or a private deal, from its end. */
export interface PlainOrder {
  typeId: number;
  gameId: number | null;
  buyer: Person;
  seller: Person;
  unitFen: number;
  num: number;
  offerSn: string | null;
  snapshot: UnlistedSnapshot;
  end: PlainEnd;
  /** Minutes before now at which it was placed. */
  ago: number;
  /** The same for orders that were delivered and confirmed unusually late. */
  shippedAgo?: number;
  doneAgo?: number;
}

const STATUS: Readonly<Record<PlainEnd, number>> = {
  unpaid: 0,
  paid: 1,
  shipped: 2,
  completed: 3,
  cancelled: 7,
  refused: 9,
};

const ORDER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, type_id smallint, goods_sn text, game_id int, buyer_id bigint, seller_id bigint, staff_id bigint, status smallint,
  goods_num int, unit_price_fen bigint, goods_fen bigint, service_fee_fen bigint, total_fen bigint, commission_fen bigint, fees jsonb, snapshot jsonb, handover_version int,
  ship_by timestamptz, auto_confirm_at timestamptz, paid_at timestamptz, shipped_at timestamptz, completed_at timestamptz, created_at timestamptz, self_placed boolean`,
);
const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');

/** Minutes before now. */
interface Moments {
  paidAgo: number;
  refusedAgo: number;
  shippedAgo: number;
  doneAgo: number;
}

interface Made extends Moments {
  order: PlainOrder;
  terms: OrderTerms;
  row: unknown[];
  process: unknown[][];
}

const PAY_MINUTES = 4;
const REFUSE_MINUTES = 7;
const SHIP_MINUTES = 22;
const CONFIRM_MINUTES = 33;
const DAY = 1440;

/** The price of an order without a coupon, a guarantee or an inviter. */
export function priced(settings: MarketSettings, order: Pick<PlainOrder, 'unitFen' | 'num'>): Price {
  return priceOf({
    unitFen: order.unitFen,
    num: order.num,
    fees: settings.fees,
    guarantees: [],
    ensureId: 0,
    fixEnsureId: 0,
    guaranteeOk: false,
    coupon: null,
    distShareBp: 0,
    invited: false,
  });
}

/** The entries of an order's history, as far as it has come. */
function historyOf(
  market: Market,
  { buyer, seller, end, ago: placedAgo, snapshot }: PlainOrder,
  { id, status }: OrderTerms,
  at: Moments,
): unknown[][] {
  const transitions: [boolean, number, string, number][] = [
    [true, 0, '买家提交订单，等待付款', placedAgo],
    [isPaidFor(status) || end === 'refused', 1, transition('payBalance').explain('buyer'), at.paidAgo],
    [
      status === OrderStatus.Shipped || status === OrderStatus.Completed,
      2,
      transition('ship').explain(snapshot.service ? 'service' : 'seller'),
      at.shippedAgo,
    ],
    [end === 'completed', 3, transition('confirm').explain('buyer'), at.doneAgo],
    [end === 'cancelled', 7, transition('cancelUnpaid').explain('buyer'), at.paidAgo],
    [
      end === 'refused',
      9,
      `${transition('notAccepted').explain('service')}：对方没有接单：这个时间段已有安排`,
      at.refusedAgo,
    ],
  ];
  return transitions
    .filter(([is]) => is)
    .map(([, to, text, ago]) => [
      id,
      to,
      text,
      to === 2 || to === 9 ? `user:${seller.id}` : `user:${buyer.id}`,
      market.ago(ago),
    ]);
}

function momentsOf(order: PlainOrder): Moments {
  const after = (minutes: number): number => Math.max(order.ago - minutes, 0.5);
  return {
    paidAgo: after(PAY_MINUTES),
    refusedAgo: after(REFUSE_MINUTES),
    shippedAgo: order.shippedAgo ?? after(SHIP_MINUTES),
    doneAgo: order.doneAgo ?? after(CONFIRM_MINUTES),
  };
}

function make(market: Market, settings: MarketSettings, order: PlainOrder, id: number, salt: number): Made {
  const { buyer, seller, end } = order;
  const price = priced(settings, order);
  const status = STATUS[end];
  const paid = end !== 'unpaid' && end !== 'cancelled';
  const shipped = end === 'shipped' || end === 'completed';
  const moments = momentsOf(order);
  const { paidAgo, shippedAgo, doneAgo } = moments;
  const at = (is: boolean, minutes: number): Date | null => (is ? market.ago(minutes) : null);
  const sn = orderSnAt(market.ago(order.ago), salt);
  const terms: OrderTerms = {
    id,
    sn,
    distId: PLATFORM_DIST_ID,
    typeId: order.typeId,
    goodsId: null,
    buyerId: buyer.id,
    sellerId: seller.id,
    staffId: null,
    status,
    ...price,
    inviterId: null,
    touched: false,
    overdue: false,
    buyerOpened: false,
    delivered: false,
    disputed: false,
    cancelAsked: false,
    binding: false,
    shipSeconds: null,
    ...NO_SERVICE,
  };
  return {
    order,
    terms,
    row: [
      id,
      sn,
      1,
      order.typeId,
      order.offerSn,
      order.gameId,
      buyer.id,
      seller.id,
      null,
      status,
      order.num,
      order.unitFen,
      price.goodsFen,
      price.serviceFeeFen,
      price.totalFen,
      price.commissionFen,
      price.lines,
      order.snapshot,
      shipped ? 1 : null,
      at(paid, paidAgo - (order.snapshot.shipSeconds ?? 7200) / 60),
      at(shipped, shippedAgo - DAY),
      at(paid, paidAgo),
      at(shipped, shippedAgo),
      at(end === 'completed', doneAgo),
      market.ago(order.ago),
      end !== 'unpaid',
    ],
    process: historyOf(market, order, terms, moments),
    ...moments,
  };
}

/** The steps of an order that has shipped: those before it done, of a completed one all. Orders only paid get theirs by the event. */
function handedOver(market: Market, { order, terms, paidAgo, shippedAgo, doneAgo }: Made): unknown[][] {
  const typeId = order.snapshot.handoverType ?? (order.snapshot.service ? order.typeId : undefined);
  if (
    !typeId ||
    order.gameId === null ||
    (terms.status !== OrderStatus.Shipped && terms.status !== OrderStatus.Completed)
  )
    return [];
  const beforeShip = stepsOf(order.gameId, typeId).filter((s) => s.beforeShip).length;
  return handoverRows(market, {
    orderId: terms.id,
    gameId: order.gameId,
    typeId,
    doneAgo: { from: paidAgo, to: terms.status === OrderStatus.Completed ? doneAgo : shippedAgo },
    doneSteps: terms.status === OrderStatus.Completed ? Infinity : beforeShip,
    doers: { seller: `user:${terms.sellerId}`, buyer: `user:${terms.buyerId}`, staff: 'staff:101' },
  });
}

/** Money with its moments: brought by a top-up, paid into escrow, released on completion. */
async function loadMoney(market: Market, created: readonly Made[]): Promise<Dated[]> {
  const paid = created.filter(({ terms, order }) => isPaidFor(terms.status) || order.end === 'refused');
  const needs = Map.groupBy(paid, ({ terms }) => terms.buyerId);
  const { topups } = await storeDatedPayments(
    market,
    [...needs].map(([userId, list]) => ({
      userId,
      distId: PLATFORM_DIST_ID,
      orderId: null,
      fen: list.reduce((sum, { terms }) => sum + terms.totalFen, 0),
      ago: 92 * DAY,
    })),
  );
  const at = (minutes: number, transfers: readonly Transfer[]): Dated[] =>
    transfers.map((transfer) => ({ at: market.ago(minutes), transfer }));
  return [
    ...topups,
    ...paid.flatMap(({ terms, order, paidAgo, doneAgo, refusedAgo }) => [
      ...at(paidAgo, transition('payBalance').postings(terms)),
      ...(terms.status === OrderStatus.Completed ? at(doneAgo, transition('confirm').postings(terms)) : []),
      ...(order.end === 'refused' ? at(refusedAgo, transition('notAccepted').postings(terms)) : []),
    ]),
  ];
}

/** The completed sales among them, as their holds are made from. */
const heldOf = (created: readonly Made[]): HeldSale[] =>
  created.flatMap(({ order, terms, doneAgo }) =>
    terms.status === OrderStatus.Completed
      ? [
          {
            orderId: terms.id,
            sn: terms.sn,
            sellerId: terms.sellerId,
            distId: terms.distId,
            level: sellerLevel(order.seller),
            fen: sellerNetFen(terms),
            shares: { distFen: terms.distShareFen, inviteFen: terms.inviteRewardFen, inviterId: terms.inviterId },
            coveredFen: sellerDeposit(order.seller),
            doneAgo,
          },
        ]
      : [],
  );

/**
 * Stores orders that come from no listing, with their history, money, holds and clocks. Paid ones get their chat and hand-over steps by
 * the event of the payment, as real ones do. The oldest comes first. Returns their ids in the same order, and the postings with their
 * moments: the caller posts the whole history of the market together, in the order in which it happened.
 */
export async function storePlainOrders(
  market: Market,
  orders: readonly PlainOrder[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<{ ids: number[]; dated: Dated[] }> {
  const { client } = market;
  const ids = orders.map(({ ago }) => orderIds.between(ago));
  const created = orders.map((order, i) => make(market, settings, order, ids[i] ?? 0, (ids[i] ?? 0) * 7 + 3));
  await insertRows(
    client,
    'orders',
    ORDER_COLUMNS,
    created.map(({ row }) => row),
  );
  await insertRows(
    client,
    'order_process',
    PROCESS_COLUMNS,
    created.flatMap(({ process }) => process),
  );
  await insertRows(
    client,
    'order_handover',
    HANDOVER_COLUMNS,
    created.flatMap((one) => handedOver(market, one)),
  );
  const dated = [...(await loadMoney(market, created)), ...(await storeSaleHolds(market, heldOf(created), settings))];
  const timers = created.flatMap(({ terms, order, shippedAgo }): unknown[][] => {
    if (order.end === 'unpaid') return [['order.expire', String(terms.id), market.ago(order.ago - 30)]];
    if (order.end === 'shipped') return [['order.autoConfirm', String(terms.id), market.ago(shippedAgo - DAY)]];
    return [];
  });
  await insertRows(client, 'timer', TIMER_COLUMNS, timers);
  const open = created.filter(({ terms }) => isInProgress(terms.status)).map(({ terms }) => terms.id);
  await client.query(
    `insert into outbox (topic, payload) select 'order.paid', jsonb_build_object('orderId', id) from unnest($1::bigint[]) id`,
    [open],
  );
  return { ids, dated };
}
