/** The cards of an order's states, by the traded item. */
import { expect, test } from 'vitest';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { cancelledCard, completedCard, paidCard, remindCard, shippedCard } from './rules.ts';

const order = { sn: '1', status: 2, goodsFen: 100, autoConfirmAt: null, typeId: 1 };

test('a service is done and a recycled account inspected; everything else is shipped', () => {
  expect(shippedCard(order)).toMatchObject({ title: '卖家已发货', content: '请买家核对无误后确认收货' });
  expect(shippedCard({ ...order, typeId: BOOSTING })).toMatchObject({
    title: '服务已完成，请验收',
    content: '请买家核对无误后确认完成',
  });
  const recycled = shippedCard({ ...order, isRecycled: true });
  expect(recycled.title).toBe('验号通过');
  expect(recycled.content).toContain('确认接管');
  expect(recycled.content).not.toContain('收货');
});

test.each([
  [BOOSTING, '打手'],
  [COMPANION_PLAY, '陪玩'],
])('no card of a service (%s) names a seller, a shipping or a receipt', (typeId, provider) => {
  const service = { ...order, typeId };
  const cards = [
    paidCard(service, null),
    shippedCard(service),
    completedCard(new Date(), typeId),
    cancelledCard({ ...service, status: 8 }),
    remindCard('请接单', typeId),
  ];
  const text = cards.map(({ title, content }) => title + content).join();
  expect(text).not.toMatch(/卖家|发货|收货/);
  expect(text).toContain(`放给${provider}`);
  expect(text).toContain(`${provider}取消了订单`);
});

test('only orders with an account mention its password', () => {
  const mentions = (typeId: number) => paidCard({ ...order, typeId }, null).content.includes('账号密码');
  expect([1, 8, 50, BOOSTING].map(mentions)).toEqual([true, true, true, true]);
  expect([2, 22, 27, COMPANION_PLAY].map(mentions)).toEqual([false, false, false, false]);
});
