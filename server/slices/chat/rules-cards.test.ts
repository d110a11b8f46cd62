/** The card for a shipped order, by what was traded. */
import { expect, test } from 'vitest';
import { shippedCard } from './rules.ts';

test('a service is done and a recycled account inspected; everything else is shipped', () => {
  const order = { sn: '1', status: 2, goodsFen: 100, autoConfirmAt: null };
  expect(shippedCard(order)).toMatchObject({ title: '卖家已发货', content: '请买家核对无误后确认收货' });
  expect(shippedCard({ ...order, isService: true })).toMatchObject({ title: '服务已完成' });
  const recycled = shippedCard({ ...order, isRecycled: true });
  expect(recycled.title).toBe('验号通过');
  expect(recycled.content).toContain('确认接管');
  expect(recycled.content).not.toContain('收货');
});
