import { expect, test } from 'vitest';
import { closedOf } from './closed.ts';

const goods = (status: number, isMine = false, goodsTypeId = 1) => ({ goodsSn: 'YS1', goodsTypeId, status, isMine });

test('a listing on sale is open to everybody but its seller', () => {
  expect(closedOf(goods(2), null, '/list')).toBeNull();
  expect(closedOf(goods(2, true), null, '/list')).toMatchObject({
    label: '这是您发布的商品',
    to: '/center/sellOutGoods',
  });
});

test('a visitor is led to what is on sale, a seller to what can be done', () => {
  expect(closedOf(goods(5), null, '/list')).toMatchObject({ label: '已售出', to: '/list' });
  expect(closedOf(goods(6, true), null, '/list')).toMatchObject({ to: '/center/sell?goodsSn=YS1', toLabel: '去修改' });
});

test('a package says why it takes no orders, and its provider manages packages', () => {
  expect(closedOf(goods(2, false, 60), '打手暂停接单。', '/list')).toMatchObject({
    label: '暂不接单',
    text: '打手暂停接单。',
  });
  expect(closedOf(goods(3, true, 60), null, '/list')).toMatchObject({ to: '/center/boosting/setMeal' });
});
