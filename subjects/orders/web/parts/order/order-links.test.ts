import { expect, test } from 'vitest';
import {
  againPath,
  chatPath,
  chatTab,
  complaintPath,
  disputePath,
  orderPath,
  payPath,
  ratePath,
  servicePath,
  talkPath,
  workbenchPath,
} from './order-links.ts';

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

test('the rating page names the viewer’s party the other way round than every other page: 0 for who sold', () => {
  expect(ratePath({ ...order, belong: 1 }, 5)).toBe(
    '/customerAssess?orderSn=26112010584417&belongIndex=0&typeIndex=1&timestamp=5',
  );
});

test.each([
  [0, -1],
  [1, 1],
  [2, 2],
  [3, 3],
  [6, -1],
  [7, -1],
  [8, -1],
  [9, -1],
])('an order of the state %i is in the tab %i of the chat', (status, tab) => {
  expect(chatTab(status)).toBe(tab);
});

test.each([
  [3, 1, '/wares?gt=1&gid=3'],
  [null, 60, '/wares?gt=60'],
  // Quick coin (53) is coin, and an agreed trade (51) what the two agreed on.
  [1, 2, '/wares?gt=2&gid=1'],
  // Nobody lists a recycled account: the list has its own default for the game.
  [18, 52, '/wares?gid=18'],
  [null, 52, '/wares'],
])('a new search in the game %o for what was traded (%i) is %s', (gameId, tradedTypeId, path) => {
  expect(againPath({ gameId, tradedTypeId })).toBe(path);
});

test('conversations and disputes are named by their number', () => {
  expect(complaintPath(order)).toBe('/center/buyComplaint?orderSn=26112010584417');
  expect(disputePath('SS1')).toBe('/center/buyComplaint?disputeSn=SS1');
  expect(talkPath(order.orderSn)).toBe('/chatSystem?orderSn=26112010584417');
  expect(workbenchPath(order.orderSn)).toBe('/backstage/chat?orderSn=26112010584417');
});

test('customer service is asked about the listing of an order, if it has one', () => {
  expect(servicePath({ goodsSn: 'YS2618407' })).toBe('/customerService?goodsSn=YS2618407');
  expect(servicePath({ goodsSn: null })).toBe('/customerService?open=1');
});
