import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Required events, without which the walk proves nothing: calls that were carried out, and movements of money that follow later. */
const WANTED_CALLS = [
  '/api/order/placeOrder',
  '/api/pay/balancePay',
  '/api/pay/recPay',
  '/api/order/offlineTranSub',
  '/api/order/confirmRecGoods',
  '/api/order/cancelOrder',
  '/api/dispute/open',
  '/api/dispute/answer',
  '/api/guarantee/claim',
  '/api/coupon/distributeUserCoupon',
  '/api/pay/cashAdvance',
  'staff/refundTopup',
];
const WANTED_CODES = ['hold_part', 'hold_end', 'refund_paid', 'invite_reward_mature', 'invite_reward_back'];

/** Which of them happened fewer than `least` times; `seen` counts calls by path and result. */
export async function notMet(db: Db, seen: ReadonlyMap<string, number>, least: number): Promise<string[]> {
  const { rows } = await sql<{ code: string; n: number }>`
    select code, count(*)::int as n from ledger_transfer where code = any(${WANTED_CODES}) group by code`.execute(db);
  const moved = new Map(rows.map(({ code, n }) => [code, n]));
  return [
    ...WANTED_CALLS.filter((call) => (seen.get(`${call} done`) ?? 0) < least),
    ...WANTED_CODES.filter((code) => (moved.get(code) ?? 0) < least),
  ];
}
