/** Deposits are counted by one function, per role and without what is being released (domain.md 10). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accompanyerApply } from '#subjects/services/contract/accompanyer.ts';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import { boostPost, boostTake } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { depositRelease, getDepositConf } from '#subjects/deposits/contract/deposit.ts';
import { createQuickCoin, findQuickCoin, updateQuickCoin } from '#subjects/quick-coin/contract/quick-coin.ts';
import { recyclerApply, saveCoinRecycle } from '#subjects/recycling/contract/recycling.ts';
import { serviceAct } from '#subjects/services/contract/services.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addBoostGame, BOOST_GAME, openedBooster, PACKAGE, serviceTrade } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import {
  addCoinGame,
  addDeposit,
  COIN_AREA,
  COIN_GAME,
  OFFER,
  offered,
  openedShop,
} from '#tests/support/services/coins.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import {
  addPlayGame,
  APPLICATION,
  companionTrade,
  openedCompanion,
  sendVoice,
  wavFile,
} from '#tests/support/services/companion.ts';

let t: TestApp;
let reviewer: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await Promise.all([addCoinGame(t), addBoostGame(t), addPlayGame(t)]);
  reviewer = await t.newStaff({ role: 'reviewer' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** A boosting request for 100 yuan. */
const REQUEST = {
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

const ofRole = async (user: TestUser, role: string) =>
  (await user.client.ok(getDepositConf, {})).roles.find((r) => r.role === role);

async function approve(user: TestUser, kind: 'shop' | 'booster' | 'companion' | 'recycler') {
  const { list } = await reviewer.client.ok(providerList, { kind, pageSize: 50 });
  const { id, updateMark } = list.find((one) => one.userId === String(user.id)) ?? { id: 0, updateMark: '' };
  return await reviewer.client.call(reviewProvider, { id, decision: 'approve', updateMark });
}

describe('deposit-being-released: a deposit under release', () => {
  test('does not let a shop publish or show its badge, and counts again when the release is withdrawn', async () => {
    const shop = await openedShop(t, reviewer);
    const sn = await offered(shop);
    const badge = async () => (await t.client().ok(findQuickCoin, { quickCoinSn: sn })).shop.depositName;
    expect(await badge()).toBe('标准店铺');
    await t.fund(shop.id, 100);
    await shop.client.ok(depositRelease, { role: 'shop', act: 'ask' });
    expect(await ofRole(shop, 'shop')).toMatchObject({ level: 0, paid: '1000.00' });
    expect(await badge()).toBeNull();
    expect((await shop.client.call(createQuickCoin, OFFER as never)).code).toBe(codes.SHOP_DEPOSIT[0]);
    await shop.client.ok(depositRelease, { role: 'shop', act: 'cancel' });
    expect(await badge()).toBe('标准店铺');
    expect((await shop.client.call(createQuickCoin, OFFER as never)).code).toBe(0);
  });

  test('does not let a booster accept orders, take requests or publish packages', async () => {
    const one = await openedBooster(t, reviewer, { balanceFen: 100_000 });
    const { booster } = one;
    const placed = await serviceTrade(t, one, { accepted: false });
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const { requestSn } = await buyer.client.ok(boostPost, REQUEST as never);
    await booster.client.ok(depositRelease, { role: 'booster', act: 'ask' });
    expect((await booster.client.ok(getBoosterInfo, {})).booster).toMatchObject({
      maxOpenOrders: 0,
      deposit: { level: 0, levelName: null, paid: '0.00' },
    });
    const accepted = await booster.client.call(serviceAct, { orderId: placed.orderId, act: 'accept' });
    expect(accepted.code).toBe(codes.SERVICE_CLOSED[0]);
    expect((await booster.client.call(boostTake, { requestSn })).code).toBe(codes.SHOP_DEPOSIT[0]);
    const added = await booster.client.call(updateBooster, { packages: [PACKAGE] } as never);
    expect(added.code).toBe(codes.SHOP_DEPOSIT[0]);
    await booster.client.ok(depositRelease, { role: 'booster', act: 'cancel' });
    expect((await booster.client.call(serviceAct, { orderId: placed.orderId, act: 'accept' })).code).toBe(0);
  });

  test('does not let a companion accept booked hours', async () => {
    const one = await openedCompanion(t, reviewer);
    const hour = 3_600_000;
    const at = Math.ceil(Date.now() / hour) * hour + 20 * hour;
    const startTime = new Date(at + 8 * hour).toISOString().slice(0, 16);
    const { orderId } = await companionTrade(t, one, 'paid', { startTime });
    await t.fund(one.companion.id, 100);
    await one.companion.client.ok(depositRelease, { role: 'companion', act: 'ask' });
    const accept = async () => await one.companion.client.call(serviceAct, { orderId, act: 'accept' });
    const refused = await accept();
    expect([refused.code, refused.msg]).toEqual([codes.SERVICE_CLOSED[0], '陪玩保证金不足或正在退还，不能接单']);
    await one.companion.client.ok(depositRelease, { role: 'companion', act: 'cancel' });
    expect((await accept()).code).toBe(0);
  });

  test('returns only when nothing that needs it is on offer', async () => {
    const shop = await openedShop(t, reviewer);
    const sn = await offered(shop);
    await t.fund(shop.id, 100);
    await shop.client.ok(depositRelease, { role: 'shop', act: 'ask' });
    const dueNow = async () => {
      await passTime(t.ctx.db, 'deposit_release', { user_id: shop.id, status: 'waiting' }, { until: 'release_at' });
      await makeDue(t.ctx.db, 'deposit.release');
      await t.timers();
      return (await ofRole(shop, 'shop'))?.release;
    };
    expect((await dueNow())?.reason).toBe('1 个需要保证金的商品或报价未下架，处理完后自动退还');
    await shop.client.ok(updateQuickCoin, { quickCoinSn: sn, applyChange: 'pull' } as never);
    expect(await dueNow()).toBeNull();

    const { companion } = await openedCompanion(t, reviewer);
    await t.fund(companion.id, 100);
    await companion.client.ok(depositRelease, { role: 'companion', act: 'ask' });
    await passTime(t.ctx.db, 'deposit_release', { user_id: companion.id, status: 'waiting' }, { until: 'release_at' });
    await makeDue(t.ctx.db, 'deposit.release');
    await t.timers();
    expect((await ofRole(companion, 'companion'))?.release?.reason).toContain('1 个需要保证金的商品或报价未下架');
  });

  test('does not let a recycler publish', async () => {
    const user = await t.newUser();
    const form = { name: '安心回收', intro: '', gameIds: [COIN_GAME], contact: 'QQ 12345678' };
    await user.client.ok(recyclerApply, form);
    await addDeposit(t, user.id, 1_000_000, 'recycler');
    expect((await approve(user, 'recycler')).code).toBe(0);
    const offer = { gameId: COIN_GAME, areaId: COIN_AREA, lotUnits: 1000, lotPrice: '16.00', wantedNum: 10, minNum: 2 };
    const { offerSn } = await user.client.ok(saveCoinRecycle, { ...offer, delivery: [1] });
    await t.fund(user.id, 100);
    await user.client.ok(depositRelease, { role: 'recycler', act: 'ask' });
    for (const input of [
      { ...offer, delivery: [1] },
      { offerSn, act: 'push' },
    ]) {
      const refused = await user.client.call(saveCoinRecycle, input as never);
      expect([refused.code, refused.msg]).toEqual([
        codes.SHOP_DEPOSIT[0],
        '回收商保证金有效金额为 0.00 元，需 10,000.00 元，请先缴足保证金再发布',
      ]);
    }
    expect((await user.client.call(saveCoinRecycle, { offerSn, act: 'pull' })).code).toBe(0);
  });
});

describe('an approval', () => {
  test('is refused while the deposit of that role is below the level applied for, whatever other roles have', async () => {
    const user = await t.newUser();
    const { data } = await sendVoice(user, wavFile(12));
    await user.client.ok(accompanyerApply, { ...APPLICATION, voice: data.key } as never);
    await addDeposit(t, user.id, 500_000, 'shop');
    const refused = await approve(user, 'companion');
    expect([refused.status, refused.code, refused.msg]).toEqual([
      403,
      codes.SHOP_DEPOSIT[0],
      '该用户的陪玩保证金有效金额为 0.00 元，低于申请等级所需的 100.00 元，请对方缴足后再通过',
    ]);
    const { rows } = await sql<{ status: string }>`
      select status from provider where user_id = ${user.id} and kind = 'companion'`.execute(t.ctx.db);
    expect(rows).toEqual([{ status: 'reviewing' }]);
    await addDeposit(t, user.id, 9_999, 'companion');
    expect((await approve(user, 'companion')).code).toBe(codes.SHOP_DEPOSIT[0]);
    await addDeposit(t, user.id, 1, 'companion');
    expect((await approve(user, 'companion')).code).toBe(0);
  });

  test('waits for the deposit again after a suspension', async () => {
    const { booster } = await openedBooster(t, reviewer);
    const decide = async (decision: 'suspend' | 'restore') => {
      const { list } = await reviewer.client.ok(providerList, { kind: 'booster', pageSize: 50 });
      const { id, updateMark } = list.find((one) => one.userId === String(booster.id)) ?? { id: 0, updateMark: '' };
      return await reviewer.client.call(reviewProvider, { id, decision, updateMark, reason: '多次超时未完成' });
    };
    expect((await decide('suspend')).code).toBe(0);
    await booster.client.ok(depositRelease, { role: 'booster', act: 'ask' });
    expect((await decide('restore')).code).toBe(codes.SHOP_DEPOSIT[0]);
    await booster.client.ok(depositRelease, { role: 'booster', act: 'cancel' });
    expect((await decide('restore')).code).toBe(0);
  });
});
