import { expect, test } from 'vitest';
import { againPath, chatPath, orderPath, payPath, ratePath } from './order-links.ts';

const order = {
  orderSn: '26112010584417',
  goodsSn: 'YS2618407',
  status: 2,
  belong: 0,
  payTime: '2026-11-20T11:02:00+08:00',
};

test('paths contain the order', () => {
  expect(orderPath(order.orderSn)).toBe('/center/buyOrderDetail?orderSn=26112010584417');
  expect(payPath(order)).toBe('/wares/YS2618407/pay?orderSn=26112010584417');
  expect(payPath({ ...order, goodsSn: null })).toBe('/wares/26112010584417/pay?orderSn=26112010584417');
  expect(ratePath(order, 1_800_000_000_000)).toBe(
    '/customerAssess?orderSn=26112010584417&belongIndex=1&typeIndex=1&timestamp=1800000000000',
  );
});

test('the conversation opens in the tab of the order, for the viewer’s party', () => {
  expect(chatPath(order)).toBe('/chatSystem?status=2&returnType=0&orderSn=26112010584417');
  expect(chatPath({ ...order, belong: 1, status: 8 })).toBe(
    '/chatSystem?status=-1&returnType=1&orderSn=26112010584417',
  );
});

test('an order that was never paid has no conversation', () => {
  expect(chatPath({ ...order, payTime: null })).toBeNull();
});

test('a new search has the same game and type', () => {
  expect(againPath({ gameId: 3, orderTypeId: 1 })).toBe('/wares?gt=1&gid=3');
  expect(againPath({ gameId: null, orderTypeId: 60 })).toBe('/wares?gt=60');
});
