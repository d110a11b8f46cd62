/** Orders in the state that a test is about, and the hands of staff on them. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { staffEvidenceUpload } from '#subjects/media/contract/staff-uploads.ts';
import { handoverDone, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { makeDue, passTime } from '../time/clock.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addGoods } from '../goods/goods.ts';
import { pictureFile, sendPicture } from '../goods/offers.ts';

const step = (key: string, actor: 'seller' | 'buyer' | 'staff', more: object = {}) => ({
  key,
  title: `步骤${key}`,
  actor,
  minutes: 10,
  evidence: false,
  required: true,
  beforeShip: false,
  explain: '说明',
  ...more,
});

/** Account: sealed by the seller, checked by staff, rebound by the seller after shipping, received by the buyer. */
const ACCOUNT = [
  step('seal', 'seller', { beforeShip: true, secret: true }),
  step('check', 'staff', { beforeShip: true, evidence: true }),
  step('phone', 'seller', { evidence: true }),
  step('extra', 'seller', { required: false }),
  step('password', 'buyer'),
  step('accept', 'buyer'),
];
/** Items: agreed, delivered, counted. */
const ITEMS = [
  step('meet', 'seller', { beforeShip: true }),
  step('deliver', 'seller', { beforeShip: true, evidence: true }),
  step('count', 'buyer'),
];

/** A game (id 1) whose accounts and items have steps of all three hands. Call once per database. */
export async function addStepsGame(t: TestApp): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (1, 'wzry', '王者荣耀', 2, 'W', 'wangzherongyao', 'wzry', '[{"id":1,"name":"账号"},{"id":27,"name":"道具"}]')`.execute(
    t.ctx.db,
  );
  const body = { accounts: ACCOUNT, deliveries: [{ goodsTypes: [27], steps: ITEMS }] };
  await sql`insert into catalogue_version (game_id, kind, version, body) values (1, 'fields', 1, '[]'), (1, 'handover', 1, ${JSON.stringify(body)}::jsonb)`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

export interface Trade {
  orderId: number;
  orderSn: string;
  goods: { sn: string; id: number };
  buyer: TestUser;
  seller: TestUser;
}

/** An order that was placed and, unless `unpaid`, paid. */
export async function trade(
  t: TestApp,
  options: { typeId?: number; priceFen?: number; unpaid?: boolean; seller?: TestUser; buyer?: TestUser } = {},
): Promise<Trade> {
  const priceFen = options.priceFen ?? 10_000;
  const seller = options.seller ?? (await t.newUser({ soldCount: 9 }));
  const buyer = options.buyer ?? (await t.newUser({ balanceFen: priceFen * 3 }));
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: options.typeId ?? 1, priceFen });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  if (options.unpaid !== true) await buyer.client.ok(balancePay, { orderId });
  return { orderId, orderSn, goods, buyer, seller };
}

/** A picture that a user shows as evidence. */
export async function userPicture(user: TestUser): Promise<string> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  return (await sendPicture(user.client, await pictureFile('png', 64, 64, { r, g, b }), { purpose: 'evidence' })).data
    .key;
}

/** A picture that a member of staff shows as evidence. */
export async function staffPicture(staff: TestStaff): Promise<string> {
  const file = await pictureFile('png', 64, 64);
  return (await sendPicture(staff.client, file, { path: staffEvidenceUpload.path })).data.key;
}

/** Gives an order to a member of staff. */
export async function assign(t: TestApp, orderId: number, staff: { id: number }): Promise<void> {
  await sql`update orders set staff_id = ${staff.id} where id = ${orderId}`.execute(t.ctx.db);
}

/** Marks steps done as if their takers had done so. */
export async function stepsDone(t: TestApp, orderId: number, ...keys: string[]): Promise<void> {
  await sql`update order_handover set done_at = now(), done_by = 'test' where order_id = ${orderId} and key = any(${keys})`.execute(
    t.ctx.db,
  );
}

/** An account that was shipped with the seller's last step still open. */
export async function shippedWithOpenStep(t: TestApp): Promise<Trade> {
  const at = await trade(t);
  await at.seller.client.ok(handoverDone, { orderId: at.orderId, step: 1 });
  await stepsDone(t, at.orderId, 'check');
  await at.seller.client.ok(offlineTranSub, { orderId: at.orderId });
  return at;
}

/** Lets the time to look at an order be over; nothing runs yet. */
export async function clockEnds(t: TestApp, orderId: number): Promise<void> {
  await makeDue(t.ctx.db, 'order.autoConfirm', orderId);
}

/** Lets the time to look at an order be over and runs the timers. */
export async function timeOver(t: TestApp, orderId: number): Promise<void> {
  await clockEnds(t, orderId);
  await t.timers();
}

/** As if a buyer's unpaid orders had ended days ago, where a test is about something else than the pause that follows them. */
export async function forgetUnpaidEnds(t: TestApp, buyerId: number): Promise<void> {
  await passTime(t.ctx.db, 'orders', { buyer_id: buyerId }, { days: 3 });
}
