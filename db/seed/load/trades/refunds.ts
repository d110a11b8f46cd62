import { RefundStatus, PaymentStatus } from '#contract/rules/statuses.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { mixSeed } from '#db/seed/generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { PricedTrade } from './priced-trade.ts';
import { type Market, staffId } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
/** A refund that is under way in the demo market ends by itself after a while. */
const UNDER_WAY_MINUTES = 9 * 60;

const REFUND_COLUMNS = columns(
  `id bigint, refund_no text, payment_id bigint, order_id bigint, dist_id int, user_id bigint, channel text, amount_fen bigint, reason text,
  cause text, status smallint, created_at timestamptz, done_at timestamptz, channel_reason text`,
);
const HOLD_COLUMNS = columns(
  `user_id bigint, amount_fen bigint, code text, reason text, ref text, release_at timestamptz, released_at timestamptz, release_note text,
  created_at timestamptz`,
);
const STATUS_NAMES = ['退回中', '已原路退回', '退回失败，已退到余额'] as const;

interface RefundSeed {
  paymentId: number;
  orderId: number | null;
  userId: number;
  distId: number;
  fen: number;
  cause: 'asked' | 'staff';
  reason: string;
  status: RefundStatus;
  /** Minutes before now. */
  ago: number;
}

/** A refund's row, its hold's row, and its postings with their times. */
function refundOf(market: Market, r: RefundSeed, id: number) {
  const no = `RDEMO${mixSeed(market.seed, id, 96).toString(16).toUpperCase().padStart(8, '0')}`;
  const at = market.ago(r.ago);
  const done = r.status === RefundStatus.Pending ? null : new Date(at.getTime() + 40 * 60_000);
  const row = [
    id,
    no,
    r.paymentId,
    r.orderId,
    r.distId,
    r.userId,
    'sandbox',
    r.fen,
    r.reason,
    r.cause,
    r.status,
    at,
    done,
    r.status === RefundStatus.Failed ? '付款账户已注销' : null,
  ];
  const hold = [
    r.userId,
    r.fen,
    'refund',
    `${r.reason}，正在原路退回，到账后结束`,
    no,
    null,
    done,
    done && STATUS_NAMES[r.status],
    at,
  ];
  const same = {
    ref: `refund:${id}`,
    fen: r.fen,
    dist: r.distId,
    ...(r.orderId === null ? {} : { order: r.orderId }),
  };
  const [available, frozen] = [account.available(r.userId), account.frozen(r.userId)];
  const dated: Dated[] = [{ at, transfer: { ...same, code: 'refund_ask', debit: available, credit: frozen } }];
  const ends: readonly (Transfer | null)[] = [
    null,
    { ...same, code: 'refund_paid', debit: frozen, credit: account.clearing('sandbox', id) },
    { ...same, code: 'refund_back', debit: frozen, credit: available },
  ];
  const end = ends[r.status];
  if (end && done) dated.push({ at: done, transfer: end });
  return { row, hold, dated };
}

/** Recent top-ups: one that finance may refund, one above the limit of one person, and some refunded in part. */
async function recentTopups(
  market: Market,
  people: readonly Person[],
): Promise<{ dated: Dated[]; refunds: RefundSeed[] }> {
  const recent: readonly [person: number, fen: number, ago: number, back?: Pick<RefundSeed, 'fen' | 'status'>][] = [
    [3, 50_000, 3 * DAY, { fen: 20_000, status: RefundStatus.Done }],
    [4, 650_000, DAY],
    [4, 30_000, 26 * 60, { fen: 30_000, status: RefundStatus.Failed }],
    [0, 20_000, 45],
    [5, 40_000, 7 * 60, { fen: 40_000, status: RefundStatus.Pending }],
  ];
  const seeds = recent.flatMap(([i, fen, ago, back]) => {
    const person = people[i];
    return person ? [{ person, fen, ago, back }] : [];
  });
  const { ids, topups } = await storeDatedPayments(
    market,
    seeds.map(({ person, fen, ago }) => ({ userId: person.id, distId: person.distId, orderId: null, fen, ago })),
  );
  const refunds = seeds.flatMap(({ person, ago, back }, i): RefundSeed[] => {
    if (!back) return [];
    return [
      {
        ...back,
        paymentId: ids[i] ?? 0,
        orderId: null,
        userId: person.id,
        distId: person.distId,
        cause: 'staff',
        reason: '充值退回：用户误充，申请退回原付款账户',
        ago: ago - 90,
      },
    ];
  });
  return { dated: topups, refunds };
}

/** Orders of the demo buyer that were paid by a channel and cancelled: a part is back at its source, or on its way. */
async function orderRefunds(market: Market, live: readonly PricedTrade[]): Promise<RefundSeed[]> {
  const cancelled = live.filter(
    ({ trade }) => trade.byChannel && (trade.end === 'cancelledPaid' || trade.end === 'sellerCancelled'),
  );
  const { rows } = await market.client.query<{ id: string; order_id: string }>(
    'select id::text, order_id::text from payment where order_id = any($1)',
    [cancelled.map(({ orderId }) => orderId)],
  );
  const paymentOf = new Map(rows.map((r) => [Number(r.order_id), Number(r.id)]));
  return cancelled.flatMap((p): RefundSeed[] => {
    const paymentId = paymentOf.get(p.orderId);
    if (paymentId === undefined) return [];
    const same = {
      paymentId,
      orderId: p.orderId,
      userId: p.terms.buyerId,
      distId: p.terms.distId,
      cause: 'asked' as const,
      reason: `订单 ${p.sn} 退款`,
    };
    const half = Math.floor(p.price.totalFen / 2);
    if (p.trade.end === 'sellerCancelled')
      return [{ ...same, fen: p.price.totalFen, status: RefundStatus.Done, ago: p.trade.endedAgo - 60 }];
    return [
      { ...same, fen: half, status: RefundStatus.Failed, ago: p.trade.endedAgo - 30 },
      { ...same, fen: half, status: RefundStatus.Pending, ago: 55 },
    ];
  });
}

/** A channel's payment for an expired order: it was credited to the balance, like play money. */
async function latePayments(market: Market, live: readonly PricedTrade[]): Promise<Dated[]> {
  const expired = live.filter(({ trade }) => trade.end === 'expired');
  const { ids } = await storeDatedPayments(
    market,
    expired.map(({ orderId, terms, price, trade }) => ({
      userId: terms.buyerId,
      distId: terms.distId,
      orderId,
      fen: price.totalFen,
      ago: trade.endedAgo - 6,
    })),
  );
  await market.client.query(`update payment set status = ${PaymentStatus.PaidLate} where id = any($1)`, [ids]);
  return expired.map(({ orderId, terms, price, trade }, i): Dated => {
    const paymentId = ids[i] ?? 0;
    return {
      at: market.ago(trade.endedAgo - 6),
      transfer: {
        code: 'late_payment',
        ref: `payment:${paymentId}`,
        debit: account.clearing('sandbox', paymentId),
        credit: account.available(terms.buyerId),
        fen: price.totalFen,
        dist: terms.distId,
        order: orderId,
      },
    };
  });
}

/** A part of the demo seller's balance that finance froze for some days, with its reason. */
async function freeze(market: Market, seller: Person): Promise<Dated[]> {
  const [fen, at] = [8_800, market.ago(2 * DAY)];
  const reason = '平台冻结：同一账号疑似重复出售，正在核实';
  const [id = 0] = await reserveIds(market.client, 'hold', 1);
  const until = market.ago(-5 * DAY);
  await market.client.query(
    `insert into hold (id, user_id, amount_fen, code, reason, ref, release_at, created_at) overriding system value
     values ($1, $2, $3, 'staff_freeze', $4, 'FDEMO0001', $5, $6)`,
    [id, seller.id, fen, reason, until, at],
  );
  await market.client.query(`insert into timer (kind, ref, due_at) values ('freeze.end', $1, $2)`, [String(id), until]);
  await market.client.query(
    `insert into audit_log (staff_id, act, target, detail, ip, created_at) values ($1, 'hold.freeze', 'hold:' || $2, $3, '127.0.0.1', $4)`,
    [staffId(market, 'caiwu'), id, JSON.stringify({ userId: seller.id, amountFen: fen, reason }), at],
  );
  const [debit, credit] = [account.available(seller.id), account.frozen(seller.id)];
  return [{ at, transfer: { code: 'freeze', ref: `hold:${id}`, debit, credit, fen, dist: 1 } }];
}

/**
 * Refunds of top-ups and of cancelled orders in every state, a payment that arrived too late, and a part of a balance that staff froze. Returns the postings with their times.
 */
export async function storeMoneyBack(
  market: Market,
  people: readonly Person[],
  live: readonly PricedTrade[],
): Promise<Dated[]> {
  const topups = await recentTopups(market, people);
  const expired = await latePayments(market, live);
  const seeds = [...topups.refunds, ...(await orderRefunds(market, live))];
  const ids = await reserveIds(market.client, 'refund', seeds.length);
  const rows = seeds.map((r, i) => refundOf(market, r, ids[i] ?? 0));
  await insertRows(
    market.client,
    'refund',
    REFUND_COLUMNS,
    rows.map(({ row }) => row),
  );
  await insertRows(
    market.client,
    'hold',
    HOLD_COLUMNS,
    rows.map(({ hold }) => hold),
  );
  await market.client.query(
    `insert into timer (kind, ref, due_at) select 'refund.send', id::text, $1 from refund where id = any($2) and status = ${RefundStatus.Pending}`,
    [market.ago(-UNDER_WAY_MINUTES), ids],
  );
  const seller = people[1];
  return [
    ...topups.dated,
    ...expired,
    ...rows.flatMap(({ dated }) => dated),
    ...(seller ? await freeze(market, seller) : []),
  ];
}
