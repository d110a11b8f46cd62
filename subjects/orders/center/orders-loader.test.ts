import { expect, test } from 'vitest';
import { emptyReason, ordersPath, parseOrders } from './orders-loader.ts';

const parse = (query: string) => parseOrders(new URLSearchParams(query));

test('the URL is parsed as it was written', () => {
  const filters = { minTime: '2026-11-01', goodsTypeId: '27', isRecovery: '1' };
  const state = { status: -1, page: 3, keyWord: '王者 & 8', filters };
  const path = ordersPath('/center/buyGoodsOrder', state);
  expect(path).toBe(
    '/center/buyGoodsOrder?status=-1&keyWord=%E7%8E%8B%E8%80%85+%26+8&minTime=2026-11-01&goodsTypeId=27&isRecovery=1&pages=3',
  );
  expect(parse(path.split('?')[1] ?? '')).toEqual(state);
});

test('defaults are omitted, and invalid values count as absent', () => {
  expect(ordersPath('/center/sellOrder', { status: null, page: 1, keyWord: '' })).toBe('/center/sellOrder');
  expect(parse('status=5&pages=0')).toEqual({ status: null, page: 1, keyWord: '', filters: {} });
  expect(parse('status=abc&pages=1.5&keyWord=%20%20&minTime=2026-13-01&goodsTypeId=x&isRecovery=2')).toEqual({
    status: null,
    page: 1,
    keyWord: '',
    filters: {},
  });
  expect(parse('status=0&pages=1001')).toEqual({ status: 0, page: 1, keyWord: '', filters: {} });
});

test('only somebody without any order is told so', () => {
  expect(emptyReason(parse(''))).toBeNull();
  expect(emptyReason(parse('pages=999'))).toBe('这一页没有订单');
  expect(emptyReason(parse('status=1'))).toBe('没有符合条件的订单');
  expect(emptyReason(parse('keyWord=8'))).toBe('没有符合条件的订单');
  expect(emptyReason(parse('isRecovery=1'))).toBe('没有符合条件的订单');
});
