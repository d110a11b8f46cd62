import { describe, expect, test } from 'vitest';
import { readField } from './setting-fields.ts';
import { measuredSettings, readSetting, settingSpec, settingSpecs, typedSetting } from './settings.ts';

const HOURS = [168, 72, 48, 24, 24, 24];
const STAGES = {
  quietDays: 180,
  levels: [
    { openFen: 0, parts: [] },
    {
      openFen: 50_000,
      parts: [
        { hours: 24, bp: 2000 },
        { hours: 48, bp: 3000 },
      ],
    },
    {
      openFen: 200_000,
      parts: [
        { hours: 12, bp: 3000 },
        { hours: 24, bp: 2000 },
      ],
    },
    { openFen: 500_000, parts: [{ hours: 6, bp: 5000 }] },
    { openFen: 1_000_000, parts: [{ hours: 2, bp: 6000 }] },
    { openFen: 3_000_000, parts: [{ hours: 1, bp: 8000 }] },
  ],
};
const LEVELS = {
  windowDays: 180,
  minFen: 1000,
  perBuyerOrders: 2,
  perBuyerFen: 200_000,
  ratingCount: 5,
  levels: [
    { buyers: 3, fen: 50_000, days: 7, badBp: 2000, rating: 0 },
    { buyers: 10, fen: 300_000, days: 30, badBp: 800, rating: 4.2 },
    { buyers: 25, fen: 1_000_000, days: 60, badBp: 500, rating: 4.4 },
    { buyers: 60, fen: 3_000_000, days: 90, badBp: 300, rating: 4.6 },
    { buyers: 150, fen: 10_000_000, days: 180, badBp: 200, rating: 4.7 },
  ],
};
const FEES = { sellerBp: 500, sellerMaxFen: 50_000, buyerBp: 100, inviteBp: 500, kept: 'as it was' };

const specFor = (key: string) => {
  const spec = settingSpec(key);
  if (!spec) throw new Error(`no setting ${key}`);
  return spec;
};
const read = (key: string, current: unknown, typed: Record<string, string>) =>
  readSetting(specFor(key), { current, typed, other: (other) => ({ hold_hours: HOURS, hold_stages: STAGES })[other] });
const problems = (key: string, current: unknown, typed: Record<string, string>) => {
  const result = read(key, current, typed);
  return 'problems' in result ? result.problems : [];
};

test('a stored value is restored from its form, including fields that the form omits', () => {
  for (const [key, value] of [
    ['fees', FEES],
    ['hold_hours', HOURS],
    ['hold_stages', STAGES],
    ['seller_levels', LEVELS],
  ] as const)
    expect(read(key, value, typedSetting(specFor(key), value))).toEqual({ value });
  expect(typedSetting(specFor('fees'), FEES)).toEqual({
    sellerBp: '5',
    sellerMaxFen: '500',
    buyerBp: '1',
    inviteBp: '5',
  });
});

test('amounts are exact to the fen and rates to a hundredth of a percent', () => {
  expect(read('fees', FEES, { sellerBp: '5.25', sellerMaxFen: '0.29' })).toEqual({
    value: { ...FEES, sellerBp: 525, sellerMaxFen: 29 },
  });
});

test.each([
  ['sellerBp', '', '不能为空'],
  ['sellerBp', 'abc', '应为数字'],
  ['sellerBp', '5.125', '最多 2 位小数'],
  ['sellerBp', '30.01', '0 到 30%之间'],
  ['sellerBp', '-1', '应为数字'],
  ['sellerMaxFen', '0', '0.01 到 1,000,000 元之间'],
  ['sellerMaxFen', '1e3', '应为数字'],
  ['nothing', '1', '没有这个字段'],
])('%s = "%s" gets a field error', (path, typed, text) => {
  expect(problems('fees', FEES, { [path]: typed })).toEqual([{ path, text: expect.stringContaining(text) }]);
});

describe('deposit levels', () => {
  test.each([
    ['levels.1.parts.1.hours', '24', '与前一段重叠'],
    ['levels.1.parts.1.hours', '72', '须早于该级保护期的 72 小时'],
    ['levels.1.parts.1.bp', '80', '合计 100%'],
    ['levels.2.openFen', '499', '不能低于1 级卖家的 500 元'],
    ['levels.3.parts.0.bp', '', '须一起填写'],
  ])('a stage with %s = %s is rejected', (path, typed, text) => {
    expect(problems('hold_stages', STAGES, { [path]: typed })).toEqual([{ path, text: expect.stringContaining(text) }]);
  });

  test('an empty stage at the end is ignored', () => {
    const result = read('hold_stages', STAGES, { 'levels.1.parts.1.hours': '', 'levels.1.parts.1.bp': '' });
    expect(result).toMatchObject({ value: { levels: { 1: { parts: [{ hours: 24, bp: 2000 }] } } } });
  });

  test('a level has at most the hold of the level below, and at least its own stages', () => {
    expect(problems('hold_hours', HOURS, { '2': '73' })).toEqual([{ path: '2', text: '不能长于1 级卖家的 72 小时' }]);
    expect(problems('hold_hours', HOURS, { '1': '169' })).toEqual([{ path: '1', text: '不能长于新卖家的 168 小时' }]);
    expect(problems('hold_hours', HOURS, { '1': '48' })).toEqual([
      { path: '1', text: expect.stringContaining('须长于该级最后一段提前放款的 48 小时') },
    ]);
  });

  test('a level requires at least what the one below requires, and more in one point', () => {
    expect(problems('seller_levels', LEVELS, { 'levels.1.buyers': '2', 'levels.1.badBp': '30' })).toEqual([
      { path: 'levels.1.buyers', text: '不能低于 1 级的 3' },
      { path: 'levels.1.badBp', text: '不能高于 1 级的 20%' },
    ]);
    const same = {
      'levels.1.buyers': '3',
      'levels.1.fen': '500',
      'levels.1.days': '7',
      'levels.1.badBp': '20',
      'levels.1.rating': '0',
    };
    expect(problems('seller_levels', LEVELS, same)).toEqual([
      { path: 'levels.1.buyers', text: expect.stringContaining('完全相同') },
    ]);
  });

  const level = { name: '标准', amountFen: 50_000, releaseDays: 7, limits: {}, benefits: ['标识'] };
  const DEPOSITS = { seller: [level], shop: [level], booster: [level], companion: [level], recycler: [level] };
  test('levels of deposit rise without a gap in whole yuan', () => {
    const second = { 'seller.1.name': '优选', 'seller.1.amountFen': '500', 'seller.1.releaseDays': '7' };
    expect(problems('deposit_levels', DEPOSITS, second)).toContainEqual({
      path: 'seller.1.amountFen',
      text: '须高于前一级的 500 元',
    });
    expect(problems('deposit_levels', DEPOSITS, { 'seller.1.amountFen': '600' })).toEqual(
      expect.arrayContaining([{ path: 'seller.1.name', text: '请填写名称' }]),
    );
    const gap = { 'seller.2.name': '优选', 'seller.2.amountFen': '900', 'seller.2.releaseDays': '7' };
    expect(problems('deposit_levels', DEPOSITS, gap)).toContainEqual({
      path: 'seller.1.name',
      text: '等级须连续，中间不能留空',
    });
    expect(read('deposit_levels', DEPOSITS, { ...second, 'seller.1.amountFen': '600' })).toMatchObject({
      value: { seller: [{}, { name: '优选', amountFen: 60_000, releaseDays: 7 }] },
    });
  });
});

test('a list is in ascending order and has an end', () => {
  const field = { path: 'x', label: '等待', type: 'minutesList', min: 60, max: 86_400 } as const;
  expect(readField(field, '1、5，15 60')).toEqual({ value: [60, 300, 900, 3600] });
  expect(readField(field, '5 1')).toEqual({ problem: '等待须从小到大，不重复' });
  expect(readField(field, '1 2 3 4 5 6 7 8 9')).toEqual({ problem: '等待最多 8 个' });
});

test('every field has a unique name in its row, and bounds that contain its values', () => {
  for (const { key, fields } of settingSpecs) {
    expect(new Set(fields.map(({ path }) => path)).size, key).toBe(fields.length);
    for (const { min = 0, max = 1 } of fields) expect(min).toBeLessThanOrEqual(max);
  }
});

test('D: every setting has one key, and changes of fees and holds need two people', () => {
  const keys = settingSpecs.map(({ key }) => key);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  expect(keys.filter((key) => measuredSettings.includes(key))).toEqual([]);
  const needed = ['fees', 'middleman', 'hold_hours', 'hold_stages', 'withdraw', 'payout', 'staffSession'];
  expect(needed.filter((key) => settingSpec(key)?.twoPersons !== true)).toEqual([]);
});

test('fee changes need two people: every field of a fee, a rate or a share is in a setting of two persons', () => {
  const FEE = /(?:Bp|feeFen|minFen|maxFen|premium|commission)$/i;
  /** Amounts and rates that are not charged to anyone. */
  const NO_FEES = new Set(['topup', 'new_seller', 'seller_levels']);
  const alone = settingSpecs.filter(
    ({ key, twoPersons, fields }) => !twoPersons && !NO_FEES.has(key) && fields.some(({ path }) => FEE.test(path)),
  );
  expect(alone.map(({ key }) => key)).toEqual([]);
});

test('what the program measures and the seed keeps is no setting of staff', () => {
  for (const key of ['guarantee_rates', 'fund_release', 'demo_market']) {
    expect(measuredSettings).toContain(key);
    expect(settingSpec(key)).toBeUndefined();
  }
  expect([settingSpec('nothing'), settingSpec('tier:'), settingSpec('tier:Recovery')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(settingSpec('tier:recovery')?.key).toBe('tier:recovery');
});

test('a new setting is read from an empty form: lists and objects are created as their paths name them', () => {
  const path = (one: string) => ({ path: one, label: one, type: 'count' as const });
  const spec = {
    ...specFor('fees'),
    key: 'x',
    fields: ['a.b', 'list.0.n', 'list.1.n', 'ten.10', 'v.v2', 'w.2w'].map(path),
  };
  const typed = { 'a.b': '1', 'list.0.n': '2', 'list.1.n': '3', 'ten.10': '4', 'v.v2': '5', 'w.2w': '6' };
  for (const current of [null, undefined, 'text']) {
    const result = readSetting(spec, { current, typed, other: () => undefined });
    const ten: unknown[] = [];
    ten[10] = 4;
    expect(result).toEqual({ value: { a: { b: 1 }, list: [{ n: 2 }, { n: 3 }], ten, v: { v2: 5 }, w: { '2w': 6 } } });
    const { value } = result as unknown as { value: Record<string, unknown> };
    expect([value.a, value.list, value.ten, value.v, value.w].map(Array.isArray)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    expect((value.ten as unknown[])[0]).toBeUndefined();
  }
  expect(typedSetting(spec, null)).toEqual({
    'a.b': '',
    'list.0.n': '',
    'list.1.n': '',
    'ten.10': '',
    'v.v2': '',
    'w.2w': '',
  });
});

test('a separate field that is emptied is removed, not kept as nothing', () => {
  const field = { path: 'a.b', label: '数', type: 'count', optional: true } as const;
  const spec = { ...specFor('fees'), key: 'x', fields: [field] };
  const result = readSetting(spec, { current: { a: { b: 1, c: 2 } }, typed: { 'a.b': ' ' }, other: () => undefined });
  expect(Object.keys((result as { value: { a: object } }).value.a)).toEqual(['c']);
});

test('the current value is not changed by reading a form', () => {
  const current = structuredClone(STAGES);
  read('hold_stages', current, { 'levels.1.parts.1.hours': '', 'levels.1.parts.1.bp': '' });
  expect(current).toEqual(STAGES);
});

test.each([
  // A row with only blanks is empty, and so is one of a level without any.
  ['levels.1.parts.1', ' ', ' ', []],
  ['levels.0.parts.0', '', '', []],
  ['levels.1.parts.1', ' ', '20', ['levels.1.parts.1.hours']],
  ['levels.1.parts.1', '48', ' ', ['levels.1.parts.1.bp']],
])('the stage %s with “%s” hours and “%s” %% lacks %j', (row, hours, bp, missing) => {
  const found = problems('hold_stages', STAGES, { [`${row}.hours`]: hours, [`${row}.bp`]: bp });
  const together = found.filter(({ text }) => text === '时间和比例须一起填写');
  expect(together.map(({ path }) => path)).toEqual(missing);
});

test('a form of deposits without any level is refused for each role, not stored as nothing', () => {
  const result = readSetting(specFor('deposit_levels'), { current: {}, typed: {}, other: () => undefined });
  expect(result).toEqual({
    problems: ['seller', 'shop', 'booster', 'companion', 'recycler'].map((role) => ({
      path: `${role}.0.name`,
      text: '至少保留 1 级',
    })),
  });
});

test('a tier keeps the reasons that it covers', () => {
  const current = {
    name: '找回包赔',
    kind: 'fixEnsure',
    onOffer: true,
    bp: 500,
    minFen: 500,
    payoutBp: 10_000,
    chaseDays: 7,
    sort: 1,
    coverText: '被找回时赔付',
    exclusions: [],
    reasons: { recovered: { most: 'price', byItself: true }, banned: { byItself: true } },
  };
  const result = readSetting(specFor('tier:recovery'), { current, typed: {}, other: () => undefined });
  expect('value' in result && (result.value as typeof current).reasons).toEqual({
    recovered: { most: 'price', byItself: true },
  });
});
