import { expect, test } from 'vitest';
import { type Offer, offerChanges } from './offer-changes.ts';

const offer: Offer = {
  bigTitle: '安卓QQ 贵族8',
  price: '1280.00',
  totalPrice: '1292.80',
  stock: 1,
  attrs: [
    { label: '皮肤', value: '386' },
    { label: '段位', value: '王者' },
  ],
};

test('no change, no text', () => {
  expect(offerChanges(offer, { ...offer, attrs: [...offer.attrs] })).toEqual([]);
});

test('price and total are shown with both values', () => {
  expect(offerChanges(offer, { ...offer, price: '1380.00', totalPrice: '1393.80' })).toEqual([
    '单价由 ¥1,280.00 变为 ¥1,380.00',
    '合计由 ¥1,292.80 变为 ¥1,393.80',
  ]);
});

test('attributes that were changed, added and removed', () => {
  const now = {
    ...offer,
    attrs: [
      { label: '皮肤', value: '385' },
      { label: '邮箱', value: '未绑' },
    ],
  };
  expect(offerChanges(offer, now)).toEqual(['皮肤由 386 变为 385', '新增邮箱：未绑', '不再标明段位']);
});

test('a title and a smaller stock are shown, a larger stock is not', () => {
  expect(offerChanges(offer, { ...offer, bigTitle: '苹果QQ' })).toEqual(['标题改为「苹果QQ」']);
  expect(offerChanges({ ...offer, stock: 900 }, { ...offer, stock: 20 })).toEqual(['库存剩 20']);
  expect(offerChanges({ ...offer, stock: 20 }, { ...offer, stock: 900 })).toEqual([]);
});
