import { describe, expect, test } from 'vitest';
import { goodsBody } from '#subjects/goods/contract/goods-body.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import {
  coinRatio,
  bodyOf,
  draftOfTyped,
  emptyTyped,
  generateTitle,
  priceProblem,
  sellErrors,
  sellFieldOf,
  type SellForm,
  type Typed,
  typedFromDraft,
} from './form-state.ts';
import { moneyOf } from './net-card.tsx';

const form: SellForm = {
  gameId: 2,
  gameName: '王者荣耀',
  goodsTypeId: 1,
  version: 1,
  maxPictures: 20,
  minPrice: '1.00',
  maxPrice: '3000.00',
  band: null,
  newSellerText: null,
  inputs: [],
  fields: [
    {
      key: 'rank',
      label: '段位',
      kind: 'single',
      options: [
        { v: 1, label: '最强王者' },
        { v: 2, label: '荣耀黄金' },
      ],
      required: true,
      inCard: true,
      filterable: true,
      goodsTypes: [1],
      sort: 1,
    },
    {
      key: 'skins',
      label: '皮肤数量',
      kind: 'range',
      min: 0,
      max: 900,
      unit: '款',
      required: true,
      inCard: true,
      filterable: true,
      goodsTypes: [1],
      sort: 2,
    },
    {
      key: 'bound',
      label: '可二次实名',
      kind: 'bool',
      required: false,
      inCard: false,
      filterable: true,
      goodsTypes: [1],
      sort: 3,
    },
  ],
};
const areas = [
  { specialId: 1, specialName: '安卓QQ', secondOptions: [{ twoSpecialId: 11, twoSpecialName: '1区' }] },
  { specialId: 2, specialName: '苹果微信', secondOptions: [] },
];
const full: Typed = {
  ...emptyTyped,
  areaId: '1',
  serverId: '11',
  accountNo: ' player-1 ',
  details: { rank: '1', skins: '320', bound: true },
  pictures: [{ key: 'k1', url: '/img/k1' }],
  bigTitle: ' 最强王者  全英雄 ',
  description: '一\r\n二',
  price: ' 128.5 ',
};
const context = { form, areas, hasAccount: false };

describe('the errors of a form', () => {
  test('are empty for a complete form', () => expect(sellErrors(full, context)).toEqual({}));

  test('name each missing value beside its field', () => {
    expect(sellErrors(emptyTyped, context)).toEqual({
      areaId: '请选择大区',
      accountNo: '请填写游戏账号',
      'attr:rank': '请选择段位',
      'attr:skins': '请填写皮肤数量',
      bigTitle: '请填写标题',
      price: '请填写价格',
    });
  });

  test.each<[string, Partial<Typed>, Record<string, string>]>([
    ['a server of the area', { serverId: '' }, { serverId: '请选择服务器' }],
    ['an area without servers needs none', { areaId: '2', serverId: '' }, {}],
    ['a short title', { bigTitle: '三个字' }, { bigTitle: '标题至少 4 个字' }],
    ['a number beyond its bounds', { details: { rank: 1, skins: '901' } }, { 'attr:skins': '皮肤数量不能大于 900款' }],
    ['a price beyond the bounds', { price: '3000.01' }, { price: '价格不能超过 3,000.00 元' }],
    ['answers of an older form are no matter', { details: { rank: 1, skins: 1, gone: 'x' } }, {}],
  ])('%s', (_, part, errors) => expect(sellErrors({ ...full, ...part }, context)).toEqual(errors));

  test('allow an edit without the account', () => {
    expect(sellErrors({ ...full, accountNo: '' }, { ...context, hasAccount: true })).toEqual({});
  });

  test.each(['0', '-1', '1.005', '1e3', 'abc', '1,00'])('%s is no price', (price) => {
    expect(priceProblem(price, form)).not.toBeNull();
  });
});

test('the form sends a body that matches the contract', () => {
  expect(bodyOf(full, form)).toEqual({
    areaId: '1',
    serverId: '11',
    accountNo: 'player-1',
    details: { rank: 1, skins: 320, bound: true },
    pictures: ['k1'],
    bigTitle: '最强王者 全英雄',
    description: '一\n二',
    price: '128.5',
    stock: 1,
    bargainOpen: false,
    ensureOpen: true,
  });
});

describe('the draft', () => {
  test('contains everything but the account, and restores it', () => {
    const draft = draftOfTyped(full);
    expect(JSON.stringify(draft)).not.toContain('player-1');
    expect(typedFromDraft(draft, emptyTyped)).toEqual({ ...full, accountNo: '' });
  });

  test('invalid parts of a stored draft are ignored', () => {
    const odd = { price: 5, details: [], pictures: [{ key: 'k', url: 'javascript:x' }, null], bargainOpen: 'yes' };
    expect(typedFromDraft(odd, full)).toEqual({ ...full, accountNo: '', pictures: [] });
  });
});

test('an error is shown beside the field that its path names', () => {
  const at = (path: string) => sellFieldOf(path, form);
  expect(at('accountNo')).toBe('accountNo');
  expect(at('price')).toBe('price');
  expect(at('pictures.0')).toBe('pictures');
  expect(at('details.rank')).toBe('attr:rank');
  expect(at('details.unknown')).toBeNull();
  expect(at('gameId')).toBeNull();
});

test('a title is generated from the filled fields', () => {
  expect(generateTitle(full, form, areas)).toBe('安卓QQ 最强王者 皮肤320款');
  expect(generateTitle(emptyTyped, form, areas)).toBe('');
  expect(generateTitle({ ...full, details: { ...full.details, skins: '0' } }, form, areas)).toBe('安卓QQ 最强王者');
});

test('both ratios of coin are shown during input', () => {
  const amount = { key: 'amount', label: '数量', kind: 'range', unit: '万金币' } as SellForm['fields'][number];
  const ratio = (price: string, units: unknown) =>
    coinRatio({ price, details: { amount: units } }, { fields: [amount] });
  expect(ratio('95', '5000')).toBe('1元=52.63万金币，0.019元/万金币');
  for (const [price, units] of [
    ['', '5000'],
    ['95', ''],
    ['95', '0'],
    ['95', '1.5'],
    ['abc', '5000'],
  ] as const)
    expect(ratio(price, units)).toBeNull();
  expect(coinRatio({ price: '95', details: { amount: '5000' } }, form)).toBeNull();
});

test('the net amount is exact to the fen, and absent for an invalid price', () => {
  const fees = { sellerBp: 500, sellerMaxFen: 50_000, buyerBp: 100 };
  expect(moneyOf('99.01', fees)).toEqual({
    priceFen: 9901,
    commissionFen: 495,
    netFen: 9406,
    serviceFeeFen: 99,
    allInFen: 10_000,
  });
  expect(moneyOf('1e3', fees)).toBeNull();
});

describe('the form and the call accept the same values', () => {
  const coin = { ...form, goodsTypeId: 27, maxPrice: '999999.00' };
  const { titleMin, titleMax, descriptionMax, stockMax } = offerLimits;
  const cases: Record<'bigTitle' | 'description' | 'price' | 'stock', string[]> = {
    bigTitle: [0, titleMin - 1, titleMin, titleMax, titleMax + 1].map((length) => '号'.repeat(length)),
    description: [0, descriptionMax, descriptionMax + 1].map((length) => '字'.repeat(length)),
    price: ['', '0', '0.99', '1', '1.005', '1e3', '-5', '１００', 'NaN', '999999', '999999.01', '9'.repeat(11)],
    stock: ['', '0', '1', '1.5', '-1', '１', String(stockMax), String(stockMax + 1)],
  };
  test.each(Object.entries(cases))('%s', (field, values) => {
    const schema = goodsBody[field as keyof typeof cases];
    for (const value of values) {
      const message = sellErrors({ ...full, [field]: value }, { ...context, form: coin })[field];
      expect(message === undefined, `${field} ${value.slice(0, 20)}: ${message}`).toBe(schema.safeParse(value).success);
    }
  });
});
