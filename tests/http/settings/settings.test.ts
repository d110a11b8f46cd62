import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  changeSetting,
  decideSetting,
  previewSetting,
  revokeSetting,
  settingHistory,
  settingList,
} from '#subjects/settings/contract/staff-settings.ts';
import { codes } from '#contract/codes.ts';
import { placeOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { settingSpecs, measuredSettings, typedSetting } from '#subjects/settings/rules/settings.ts';
import { isSettingKey, type SettingKey, settingValues } from '#subjects/settings/contract/setting-values.ts';
import type { StaffCall } from '#server/access/call.ts';
import { createContext } from '#server/context.ts';
import { list as settingStates } from '#subjects/back-office/server/settings/settings.ts';
import { inTransaction } from '#server/db/client.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { setSetting } from '#subjects/settings/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { putSetting } from '#tests/support/market/settings.ts';

let t: TestApp;
let finance: TestStaff;
let admin: TestStaff;
let buyer: TestUser;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await addGame(t.ctx);
  finance = await t.newStaff({ role: 'finance' });
  admin = await t.newStaff({ role: 'admin' });
  buyer = await t.newUser({ balanceFen: 10_000_000 });
  seller = await t.newUser();
});
afterAll(async () => await t.close());
afterEach(async () => {
  await sql`update setting set revoked_at = now() where valid_from > now() and revoked_at is null`.execute(t.ctx.db);
  await sql`update approval set status = 'expired' where status = 'waiting'`.execute(t.ctx.db);
  await putSetting(t, 'fees', { sellerBp: 500, sellerMaxFen: 50_000, buyerBp: 100, inviteBp: 500 });
});

const stateOf = async (key: string) => {
  const { list } = await finance.client.ok(settingList, {});
  const found = list.find((one) => one.key === key);
  if (!found) throw new Error(`no setting ${key}`);
  return found;
};

/** A moment so many hours from now, as a form gives it. */
const inHours = (hours: number): string => new Date(Date.now() + (hours + 8) * 3_600_000).toISOString().slice(0, 16);

const change = async (key: string, values: Record<string, string>, from = '', who = finance) =>
  await who.client.call(changeSetting, {
    key,
    version: (await stateOf(key)).version,
    values,
    from,
    reason: '测试修改',
  });

/** Waits until the server uses a value of a setting that was planned for a moment ahead. */
async function begins(key: SettingKey, field: string, value: number): Promise<void> {
  await expect.poll(() => t.ctx.dir.setting(key)).toMatchObject({ [field]: value });
}

/** Both persons: asked by finance, allowed by the administrator. */
async function byTwo(key: string, values: Record<string, string>, from = ''): Promise<void> {
  expect((await change(key, values, from)).code).toBe(0);
  const { draft } = await stateOf(key);
  await admin.client.ok(decideSetting, { key, draftId: draft?.draftId ?? 0, act: 'approve', reason: '核对无误' });
}

const totalOf = async (goodsSn: string): Promise<string> => (await buyer.client.ok(quoteOrder, { goodsSn })).totalPrice;

test('every key of the table is registered, or measured; and every value passes its own form', async () => {
  const { rows } = await sql<{ key: string; value: unknown }>`
    select distinct on (key) key, value from setting order by key, version desc`.execute(t.ctx.db);
  const known = [...settingSpecs.map(({ key }) => key), ...measuredSettings];
  expect(rows.map(({ key }) => key).filter((key) => !known.includes(key))).toEqual([]);
  for (const spec of settingSpecs) {
    const value = rows.find(({ key }) => key === spec.key)?.value;
    const { problems } = await finance.client.ok(previewSetting, {
      key: spec.key,
      values: typedSetting(spec, value),
    });
    expect([spec.key, problems]).toEqual([spec.key, []]);
  }
});

test('every setting has a schema that its stored value matches', async () => {
  const { rows } = await sql<{ key: string; value: unknown }>`
    select distinct on (key) key, value from setting where key <> 'demo_market' order by key, version desc`.execute(
    t.ctx.db,
  );
  expect(rows.map(({ key }) => key)).toEqual(Object.keys(settingValues).toSorted());
  for (const { key, value } of rows)
    if (isSettingKey(key)) expect({ key, value }).toMatchObject({ key, value: settingValues[key].parse(value) });
});

test('a stored value without a field is rejected, and the server keeps the value that it has', async () => {
  const before = t.ctx.dir.setting('claims');
  await expect(putSetting(t, 'claims', { decideSeconds: null })).rejects.toThrow(
    /setting claims is invalid: decideSeconds: /,
  );
  expect(t.ctx.dir.setting('claims')).toEqual(before);
  await putSetting(t, 'claims', { decideSeconds: before.decideSeconds });
});

test('the list of settings reads the pending changes of all settings in one statement', async () => {
  let statements = 0;
  const db = t.ctx.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  });
  const ctx = Object.create(t.ctx, { db: { value: db } }) as StaffCall['ctx'];
  const staff = { id: finance.id, distId: null, permissions: ['setting.read'] } as unknown as StaffCall['staff'];
  const { list } = await settingStates({ ctx, staff } as StaffCall);
  expect(list.length).toBeGreaterThan(10);
  // The settings, the tiers and those pending, whether fees need a second person, and the pending changes.
  expect(statements).toBe(5);
});

describe('by one person, before the first order', () => {
  test('a change takes effect immediately, shows its author and reason, and can be rolled back', async () => {
    expect(await change('bargain', { tries: '4' })).toMatchObject({ code: 0, data: { state: 'counts' } });
    expect(t.ctx.dir.setting('bargain')).toMatchObject({ tries: 4, perDay: 30 });
    expect(await stateOf('bargain')).toMatchObject({ version: 2, reason: '测试修改', values: { tries: '4' } });
    const { list } = await finance.client.ok(settingHistory, { key: 'bargain' });
    expect(list).toMatchObject([
      { version: 2, state: 'counts', changes: [{ label: '每件商品次数', before: '3', after: '4' }] },
      { version: 1, state: 'past', changes: [] },
    ]);
    expect((await change('bargain', list[1]?.values ?? {})).code).toBe(0);
    expect(t.ctx.dir.setting('bargain')).toMatchObject({ tries: 3 });
    const { rows } = await sql<{ act: string; detail: { changed: unknown } }>`
      select act, detail from audit_log where target = 'setting:bargain' order by id`.execute(t.ctx.db);
    expect(rows.map(({ detail }) => detail.changed)).toEqual([{ tries: ['3', '4'] }, { tries: ['4', '3'] }]);
  });

  test('also a change that needs two persons later', async () => {
    expect((await stateOf('fees')).needsSecond).toBe(false);
    expect(await change('fees', { buyerBp: '2' })).toMatchObject({ code: 0, data: { state: 'counts' } });
  });
});

describe('bad input', () => {
  test.each([
    ['fees', { sellerBp: '31' }, 'values.sellerBp', '0 到 30%之间'],
    ['fees', { sellerBp: '' }, 'values.sellerBp', '不能为空'],
    ['hold_stages', { 'levels.1.parts.1.bp': '90' }, 'values.levels.1.parts.1.bp', '合计 110%'],
    ['seller_levels', { 'levels.1.buyers': '1' }, 'values.levels.1.buyers', '不能低于 1 级的 3'],
    ['deposit_levels', { 'shop.1.amountFen': '1' }, 'values.shop.1.amountFen', '须高于前一级'],
  ])('%s %o gets a field error', async (key, values, field, text) => {
    const before = await stateOf(key);
    expect(await change(key, values)).toMatchObject({
      code: codes.BAD_INPUT[0],
      field,
      msg: expect.stringContaining(text),
    });
    expect(await stateOf(key)).toEqual(before);
  });

  test('a past or too distant start, no change, and an unknown key are rejected', async () => {
    expect(await change('bargain', { tries: '5' }, inHours(-1))).toMatchObject({ field: 'from' });
    expect(await change('bargain', { tries: '5' }, inHours(24 * 200))).toMatchObject({ field: 'from' });
    expect(await change('bargain', { tries: '5' }, '2026-13-40T00:00')).toMatchObject({
      code: codes.BAD_INPUT[0],
      field: 'from',
    });
    expect((await change('bargain', {})).msg).toContain('没有需要保存的修改');
    const input = { key: 'demo_market', version: 1, values: {}, from: '', reason: '没有这项' };
    expect((await finance.client.call(changeSetting, input)).code).toBe(codes.NOT_FOUND[0]);
  });
});

describe('after the first order', () => {
  let goods: { sn: string; id: number };
  beforeAll(async () => {
    const first = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
    await buyer.client.ok(placeOrder, { goodsSn: first.sn });
    goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 9901 });
  });

  test('a fee needs two persons: it takes effect only after the second, a different one', async () => {
    expect(await change('fees', { buyerBp: '2' })).toMatchObject({ code: 0, data: { state: 'waiting' } });
    expect(await totalOf(goods.sn)).toBe('100.00');
    const { draft } = await stateOf('fees');
    expect(draft).toMatchObject({ isMine: true, values: { buyerBp: '2' } });
    const draftId = draft?.draftId ?? 0;
    const decision = { key: 'fees', draftId, act: 'approve', reason: '核对无误' } as const;
    expect((await finance.client.call(decideSetting, decision)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await change('fees', { buyerBp: '3' }, '', admin)).code).toBe(codes.SETTING_DRAFT[0]);
    expect(await admin.client.ok(decideSetting, decision)).toEqual({ state: 'counts' });
    expect((await admin.client.call(decideSetting, decision)).code).toBe(codes.SECOND_PERSON[0]);
    expect(await totalOf(goods.sn)).toBe('100.99');
    expect((await finance.client.ok(settingHistory, { key: 'fees' })).list[0]).toMatchObject({ state: 'counts' });
  });

  test('a rejected change has no effect', async () => {
    await change('fees', { buyerBp: '2' });
    const { draft } = await stateOf('fees');
    await admin.client.ok(decideSetting, {
      key: 'fees',
      draftId: draft?.draftId ?? 0,
      act: 'reject',
      reason: '不同意',
    });
    expect(await stateOf('fees')).toMatchObject({ draft: null, values: { buyerBp: '1' } });
  });

  test('its author withdraws a pending change, a colleague cannot, and the next one can be stored', async () => {
    await change('fees', { buyerBp: '2' });
    const draftId = (await stateOf('fees')).draft?.draftId ?? 0;
    const withdrawal = { key: 'fees', draftId, act: 'withdraw', reason: '数字写错了' } as const;
    expect((await admin.client.call(decideSetting, withdrawal)).code).toBe(codes.SECOND_PERSON[0]);
    expect(await finance.client.ok(decideSetting, withdrawal)).toEqual({ state: 'withdrawn' });
    expect((await finance.client.call(decideSetting, withdrawal)).code).toBe(codes.SECOND_PERSON[0]);
    // What was withdrawn cannot be approved from a page that still shows it.
    const late = { ...withdrawal, act: 'approve' } as const;
    expect((await admin.client.call(decideSetting, late)).code).toBe(codes.SECOND_PERSON[0]);
    expect(await stateOf('fees')).toMatchObject({ draft: null, values: { buyerBp: '1' } });
    const { rows } = await sql<{ staffId: number; reason: string }>`
      select staff_id as "staffId", detail->>'reason' as reason from audit_log
      where act = 'setting.change.withdraw' and target = 'setting:fees'`.execute(t.ctx.db);
    expect(rows).toEqual([{ staffId: finance.id, reason: '数字写错了' }]);
    await byTwo('fees', { buyerBp: '2' });
    expect(await stateOf('fees')).toMatchObject({ draft: null, values: { buyerBp: '2' } });
  });

  test('a change from tomorrow on: orders before and after are exact to the fen, and existing ones keep their terms', async () => {
    const [one, two] = await Promise.all(
      [29_999, 29_999].map(async (priceFen) => await addGoods(t.ctx, { sellerId: seller.id, priceFen })),
    );
    await byTwo('fees', { sellerBp: '6' }, inHours(24));
    const { planned } = await stateOf('fees');
    expect(planned).toMatchObject({ values: { sellerBp: '6' } });
    const change = { key: 'fees', version: planned?.version ?? 0, reason: '改为稍后' };
    await finance.client.ok(revokeSetting, change);
    const from = new Date(Date.now() + 600_000);
    await setSetting(t.ctx, { key: 'fees', typed: { sellerBp: '6.25', buyerBp: '1.5' }, from, reason: '命令行' });
    const before = await buyer.client.ok(placeOrder, { goodsSn: one?.sn ?? '' });
    expect(before.totalPrice).toBe('302.99');
    await passTime(t.ctx.db, 'setting', { key: 'fees' }, { minutes: 11 });
    await makeDue(t.ctx.db, 'setting.begin');
    await t.timers();
    await begins('fees', 'sellerBp', 625);
    const after = await buyer.client.ok(placeOrder, { goodsSn: two?.sn ?? '' });
    expect(after.totalPrice).toBe('304.49');
    const { rows } = await sql<{ sn: string; total: number; commission: number; service: number }>`
      select sn, total_fen as total, commission_fen as commission, service_fee_fen as service from orders
      where sn in (${before.orderSn}, ${after.orderSn}) order by id`.execute(t.ctx.db);
    expect(rows.map(({ total, commission, service }) => [total, commission, service])).toEqual([
      [30_299, 1500, 300],
      [30_449, 1875, 450],
    ]);
  });

  test('a planned change is cancelled once, and never after it took effect', async () => {
    await byTwo('fees', { buyerBp: '3' }, inHours(2));
    const version = (await stateOf('fees')).planned?.version ?? 0;
    expect((await change('fees', { buyerBp: '4' })).code).toBe(codes.SETTING_PENDING[0]);
    const input = { key: 'fees', version, reason: '不改了' };
    const responses = await Promise.all([1, 2, 3].map(() => finance.client.call(revokeSetting, input)));
    expect(responses.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await stateOf('fees')).toMatchObject({ planned: null, values: { buyerBp: '1' } });
    await byTwo('fees', { buyerBp: '3' });
    const now = (await stateOf('fees')).version;
    expect((await finance.client.call(revokeSetting, { ...input, version: now })).code).toBe(codes.SETTING_CHANGED[0]);
  });

  test('search sorts and filters by the new total price', async () => {
    const one = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000 });
    const indexed = async () =>
      (
        await sql<{ fen: number }>`select price_fen as fen from goods_search where goods_id = ${one.id}`.execute(
          t.ctx.db,
        )
      ).rows[0]?.fen;
    await inTransaction(t.ctx.db, async (trx) => await reindexGoods(t.ctx, trx, one.id));
    expect(await indexed()).toBe(20_200);
    await byTwo('fees', { buyerBp: '5' });
    await t.relay();
    await t.timers();
    expect(await indexed()).toBe(21_000);
  });

  test('the buyer gets a message when the fee changed between price and order', async () => {
    const other = await t.newUser();
    const one = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
    const shownPrice = (await buyer.client.ok(quoteOrder, { goodsSn: one.sn })).totalPrice;
    await byTwo('fees', { buyerBp: '2' });
    const rejected = await other.client.call(placeOrder, { goodsSn: one.sn, shownPrice });
    expect(rejected).toMatchObject({ code: codes.PRICE_CHANGED[0], msg: expect.stringContaining('102.00') });
    const again = (await other.client.ok(quoteOrder, { goodsSn: one.sn })).totalPrice;
    expect((await other.client.ok(placeOrder, { goodsSn: one.sn, shownPrice: again })).totalPrice).toBe('102.00');
  });
});

test('one of two concurrent editors succeeds, and the other gets an error', async () => {
  const { version } = await stateOf('new_seller');
  const inputs = ['11', '12', '13', '14'].map((count) => ({
    key: 'new_seller',
    version,
    values: { count },
    from: '',
    reason: '测试修改',
  }));
  const responses = await Promise.all(
    inputs.map(async (input, index) => await (index % 2 === 0 ? finance : admin).client.call(changeSetting, input)),
  );
  expect(responses.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    0,
    ...Array(3).fill(codes.SETTING_CHANGED[0]),
  ]);
  expect((await stateOf('new_seller')).version).toBe(version + 1);
});

test('another node applies a change, and a planned one at its time', async () => {
  const open = async () => await createContext(t.ctx.config, t.ctx.config.databaseUrl ?? '', { log: t.ctx.log });
  const [one, two] = [await open(), await open()];
  const perDay = (): number => two.dir.setting('disputes').perDay;
  try {
    const request = { key: 'disputes', reason: '命令行' };
    await setSetting(one, { ...request, typed: { perDay: '11' }, from: null });
    await expect.poll(perDay).toBe(11);
    const from = new Date(Date.now() + 1500);
    await setSetting(one, { ...request, typed: { perDay: '12' }, from });
    // Before its time it is not read; a slow machine may have passed that time already.
    const early = perDay();
    expect(Date.now() < from.getTime() ? early : 11).toBe(11);
    await expect.poll(perDay).toBe(12);
    expect(Date.now()).toBeGreaterThanOrEqual(from.getTime());
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

test('the preview computes three orders to the fen with the real functions', async () => {
  const values = { sellerBp: '6', buyerBp: '1.5' };
  const { examples, problems } = await finance.client.ok(previewSetting, { key: 'fees', values });
  expect(problems).toEqual([]);
  const line = (index: number, label: string) => examples[index]?.lines.find((one) => one.label === label);
  expect(line(0, '买家应付（不含包赔）')).toMatchObject({ before: '303.00 元', after: '304.50 元', changed: true });
  expect(line(1, '卖家到手')).toMatchObject({ before: '2,743.60 元', after: '2,714.72 元', changed: true });
  expect(line(2, '买家服务费')).toMatchObject({ before: '0.69 元', after: '1.03 元', changed: true });
  expect(line(2, '付款时限')).toMatchObject({ before: '30 分钟', changed: false });
  const wrong = await finance.client.ok(previewSetting, {
    key: 'fees',
    values: { sellerBp: 'x', buyerBp: '99' },
  });
  expect(wrong.problems.map(({ path }) => path)).toEqual(['sellerBp', 'buyerBp']);
});

test('the market uses the effective level of a deposit', async () => {
  await byTwo('deposit_levels', { 'seller.0.amountFen': '600' });
  const { rows } = await sql`select amount_fen as fen from deposit_level where role = 'seller' and level = 1`.execute(
    t.ctx.db,
  );
  expect(rows).toEqual([{ fen: 60_000 }]);
});
