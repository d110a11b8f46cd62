/** The worked examples of docs/LEDGER.md about services, derived again. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companionTip } from '#subjects/services/contract/companions.ts';
import { boostPost, boostTake } from '#subjects/services/contract/boosting.ts';
import { answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import {
  answerMilestone,
  placeServiceOrder,
  serviceAct,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { sealSecret } from '#subjects/orders/contract/handover.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addBoostGame, BOOST_GAME, openedBooster, PACKAGE } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addPlayGame, companionTrade, openedCompanion } from '#tests/support/services/companion.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { Book, example } from '#tests/support/market/ledger-book.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let book: Book;
let one: Awaited<ReturnType<typeof openedBooster>>;
let buyer: TestUser;

beforeAll(async () => {
  t = await testApp();
  book = new Book(t);
  await addBoostGame(t);
  one = await openedBooster(t, await t.newStaff());
  buyer = await t.newUser({ balanceFen: 100_000 });
  book.name('booster', one.booster);
  book.name('buyer', buyer);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const agrees = async (heading: string): Promise<void> => expect(await book.lines(), heading).toEqual(example(heading));

async function accepted(): Promise<number> {
  await book.open();
  const { orderId } = await buyer.client.ok(placeServiceOrder, { goodsSn: one.goodsSn, num: 1, area: '微信一区' });
  await buyer.client.ok(balancePay, { orderId });
  await one.booster.client.ok(serviceAct, { orderId, act: 'accept' });
  return orderId;
}

test('a boosting order paid by milestones', async () => {
  const orderId = await accepted();
  await buyer.client.ok(sealSecret, { orderId, step: 1, fields: { account: 'user-1' } });
  for (const seq of [1, 2, 3]) {
    const pictures = JSON.stringify([await userPicture(one.booster)]);
    await one.booster.client.ok(serviceProgress, { orderId, seq, percent: 100, pictures });
    if (seq < 3) await buyer.client.ok(answerMilestone, { orderId, seq, act: 'confirm' });
  }
  await buyer.client.ok(confirmRecGoods, { orderId });
  await agrees('A boosting order paid by milestones');
});

test('a late order that nobody ends', async () => {
  const orderId = await accepted();
  await buyer.client.ok(sealSecret, { orderId, step: 1, fields: { account: 'user-1' } });
  const pictures = JSON.stringify([await userPicture(one.booster)]);
  await one.booster.client.ok(serviceProgress, { orderId, seq: 1, percent: 100, pictures });
  await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
  for (const hours of [PACKAGE.minutes / 60, 49]) {
    await passTime(t.ctx.db, 'service_order', { order_id: orderId }, { hours });
    await makeDue(t.ctx.db, 'service.late', orderId);
    await t.timers();
  }
  await agrees('A late order that nobody ends');
});

test('a booster who gives up', async () => {
  const orderId = await accepted();
  await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '身体不适，打不完' });
  await agrees('A booster who gives up');
});

const ASK = {
  gameId: BOOST_GAME,
  scopeKind: 'rank',
  fromRank: '钻石一',
  toRank: '最强王者',
  area: '微信一区',
  mode: 'account',
  hours: 20,
  milestones: [{ title: '最强王者', sharePercent: 100 }],
  price: '100.00',
  safetyDeposit: '20.00',
  efficiencyDeposit: '10.00',
  openHours: 24,
} as const;

test('an open order that is claimed', async () => {
  await book.open();
  const { requestSn } = await buyer.client.ok(boostPost, ASK as never);
  const { orderId } = await one.booster.client.ok(boostTake, { requestSn });
  await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '身体不适，打不完' });
  await agrees('An open order that is claimed');
});

test('an open order that is not claimed', async () => {
  await book.open();
  await buyer.client.ok(boostPost, ASK as never);
  await sql`update timer set due_at = now() - interval '1 second' where kind = 'boost.expire'`.execute(t.ctx.db);
  await t.timers();
  await agrees('An open order that is not claimed');
});

test('companion play that ends early', async () => {
  await addPlayGame(t);
  const mine = await openedCompanion(t, await t.newStaff());
  book.name('companion', mine.companion);
  await book.open();
  const { orderId } = await companionTrade(t, mine, 'playing', { buyer });
  await sql`update service_order set started_at = now() - interval '29 minutes 30 seconds' where order_id = ${orderId}`.execute(
    t.ctx.db,
  );
  await buyer.client.ok(serviceAct, { orderId, act: 'end' });
  await mine.companion.client.ok(serviceAct, { orderId, act: 'agreeEnd' });
  await agrees('Companion play that ends early');
});

test('an absent companion', async () => {
  const mine = await openedCompanion(t, await t.newStaff());
  book.name('companion', mine.companion);
  await book.open();
  const { orderId } = await companionTrade(t, mine, 'accepted', { buyer });
  await buyer.client.ok(serviceAct, { orderId, act: 'start' });
  await sql`update timer set due_at = now() where kind = 'service.noShow' and ref = ${String(orderId)}`.execute(
    t.ctx.db,
  );
  await t.timers();
  await agrees('An absent companion');
});

test('a prolongation of companion play', async () => {
  const mine = await openedCompanion(t, await t.newStaff());
  book.name('companion', mine.companion);
  await book.open();
  const first = await companionTrade(t, mine, 'playing', { buyer });
  const order = { goodsSn: mine.goodsSn, num: 1, area: '微信区', prolongs: first.orderId };
  const { orderId } = await buyer.client.ok(placeServiceOrder, order);
  await buyer.client.ok(balancePay, { orderId });
  await t.relay();
  await mine.companion.client.ok(serviceAct, { orderId, act: 'accept' });
  await sql`update timer set due_at = now() where kind = 'service.playEnd' and ref = ${String(first.orderId)}`.execute(
    t.ctx.db,
  );
  await t.timers();
  await buyer.client.ok(confirmRecGoods, { orderId: first.orderId });
  await sql`update service_order set started_at = now() - interval '29 minutes 30 seconds' where order_id = ${orderId}`.execute(
    t.ctx.db,
  );
  await buyer.client.ok(serviceAct, { orderId, act: 'end' });
  await mine.companion.client.ok(serviceAct, { orderId, act: 'agreeEnd' });
  await buyer.client.ok(companionTip, { orderId, amount: '20.00' });
  await makeDue(t.ctx.db, 'service.tip');
  await t.timers();
  await agrees('A prolongation of companion play');
});

test('a tip that is returned', async () => {
  const mine = await openedCompanion(t, await t.newStaff());
  book.name('companion', mine.companion);
  await book.open();
  const { orderId, orderSn } = await companionTrade(t, mine, 'playing', { buyer });
  await makeDue(t.ctx.db, 'service.playEnd', orderId);
  await t.timers();
  await buyer.client.ok(confirmRecGoods, { orderId });
  await buyer.client.ok(companionTip, { orderId, amount: '50.00' });
  const { disputeSn } = await buyer.client.ok(openDispute, {
    orderSn,
    reason: 'service_quality',
    want: 'refund',
    answers: { done: '还没有完成' },
    text: '请平台客服介入看一下',
  });
  await mine.companion.client.ok(answerDispute, { disputeSn, agree: '1' } as never);
  await t.timers();
  await t.relay();
  await makeDue(t.ctx.db, 'service.tip');
  await t.timers();
  await agrees('A tip that is returned');
});
