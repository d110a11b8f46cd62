/** Accounts whose phone is bound to the buyer in the game, with every step before that done. */
import { sql } from 'kysely';
import { handoverDone, offlineTranSub, orderDetail } from '#subjects/orders/contract/order.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import type { TestApp, TestUser } from '../servers/build.ts';
import { addGame } from '../goods/goods.ts';
import { trade, type Trade } from './orders.ts';

const step = (key: string, actor: 'seller' | 'buyer', more: object = {}) => ({
  key,
  title: key,
  actor,
  minutes: 30,
  evidence: false,
  required: true,
  beforeShip: false,
  explain: '说明',
  ...more,
});

/** The step in which the phone is bound. */
export const PHONE_STEP = 2;

/** A game whose accounts are bound by the seller (mode A) or, with `operator` buyer, by the buyer (mode B). Call once per database. */
export async function addExchangeGame(t: TestApp, operator: 'seller' | 'buyer'): Promise<void> {
  const accounts = [
    step('meet', 'seller', { beforeShip: true }),
    step('phone', operator, { exchange: 'phone', evidence: operator === 'seller' }),
    step('extra', 'seller', { required: false }),
    step('accept', 'buyer'),
  ];
  await addGame(t.ctx);
  await sql`insert into catalogue_version (game_id, kind, version, body)
    values (1, 'handover', 1, ${JSON.stringify({ accounts, deliveries: [] })}::jsonb)`.execute(t.ctx.db);
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

/** A shipped account whose phone step is the current one. */
export async function boundTrade(t: TestApp): Promise<Trade> {
  const at = await trade(t);
  await at.seller.client.ok(handoverDone, { orderId: at.orderId, step: 1 });
  await at.seller.client.ok(offlineTranSub, { orderId: at.orderId });
  return at;
}

/** The exchange of the phone step as a party sees it. */
export async function exchangeOf(at: Trade, party: TestUser) {
  const { handover } = await party.client.ok(orderDetail, { orderSn: at.orderSn });
  const row = handover.find((s) => s.step === PHONE_STEP);
  if (!row?.exchange) throw new Error('the order has no exchange');
  return { ...row, exchange: row.exchange };
}
