import { expect, test } from 'vitest';
import { closedOf } from './closed.ts';

const goods = (status: number, isMine = false, goodsTypeId = 1) => ({ goodsSn: 'YS1', goodsTypeId, status, isMine });

test('a listing on sale can be ordered by all but its seller', () => {
  expect(closedOf(goods(2), null, '/list')).toBeNull();
  expect(closedOf(goods(2, true), null, '/list')).toMatchObject({
    label: '这是您发布的商品',
    to: '/center/sellOutGoods',
  });
});

test('a closed listing links visitors to listings on sale, and its seller to the possible actions', () => {
  expect(closedOf(goods(5), null, '/list')).toMatchObject({ label: '已售出', to: '/list' });
  expect(closedOf(goods(6, true), null, '/list')).toMatchObject({ to: '/center/sell?goodsSn=YS1', toLabel: '去修改' });
});

test('a package shows why it takes no orders, and its provider a link to manage packages', () => {
  expect(closedOf(goods(2, false, 60), '打手暂停接单。', '/list')).toMatchObject({
    label: '暂不接单',
    text: '打手暂停接单。',
  });
  expect(closedOf(goods(3, true, 60), null, '/list')).toMatchObject({ to: '/center/boosting/setMeal' });
});
