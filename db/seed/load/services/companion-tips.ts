import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { yuanLabel } from '#contract/wire.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { commissionOf, type FeeSetting } from '#subjects/orders/server/service.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { Market } from '../market.ts';
import { type Dated, storeDatedPayments } from '../money/money.ts';
import type { PlainOrder } from '../trades/plain-orders.ts';

const DAY = 1440;
/** How long a tip is held in the demo. */
const HELD_MINUTES = 7 * DAY;

const TIP_COLUMNS = columns('id bigint, order_id bigint, amount_fen bigint, created_at timestamptz');
const HOLD_COLUMNS = columns(
  'user_id bigint, amount_fen bigint, code text, reason text, ref text, release_at timestamptz, released_at timestamptz, release_note text, created_at timestamptz',
);
const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);

export interface TipSeed {
  orderId: number;
  order: PlainOrder;
  fen: number;
  /** Minutes before now. */
  ago: number;
}

/** The top-up that a tip is paid from. */
const topUpOf = ({ order, fen }: TipSeed) => ({
  userId: order.buyer.id,
  distId: PLATFORM_DIST_ID,
  orderId: null,
  fen,
  ago: 91 * DAY,
});

/** Tips after companion play, each from a separate top-up, with commission and hold. Returns the postings with their times. */
export async function storeTips(market: Market, seeds: readonly TipSeed[], fees: FeeSetting): Promise<Dated[]> {
  const ids = await reserveIds(market.client, 'service_tip', seeds.length);
  const tips = seeds.map((seed, i) => {
    const endsAgo = seed.ago - HELD_MINUTES;
    const netFen = seed.fen - commissionOf(seed.fen, fees);
    return {
      ...seed,
      id: ids[i] ?? 0,
      at: market.ago(seed.ago),
      endsAt: market.ago(endsAgo),
      isOver: endsAgo > 0,
      netFen,
    };
  });
  const { topups } = await storeDatedPayments(market, tips.map(topUpOf));
  await insertRows(
    market.client,
    'service_tip',
    TIP_COLUMNS,
    tips.map(({ id, orderId, fen, at }) => [id, orderId, fen, at]),
  );
  await insertRows(
    market.client,
    'hold',
    HOLD_COLUMNS,
    tips.map(({ id, order, netFen, at, endsAt, isOver }) => [
      order.seller.id,
      netFen,
      'service_tip',
      '陪玩订单的打赏，满 7 天后解冻',
      `tip:${id}`,
      endsAt,
      isOver ? endsAt : null,
      isOver ? '保护期结束' : null,
      at,
    ]),
  );
  const open = tips.filter(({ isOver }) => !isOver);
  await market.client.query(
    `insert into timer (kind, ref, due_at) select 'service.tip', id::text, at from unnest($1::bigint[], $2::timestamptz[]) t(id, at)`,
    [open.map(({ id }) => id), open.map(({ endsAt }) => endsAt)],
  );
  await insertRows(
    market.client,
    'order_process',
    PROCESS_COLUMNS,
    tips.map(({ orderId, order, fen, at }) => [
      orderId,
      3,
      `买家打赏了 ${yuanLabel(fen)} 元`,
      `user:${order.buyer.id}`,
      at,
    ]),
  );
  const postings = tips.flatMap(({ id, orderId, order, fen, netFen, at, endsAt, isOver }): Dated[] => {
    const [debit, frozen] = [account.available(order.buyer.id), account.frozen(order.seller.id)];
    const same = { ref: `tip:${id}`, dist: 1, order: orderId };
    const fee = account.platform('fee', orderId);
    const end = { ...same, debit: frozen, credit: account.available(order.seller.id), fen: netFen };
    return [
      { at, transfer: { ...same, code: 'service_tip', debit, credit: frozen, fen: netFen } },
      { at, transfer: { ...same, code: 'service_tip_fee', debit, credit: fee, fen: fen - netFen } },
      ...(isOver ? [{ at: endsAt, transfer: { ...end, code: 'service_tip_end' as const } }] : []),
    ];
  });
  return [...topups, ...postings];
}
