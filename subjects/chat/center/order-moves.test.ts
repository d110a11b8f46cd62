import { expect, test } from 'vitest';
import { orderMoveOf } from './order-moves.tsx';

const list = [
  { orderSn: '1', status: 1, bigTitle: '甲', tradedTypeId: 1 },
  { orderSn: '2', status: 2, bigTitle: '乙', tradedTypeId: 60 },
  { orderSn: '3', status: 3, bigTitle: '丙', tradedTypeId: 2 },
];
const message = (type: 'transfer_order' | 'send_goods' | 'confirm_goods', orderSn: string) =>
  orderMoveOf({ expansion: { type, orderSn } }, list)?.status;

test('an order leaves its tab by its next transition, and not by an earlier one', () => {
  expect(message('send_goods', '1')).toBe(2);
  expect(message('confirm_goods', '2')).toBe(3);
  expect(message('confirm_goods', '1')).toBe(3);
  expect(message('send_goods', '2')).toBeUndefined();
  expect(message('send_goods', '3')).toBeUndefined();
  expect(message('confirm_goods', '3')).toBeUndefined();
});

test('a service is completed, everything else is shipped and received', () => {
  const textOf = (type: 'send_goods' | 'confirm_goods', orderSn: string) =>
    orderMoveOf({ expansion: { type, orderSn } }, list)?.text;
  expect(textOf('send_goods', '1')).toBe('卖家已发货');
  expect(textOf('confirm_goods', '2')).toBe('已确认完成');
});

test('a hand-over, a message, or another list’s order removes nothing', () => {
  expect(message('transfer_order', '1')).toBeUndefined();
  expect(message('send_goods', '9')).toBeUndefined();
  expect(orderMoveOf({ expansion: null }, list)).toBeNull();
});
