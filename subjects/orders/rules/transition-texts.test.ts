import { expect, it } from 'vitest';
import { shippedText } from './transition-texts.ts';

it('a shipping is told by who did it', () => {
  expect(shippedText('service')).toBe('服务已完成，请买家验收');
  expect(shippedText('timer')).toBe('发货前的步骤都已完成，订单已发货');
  expect([shippedText('seller'), shippedText('staff')]).toEqual([
    '卖家已发货，请买家验收',
    '平台客服已发货，请买家验收',
  ]);
});
