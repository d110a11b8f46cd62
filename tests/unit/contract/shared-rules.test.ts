/** Rules of the specification for input (product.md 5), where goods are offered, looked for and bargained over: page and call say the same. */
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { saveSearchAlert } from '#subjects/offers/contract/alerts.ts';
import { getGoodsList, onlySetupGoodsPrice, releaseGoods } from '#subjects/goods/contract/goods.ts';
import { bargaining, releaseWantGoods, sellerCounterofferPrice } from '#subjects/offers/contract/offers.ts';
import { saveCoinRecycle } from '#subjects/recycling/contract/recycling.ts';
import { isPrice, isInteger } from '#contract/rules/amounts.ts';
import { isGoodsCode } from '#subjects/goods/rules/goods-code.ts';
import { imageProblem } from '#contract/rules/limits.ts';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { typedAmount } from '#contract/rules/texts/typed.ts';
import { saveTimeSale } from '#subjects/time-sale/contract/time-sale.ts';
import { amount, int, phone } from '#contract/wire.ts';

const sentence = (
  schema: { safeParse: (v: unknown) => { error?: { issues: { message: string }[] } | undefined } },
  value: unknown,
) => schema.safeParse(value).error?.issues[0]?.message ?? null;

const AMOUNTS = [
  '1',
  '0.01',
  '12.5',
  '999999.99',
  '0',
  '0.00',
  '-5',
  '+5',
  '1.005',
  '1e3',
  '.5',
  '5.',
  '007',
  '１００',
  '1,000',
  ' 1',
  '面议',
  'NaN',
  '',
];
const NUMBERS = ['0', '7', '-3', '1.5', '1e3', '１２', '七', '', '0x10'];
const PHONES = [
  '13800000001',
  '19912345678',
  '16612345678',
  '12345678901',
  '1380000000',
  '138000000011',
  '１３８００００００００',
  ' 13800000001',
  '',
];

describe('page and call agree', () => {
  // The field brings what is typed into its plain form (web/ui/forms/input.tsx), and the page's rule sees that.
  it.each(AMOUNTS)('on the price %j', (text) => {
    expect(sentence(amount({ label: '价格' }), text) === null).toBe(isPrice(typedAmount(text)));
  });
  it.each(NUMBERS)('on the whole number %j', (text) => {
    expect(sentence(int({ min: Number.MIN_SAFE_INTEGER }), text) === null).toBe(isInteger(text));
  });
  it.each(PHONES)('on the phone number %j', (text) => {
    expect(sentence(phone, text)).toBe(phoneProblem(text));
  });
});

const money: [string, Endpoint, Record<string, unknown>, string][] = [
  ['publishing', releaseGoods, {}, 'price'],
  ['only a price', onlySetupGoodsPrice, { goodsSn: 'A1' }, 'price'],
  ['an offer', bargaining, { goodsSn: 'A1' }, 'price'],
  ['a counter-offer', sellerCounterofferPrice, { bargainId: '1' }, 'price'],
  ['a want', releaseWantGoods, {}, 'budget'],
  ['a deposit of a want', releaseWantGoods, {}, 'deposit'],
  ['a limited price', saveTimeSale, { goodsSn: 'A1' }, 'price'],
  ['a recycler’s lot', saveCoinRecycle, {}, 'lotPrice'],
  ['the least price of a search', getGoodsList, {}, 'minPrice'],
  ['the highest price of a saved search', saveSearchAlert, { title: '账号', path: '/wares?gt=1' }, 'maxPrice'],
];

describe('each amount field is rejected with its own message', () => {
  it.each(money)('%s', (_, endpoint, rest, field) => {
    for (const text of ['-5', '1.005', '1e3', '1,00', '面议']) {
      const issue = endpoint.input.safeParse({ ...rest, [field]: text }).error?.issues.find((i) => i.path[0] === field);
      expect(issue?.message, `${field} ${text}`).toMatch(/应为正数，最多两位小数|应为数字|请用半角数字/);
    }
  });
});

it.each([
  ['AB123456', true],
  ['A1234567', true],
  ['AB12345', false],
  ['AB12345678', false],
  ['123456', false],
  [`AB${'1'.repeat(17)}`, true],
  [`AB${'1'.repeat(20)}`, true],
  [`AB${'1'.repeat(21)}`, false],
  ['A'.repeat(20), false],
  ['ＡＢ１２３４５６', false],
])('the goods code %s', (text, is) => {
  expect(isGoodsCode(text)).toBe(is);
});

it.each([
  ['image/png', 10_000 * 1024, null],
  ['image/jpeg', 10_001 * 1024, '图片大小不能超过10M'],
  ['image/svg+xml', 10, '图片格式错误，请上传JPEG/JPG/PNG'],
  ['image/gif', 10, '图片格式错误，请上传JPEG/JPG/PNG'],
  ['', 10, null],
  ['text/plain', 10, '图片格式错误，请上传JPEG/JPG/PNG'],
])('a picture of type %j with %i bytes', (type, bytes, words) => {
  expect(imageProblem(type, bytes)).toBe(words);
});
