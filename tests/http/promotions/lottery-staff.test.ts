/** Prizes of the lottery as staff set them: chances within a whole by site and time, budgets that hold, the state that staff see. */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCampaign,
  staffCampaignList,
  staffLottery,
  stopCampaign,
} from '#subjects/promotions/contract/staff-campaigns.ts';
import { couponCampaignList, distributeUserCoupon, lotteryInfo } from '#subjects/promotions/contract/coupon.ts';
import type { Input } from '#contract/endpoint.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { countRows } from '#tests/support/orders/races.ts';

let t: TestApp;
let staff: TestStaff;
let moon: number;
let star: number;

beforeAll(async () => {
  t = await testApp();
  staff = await t.newStaff({ role: 'content' });
  const brand = async (code: string, name: string) =>
    (await createBrand(t.ctx, { id: null }, { code, name, host: `${code}.localhost`, reason: '新开品牌' })).distId;
  moon = await brand('moon', '月光游戏');
  star = await brand('star', '星河网游');
});
afterAll(async () => await t.close());

const china = (ms: number) => chinaClock(new Date(Date.now() + ms)).slice(0, 16);
const DAY = 86_400_000;
let serial = 0;
const prize = (change: Partial<Input<typeof createCampaign>> = {}) => ({
  code: `PRIZE-${(serial += 1)}`,
  name: '测试奖品',
  kind: 'service' as const,
  amount: '1.00',
  minimum: '0',
  total: 10,
  validDays: 7,
  runDays: 7,
  ...change,
});
const made: number[] = [];
async function add(change: Partial<Input<typeof createCampaign>>) {
  const result = await staff.client.call(createCampaign, prize(change));
  if (result.code === 0) made.push(result.data.campaignId);
  return result;
}
const clear = async () => {
  for (const campaignId of made.splice(0)) await staff.client.ok(stopCampaign, { campaignId, reason: '测试完了' });
};

describe('chances', () => {
  test('add up to 100 % on each site: a prize of every site counts on all', async () => {
    expect((await add({ oddsBp: 6000 })).code).toBe(0);
    expect((await add({ oddsBp: 3000, distId: moon })).code).toBe(0);
    expect((await add({ oddsBp: 4000, distId: star })).code).toBe(0);
    const onMoon = await add({ oddsBp: 1001, distId: moon });
    expect([onMoon.status, onMoon.field, onMoon.msg]).toEqual([422, 'oddsBp', expect.stringContaining('还剩 10%')]);
    expect((await add({ oddsBp: 1 })).field).toBe('oddsBp');
    const odds = async (host: string) =>
      (await t.client({ host }).ok(lotteryInfo, {})).prizes.map((p) => p.oddsPercent);
    expect(await odds('moon.localhost')).toEqual([60, 30, 10]);
    expect(await odds('star.localhost')).toEqual([60, 40, 0]);
    expect(await odds('localhost')).toEqual([60, 40]);
    await clear();
  });

  test('count only with those that run at the same time; a prize begins at its time', async () => {
    expect((await add({ oddsBp: 9000, runDays: 5 })).code).toBe(0);
    expect((await add({ oddsBp: 9000, startTime: china(3 * DAY) })).field).toBe('oddsBp');
    const later = await add({ oddsBp: 9000, startTime: china(6 * DAY) });
    expect(later.code).toBe(0);
    expect((await t.client().ok(lotteryInfo, {})).prizes).toHaveLength(2);
    const { list } = await staff.client.ok(staffCampaignList, {});
    expect(list.find((k) => k.campaignId === later.data.campaignId)?.statusName).toBe('未开始');
    await clear();
  });

  test('do not exceed 100 % when two prizes are added concurrently', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => add({ oddsBp: 4000 })));
    expect(results.filter((r) => r.code === 0)).toHaveLength(2);
    expect(results.filter((r) => r.code !== 0).map((r) => r.field)).toEqual(Array(6).fill('oddsBp'));
    await clear();
  });
});

test('a budget is never exceeded by concurrent draws, and staff see the rest', async () => {
  await add({ oddsBp: 10_000, total: 5, perPerson: 1, amount: '8.00' });
  const users = await Promise.all(Array.from({ length: 12 }, () => t.newUser()));
  const draws = await Promise.all(users.map((u) => u.client.ok(distributeUserCoupon, { act: 'draw' })));
  expect(draws.filter((d) => d.won)).toHaveLength(5);
  expect(await countRows(t.ctx, sql`select from coupon where campaign_id = ${made[0]}`)).toBe(5);
  const state = await staff.client.ok(staffLottery, {});
  const { rows } = await sql<{ roll: number }>`select distinct roll from lottery_draw`.execute(t.ctx.db);
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.every(({ roll }) => Number.isInteger(roll) && roll >= 0 && roll < 10_000)).toBe(true);
  expect(state).toMatchObject({ open: true, nothingPercent: 100, budgetLeft: '0.00', drawsToday: 12, winsToday: 5 });
  expect(state.prizes).toMatchObject([{ oddsPercent: 100, liveOddsPercent: 0, left: 0, total: 5, budget: '40.00' }]);
  await clear();
});

test('one user wins a prize up to its limit', async () => {
  await add({ oddsBp: 10_000, total: 50, perPerson: 1 });
  const user = await t.newUser();
  const draws = [];
  for (let n = 0; n < 3; n++) draws.push(await user.client.ok(distributeUserCoupon, { act: 'draw' }));
  expect(draws.map((d) => d.won)).toEqual([true, false, false]);
  const { left } = (await staff.client.ok(staffLottery, {})).prizes[0] ?? {};
  expect(left).toBe(49);
  await clear();
});

test('a campaign of a brand is received on its site only, from its time on', async () => {
  const { code } = prize();
  expect((await add({ code, distId: moon })).code).toBe(0);
  const codes = async (host: string) => (await t.client({ host }).ok(couponCampaignList, {})).list.map((k) => k.code);
  expect(await codes('moon.localhost')).toContain(code);
  expect(await codes('star.localhost')).not.toContain(code);
  const ahead = await add({ startTime: china(DAY) });
  expect(await codes('localhost')).toEqual([]);
  expect(ahead.code).toBe(0);
  expect([(await add({ startTime: china(-DAY) })).field, (await add({ distId: 424_242 })).field]).toEqual([
    'startTime',
    'distId',
  ]);
  await clear();
});
