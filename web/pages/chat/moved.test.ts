import { expect, test } from 'vitest';
import { movedBy } from './moved.tsx';

const list = [
  { orderSn: '1', status: 1, bigTitle: '甲' },
  { orderSn: '2', status: 2, bigTitle: '乙' },
  { orderSn: '3', status: 3, bigTitle: '丙' },
];
const says = (type: 'transfer_order' | 'send_goods' | 'confirm_goods', orderSn: string) =>
  movedBy({ expansion: { type, orderSn } }, list)?.status;

test('an order leaves its tab by the step that it takes, and not by one that it has behind it', () => {
  expect(says('send_goods', '1')).toBe(2);
  expect(says('confirm_goods', '2')).toBe(3);
  expect(says('confirm_goods', '1')).toBe(3);
  expect(says('send_goods', '2')).toBeUndefined();
  expect(says('send_goods', '3')).toBeUndefined();
  expect(says('confirm_goods', '3')).toBeUndefined();
});

test('nothing leaves by a transfer, by words, or for an order of another list', () => {
  expect(says('transfer_order', '1')).toBeUndefined();
  expect(says('send_goods', '9')).toBeUndefined();
  expect(movedBy({ expansion: null }, list)).toBeNull();
});
