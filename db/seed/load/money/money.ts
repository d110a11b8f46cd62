import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { Market } from '../market.ts';

/** Transfers in one call of the ledger: enough to save round trips, few enough to keep its argument small. */
const POST_BATCH = 400;

/** Posts transfers with the ledger function. Related transfers may be in two batches, because everything is one transaction. */
async function post(market: Market, transfers: readonly Transfer[]): Promise<void> {
  for (let from = 0; from < transfers.length; from += POST_BATCH) {
    await market.client.query('select ledger_post($1::jsonb)', [
      JSON.stringify(transfers.slice(from, from + POST_BATCH)),
    ]);
  }
}

/** A transfer with the moment when it happened. */
export interface Dated {
  at: Date;
  transfer: Transfer;
}

/**
 * Posts the market's history in the order in which it happened, and dates it, so that bills and statements show days and not one
 * morning. The ledger dates its rows itself and keeps them; only their owner may redate them, before the market opens.
 */
export async function postDated(market: Market, dated: readonly Dated[]): Promise<void> {
  const inOrder = dated.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await post(
    market,
    inOrder.map(({ transfer }) => transfer),
  );
  const { client } = market;
  await client.query(
    `create temporary table seed_moment on commit drop as
     select * from unnest($1::text[], $2::text[], $3::timestamptz[]) as m(code, ref, at)`,
    [inOrder.map((d) => d.transfer.code), inOrder.map((d) => d.transfer.ref), inOrder.map((d) => d.at)],
  );
  await client.query('alter table ledger_transfer disable trigger ledger_transfer_immutable');
  await client.query('alter table ledger_entry disable trigger ledger_entry_immutable');
  await client.query(
    'update ledger_transfer t set created_at = m.at from seed_moment m where m.code = t.code and m.ref = t.ref',
  );
  await client.query(
    `update ledger_entry e set created_at = t.created_at from ledger_transfer t join seed_moment m on m.code = t.code and m.ref = t.ref
     where t.id = e.transfer_id`,
  );
  await client.query('alter table ledger_entry enable trigger ledger_entry_immutable');
  await client.query('alter table ledger_transfer enable trigger ledger_transfer_immutable');
}

/** A payment that the sandbox channel brought: of an order, or a top-up when there is none. */
export interface PaymentSeed {
  userId: number;
  distId: number;
  orderId: number | null;
  fen: number;
  /** Minutes before now. */
  ago: number;
}

const PAYMENT_COLUMNS = columns(
  `id bigint, pay_rand text, inter_sn text, dist_id int, user_id bigint, purpose text, order_id bigint, channel text, pay_mode int,
  amount_fen bigint, status smallint, channel_trade_no text, expires_at timestamptz, paid_at timestamptz, created_at timestamptz`,
);

const hex = (a: number, b: number): string => mixSeed(a, b, 91).toString(16).padStart(8, '0');

/**
 * Stores payments that arrived. Returns their ids in the same order, and the postings of the top-ups among them; payments of orders are
 * posted with the orders' steps.
 */
export async function storeDatedPayments(
  market: Market,
  payments: readonly PaymentSeed[],
): Promise<{ ids: number[]; topups: Dated[] }> {
  const ids = await reserveIds(market.client, 'payment', payments.length);
  const rows = payments.map((p, i) => {
    const id = ids[i] ?? 0;
    const tail = hex(market.seed, id) + hex(id, market.seed);
    const at = market.ago(p.ago);
    return [
      id,
      `demo${tail}`,
      `YSDEMO${tail.toUpperCase()}`,
      p.distId,
      p.userId,
      p.orderId === null ? 'topup' : 'order',
      p.orderId,
      'sandbox',
      15,
      p.fen,
      1,
      `SB${tail}${id}`,
      new Date(at.getTime() + 900_000),
      at,
      new Date(at.getTime() - 60_000),
    ];
  });
  await insertRows(market.client, 'payment', PAYMENT_COLUMNS, rows);
  const topups = payments.flatMap((p, i): Dated[] =>
    p.orderId !== null
      ? []
      : [
          {
            at: market.ago(p.ago),
            transfer: {
              code: 'topup',
              ref: `payment:${ids[i] ?? 0}`,
              debit: account.clearing('sandbox', ids[i] ?? 0),
              credit: account.available(p.userId),
              fen: p.fen,
              dist: p.distId,
            },
          },
        ],
  );
  return { ids, topups };
}
