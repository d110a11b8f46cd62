/** The calendar of companions: an hour is one buyer's; what was given back too late is paid; evenings go on. */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { codes } from '#contract/codes.ts';
import { companionCalendar, companionCards } from '#subjects/services/contract/companions.ts';
import { cancelOrder, confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { placeServiceOrder, serviceOffer, serviceOrder } from '#subjects/services/contract/services.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import {
  addPlayGame,
  type CompanionTrade,
  companionTrade,
  inHours,
  openedCompanion,
  companionSteps,
} from '#tests/support/services/companion.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedCompanion>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addPlayGame(t);
  staff = await t.newStaff();
  one = await openedCompanion(t, staff);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const { money, act, due, played } = companionSteps(() => t);

const HOUR = 3_600_000;
const FULL = 50_000;

const view = async ({ buyer, orderSn }: Pick<CompanionTrade, 'buyer' | 'orderSn'>) =>
  await buyer.client.ok(serviceOrder, { orderSn }); /** Moves the agreed hour of an accepted order. */
async function agreedIn(orderId: number, minutes: number): Promise<void> {
  await sql`update service_order set starts_at = now() + make_interval(mins => ${minutes}), accepted_at = now() - interval '1 day' where order_id = ${orderId}`.execute(
    t.ctx.db,
  );
}
const slots = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from companion_slot`.execute(t.ctx.db)).rows[0]?.n ?? -1;
const placeOrder = async (buyer: TestUser, startTime: string, num = 1) =>
  await buyer.client.call(placeServiceOrder, { goodsSn: one.goodsSn, num, area: '微信区', startTime });

describe('an hour', () => {
  test('must be a whole one, within the companion’s hours, in the future and within two weeks', async () => {
    const mine = await openedCompanion(t, staff);
    const tomorrow = (new Date(Date.now() + 8 * HOUR).getUTCDay() + 6 + 1) % 7;
    const hours = [{ day: tomorrow, fromMinute: 20 * 60, toMinute: 22 * 60 }];
    await mine.companion.client.ok(updateAccompanyer, { hours } as never);
    const buyer = await t.newUser({ balanceFen: FULL });
    const day = chinaDay(new Date(Date.now() + 24 * HOUR));
    const ask = async (startTime: string, num = 1) =>
      await buyer.client.call(placeServiceOrder, { goodsSn: mine.goodsSn, num, area: '微信区', startTime });
    const rejected: [string, number, string][] = [
      [`${day}T20:30`, 1, '整点'],
      [`${day}T19:00`, 1, '不接单'],
      [`${day}T21:00`, 2, '不接单'],
      [inHours(-3), 1, '提前 10 分钟'],
      [inHours(24 * 15), 1, '14 天'],
      ['2026-02-30T20:00', 1, '格式不正确'],
    ];
    for (const [startTime, num, text] of rejected) {
      const { code, field, msg } = await ask(startTime, num);
      expect([startTime, code, field, msg]).toEqual([
        startTime,
        codes.BAD_INPUT[0],
        'startTime',
        expect.stringContaining(text),
      ]);
    }
    expect((await ask(`${day}T20:00`, 2)).code).toBe(0);
    const { days } = await t.client().ok(companionCalendar, { goodsSn: mine.goodsSn });
    expect(days.find(({ date }) => date === day)?.hours.slice(18, 24)).toBe('oottoo');
    // A companion who rests now can be booked all the same.
    await mine.companion.client.ok(updateAccompanyer, { isOnline: '0', hours: [] } as never);
    expect((await t.client().ok(serviceOffer, { goodsSn: mine.goodsSn })).companion?.closedNow).toContain('休息');
    expect((await ask(inHours(80))).code).toBe(0);
    const cards = await t
      .client()
      .ok(companionCards, { goodsSns: JSON.stringify([mine.goodsSn, 'A0000000']) } as never);
    expect(cards.list).toMatchObject([{ goodsSn: mine.goodsSn, voice: { seconds: 12 }, score: null }]);
  });

  test('is booked by one buyer, also of concurrent ones, and free again when it was not paid', async () => {
    const buyers = await Promise.all([1, 2, 3, 4].map(async () => await t.newUser({ balanceFen: FULL })));
    const before = await slots();
    const all = await Promise.all(buyers.map(async (buyer) => await placeOrder(buyer, inHours(40), 2)));
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    const lost = all.filter(({ code }) => code !== 0);
    expect(lost.map(({ code, field }) => [code, field])).toEqual(
      lost.map(() => [codes.SERVICE_CLOSED[0], 'startTime']),
    );
    expect(await slots()).toBe(before + 1);
    // Not an overlap: the hours beside it.
    const beside = await Promise.all(
      [inHours(39), inHours(42)].map(async (at) => await placeOrder(buyers[0] as TestUser, at)),
    );
    expect(beside.map(({ code }) => code)).toEqual([0, 0]);
    expect((await placeOrder(buyers[1] as TestUser, inHours(41))).code).toBe(codes.SERVICE_CLOSED[0]);
    const won = all.findIndex(({ code }) => code === 0);
    await buyers[won]?.client.ok(cancelOrder, { orderId: all[won]?.data?.orderId ?? 0 });
    expect((await placeOrder(await t.newUser(), inHours(41))).code).toBe(0);
    // Nothing but the database decides: a row written past the server is refused too.
    const { rows } = await sql<{ id: number; p: number }>`
      select order_id as id, provider_id as p from companion_slot limit 1`.execute(t.ctx.db);
    const past = sql`insert into companion_slot (order_id, provider_id, during)
      select s.order_id, ${rows[0]?.p}, c.during from companion_slot c, service_order s
      where c.order_id = ${rows[0]?.id} and s.order_id not in (select order_id from companion_slot) limit 1`.execute(
      t.ctx.db,
    );
    await expect(past).rejects.toMatchObject({ code: '23P01' });
  });

  test('booked by another cannot be used by an order that starts immediately', async () => {
    const mine = await openedCompanion(t, staff);
    const waiting = await companionTrade(t, mine, 'paid');
    const buyer = await t.newUser({ balanceFen: FULL });
    const near = new Date(Math.floor(Date.now() / HOUR) * HOUR + HOUR + (Date.now() % HOUR > 45 * 60_000 ? HOUR : 0));
    const startTime = new Date(near.getTime() + 8 * HOUR).toISOString().slice(0, 16);
    const booked = await buyer.client.ok(placeServiceOrder, {
      goodsSn: mine.goodsSn,
      num: 1,
      area: '微信区',
      startTime,
    });
    await buyer.client.ok(balancePay, { orderId: booked.orderId });
    await t.relay();
    const accepted = await act(mine.companion, waiting.orderId, 'accept');
    expect([accepted.code, accepted.msg]).toEqual([codes.SERVICE_CLOSED[0], expect.stringContaining('约走')]);
    const now = await waiting.buyer.client.call(placeServiceOrder, { goodsSn: mine.goodsSn, num: 2, area: '微信区' });
    expect([now.code, now.msg]).toEqual([codes.SERVICE_CLOSED[0], expect.stringContaining('有预约')]);
    expect((await act(mine.companion, booked.orderId, 'accept')).code).toBe(0);
    const seen = await buyer.client.ok(serviceOrder, { orderSn: booked.orderSn });
    expect(seen.play?.bookedTime).toBe(`${startTime}:00+08:00`);
  });

  test('starts at the agreed time: no early arrival, and absence after ten minutes is recorded', async () => {
    const mine = await openedCompanion(t, staff);
    const trade = await companionTrade(t, mine, 'accepted', { startTime: inHours(20) });
    const { orderId, buyer, companion } = trade;
    expect((await act(buyer, orderId, 'start')).msg).toContain('还没到约定时间');
    expect((await view(trade)).acts).not.toContain('start');
    await agreedIn(orderId, 10);
    expect((await act(buyer, orderId, 'start')).code).toBe(0);
    // The companion can take another evening meanwhile, and leave only without any.
    expect((await companion.client.call(updateAccompanyer, { act: 'leave' } as never)).code).toBe(
      codes.COIN_OPEN_ORDERS[0],
    );
    await due('service.noShow', orderId);
    expect(await money(buyer)).toBe(FULL);
  });

  test('is refunded in full until an hour before, later less the waiting fee, and in full when the companion is absent', async () => {
    const mine = await openedCompanion(t, staff);
    const early = await companionTrade(t, mine, 'accepted', { startTime: inHours(20) });
    await act(early.buyer, early.orderId, 'giveUp', '临时要加班');
    expect(await money(early.buyer)).toBe(FULL);
    for (const name of ['giveUp', 'stop']) {
      const late = await companionTrade(t, mine, 'accepted', { startTime: inHours(20) });
      await agreedIn(late.orderId, 30);
      expect((await act(late.buyer, late.orderId, name, '临时要加班')).code).toBe(0);
      // 10 of 120 minutes of 120.00 with their fee.
      expect([name, await money(late.buyer)]).toEqual([name, FULL - 1010]);
    }
    const alone = await companionTrade(t, mine, 'accepted', { startTime: inHours(20) });
    await agreedIn(alone.orderId, -2);
    await act(alone.buyer, alone.orderId, 'giveUp', '等不到人');
    expect(await money(alone.buyer)).toBe(FULL);
    const theirs = await companionTrade(t, mine, 'accepted', { startTime: inHours(20) });
    await agreedIn(theirs.orderId, 5);
    await act(theirs.companion, theirs.orderId, 'stop', '对方骚扰');
    expect(await money(theirs.buyer)).toBe(FULL);
    expect(
      (
        await sql`select from companion_slot c join service_order s using (order_id) where s.state = 'ended'`.execute(
          t.ctx.db,
        )
      ).rows,
    ).toEqual([]);
  });
});

describe('a prolongation', () => {
  test('is ordered by the buyer, accepted by the companion, and starts when the first order ends', async () => {
    const mine = await openedCompanion(t, staff);
    const before = await money(mine.companion);
    const first = await companionTrade(t, mine, 'playing');
    const { buyer, companion } = first;
    expect((await view(first)).acts).toContain('prolong');
    const stranger = await t.newUser({ balanceFen: FULL });
    const order = { goodsSn: mine.goodsSn, num: 1, area: '微信区', prolongs: first.orderId };
    expect((await stranger.client.call(placeServiceOrder, order)).code).toBe(codes.ORDER_NOT_FOUND[0]);
    const next = await buyer.client.ok(placeServiceOrder, order);
    expect((await buyer.client.call(placeServiceOrder, order)).code).toBe(codes.SERVICE_CLOSED[0]);
    await buyer.client.ok(balancePay, { orderId: next.orderId });
    await t.relay();
    expect((await act(companion, next.orderId, 'accept')).code).toBe(0);
    expect((await view(first)).play?.prolongedSn).toBe(next.orderSn);
    // Both orders' minutes cannot run at the same time.
    expect((await act(buyer, next.orderId, 'start')).code).toBe(codes.ORDER_STATE[0]);
    await due('service.playEnd', first.orderId);
    expect(await view({ buyer, orderSn: next.orderSn })).toMatchObject({
      state: 'working',
      play: { prolongsSn: first.orderSn },
    });
    await due('service.playEnd', next.orderId);
    for (const orderId of [first.orderId, next.orderId]) await buyer.client.ok(confirmRecGoods, { orderId });
    expect(await money(buyer)).toBe(FULL - 12_120 - 6060);
    expect((await money(companion)) - before).toBe(11_400 + 5700);
  });

  test('is refunded in full when not accepted, too late, or when the first order ended early or was stopped', async () => {
    const mine = await openedCompanion(t, staff);
    const prolonged = async (accepts: boolean) => {
      const first = await companionTrade(t, mine, 'playing');
      const next = await companionTrade(t, mine, accepts ? 'accepted' : 'paid', {
        buyer: first.buyer,
        prolongs: first.orderId,
      });
      return { first, next };
    };
    const silent = await prolonged(false);
    await due('service.playEnd', silent.first.orderId);
    expect((await view(silent.next)).state).toBe('ended');
    for (const [name, accepts] of [
      ['end', true],
      ['end', false],
      ['stop', true],
    ] as const) {
      const { first, next } = await prolonged(accepts);
      await played(first.orderId, 30);
      expect((await act(first.buyer, first.orderId, name)).code).toBe(0);
      if (name === 'end') await act(first.companion, first.orderId, 'agreeEnd');
      expect([name, (await view(next)).state, await money(first.buyer)]).toEqual([name, 'ended', FULL - 3030]);
    }
    const first = await companionTrade(t, mine, 'playing');
    const unpaid = await first.buyer.client.ok(placeServiceOrder, {
      goodsSn: mine.goodsSn,
      num: 1,
      area: '微信区',
      prolongs: first.orderId,
    });
    await act(first.buyer, first.orderId, 'stop');
    await first.buyer.client.ok(balancePay, { orderId: unpaid.orderId });
    await t.relay();
    expect((await view({ buyer: first.buyer, orderSn: unpaid.orderSn })).state).toBe('ended');
    const over = await first.buyer.client.call(placeServiceOrder, {
      goodsSn: mine.goodsSn,
      num: 1,
      area: '微信区',
      prolongs: first.orderId,
    });
    expect(over.code).toBe(codes.SERVICE_CLOSED[0]);
  });

  test('continues or ends, not both, when the other party ends play at the deadline', async () => {
    const mine = await openedCompanion(t, staff);
    const first = await companionTrade(t, mine, 'playing');
    const next = await companionTrade(t, mine, 'accepted', { buyer: first.buyer, prolongs: first.orderId });
    const [ended] = await Promise.all([
      act(first.companion, first.orderId, 'end'),
      due('service.playEnd', first.orderId),
    ]);
    const states = [(await view(first)).state, (await view(next)).state];
    expect(states).toEqual(ended.code === 0 ? ['ending', 'ended'] : ['checking', 'working']);
  });
});
