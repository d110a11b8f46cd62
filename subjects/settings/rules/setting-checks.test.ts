/** The bounds between the values of a setting: one below, at and one above each. */
import { describe, expect, test } from 'vitest';
import { checkSetting, type SettingProblem } from './setting-checks.ts';

type Others = Readonly<Record<string, unknown>>;

/** The problems of a setting's value, each as `path: text`. */
const faults = (key: string, value: unknown, others: Others = {}): string[] =>
  checkSetting(key, value, (other) => others[other]).map(({ path, text }: SettingProblem) => `${path}: ${text}`);

test('a setting without a check has no problems', () => {
  expect(faults('fees', { sellerBp: 1 })).toEqual([]);
});

describe('hours of protection', () => {
  test('may stay the same from level to level, and not rise', () => {
    expect(faults('hold_hours', [72, 71])).toEqual([]);
    expect(faults('hold_hours', [72, 72])).toEqual([]);
    expect(faults('hold_hours', [72, 73, 74])).toEqual([
      '1: 不能长于新卖家的 72 小时',
      '2: 不能长于1 级卖家的 73 小时',
    ]);
  });

  test('end after the last early part of their level', () => {
    const hold_stages = {
      levels: [
        { openFen: 0, parts: [] },
        { openFen: 0, parts: [{ hours: 24 }, { hours: 48 }] },
      ],
    };
    const text = '须长于该级最后一段提前放款的 48 小时，请先修改分段';
    expect([47, 48, 49].map((hours) => faults('hold_hours', [72, hours], { hold_stages }))).toEqual([
      [`1: ${text}`],
      [`1: ${text}`],
      [],
    ]);
    // A level without parts has no last one, also where its protection has no hours.
    expect(faults('hold_hours', [0], { hold_stages })).toEqual([]);
    expect(faults('hold_hours', [0, 0, 0], {})).toEqual([]);
    expect(faults('hold_hours', [72, 72, 72], { hold_stages })).toEqual([]);
  });
});

describe('early parts of a payment', () => {
  const level = (openFen: number, ...parts: [hours: number, bp: number][]) => ({
    openFen,
    parts: parts.map(([hours, bp]) => ({ hours, bp })),
  });
  const of = (levels: ReturnType<typeof level>[], hold_hours?: number[]) =>
    faults('hold_stages', { levels }, { ...(hold_hours && { hold_hours }) });

  test('open at an amount that does not fall from level to level', () => {
    expect(of([level(500), level(501)])).toEqual([]);
    expect(of([level(500), level(500)])).toEqual([]);
    expect(of([level(50_000), level(49_999)])).toEqual(['levels.1.openFen: 不能低于新卖家的 500 元']);
  });

  test('follow each other without overlap', () => {
    const text = 'levels.0.parts.1.hours: 与前一段重叠，须晚于 24 小时';
    expect([23, 24, 25].map((hours) => of([level(0, [24, 1000], [hours, 1000])]))).toEqual([[text], [text], []]);
  });

  test('end before the protection of their level, which may be unknown', () => {
    const parts = (hours: number) => [level(0, [hours, 1000])];
    const text = 'levels.0.parts.0.hours: 须早于该级保护期的 24 小时';
    expect([23, 24, 25].map((hours) => of(parts(hours), [24]))).toEqual([[], [text], [text]]);
    expect(of(parts(25))).toEqual([]);
    expect(of(parts(25), [])).toEqual([]);
  });

  test('leave a part to the end of the protection', () => {
    expect(of([level(0, [1, 5000], [2, 4999])])).toEqual([]);
    for (const [last, sum] of [
      [5000, '100%'],
      [5001, '100.01%'],
    ] as const)
      expect(of([level(0, [1, 5000], [2, last])])).toEqual([
        `levels.0.parts.1.bp: 各段合计 ${sum}，须低于 100%，最后一段须留到保护期满`,
      ]);
  });
});

describe('levels of sellers', () => {
  const base = { buyers: 10, fen: 100_000, days: 30, badBp: 500, rating: 4 };
  const of = (change: Partial<typeof base>) =>
    faults('seller_levels', { levels: [base, { ...base, days: 31, ...change }] });

  test('need no less than the level below', () => {
    expect(of({})).toEqual([]);
    expect(of({ buyers: 11, fen: 100_001, badBp: 499, rating: 4.1 })).toEqual([]);
    expect(of({ buyers: 9 })).toEqual(['levels.1.buyers: 不能低于 1 级的 10']);
    expect(of({ fen: 99_999 })).toEqual(['levels.1.fen: 不能低于 1 级的 1,000 元']);
    expect(of({ days: 29 })).toEqual(['levels.1.days: 不能低于 1 级的 30 天']);
    expect(of({ rating: 3.9 })).toEqual(['levels.1.rating: 不能低于 1 级的 4 星']);
    expect(of({ badBp: 501 })).toEqual(['levels.1.badBp: 不能高于 1 级的 5%']);
    expect(of({ buyers: 9, badBp: 501 })).toHaveLength(2);
  });

  test('are not the same as the level below', () => {
    expect(of({ days: 30 })).toEqual(['levels.1.buyers: 与 1 级完全相同，这一级永远不会单独出现']);
    expect(faults('seller_levels', { levels: [base] })).toEqual([]);
  });
});

describe('amounts', () => {
  const fines = { cancelMinFen: 1000, cancelMaxFen: 1000, lossMinFen: 2000, lossMaxFen: 2000 };

  test('keep penalties between their minimum and maximum', () => {
    expect(faults('deposit', fines)).toEqual([]);
    expect(faults('deposit', { ...fines, cancelMaxFen: 1001, lossMaxFen: 2001 })).toEqual([]);
    expect(faults('deposit', { ...fines, cancelMaxFen: 999, lossMaxFen: 1999 })).toEqual([
      'cancelMaxFen: 不能小于最低的 10 元',
      'lossMaxFen: 不能小于最低的 20 元',
    ]);
    expect(faults('deposit', {})).toEqual([]);
    expect(faults('deposit', { cancelMinFen: 100 })).toEqual(['cancelMaxFen: 不能小于最低的 1 元']);
  });

  test('keep the payout fee below the smallest payout, and that below the daily maximum', () => {
    const of = (feeFen: number, dayMaxFen: number) => faults('withdraw', { minFen: 1000, feeFen, dayMaxFen });
    const fee = 'feeFen: 须低于每笔最低的 10 元';
    expect([999, 1000, 1001].map((feeFen) => of(feeFen, 5000))).toEqual([[], [fee], [fee]]);
    const day = 'dayMaxFen: 不能低于每笔最低的 10 元';
    expect([999, 1000, 1001].map((dayMaxFen) => of(100, dayMaxFen))).toEqual([[day], [], []]);
    expect(faults('withdraw', {})).toEqual(['feeFen: 须低于每笔最低的 0 元']);
  });

  test('keep quick top-up amounts within the limits', () => {
    const of = (...quickYuan: number[]) => faults('topup', { minFen: 1000, maxFen: 5000, quickYuan });
    expect(of(10, 50)).toEqual([]);
    expect(of(10, 9, 51)).toEqual(['quickYuan: 快捷金额 9 元超出每笔的限额']);
    expect(of(51)).toEqual(['quickYuan: 快捷金额 51 元超出每笔的限额']);
    expect(faults('topup', { minFen: 1000, maxFen: 999, quickYuan: [1] })).toEqual(['maxFen: 不能小于最低的 10 元']);
    expect(faults('topup', { minFen: 1000, maxFen: 1000, quickYuan: [10] })).toEqual([]);
  });
});

describe('levels of deposits', () => {
  const level = (amountFen: number) => ({ name: '一级', amountFen, releaseDays: 7 });

  test('are at least one, without gaps, each whole', () => {
    expect(faults('deposit_levels', { seller: [level(100)] })).toEqual([]);
    expect(faults('deposit_levels', { seller: [], shop: [undefined, level(100)] })).toEqual([
      'seller.0.name: 至少保留 1 级',
      'shop.0.name: 至少保留 1 级',
    ]);
    expect(faults('deposit_levels', { seller: [level(100), undefined, level(300)] })).toEqual([
      'seller.1.name: 等级须连续，中间不能留空',
    ]);
    expect(faults('deposit_levels', { seller: [level(100), {}] })).toEqual([
      'seller.1.name: 请填写名称',
      'seller.1.amountFen: 请填写金额',
      'seller.1.releaseDays: 请填写退还等待',
    ]);
    expect(faults('deposit_levels', { seller: [{ name: '一级', amountFen: 100 }] })).toEqual([
      'seller.0.releaseDays: 请填写退还等待',
    ]);
  });

  test('rise', () => {
    const text = 'seller.1.amountFen: 须高于前一级的 5 元';
    const of = (fen: number) => faults('deposit_levels', { seller: [level(500), level(fen)] });
    expect([499, 500, 501].map(of)).toEqual([[text], [text], []]);
  });
});

describe('sessions of staff', () => {
  test('are idle, and need no second factor, no longer than they last', () => {
    const of = (idleMinutes: number, stepUpMinutes: number) =>
      faults('staffSession', { idleMinutes, stepUpMinutes, maxMinutes: 60 });
    expect(of(60, 60)).toEqual([]);
    expect(of(61, 60)).toEqual(['idleMinutes: 不能长于最长登录的 60 分钟']);
    expect(of(60, 61)).toEqual(['stepUpMinutes: 不能长于最长登录的 60 分钟']);
    expect(faults('staffSession', {})).toEqual([]);
  });
});

describe('tiers of guarantees', () => {
  const fall = { afterDays: 30, everyDays: 30, stepBp: 2000, floorBp: 3000 };
  const of = (change: object, others: Others = {}) =>
    faults(
      'tier',
      { kind: 'ensure', payoutBp: 10_000, onOffer: true, reasons: { recovered: { most: 'price' } }, ...change },
      others,
    );

  test('cover at least one case', () => {
    expect(of({})).toEqual([]);
    expect(of({ reasons: {} })).toEqual(['reasons.recovered.most: 至少保一种情况']);
  });

  test('pay no more than the price unless by receipts', () => {
    const text = 'payoutBp: 没有按凭证赔付的情况时，不能超过商品价的 100%';
    expect([9999, 10_000, 10_001].map((payoutBp) => of({ payoutBp }))).toEqual([[], [], [text]]);
    const reasons = { recovered: { most: 'price' }, banned: { most: 'receipts' } };
    expect(of({ payoutBp: 10_001, reasons })).toEqual([]);
  });

  test('keep their kind', () => {
    expect(of({}, { kind: 'ensure' })).toEqual([]);
    expect(of({}, { kind: 'fixEnsure' })).toEqual(['kind: 已有档位的类型不能更改，请新建']);
  });

  test('fall by all four values or none, and never below nothing', () => {
    const falling = (change: object, most = 'price') =>
      of({ reasons: { banned: { most, fall: { ...fall, ...change } } } });
    const at = 'reasons.banned.fall';
    expect(falling({})).toEqual([]);
    for (const name of ['afterDays', 'everyDays', 'stepBp', 'floorBp'])
      expect(falling({ [name]: undefined })).toEqual([`${at}.${name}: 递减的四项须一起填写`]);
    expect(falling({}, 'receipts')).toEqual([`${at}.afterDays: 按凭证赔付的不递减，请留空`]);
    expect([6999, 7000, 7001].map((stepBp) => falling({ stepBp }))).toEqual([
      [],
      [],
      [`${at}.stepBp: 每次递减与最低合计 100.01%，不能超过 100%`],
    ]);
  });
});
