import { account, type Transfer } from '#server/slices/ledger/rules.ts';
import { mixSeed } from '../generate/random.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import type { Market } from './market.ts';

/** Transfers in one call of the ledger: enough to save round trips, few enough to keep its argument small. */
const POST_BATCH = 400;

/** Moves money the only way there is. Transfers that belong together may stand in two batches: all is one transaction. */
export async function post(market: Market, transfers: readonly Transfer[]): Promise<void> {
  for (let from = 0; from < transfers.length; from += POST_BATCH) {
    await market.client.query('select ledger_post($1::jsonb)', [
      JSON.stringify(transfers.slice(from, from + POST_BATCH)),
    ]);
  }
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
 * Stores payments that arrived, and posts the top-ups among them; the caller posts those of orders beside their steps.
 * Returns the payments' ids in the same order.
 */
export async function storePayments(market: Market, payments: readonly PaymentSeed[]): Promise<number[]> {
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
  await post(
    market,
    payments.flatMap((p, i): Transfer[] =>
      p.orderId !== null
        ? []
        : [
            {
              code: 'topup',
              ref: `payment:${ids[i] ?? 0}`,
              debit: account.clearing('sandbox', ids[i] ?? 0),
              credit: account.available(p.userId),
              fen: p.fen,
              dist: p.distId,
            },
          ],
    ),
  );
  return ids;
}
