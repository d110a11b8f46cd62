import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  changeSetting,
  decideSetting,
  previewSetting,
  settingHistory,
  settingList,
} from '#subjects/settings/contract/staff-settings.ts';
import { codes } from '#contract/codes.ts';
import { placeOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { newTier, tierSpec } from '#subjects/settings/rules/setting-tiers.ts';
import { typedSetting } from '#subjects/settings/rules/settings.ts';
import { coverPaid } from '#subjects/guarantees/server/covers.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let finance: TestStaff;
let admin: TestStaff;
let buyer: TestUser;
let seller: TestUser;
const KEY = 'tier:recovery';

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await addGame(t.ctx);
  finance = await t.newStaff({ role: 'finance' });
  admin = await t.newStaff({ role: 'admin' });
  buyer = await t.newUser({ balanceFen: 10_000_000 });
  seller = await t.newUser();
});
afterAll(async () => await t.close());

const stateOf = async (key = KEY) => (await finance.client.ok(settingList, {})).list.find((one) => one.key === key);

const change = async (values: Record<string, string>, { key = KEY, from = '' } = {}) =>
  await finance.client.call(changeSetting, {
    key,
    version: (await stateOf(key))?.version ?? 0,
    values,
    from,
    reason: '测试修改',
  });

const offered = (code: string) => t.ctx.dir.tiers().find((tier) => tier.code === code);

test.each([
  ['bp', '51', '0 到 50%之间'],
  ['name', '', '名称不能为空'],
  ['kind', 'ensure', '不能更改'],
  ['payoutBp', '150', '不能超过商品价的 100%'],
  ['reasons.banned.fall.stepBp', '', '四项须一起填写'],
  ['reasons.banned.fall.stepBp', '80', '合计 110%'],
  ['games', '3、2', '从小到大'],
])('%s = "%s" gets a field error', async (path, typed, text) => {
  expect(await change({ [path]: typed })).toMatchObject({
    code: codes.BAD_INPUT[0],
    field: `values.${path}`,
    msg: expect.stringContaining(text),
  });
  expect(await stateOf()).toMatchObject({ version: 1 });
});

test('a tier without cover is rejected', async () => {
  const none = Object.fromEntries(
    Object.keys((await stateOf())?.values ?? {})
      .filter((path) => path.startsWith('reasons.'))
      .map((path) => [path, '']),
  );
  expect(await change(none)).toMatchObject({ field: 'values.reasons.recovered.most' });
});

test('new terms get a new version and id: sold ones keep their terms, and buyers who chose the old one get a message', async () => {
  const [one, two] = [
    await addGoods(t.ctx, { sellerId: seller.id, priceFen: 33_333 }),
    await addGoods(t.ctx, { sellerId: seller.id, priceFen: 33_333 }),
  ];
  const old = offered('recovery');
  const fixEnsureId = old?.id ?? 0;
  const sold = await buyer.client.ok(placeOrder, { goodsSn: one.sn, fixEnsureId });
  expect(sold.totalPrice).toBe('369.99');

  expect(await change({ bp: '12.5', payoutBp: '80', chaseDays: '10' })).toMatchObject({ data: { state: 'waiting' } });
  expect(offered('recovery')).toMatchObject({ id: fixEnsureId, bp: 1000 });
  const draftId = (await stateOf())?.draft?.draftId ?? 0;
  await admin.client.ok(decideSetting, { key: KEY, draftId, act: 'approve', reason: '核对无误' });

  const now = offered('recovery');
  expect(now).toMatchObject({ version: 2, bp: 1250, payoutBp: 8000, chaseDays: 10, reasons: old?.reasons });
  expect((await buyer.client.call(placeOrder, { goodsSn: two.sn, fixEnsureId })).msg).toContain('条款已更新');
  const again = await buyer.client.ok(quoteOrder, { goodsSn: two.sn, fixEnsureId: now?.id ?? 0 });
  expect(again.totalPrice).toBe('378.33');

  await buyer.client.ok(balancePay, { orderId: sold.orderId });
  await coverPaid(t.ctx.db, [sold.orderId]);
  const { rows } =
    await sql`select payout_max_fen as most, premium_fen as premium, terms->>'chaseDays' as days from guarantee_cover
    where order_id = ${sold.orderId}`.execute(t.ctx.db);
  expect(rows).toEqual([{ most: 33_333, premium: 3333, days: '7' }]);
  const { list } = await finance.client.ok(settingHistory, { key: KEY });
  expect(list).toMatchObject([
    {
      version: 2,
      state: 'counts',
      approvedBy: expect.any(String),
      changes: expect.arrayContaining([{ label: '费率', before: '10', after: '12.5' }]),
    },
    { version: 1, state: 'past' },
  ]);
});

test('a tier is taken off sale, and a new one is offered; two concurrent ones with one code make one', async () => {
  const spec = tierSpec('tier:vip');
  const values = {
    ...typedSetting(spec, newTier),
    name: '尊享包赔',
    bp: '18',
    coverText: '含找回与人脸',
    'reasons.recovered.most': 'price',
    'reasons.recovered.byItself': '1',
  };
  const { examples } = await finance.client.ok(previewSetting, { key: 'tier:vip', values });
  expect(examples[1]?.lines.find(({ label }) => label.includes('vip'))).toMatchObject({
    before: '没有在售',
    after: '尊享包赔 519.84 元，最多赔 2,888.00 元',
  });
  const both = await Promise.all([change(values, { key: 'tier:vip' }), change(values, { key: 'tier:vip' })]);
  expect(both.map(({ code }) => code)).toContain(0);
  const approve = async () =>
    await admin.client.call(decideSetting, {
      key: 'tier:vip',
      draftId: (await stateOf('tier:vip'))?.draft?.draftId ?? 0,
      act: 'approve',
      reason: '核对无误',
    });
  const waiting = await stateOf('tier:vip');
  if (waiting?.draft) expect(await approve()).toMatchObject({ code: 0 });
  expect(offered('vip')).toMatchObject({ bp: 1800, version: 1, kind: 'ensure', games: null });
  await change({ onOffer: '0' }, { key: 'tier:vip' });
  if ((await stateOf('tier:vip'))?.draft) expect(await approve()).toMatchObject({ code: 0 });
  expect(offered('vip')).toBeUndefined();
});
