/** Companion play from application to the last minute: who did not come, who ended it, and every fen of it (design section 6). */
import { CHINA_MS } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accompanyerApply, getAccompanyerInfo, updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { codes } from '#contract/codes.ts';
import * as dispute from '#subjects/disputes/contract/dispute.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { cancelOrder, confirmRecGoods, orderDetail } from '#subjects/orders/contract/order.ts';
import {
  placeServiceOrder,
  serviceBlock,
  serviceOffer,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addPlayGame,
  APPLICATION,
  companionTrade,
  type CompanionTrade,
  HOUR,
  openedCompanion,
  sendVoice,
  wavFile,
  companionSteps,
} from '#tests/support/services/companion.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';

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

const stateOf = async ({ buyer, orderSn }: CompanionTrade): Promise<string> =>
  (await buyer.client.ok(serviceOrder, { orderSn })).state;

describe('a companion', () => {
  test('applies as a verified adult with their own valid voice clip', async () => {
    const user = await t.newUser();
    const rejected = [
      [Buffer.from('no voice at all '.repeat(20)), '不是有效的语音文件'],
      [wavFile(61), '语音不能超过 60 秒'],
      [wavFile(1), '语音至少 3 秒'],
      [Buffer.concat([wavFile(10), Buffer.alloc(2_100_000)]), '语音不能超过 2M'],
    ] as const;
    for (const [file, text] of rejected) {
      const answer = await sendVoice(user, file);
      expect([answer.code, answer.msg]).toEqual([codes.BAD_INPUT[0], expect.stringContaining(text)]);
    }
    const { data } = await sendVoice(user, wavFile(12));
    expect(data).toMatchObject({ seconds: 12 });
    const heard = await t.client().raw({ method: 'GET', url: `/voice/${data.key}` });
    expect([heard.statusCode, heard.headers['content-type']]).toEqual([200, 'audio/wav']);
    expect((await user.client.call(accompanyerApply, APPLICATION as never)).code).toBe(codes.BAD_INPUT[0]);
    const minor = await t.newUser({ verified: false });
    const foreign = await minor.client.call(accompanyerApply, { ...APPLICATION, voice: data.key } as never);
    expect(foreign.code).toBe(codes.REAL_NAME_REQUIRED[0]);
    const other = await t.newUser();
    const stolen = await other.client.call(accompanyerApply, { ...APPLICATION, voice: data.key } as never);
    expect([stolen.code, stolen.field]).toEqual([codes.BAD_INPUT[0], 'voice']);
    const contact = { ...APPLICATION, voice: data.key, tags: ['加微信 wx123456'] };
    expect((await user.client.call(accompanyerApply, contact as never)).code).toBe(codes.BAD_INPUT[0]);
    const clash = [
      { day: 0, fromMinute: 0, toMinute: 600 },
      { day: 0, fromMinute: 500, toMinute: 700 },
    ];
    const overlap = await user.client.call(accompanyerApply, {
      ...APPLICATION,
      voice: data.key,
      hours: clash,
    } as never);
    expect(overlap.code).toBe(codes.BAD_INPUT[0]);
    const form = { ...APPLICATION, voice: data.key, gender: 'female', tags: ['甜音'], city: '成都' };
    expect((await user.client.ok(accompanyerApply, form as never)).status).toBe('reviewing');
    const { list } = await staff.client.ok(providerList, { kind: 'companion' });
    expect(list.find((p) => p.userId === String(user.id))).toMatchObject({
      voice: { seconds: 12 },
      pendingVoice: null,
    });
  });

  test('has a new voice clip reviewed while the old one is used', async () => {
    const { companion, goodsSn } = await openedCompanion(t, staff);
    const { data } = await sendVoice(companion, wavFile(20));
    await companion.client.ok(updateAccompanyer, { voice: data.key } as never);
    expect((await t.client().ok(serviceOffer, { goodsSn })).companion?.voice?.seconds).toBe(12);
    const { list } = await staff.client.ok(providerList, { kind: 'companion', waiting: '1' });
    const found = list.find((p) => p.userId === String(companion.id));
    expect(found).toMatchObject({ voice: { seconds: 12 }, pendingVoice: { seconds: 20 } });
    await staff.client.ok(reviewProvider, {
      id: found?.id ?? 0,
      decision: 'approve',
      updateMark: found?.updateMark ?? '',
    });
    expect((await t.client().ok(serviceOffer, { goodsSn })).companion?.voice?.seconds).toBe(20);
  });

  test('sells hours without stages, deposits or accounts, and is resting by choice or outside the hours', async () => {
    const { companion, goodsSn } = await openedCompanion(t, staff);
    const wrong = [
      { unit: '局' },
      { minutes: 90 },
      { mode: 'account' },
      { maxNum: 13 },
      { safetyDeposit: '10.00' },
      { milestones: [{ title: '全部', sharePercent: 100 }] },
    ];
    for (const change of wrong) {
      const rejected = await companion.client.call(updateAccompanyer, { packages: [{ ...HOUR, ...change }] } as never);
      expect([change, rejected.code]).toEqual([change, codes.BAD_INPUT[0]]);
    }
    const closed = async () => (await t.client().ok(serviceOffer, { goodsSn })).companion?.closedNow;
    expect(await closed()).toBeNull();
    await companion.client.ok(updateAccompanyer, { isOnline: '0' } as never);
    expect(await closed()).toBe('陪玩休息中，暂不接单');
    const china = new Date(Date.now() + CHINA_MS);
    const tomorrow = (china.getUTCDay() + 6 + 2) % 7;
    const hours = [{ day: tomorrow, fromMinute: 0, toMinute: 60 }];
    await companion.client.ok(updateAccompanyer, { isOnline: '1', hours } as never);
    expect(await closed()).toBe('现在不在接单时段');
    const { accompanyer } = await companion.client.ok(getAccompanyerInfo, {});
    expect(accompanyer).toMatchObject({ hours, noShows: 0, maxOpenOrders: 1 });
  });
});

describe('an order', () => {
  test('is accepted by the buyer after it was played to the end, and every fen is accounted for', async () => {
    const before = await money(one.companion);
    const trade = await companionTrade(t, one, 'playing');
    const { orderId, orderSn, buyer, companion } = trade;
    expect((await t.client().ok(serviceOffer, { goodsSn: one.goodsSn })).companion?.closedNow).toBe(
      '正在陪玩中，请稍后再来',
    );
    expect((await buyer.client.call(cancelOrder, { orderId })).code).toBe(codes.ORDER_SERVICE_ACT[0]);
    expect((await act(companion, orderId, 'pause')).code).toBe(codes.ORDER_STATE[0]);
    const report = { orderId, seq: 1, percent: 100, pictures: '["a"]' } as never;
    expect((await companion.client.call(serviceProgress, report)).code).toBe(codes.ORDER_STATE[0]);
    await due('service.playEnd', orderId);
    expect(await stateOf(trade)).toBe('checking');
    await buyer.client.ok(confirmRecGoods, { orderId });
    expect(await buyer.client.ok(serviceOrder, { orderSn })).toMatchObject({
      state: 'done',
      held: '0.00',
      play: { playedMinutes: 120, seller: null },
    });
    expect((await money(companion)) - before).toBe(11_400);
    expect(await money(buyer)).toBe(50_000 - 12_120);
  });

  test('is accepted in time or refunded in full; of concurrent acceptance and expiry one succeeds', async () => {
    const late = await companionTrade(t, one, 'paid');
    expect((await act(late.companion, late.orderId, 'start')).code).toBe(codes.ORDER_STATE[0]);
    await due('service.accept', late.orderId);
    expect(await money(late.buyer)).toBe(50_000);
    expect((await act(late.companion, late.orderId, 'accept')).code).toBe(codes.ORDER_STATE[0]);
    const raced = await companionTrade(t, one, 'paid');
    const [accepted] = await Promise.all([
      act(raced.companion, raced.orderId, 'accept'),
      due('service.accept', raced.orderId),
    ]);
    const state = await stateOf(raced);
    expect(state).toBe(accepted.code === 0 ? 'waiting' : 'ended');
    expect(await money(raced.buyer)).toBe(accepted.code === 0 ? 50_000 - 12_120 : 50_000);
    if (state === 'waiting') await act(raced.companion, raced.orderId, 'giveUp', '临时有事，抱歉');
    expect(await money(raced.buyer)).toBe(50_000);
  });

  test('is one at a time, also for concurrent acceptances', async () => {
    const trades = await Promise.all([1, 2, 3].map(async () => await companionTrade(t, one, 'paid')));
    const all = await Promise.all(trades.map(async ({ orderId }) => await act(one.companion, orderId, 'accept')));
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(all.filter(({ code }) => code === codes.SERVICE_CLOSED[0])).toHaveLength(2);
    for (const [index, { orderId }] of trades.entries())
      await act(one.companion, orderId, all[index]?.code === 0 ? 'giveUp' : 'decline', '临时有事，抱歉');
    for (const { buyer } of trades) expect(await money(buyer)).toBe(50_000);
  });

  test('is refunded and counted without the companion, and costs the waiting time without the buyer', async () => {
    const absent = await companionTrade(t, one, 'accepted');
    await act(absent.buyer, absent.orderId, 'start');
    expect((await act(absent.buyer, absent.orderId, 'start')).code).toBe(codes.ORDER_STATE[0]);
    await due('service.noShow', absent.orderId);
    expect(await money(absent.buyer)).toBe(50_000);
    const { accompanyer } = await one.companion.client.ok(getAccompanyerInfo, {});
    expect(accompanyer?.noShows).toBe(1);
    const neither = await companionTrade(t, one, 'accepted');
    await due('service.noShow', neither.orderId);
    expect(await money(neither.buyer)).toBe(50_000);
    const before = await money(one.companion);
    const waited = await companionTrade(t, one, 'accepted');
    await act(one.companion, waited.orderId, 'start');
    await due('service.noShow', waited.orderId);
    // 10 of 120 minutes of 120.00: 10.00 with its fee of 0.10, less 5 %.
    expect(await money(waited.buyer)).toBe(50_000 - 1010);
    expect((await money(one.companion)) - before).toBe(950);
    expect((await one.companion.client.ok(getAccompanyerInfo, {})).accompanyer?.noShows).toBe(1);
  });

  test('starts or is missed, not both', async () => {
    const trade = await companionTrade(t, one, 'accepted');
    await act(trade.buyer, trade.orderId, 'start');
    const [started] = await Promise.all([
      act(trade.companion, trade.orderId, 'start'),
      due('service.noShow', trade.orderId),
    ]);
    const state = await stateOf(trade);
    expect(state).toBe(started.code === 0 ? 'working' : 'ended');
    expect(await money(trade.buyer)).toBe(started.code === 0 ? 50_000 - 12_120 : 50_000);
    if (state === 'working') await act(trade.buyer, trade.orderId, 'stop');
  });
});

describe('an end', () => {
  test('by one party is paid by the minute after the other agrees', async () => {
    const before = await money(one.companion);
    const trade = await companionTrade(t, one, 'playing');
    const { orderId, orderSn, buyer, companion } = trade;
    await played(orderId, 30);
    await act(buyer, orderId, 'end');
    const seen = await companion.client.ok(serviceOrder, { orderSn });
    expect(seen).toMatchObject({ state: 'ending', play: { playedMinutes: 30, back: '90.90', seller: '28.50' } });
    expect(seen.acts).toEqual(['agreeEnd', 'stop']);
    expect((await act(buyer, orderId, 'agreeEnd')).code).toBe(codes.ORDER_FORBIDDEN[0]);
    const shown = async (who: TestUser) => await who.client.ok(orderDetail, { orderSn });
    const own = async (who: TestUser) =>
      (await shown(who)).handover.filter(({ mine, state }) => mine && state === 'current');
    // Whoever ended it waits for the other.
    expect([(await own(buyer)).length, (await shown(buyer)).due.turn]).toEqual([0, 'seller']);
    expect((await act(companion, orderId, 'agreeEnd')).code).toBe(0);
    expect(await money(buyer)).toBe(50_000 - 3030);
    expect((await money(companion)) - before).toBe(2850);
    expect(await stateOf(trade)).toBe('ended');
    // Play that took place was not cancelled.
    const ended = await shown(buyer);
    expect([ended.due.title, ended.steps.at(-1)?.title]).toEqual(['陪玩已结束', '按进度结算']);
  });

  test('is final after its deadline, and not before', async () => {
    const { orderId, orderSn, buyer, companion } = await companionTrade(t, one, 'playing');
    await played(orderId, 60);
    await act(companion, orderId, 'end');
    // The step of the companion is not the companion's turn while the buyer has to agree.
    for (const party of [companion, buyer]) {
      const { due: next, handover } = await party.client.ok(orderDetail, { orderSn });
      expect(next.turn).toBe('buyer');
      expect(handover.find(({ state }) => state === 'current')).toMatchObject({ key: 'play', mine: false });
    }
    await t.timers();
    expect(await money(buyer)).toBe(50_000 - 12_120);
    await due('service.endFinal', orderId);
    expect(await money(buyer)).toBe(50_000 - 6060);
  });

  const objection = (orderSn: string) => ({
    orderSn,
    reason: 'service_quality',
    want: 'refund' as const,
    answers: { done: '一局都没打完' },
    text: '对方一直挂机没有说话',
  });

  test('waits for an appeal and its ruling; no refund pays the whole', async () => {
    const before = await money(one.companion);
    const trade = await companionTrade(t, one, 'playing');
    const { orderId, orderSn, buyer, companion } = trade;
    await played(orderId, 30);
    await act(companion, orderId, 'end');
    const { disputeSn } = await buyer.client.ok(dispute.openDispute, objection(orderSn));
    await due('service.endFinal', orderId);
    expect(await stateOf(trade)).toBe('ending');
    expect((await act(buyer, orderId, 'agreeEnd')).code).toBe(codes.ORDER_DISPUTED[0]);
    await companion.client.ok(dispute.answerDispute, {
      disputeSn,
      answers: { done: '全程在线' },
      text: '全程开着麦，录音可以作证',
    });
    const service = await t.newStaff({ role: 'service' });
    await service.client.ok(staffDisputeRule, {
      disputeSn,
      refund: '0',
      rules: ['3.1'],
      reason: '语音记录显示全程在线，服务已按约定完成',
    });
    for (const party of [buyer, companion]) await party.client.ok(dispute.acceptRuling, { disputeSn });
    await t.timers();
    await due('service.endFinal', orderId);
    expect(await stateOf(trade)).toBe('checking');
    await buyer.client.ok(confirmRecGoods, { orderId });
    expect((await money(companion)) - before).toBe(11_400);
  });

  test('is agreed to or appealed, not both; a withdrawn appeal keeps the minutes', async () => {
    const trade = await companionTrade(t, one, 'playing');
    const { orderId, orderSn, buyer, companion } = trade;
    await played(orderId, 30);
    await act(companion, orderId, 'end');
    const [agreed, opened] = await Promise.all([
      act(buyer, orderId, 'agreeEnd'),
      buyer.client.call(dispute.openDispute, objection(orderSn)),
    ]);
    expect([agreed.code, opened.code].filter((code) => code === 0)).toHaveLength(1);
    if (opened.code === 0) {
      expect(await money(buyer)).toBe(50_000 - 12_120);
      await buyer.client.ok(dispute.withdrawDispute, { disputeSn: opened.data?.disputeSn ?? '' });
      await due('service.endFinal', orderId);
    }
    expect(await stateOf(trade)).toBe('ended');
    expect(await money(buyer)).toBe(50_000 - 3030);
  });

  test('by emergency stop pays the minutes, is recorded for staff, and needs no consent', async () => {
    const { orderId, buyer } = await companionTrade(t, one, 'playing');
    await played(orderId, 30);
    const stranger = await t.newUser();
    expect((await act(stranger, orderId, 'stop')).code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect((await act(buyer, orderId, 'stop', '对方言语骚扰')).code).toBe(0);
    expect(await money(buyer)).toBe(50_000 - 3030);
    const { rows } = await sql<{ kind: string; text: string }>`
      select kind, text from service_progress where order_id = ${orderId}`.execute(t.ctx.db);
    expect(rows).toEqual([{ kind: 'exception', text: '对方言语骚扰' }]);
    const ended = await Promise.all([1, 2, 3].map(async () => await act(buyer, orderId, 'stop')));
    expect(ended.map(({ code }) => code)).toEqual([1, 2, 3].map(() => codes.ORDER_STATE[0]));
  });

  test('within the trial is free, for a buyer’s first order with a companion', async () => {
    const mine = await openedCompanion(t, staff, { profile: { trialMinutes: 10 } });
    const first = await companionTrade(t, mine, 'playing');
    const { buyer } = first;
    await act(buyer, first.orderId, 'end');
    await act(mine.companion, first.orderId, 'agreeEnd');
    expect(await money(buyer)).toBe(50_000);
    const again = await companionTrade(t, mine, 'playing', { buyer });
    await act(buyer, again.orderId, 'end');
    await act(mine.companion, again.orderId, 'agreeEnd');
    // One minute of 120.00 for two hours, and its fee.
    expect(await money(buyer)).toBe(50_000 - 101);
  });
});

test('blocking in either direction prevents orders until it is lifted', async () => {
  const { orderId, orderSn, buyer, companion } = await companionTrade(t, one, 'accepted');
  await act(companion, orderId, 'giveUp', '临时有事，抱歉');
  const stranger = await t.newUser({ balanceFen: 50_000 });
  const foreign = await stranger.client.call(serviceBlock, { orderId, act: 'block' });
  expect(foreign.code).toBe(codes.ORDER_NOT_FOUND[0]);
  const again = async () =>
    (await buyer.client.call(placeServiceOrder, { goodsSn: one.goodsSn, num: 1, area: '微信区' })).code;
  for (const party of [buyer, companion]) {
    await party.client.ok(serviceBlock, { orderId, act: 'block' });
    expect((await party.client.ok(serviceOrder, { orderSn })).isBlocked).toBe(true);
    expect(await again()).toBe(codes.SERVICE_CLOSED[0]);
    await party.client.ok(serviceBlock, { orderId, act: 'unblock' });
  }
  expect(await again()).toBe(0);
});
