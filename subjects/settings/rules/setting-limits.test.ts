/** Lists every limit of a setting in the units of the form, for review. */
import { describe, expect, test } from 'vitest';
import { isService, orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { clockSettings } from './setting-clocks.ts';
import { type SettingField, typedValue, unitOf } from './setting-fields.ts';
import { feeSettings, limitSettings, settingGroups } from './setting-groups.ts';

const all = [...feeSettings, ...limitSettings, ...clockSettings];
const specOf = (key: string) => all.find((spec) => spec.key === key);
const fieldOf = (key: string, path: string) => specOf(key)?.fields.find((field) => field.path === path);

/** A field's limits as '1–168 小时'; the lowest value is 0 unless the field says another. */
function limitsOf(field: SettingField | undefined): string {
  if (!field) return 'no such field';
  const shown = (value: number | undefined) => typedValue(field, field.type.endsWith('List') ? [value] : value);
  const unit = unitOf(field.type);
  return `${shown(field.min ?? 0)}–${shown(field.max)}${unit === '' || unit === '%' ? unit : ` ${unit}`}`;
}

const LIMITS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fees: {
    sellerBp: '0–30%',
    sellerMaxFen: '0.01–1000000 元',
    buyerBp: '0–20%',
    inviteBp: '0–50%',
  },
  middleman: {
    minFen: '0–1000 元',
    answerHours: '1–720 小时',
    unpaidSeconds: '1–168 小时',
  },
  hold_hours: {},
  hold_stages: {
    quietDays: '0–730 天',
    'levels.0.openFen': '0–1000000 元',
    'levels.0.parts.0.hours': '1–719 小时',
    'levels.0.parts.0.bp': '0.01–99.99%',
  },
  seller_levels: {
    windowDays: '30–730 天',
    minFen: '0–1000 元',
    perBuyerOrders: '1–50',
    perBuyerFen: '1–1000000 元',
    ratingCount: '1–100',
    'levels.0.buyers': '1–100000',
    'levels.0.fen': '0–100000000 元',
    'levels.0.days': '0–3650 天',
    'levels.0.badBp': '0–100%',
    'levels.0.rating': '0–5 星',
  },
  deposit: {
    cancelBp: '0–50%',
    cancelMinFen: '0–10000 元',
    cancelMaxFen: '0–100000 元',
    lossBp: '0–50%',
    lossMinFen: '0–10000 元',
    lossMaxFen: '0–100000 元',
    recheckSeconds: '1–168 小时',
  },
  deposit_levels: {
    'seller.0.amountFen': '1–1000000 元',
    'seller.0.releaseDays': '0–90 天',
    'seller.0.limits.listings': '1–10000',
    'seller.0.limits.orderFen': '1–10000000 元',
    'recycler.0.amountFen': '1–1000000 元',
    'recycler.0.releaseDays': '0–90 天',
    'recycler.0.limits.openOrders': '1–10000',
    'recycler.0.limits.orderFen': '1–10000000 元',
  },
  withdraw: {
    minFen: '0.01–10000 元',
    feeFen: '0–100 元',
    dayCount: '1–100',
    dayMaxFen: '1–10000000 元',
    secondPersonFen: '1–1000000 元',
  },
  payout: {
    smsFen: '1–1000000 元',
    recheckDays: '1–60 天',
  },
  topup: {
    minFen: '0.01–1000 元',
    maxFen: '1–1000000 元',
    expireSeconds: '1–120 分钟',
    quickYuan: '1–1000000 元',
  },
  refund: {
    days: '1–365 天',
  },
  new_seller: {
    sales: '0–100',
    count: '1–10000',
    maxFen: '1–1000000 元',
  },
  bargain: {
    floorPercent: '1–100%',
    tries: '1–20',
    days: '1–90 天',
    perDay: '1–500',
  },
  inspection: {
    validDays: '1–180 天',
    againDays: '1–90 天',
    feeFen: '0–1000 元',
    perDay: '1–50',
    sealSeconds: '1–168 小时',
    workSeconds: '1–168 小时',
    claimSeconds: '1–48 小时',
    wrongBp: '0–100%',
    wrongMinFen: '0–10000 元',
    wrongDays: '1–90 天',
  },
  recycling: {
    dayLimitFen: '100–100000000 元',
    budgetFen: '0–100000000 元',
    floorMaxFen: '10–10000000 元',
    handlingBp: '0–50%',
    recoveryBp: '0–50%',
    capitalBpPerDay: '0–5%',
    errorBp: '0–100%',
    bidSeconds: '1–60 分钟',
    bindSeconds: '1–168 小时',
    handOverSeconds: '1–24 小时',
    inspectSeconds: '1–72 小时',
    answerSeconds: '1–72 小时',
    takeOverSeconds: '1–168 小时',
  },
  coupon: {
    secondPersonFen: '1–10000000 元',
  },
  lottery: {
    drawsPerDay: '1–20',
  },
  staffSession: {
    idleMinutes: '5–480 分钟',
    maxMinutes: '30–1440 分钟',
    stepUpMinutes: '1–60 分钟',
    inviteHours: '1–168 小时',
  },
  order: {
    unpaidSeconds: '5–1440 分钟',
    maxUnpaid: '1–20',
    unpaidPauseSeconds: '1–1440 分钟',
    stepsDoneSeconds: '1–168 小时',
    lateSeconds: '24–720 小时',
  },
  boosting: {
    acceptSeconds: '5–1440 分钟',
    accountFreeSeconds: '15–1440 分钟',
    accountSeconds: '1–168 小时',
    milestoneSeconds: '1–168 小时',
    cancelAnswerSeconds: '1–168 小时',
    maxPauseSeconds: '1–720 小时',
    proofSeconds: '15–1440 分钟',
    lateSeconds: '1–336 小时',
    lateMaxSeconds: '24–720 小时',
  },
  companion: {
    acceptSeconds: '1–120 分钟',
    bookAcceptSeconds: '1–24 小时',
    readySeconds: '1–120 分钟',
    noShowSeconds: '5–60 分钟',
    endAnswerSeconds: '5–1440 分钟',
  },
  disputes: {
    lookSeconds: '1–1440 分钟',
    answerSeconds: '1–168 小时',
    answerCoinSeconds: '1–168 小时',
    ruleSeconds: '1–720 小时',
    appealSeconds: '1–720 小时',
    perDay: '1–100',
  },
  claims: {
    lookSeconds: '1–168 小时',
    decideSeconds: '1–720 小时',
    perDay: '1–100',
    autoLossFen: '0–100000 元',
  },
};

describe('the limits', () => {
  test.each(Object.entries(LIMITS))('have these values for %s', (key, limits) => {
    const found = Object.keys(limits).map((path) => [path, limitsOf(fieldOf(key, path))]);
    expect(Object.fromEntries(found)).toEqual(limits);
  });

  test('are the same for the hold of every seller level, up to 30 days', () => {
    const fields = specOf('hold_hours')?.fields ?? [];
    expect(fields.map((field) => [field.path, field.label, limitsOf(field)])).toEqual([
      ['0', '新卖家', '0–720 小时'],
      ['1', '1 级卖家', '0–720 小时'],
      ['2', '2 级卖家', '0–720 小时'],
      ['3', '3 级卖家', '0–720 小时'],
      ['4', '4 级卖家', '0–720 小时'],
      ['5', '5 级卖家', '0–720 小时'],
    ]);
  });

  test.each(['1', '2', '8', '22', '27', '50', '51', '52', '53'])(
    'are an hour to 30 days for the delivery and the inspection of order type %s',
    (type) => {
      const limits = ['shipSeconds', 'confirmSeconds'].map((path) => limitsOf(fieldOf('order', `${path}.${type}`)));
      expect(limits).toEqual(['1–720 小时', '1–720 小时']);
    },
  );
});

test('services have no times of delivery and inspection: theirs are separate settings', () => {
  const rows = new Set(specOf('order')?.fields.flatMap(({ row }) => row ?? []));
  for (const goods of ['账号', '游戏币', '首充号', '元宝', '道具', '寄售账号', '中介担保', '回收', '极速金币'])
    expect(rows).toContain(goods);
  const services = Object.entries(orderTypeNames).filter(([type]) => isService(Number(type)));
  expect(services).toHaveLength(2);
  for (const [, service] of services) expect(rows).not.toContain(service);
});

test('a change of money or of access needs two persons; other changes one', () => {
  expect(all.filter(({ twoPersons }) => twoPersons).map(({ key }) => key)).toEqual([
    'fees',
    'middleman',
    'hold_hours',
    'hold_stages',
    'deposit',
    'deposit_levels',
    'withdraw',
    'payout',
    'inspection',
    'recycling',
    'coupon',
    'staffSession',
    'claims',
  ]);
  expect(all.filter(({ twoPersons }) => !twoPersons).map(({ key }) => key)).toEqual([
    'seller_levels',
    'topup',
    'refund',
    'new_seller',
    'bargain',
    'lottery',
    'order',
    'boosting',
    'companion',
    'disputes',
  ]);
});

test('the public rules that mention a setting', () => {
  expect(Object.fromEntries(all.flatMap(({ key, rules }) => (rules ? [[key, rules]] : [])))).toEqual({
    hold_hours: ['7.2'],
    hold_stages: ['7.2'],
    seller_levels: ['7.1'],
    deposit: ['8.1', '8.3'],
    order: ['1.2'],
  });
});

test('each tab of the page has its settings', () => {
  const groups = settingGroups.map(([group]) => [group, all.filter((spec) => spec.group === group).length]);
  expect(groups).toEqual([
    ['fees', 2],
    ['holds', 2],
    ['levels', 1],
    ['tiers', 0],
    ['deposits', 2],
    ['limits', 10],
    ['clocks', 6],
  ]);
});

describe('the rows of a form', () => {
  const rowsOf = (key: string): string[] => [...new Set(specOf(key)?.fields.flatMap(({ row }) => row ?? []))];
  const ofRow = (key: string, name: string) => specOf(key)?.fields.filter(({ row }) => row === name) ?? [];

  test('are levels of sellers, with up to three stages each', () => {
    expect(rowsOf('seller_levels')).toEqual(['1 级', '2 级', '3 级', '4 级', '5 级']);
    expect(ofRow('seller_levels', '5 级').map(({ path }) => path)).toEqual(
      ['buyers', 'fen', 'days', 'badBp', 'rating'].map((name) => `levels.4.${name}`),
    );
    expect(rowsOf('hold_stages')).toEqual(['新卖家', '1 级卖家', '2 级卖家', '3 级卖家', '4 级卖家', '5 级卖家']);
    expect(ofRow('hold_stages', '5 级卖家').map(({ path, label }) => [path, label])).toEqual([
      ['levels.5.openFen', '同时提前放出'],
      ['levels.5.parts.0.hours', '第 1 段：满'],
      ['levels.5.parts.0.bp', '放出'],
      ['levels.5.parts.1.hours', '第 2 段：满'],
      ['levels.5.parts.1.bp', '放出'],
      ['levels.5.parts.2.hours', '第 3 段：满'],
      ['levels.5.parts.2.bp', '放出'],
    ]);
  });

  test('are levels of deposits: sellers and shops by listings, services by open orders', () => {
    const names = ['卖家', '店铺', '代练', '陪玩', '回收商'];
    expect(rowsOf('deposit_levels')).toEqual(names.flatMap((name) => [1, 2, 3].map((no) => `${name} ${no} 级`)));
    const limits = names.map((name) => ofRow('deposit_levels', `${name} 3 级`)[3]);
    expect(limits.map((field) => [field?.path, field?.label])).toEqual([
      ['seller.2.limits.listings', '同时发布'],
      ['shop.2.limits.listings', '同时报价'],
      ['booster.2.limits.openOrders', '同时接单'],
      ['companion.2.limits.openOrders', '同时接单'],
      ['recycler.2.limits.openOrders', '同时接单'],
    ]);
  });

  test('are empty as a whole where a stage or a level does not exist', () => {
    const isOptional = (key: string) => specOf(key)?.fields.filter(({ optional }) => optional).length;
    expect([isOptional('hold_stages'), isOptional('deposit_levels')]).toEqual([36, 90]);
    expect(all.flatMap(({ key, emptyRows }) => (emptyRows ? [key] : []))).toEqual(['hold_stages', 'deposit_levels']);
  });

  test.each([
    ['hold_stages', 'levels.0.parts.2', true],
    ['hold_stages', 'levels.0.parts', false],
    ['hold_stages', 'levels.0.parts.2.hours', false],
    ['hold_stages', 'x.levels.0.parts.2', false],
    ['hold_stages', 'levels.x.parts.2', false],
    ['hold_stages', 'levels.0.parts.x', false],
    ['deposit_levels', 'seller.0', true],
    ['deposit_levels', 'recycler.2', true],
    ['deposit_levels', 'seller.0.name', false],
    ['deposit_levels', 'x.seller.0', false],
    ['deposit_levels', 'seller.x', false],
  ])('%s: %s is such a row: %s', (key, path, expected) => {
    expect(specOf(key)?.emptyRows?.test(path)).toBe(expected);
  });
});

test('a late payment goes back to its source or to the balance, by channel', () => {
  const late = specOf('refund')?.fields.filter(({ type }) => type === 'choice') ?? [];
  expect(late.map(({ path }) => path)).toEqual(['late.alipay', 'late.wechat', 'late.sandbox']);
  for (const { options } of late)
    expect(options).toEqual([
      ['balance', '退到余额'],
      ['source', '原路退回'],
    ]);
});
