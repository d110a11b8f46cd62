import { expect, it } from 'vitest';
import { chatTabOf, chatTabs, endedReason, failedStatuses, orderStatusName, orderTone } from './order-status.ts';
import { orderTypeName } from './order-types.ts';

it('shows each status as the specification does, an unknown one as cancelled', () => {
  expect([60, 61].map((typeId) => orderStatusName(1, typeId))).toEqual(['待完成', '待完成']);
  expect([2, 3, 9].map((status) => orderStatusName(status, 60))).toEqual(['待验收', '交易成功', '已结束']);
  expect([0, 1, 2, 3, 6, 7, 8, 9, 42].map((status) => orderStatusName(status, 1))).toEqual([
    '待付款',
    '待发货',
    '待收货',
    '交易成功',
    ...Array<string>(5).fill('已取消'),
  ]);
});

it('puts each status under its tab', () => {
  expect([0, 1, 2, 3].map(chatTabOf)).toEqual([null, 1, 2, 3]);
  expect(failedStatuses.map(chatTabOf)).toEqual([-1, -1, -1, -1]);
  expect(chatTabs.map((tab) => tab.status)).toEqual([1, 2, 3, -1]);
});

it('names order types, others 其他', () => {
  expect([1, 27, 50, 53, 99].map(orderTypeName)).toEqual(['账号', '道具', '寄售账号', '极速金币', '其他']);
});

it('an order is marked by what is to be done and how it went', () => {
  const statuses = [0, 1, 2, 3, 6, 7, 8, 9];
  expect(statuses.map(orderTone)).toEqual(['attention', 'attention', 'good', 'good', 'none', 'none', 'none', 'none']);
  const cancelled = '订单已取消';
  expect(statuses.map(endedReason)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    '超时未付款，订单已关闭，请重新下单',
    cancelled,
    cancelled,
    cancelled,
  ]);
});
