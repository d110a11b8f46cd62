/** Boosting from package to last milestone: every fen of every end, and who may do what when (design section 6). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { staffImGroups } from '#subjects/chat/contract/im-staff.ts';
import { boosterStatistics } from '#subjects/services/contract/boosting.ts';
import { boosterApply, getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import {
  onlySetupGoodsPrice,
  pushOrPullGoods,
  selfGoods,
  selfPublishGoodsList,
} from '#subjects/goods/contract/goods.ts';
import { cancelOrder, confirmRecGoods, orderDetail, revealSecret } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import {
  answerMilestone,
  placeServiceOrder,
  serviceAct,
  serviceCancel,
  serviceOffer,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  BOOST_GAME,
  openedBooster,
  PACKAGE,
  putOnSale,
  serviceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  staff = await t.newStaff();
  one = await openedBooster(t, staff, { balanceFen: 100_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
const frozen = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).frozenFen;

async function report(booster: TestUser, orderId: number, seq: number, percent = 100) {
  return await booster.client.call(serviceProgress, {
    orderId,
    seq,
    percent,
    pictures: JSON.stringify([await userPicture(booster)]),
  });
}

async function due(kind: string, orderId: number): Promise<void> {
  await sql`update timer set due_at = now() - interval '1 second' where kind = ${kind} and ref = ${String(orderId)}`.execute(
    t.ctx.db,
  );
  await t.timers();
}

/** Whether the clock that pages, lists and conversations show is the timer of this kind. */
async function isTurnOf(kind: string, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select order_turn_due(${orderId}) = (select due_at from timer where kind = ${kind} and ref = ${String(orderId)}) as same`.execute(
    t.ctx.db,
  );
  return rows[0]?.same === true;
}

describe('a booster', () => {
  test('applies as a verified adult, names ranks of the chosen games, and needs a deposit for packages', async () => {
    const user = await t.newUser();
    const form = { name: '小练', gameIds: [BOOST_GAME], contact: 'QQ 1234567' };
    const foreign = await user.client.call(boosterApply, { ...form, skills: [{ gameId: 1, rank: '王者' }] } as never);
    expect(foreign.code).toBe(codes.BAD_INPUT[0]);
    expect((await user.client.ok(boosterApply, form as never)).status).toBe('reviewing');
    const early = await user.client.call(updateBooster, { packages: [PACKAGE] } as never);
    expect(early.code).toBe(codes.PROVIDER_STATE[0]);
    const minor = await t.newUser({ verified: false });
    expect((await minor.client.call(boosterApply, form as never)).code).toBe(codes.REAL_NAME_REQUIRED[0]);
  });

  test('offers packages whose milestones add up, each a reviewed listing', async () => {
    const { booster } = await openedBooster(t, staff);
    const wrong = [
      { milestones: [{ title: '一半', sharePercent: 50 }] },
      { price: '0.10' },
      { safetyDeposit: '500.00' },
      { gameId: 4242 },
      { title: '加微信 wx123456' },
    ];
    for (const change of wrong) {
      const rejected = await booster.client.call(updateBooster, { packages: [{ ...PACKAGE, ...change }] } as never);
      expect([change, rejected.code]).toEqual([change, codes.BAD_INPUT[0]]);
    }
    const { packages } = await booster.client.ok(updateBooster, {
      packages: [{ ...PACKAGE, title: '青铜到黄金，一晚完成' }],
    } as never);
    expect(packages[0]).toMatchObject({ statusName: '审核中', price: '100.00' });
    const { booster: info } = await booster.client.ok(getBoosterInfo, {});
    expect(info?.packages).toHaveLength(2);
    // A changed price applies immediately, a changed text is reviewed.
    const [first] = packages.slice(1);
    await putOnSale(t, first?.goodsSn ?? '');
    const change = async (values: object) =>
      (
        await booster.client.ok(updateBooster, {
          packages: [{ ...PACKAGE, packageSn: first?.packageSn, ...values }],
        } as never)
      ).packages;
    expect((await change({ price: '90.00' })).find((p) => p.packageSn === first?.packageSn)?.statusName).toBe('在售');
    expect(
      (await change({ scope: '改成别的服务内容' })).find((p) => p.packageSn === first?.packageSn)?.statusName,
    ).toBe('审核中');
  });
});

describe('an order', () => {
  test('is due from a booster, not from a seller, in the conversations of staff', async () => {
    const { orderSn } = await serviceTrade(t, one);
    const admin = await t.newStaff({ role: 'admin' });
    const { list } = await admin.client.ok(staffImGroups, { scope: 'all', keyWord: orderSn });
    expect(list.map(({ turnText }) => turnText)).toEqual(['轮到打手']);
  });

  test('has packages that the seller pages cannot edit, so that their prices agree', async () => {
    const { booster, goodsSn } = one;
    expect((await booster.client.ok(selfPublishGoodsList, {})).list.map((g) => g.goodsSn)).not.toContain(goodsSn);
    expect((await booster.client.call(selfGoods, { goodsSn })).code).toBe(codes.GOODS_NOT_FOUND[0]);
    for (const rejected of [
      await booster.client.call(onlySetupGoodsPrice, { goodsSn, price: '1.00' }),
      await booster.client.call(pushOrPullGoods, { goodsSn, act: 'remove' }),
    ])
      expect(rejected.code).toBe(codes.GOODS_STATE[0]);
    expect(await booster.client.ok(serviceOffer, { goodsSn })).toMatchObject({ closed: null });
  });

  test('pays by milestone, and every fen is accounted for', async () => {
    const offer = await t.client().ok(serviceOffer, { goodsSn: one.goodsSn });
    expect(offer).toMatchObject({ total: '101.00', closed: null, safetyDeposit: '20.00' });
    expect(offer.milestones.map((m) => m.amount)).toEqual(['30.00', '30.00', '40.00']);
    const before = await available(one.booster);
    const frozenBefore = await frozen(one.booster);
    const { orderId, orderSn, buyer } = await serviceTrade(t, one);
    expect(await available(one.booster)).toBe(before - 3000);
    expect((await report(one.booster, orderId, 2)).code).toBe(codes.ORDER_STATE[0]);
    expect((await report(one.booster, orderId, 1, 40)).code).toBe(0);
    expect((await report(one.booster, orderId, 1, 20)).code).toBe(codes.BAD_INPUT[0]);
    expect((await report(one.booster, orderId, 1)).code).toBe(0);
    // The refused report is no part of the way; the percents are of the whole order.
    const { way } = await buyer.client.ok(serviceOrder, { orderSn });
    expect(way?.course).toMatchObject({
      stages: [30, 60, 100],
      reports: [
        { percent: 12, seq: null },
        { percent: 30, seq: 1 },
      ],
    });
    expect(Date.parse(way?.course?.dueTime ?? '') - Date.parse(way?.course?.startTime ?? '')).toBe(600 * 60_000);
    const confirm = { orderId, seq: 1, act: 'confirm' } as const;
    expect((await one.booster.client.call(answerMilestone, confirm)).code).toBe(codes.ORDER_FORBIDDEN[0]);
    await buyer.client.ok(answerMilestone, confirm);
    // 30 % of 100.00 less 5 %, but for the fen that stays.
    expect(await available(one.booster)).toBe(before - 3000 + 2849);
    const seen = await buyer.client.ok(serviceOrder, { orderSn });
    expect(seen).toMatchObject({ paid: '28.49', held: '72.51', state: 'working' });
    const heldOf = async ({ client }: TestUser) => (await client.ok(orderDetail, { orderSn })).money.held;
    const { parts } = (await buyer.client.ok(orderDetail, { orderSn })).money;
    expect(parts.map(({ code, state }) => [code, state])).toEqual([
      ['goods', '部分已付'],
      ['service', '托管中'],
    ]);
    expect(await heldOf(buyer)).toBe('72.51');
    expect(await heldOf(one.booster)).toBe('66.51');
    expect((await report(one.booster, orderId, 2)).code).toBe(0);
    await due('service.milestone', orderId);
    expect((await buyer.client.ok(serviceOrder, { orderSn })).milestones[1]).toMatchObject({ state: 'accepted' });
    expect((await report(one.booster, orderId, 3)).code).toBe(0);
    expect((await buyer.client.ok(serviceOrder, { orderSn })).state).toBe('checking');
    // The receipt freezes what the first two stages left of 100 yuan; the second was paid by silence.
    expect((await buyer.client.ok(orderDetail, { orderSn })).receipt).toMatchObject({ amount: '40.00' });
    await buyer.client.ok(confirmRecGoods, { orderId });
    expect(await buyer.client.ok(serviceOrder, { orderSn })).toMatchObject({ state: 'done', held: '0.00' });
    expect([await heldOf(buyer), await heldOf(one.booster)]).toEqual([null, null]);
    // Deposits are back, the last part is held as after any sale: 95.00 in all.
    expect((await available(one.booster)) + (await frozen(one.booster))).toBe(before + frozenBefore + 9500);
  });

  test('is accepted in time or refunded, and its credentials are for the accepting booster', async () => {
    const { orderId, orderSn, buyer } = await serviceTrade(t, one, { accepted: false });
    const view = await one.booster.client.ok(serviceOrder, { orderSn });
    expect(view.acts).toEqual(['accept', 'decline']);
    const stranger = await t.newUser();
    expect((await stranger.client.call(serviceOrder, { orderSn })).code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect((await stranger.client.call(serviceAct, { orderId, act: 'accept' })).code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect((await one.booster.client.call(revealSecret, { orderId, step: 1 })).code).not.toBe(0);
    await due('service.accept', orderId);
    expect(await available(buyer)).toBe(50_000);
    expect((await one.booster.client.call(serviceAct, { orderId, act: 'accept' })).code).toBe(codes.ORDER_STATE[0]);
    const other = await serviceTrade(t, one, { accepted: false });
    await other.buyer.client.ok(cancelOrder, { orderId: other.orderId });
    expect(await available(other.buyer)).toBe(50_000);
  });

  test('cannot be cancelled by the ordinary calls once it was accepted', async () => {
    const { orderId, buyer, orderSn } = await serviceTrade(t, one);
    expect((await buyer.client.call(cancelOrder, { orderId })).code).toBe(codes.ORDER_SERVICE_ACT[0]);
    const detail = await one.booster.client.ok(orderDetail, { orderSn });
    expect(detail.acts.filter((a) => a.reason === null).map((a) => a.act)).not.toContain('ship');
    const gave = await one.booster.client.call(serviceAct, { orderId, act: 'giveUp' });
    expect(gave.code).toBe(codes.BAD_INPUT[0]);
    const before = await available(one.booster);
    await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '身体不适，打不完' });
    // All of the money and the efficiency deposit for the buyer, the safety deposit back.
    expect(await available(buyer)).toBe(50_000 + 1000);
    expect(await available(one.booster)).toBe(before + 2000);
    for (const party of [buyer, one.booster])
      expect((await party.client.ok(serviceOrder, { orderSn })).depositPaid).toBe('10.00');
  });

  test('stops its clock while it is paused', async () => {
    const { orderId, orderSn, buyer } = await serviceTrade(t, one);
    const dueBefore = (await buyer.client.ok(serviceOrder, { orderSn })).dueTime ?? '';
    await buyer.client.ok(serviceAct, { orderId, act: 'pause' });
    expect((await report(one.booster, orderId, 1)).code).toBe(codes.ORDER_STATE[0]);
    await sql`update service_order set paused_at = paused_at - interval '2 hours' where order_id = ${orderId}`.execute(
      t.ctx.db,
    );
    await due('service.resume', orderId);
    const after = await buyer.client.ok(serviceOrder, { orderSn });
    expect(after.state).toBe('working');
    expect(Math.round((Date.parse(after.dueTime ?? '') - Date.parse(dueBefore)) / 60_000)).toBe(120);
    await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '不打了，抱歉' });
  });
});

describe('a cancel', () => {
  test('divides the money by the displayed table after the other agrees', async () => {
    const { orderId, orderSn, buyer } = await serviceTrade(t, one);
    await report(one.booster, orderId, 1);
    expect(await isTurnOf('service.milestone', orderId)).toBe(true);
    await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
    await report(one.booster, orderId, 2, 50);
    const { splits } = await buyer.client.ok(serviceOrder, { orderSn });
    // 30 + 15 of 100 done; service fee for what was done only.
    // The buyer reads his own money, the booster what the commission leaves of it.
    expect(splits).toEqual([
      expect.objectContaining({ reason: 'plan', buyer: '55.55', paid: '30.00', provider: '45.00', fee: '0.45' }),
    ]);
    expect((await one.booster.client.ok(serviceOrder, { orderSn })).splits).toEqual([
      expect.objectContaining({ reason: 'plan', buyer: '55.55', paid: '28.49', provider: '42.75' }),
    ]);
    const ask = { orderId, act: 'ask', reason: 'plan' } as const;
    const late = await buyer.client.call(serviceCancel, { ...ask, reason: 'late' });
    expect(late.code).toBe(codes.BAD_INPUT[0]);
    expect((await buyer.client.call(serviceCancel, { ...ask, shownBack: '99.00' })).code).toBe(codes.ORDER_STATE[0]);
    await buyer.client.ok(serviceCancel, { ...ask, shownBack: '55.55' });
    expect(await isTurnOf('service.cancelAnswer', orderId)).toBe(true);
    expect((await buyer.client.call(serviceCancel, { orderId, act: 'agree' })).code).toBe(codes.ORDER_FORBIDDEN[0]);
    // A withdrawal is on record between the two requests.
    await buyer.client.ok(serviceCancel, { orderId, act: 'withdraw' });
    await buyer.client.ok(serviceCancel, { ...ask, shownBack: '55.55' });
    const [held, paid] = [await available(buyer), (await available(one.booster)) + (await frozen(one.booster))];
    await one.booster.client.ok(serviceCancel, { orderId, act: 'agree' });
    expect(await available(buyer)).toBe(held + 5555);
    expect((await available(one.booster)) + (await frozen(one.booster))).toBe(paid + 1426);
    expect((await buyer.client.ok(serviceOrder, { orderSn })).state).toBe('ended');
    const { process, money } = await buyer.client.ok(orderDetail, { orderSn });
    expect(process.map(({ explain }) => explain)).toContain('买家撤回了取消申请');
    expect(money.points.at(-1)).toMatchObject({ title: '放款给打手', text: '保护期满后' });
  });

  test('is stored once for concurrent requests, and one of concurrent agreement and confirmation succeeds', async () => {
    const { orderId, orderSn, buyer } = await serviceTrade(t, one);
    const ask = { orderId, act: 'ask', reason: 'plan' } as const;
    const responses = await Promise.all([
      buyer.client.call(serviceCancel, ask),
      one.booster.client.call(serviceCancel, ask),
    ]);
    expect(responses.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.ORDER_STATE[0]]);
    const [asker, other] = responses[0]?.code === 0 ? [buyer, one.booster] : [one.booster, buyer];
    await report(one.booster, orderId, 1);
    // The proposed split is out of date.
    expect((await other.client.call(serviceCancel, { orderId, act: 'agree' })).code).toBe(codes.ORDER_STATE[0]);
    await asker.client.ok(serviceCancel, { orderId, act: 'withdraw' });
    await asker.client.ok(serviceCancel, ask);
    const race = await Promise.all([
      other.client.call(serviceCancel, { orderId, act: 'agree' }),
      buyer.client.call(answerMilestone, { orderId, seq: 1, act: 'confirm' }),
      one.booster.client.call(serviceAct, { orderId, act: 'pause' }),
    ]);
    expect(race.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    expect(await brokenInvariants(t.ctx.db)).toEqual([]);
    if ((await buyer.client.ok(serviceOrder, { orderSn })).state !== 'ended')
      await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止' });
  });

  test('for lateness costs the booster the efficiency deposit', async () => {
    const { orderId, orderSn, buyer } = await serviceTrade(t, one);
    await sql`update service_order set due_at = now() - interval '1 minute' where order_id = ${orderId}`.execute(
      t.ctx.db,
    );
    expect((await buyer.client.ok(serviceOrder, { orderSn })).splits.map((s) => s.reason)).toEqual(['plan', 'late']);
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'late' });
    await one.booster.client.ok(serviceCancel, { orderId, act: 'agree' });
    expect(await available(buyer)).toBe(50_000 + 1000);
  });
});

test('one milestone is paid once, however many calls', async () => {
  const { orderId, buyer } = await serviceTrade(t, one);
  await report(one.booster, orderId, 1);
  const before = await available(one.booster);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => buyer.client.call(answerMilestone, { orderId, seq: 1, act: 'confirm' })),
  );
  expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
  await t.timers();
  expect((await available(one.booster)) - before).toBe(2849);
  await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止' });
});

test('the deposit limits a booster’s open orders, also for concurrent acceptances', async () => {
  const mine = await openedBooster(t, staff, { balanceFen: 100_000 });
  const { booster } = await mine.booster.client.ok(getBoosterInfo, {});
  const most = booster?.maxOpenOrders ?? 0;
  const trades = await Promise.all(
    Array.from({ length: most + 2 }, async () => await serviceTrade(t, mine, { accepted: false })),
  );
  const accepted = await Promise.all(
    trades.map(({ orderId }) => mine.booster.client.call(serviceAct, { orderId, act: 'accept' })),
  );
  expect(accepted.filter(({ code }) => code === 0)).toHaveLength(most);
  expect((await t.client().ok(serviceOffer, { goodsSn: mine.goodsSn })).closed).toBe('打手接单已满，请稍后再来');
  const late = await (await t.newUser({ balanceFen: 50_000 })).client.call(placeServiceOrder, {
    goodsSn: mine.goodsSn,
    num: 1,
    area: '微信一区',
  });
  expect(late.code).toBe(codes.SERVICE_CLOSED[0]);
});

test('a booster cannot order own packages, nor accept without money for the deposits', async () => {
  const poor = await openedBooster(t, staff, { balanceFen: 100 });
  const own = await poor.booster.client.call(placeServiceOrder, { goodsSn: poor.goodsSn, num: 1, area: '微信一区' });
  expect(own.code).toBe(codes.GOODS_OWN[0]);
  const { orderId } = await serviceTrade(t, poor, { accepted: false });
  expect((await poor.booster.client.call(serviceAct, { orderId, act: 'accept' })).code).toBe(codes.BALANCE_LOW[0]);
  const { orderId: second, orderSn } = await poor.booster.client
    .call(serviceAct, { orderId, act: 'decline', reason: '没空接单了' })
    .then(async () => await serviceTrade(t, one, { accepted: false }));
  const buyer = await t.newUser();
  expect((await buyer.client.call(balancePay, { orderId: second })).code).toBe(codes.ORDER_NOT_FOUND[0]);
  expect(orderSn).toBeTruthy();
});

test('a booster reads own figures: ordered, completed and earned by week', async () => {
  const fresh = await openedBooster(t, staff, { balanceFen: 100_000 });
  const none = await fresh.booster.client.ok(boosterStatistics, {});
  expect([none.orders30, none.weeks.length, none.onTimeRate]).toEqual([0, 8, null]);
  const trade = await serviceTrade(t, fresh);
  await report(trade.booster, trade.orderId, 1);
  await trade.buyer.client.ok(answerMilestone, { orderId: trade.orderId, seq: 1, act: 'confirm' });
  await trade.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'giveUp', reason: '到此为止，抱歉' });
  const some = await fresh.booster.client.ok(boosterStatistics, {});
  expect([some.orders30, some.done30, some.cancelled30]).toEqual([1, 0, 1]);
  expect(some.weeks.at(-1)).toMatchObject({ orders: 1, income: '28.50' });
  expect((await trade.buyer.client.call(boosterStatistics, {})).code).toBe(codes.PROVIDER_REQUIRED[0]);
});
