/** Notices about disputes, applications, deposits and refunds. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';

let court: Court;

beforeAll(async () => {
  court = await openCourt();
});
afterAll(async () => await court.t.close());

const listOf = async (user: TestUser) => (await user.client.ok(noticeList, { pageSize: '50' })).list;

test('opening a dispute notifies the other party', async () => {
  const d = await court.trade('shipped');
  await court.opened(d);
  await court.t.relay();
  const bySeller = (await listOf(d.seller)).filter((n) => n.kind === 'order.dispute');
  expect(bySeller).toHaveLength(1);
  expect(bySeller[0]?.body).toMatch(new RegExp(`^订单 ${d.orderSn}：.+。$`));
  expect((await listOf(d.buyer)).filter((n) => n.kind === 'order.dispute')).toEqual([]);
});

test('an application, a deposit, a refund, a duplicate payment and a bargain each send one notice with text and link', async () => {
  const user = await court.t.newUser();
  const events: readonly (readonly [topic: string, payload: object])[] = [
    [
      'provider.decided',
      { providerId: 1, userId: user.id, kind: 'shop', decision: 'refuse', reason: '营业时间未填写' },
    ],
    ['deposit.penalty', { userId: user.id, toUserId: null, text: '100.00', ruleNo: '3.1', reason: '描述不符' }],
    ['refund.paid', { refundId: 7, userId: user.id, orderId: null, amountFen: 12_300 }],
    ['payment.paid', { paymentId: 999_999, userId: user.id, late: true, text: '10.00' }],
    [
      'bargain.changed',
      {
        userId: user.id,
        goodsSn: 'A1',
        ref: '1:2',
        title: '满级号',
        text: '卖家还价 400 元',
        link: '/center/buyBargainGoods',
      },
    ],
  ];
  for (let n = 0; n < 2; n++)
    for (const [topic, payload] of events)
      await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify(payload)}::jsonb)`.execute(
        court.t.ctx.db,
      );
  await court.t.relay();
  expect((await listOf(user)).map((n) => [n.kind, n.body, n.link]).toReversed()).toEqual([
    ['service.review', '您的开店申请未通过：营业时间未填写。', '/center/myshop/joinshop'],
    ['money.deposit', '保证金被扣除 100.00 元（依据规则 3.1）：描述不符。', '/center/myself/depositWithdraw'],
    ['money.refund', '订单 （充值） 的 123.00 元已退回原付款账户。', '/center/mywallets/list'],
    ['money.duplicate', '您的 10.00 元充值是同一笔充值的重复付款，已转入您的可用余额。', '/center/mywallets/list'],
    ['goods.bargain', '「满级号」卖家还价 400 元', '/center/buyBargainGoods'],
  ]);
});
