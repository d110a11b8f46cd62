/** The free trial of a companion: one for each buyer. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder } from '#subjects/orders/contract/order.ts';
import { placeServiceOrder, serviceOffer } from '#subjects/services/contract/services.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addPlayGame, inHours, openedCompanion } from '#tests/support/services/companion.ts';

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addPlayGame(t);
  staff = await t.newStaff();
});
afterAll(async () => await t.close());

test('many-trials: several hours booked at once have one free trial, also from two tabs', async () => {
  const mine = await openedCompanion(t, staff, { profile: { trialMinutes: 15 } });
  const buyer = await t.newUser({ balanceFen: 50_000 });
  const placed = await Promise.all(
    [20, 24, 28].map((hours) =>
      buyer.client.ok(placeServiceOrder, {
        goodsSn: mine.goodsSn,
        num: 1,
        area: '微信区',
        startTime: inHours(hours),
      }),
    ),
  );
  const free: boolean[] = [];
  for (const { orderId } of placed) {
    const { rows } = await sql<{ free: boolean }>`
      select form ? 'trialMinutes' as free from service_order where order_id = ${orderId}`.execute(t.ctx.db);
    free.push(...rows.map((row) => row.free));
  }
  expect(free.filter(Boolean)).toHaveLength(1);
  const shown = async () => (await buyer.client.ok(serviceOffer, { goodsSn: mine.goodsSn })).companion?.trialMinutes;
  expect(await shown()).toBe(0);
  // Given back unpaid, the trial is open again.
  for (const { orderId } of placed) await buyer.client.ok(cancelOrder, { orderId });
  expect(await shown()).toBe(15);
});
