/** A booster who cannot log in says so with one click, and a late order is then looked at instead of costing the deposit (decision 442). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as order from '#subjects/orders/contract/order.ts';
import { answerMilestone, serviceAct, serviceOrder, serviceProgress } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  openedBooster,
  PACKAGE,
  seal,
  serviceTrade,
  type ServiceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  staff = await t.newStaff({ role: 'admin' });
  one = await openedBooster(t, staff, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const HOURS = PACKAGE.minutes / 60;
const click = ({ booster, orderId }: ServiceTrade) => booster.client.call(serviceAct, { orderId, act: 'cannotLogIn' });
const openForm = ({ booster, orderId }: ServiceTrade) => booster.client.ok(order.revealSecret, { orderId, step: 1 });
const stateFor = async (trade: ServiceTrade, who: 'buyer' | 'booster'): Promise<string | undefined> => {
  const { handover } = await trade[who].client.ok(order.orderDetail, { orderSn: trade.orderSn });
  return handover.find(({ sealed }) => sealed)?.sealed?.logIn;
};
async function pass({ orderId }: ServiceTrade, hours: number): Promise<void> {
  await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
  for (const table of ['service_order', 'service_progress', 'sealed_credential', 'dispute'] as const)
    await passTime(t.ctx.db, table, { order_id: orderId }, { hours });
  await passTime(t.ctx.db, 'timer', { kind: 'service.late', ref: String(orderId) }, { hours });
  await t.timers();
  await t.relay();
}
const caseOf = async ({ orderId }: ServiceTrade) =>
  (
    await sql<{ reason: string; text: string; toBuyer: boolean }>`
      select d.reason_code as reason, s.text, o.ruled_efficiency_to_buyer as "toBuyer" from dispute d join service_order o on o.order_id = d.order_id
        join dispute_statement s on s.dispute_id = d.id where d.order_id = ${orderId} order by d.id, s.id limit 1`.execute(
      t.ctx.db,
    )
  ).rows[0];
const titlesOf = async (userId: number, { orderSn }: ServiceTrade): Promise<string[]> => {
  const { rows } = await sql<{ title: string }>`
    select title from notice where user_id = ${userId} and link like ${`%${orderSn}`} order by id`.execute(t.ctx.db);
  return rows.map(({ title }) => title);
};
const worth = async (id: number): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, id);
  return availableFen + frozenFen;
};

test('one click after opening asks the buyer, in a notice and in the conversation, once for each version', async () => {
  const trade = await serviceTrade(t, one);
  expect(await stateFor(trade, 'booster')).toBe('none');
  expect((await click(trade)).msg).toContain('请先打开账号资料');
  await openForm(trade);
  expect([await stateFor(trade, 'booster'), await stateFor(trade, 'buyer')]).toEqual(['may', 'none']);
  expect((await click(trade)).data).toMatchObject({ state: 'working' });
  await t.relay();
  expect([await stateFor(trade, 'booster'), await stateFor(trade, 'buyer')]).toEqual(['told', 'told']);
  expect((await click(trade)).code).toBe(codes.ORDER_STATE[0]);
  const { rows } = await sql<{ title: string }>`
    select title from notice where user_id = ${trade.buyer.id} and link like ${`%${trade.orderSn}`} order by id desc limit 1`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.title).toBe('打手登不上账号');
  const cards = await sql`select from chat_message m join chat_group g on g.id = m.group_id
    where g.order_id = ${trade.orderId} and m.content->>'card' = 'service.logIn'`.execute(t.ctx.db);
  expect(cards.rows).toHaveLength(1);
  // Another version of the buyer's answers it; it has to be opened before it can be said of that one.
  expect((await seal(trade)).code).toBe(0);
  expect([await stateFor(trade, 'booster'), await stateFor(trade, 'buyer')]).toEqual(['none', 'none']);
  expect((await click(trade)).msg).toContain('请先打开账号资料');
  expect((await trade.buyer.client.call(serviceAct, { orderId: trade.orderId, act: 'cannotLogIn' })).code).toBe(
    codes.ORDER_FORBIDDEN[0],
  );
});

test('a late order whose account did not open goes before customer service, and silence costs no deposit', async () => {
  const before = await worth(one.booster.id);
  const trade = await serviceTrade(t, one);
  await openForm(trade);
  expect((await click(trade)).code).toBe(0);
  await pass(trade, HOURS + 1);
  expect((await trade.booster.client.ok(serviceOrder, { orderSn: trade.orderSn })).late).toMatchObject({
    isJudged: true,
  });
  await pass(trade, 49);
  expect(await caseOf(trade)).toMatchObject({ reason: 'service_late', toBuyer: false });
  expect((await caseOf(trade))?.text).toContain('登不上');
  expect(await worth(one.booster.id)).toBe(before);
});

test('a booster who never opened the account is late as usual', async () => {
  const before = await worth(one.booster.id);
  const trade = await serviceTrade(t, one);
  expect((await click(trade)).code).toBe(codes.ORDER_STATE[0]);
  await pass(trade, HOURS + 1);
  await pass(trade, 49);
  expect(await caseOf(trade)).toBeUndefined();
  expect(await worth(one.booster.id)).toBe(before - 1000);
});

test('a buyer who submits the same false account again at the last minute earns no deposit by it', async () => {
  const before = await worth(one.booster.id);
  const trade = await serviceTrade(t, one);
  await openForm(trade);
  expect((await click(trade)).code).toBe(0);
  await pass(trade, HOURS + 1);
  await pass(trade, 47);
  expect((await seal(trade)).code).toBe(0);
  await t.relay();
  expect(await titlesOf(trade.booster.id, trade)).toContain('买家更新了账号资料');
  // The booster has the time of an act for it, and then a person looks at the order.
  await pass(trade, 2);
  expect(await caseOf(trade)).toBeUndefined();
  await pass(trade, 47);
  expect(await caseOf(trade)).toMatchObject({ reason: 'service_late', toBuyer: false });
  expect((await caseOf(trade))?.text).toContain('买家之后更新了资料');
  expect(await worth(one.booster.id)).toBe(before);
});

test('a booster who reports it, gets another account in time and does nothing goes to a case, with the deposit for the buyer', async () => {
  const before = await worth(one.booster.id);
  const trade = await serviceTrade(t, one);
  await openForm(trade);
  expect((await click(trade)).code).toBe(0);
  expect((await seal(trade)).code).toBe(0);
  await t.relay();
  await pass(trade, HOURS + 1);
  await pass(trade, 49);
  expect(await caseOf(trade)).toMatchObject({ reason: 'service_late', toBuyer: true });
  expect(await worth(one.booster.id)).toBe(before);
});

test('a stage that was shown and paid since proves that the account opens', async () => {
  const trade = await serviceTrade(t, one);
  await openForm(trade);
  expect((await click(trade)).code).toBe(0);
  await trade.booster.client.ok(serviceProgress, {
    orderId: trade.orderId,
    seq: 1,
    percent: 100,
    pictures: JSON.stringify([await userPicture(trade.booster)]),
  });
  await trade.buyer.client.ok(answerMilestone, { orderId: trade.orderId, seq: 1, act: 'confirm' });
  await pass(trade, HOURS + 1);
  await pass(trade, 49);
  expect(await caseOf(trade)).toBeUndefined();
  expect((await trade.buyer.client.ok(serviceOrder, { orderSn: trade.orderSn })).state).toBe('ended');
});

test('the click stops no clock and does not put the end off', async () => {
  const trade = await serviceTrade(t, one);
  const due = async () => (await trade.booster.client.ok(serviceOrder, { orderSn: trade.orderSn })).dueTime;
  await openForm(trade);
  const before = await due();
  expect(before).not.toBeNull();
  expect((await click(trade)).code).toBe(0);
  expect(await due()).toBe(before);
});
