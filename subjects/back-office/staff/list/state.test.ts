import { expect, test } from 'vitest';
import { orderList } from '#subjects/orders/contract/list-orders.ts';
import { between, changed, columnsOf, nextSort, queryOf, queryText, showsTheSame } from './state.ts';

test('a URL is read as far as the list knows its parameters', () => {
  const search = new URLSearchParams('status=1,2&createTime=last7&totalPrice=bad&nothing=1&sort=deadline&open=26');
  expect(queryOf(orderList, search)).toEqual({ status: '1,2', createTime: 'last7', sort: 'deadline' });
  expect(queryOf(orderList, new URLSearchParams('status=1,99&createTime=2026-02-30~&sort=-createTime'))).toEqual({});
});

test('equal queries have equal texts; a drawer and columns are not part of them', () => {
  expect(queryText({ sort: 'a', b: '1' })).toBe(queryText({ b: '1', sort: 'a' }));
  expect(showsTheSame(new URLSearchParams('a=1&open=2'), new URLSearchParams('a=1&cols=x'))).toBe(true);
  expect(showsTheSame(new URLSearchParams('a=1'), new URLSearchParams('a=2'))).toBe(false);
  expect(changed(new URLSearchParams('a=1&b=2'), { a: null, c: '3' }).toString()).toBe('b=2&c=3');
});

test('columns are those of the URL, the last choice, or the list', () => {
  const keys = (requested: string | null, chosen: string[] | null) =>
    columnsOf(orderList.columns, requested, chosen).map(({ key }) => key);
  expect(keys('totalPrice,orderSn,gone', ['status'])).toEqual(['totalPrice', 'orderSn']);
  expect(keys(null, ['orderSn'])).toEqual(['orderSn']);
  expect(keys(null, ['gone'])).toEqual(keys(null, null));
  expect(keys(null, null)).not.toContain('commission');
});

test('a heading sorts in descending order first; a range of rows works in both directions', () => {
  expect([nextSort('deadline', 'totalPrice'), nextSort('-totalPrice', 'totalPrice')]).toEqual([
    '-totalPrice',
    'totalPrice',
  ]);
  expect(between(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c']);
  expect(between(['a'], 'gone', 'a')).toEqual(['a']);
});
