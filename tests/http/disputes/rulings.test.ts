/** Rulings and what they do to the money, through HTTP; each ends with the books right. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as b from '#subjects/disputes/contract/staff-disputes.ts';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { depositRecordList } from '#subjects/deposits/contract/deposit.ts';
import * as c from '#subjects/disputes/contract/dispute.ts';
import { offlineTranSub, orderDetail } from '#subjects/orders/contract/order.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { complaint, type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';

let court: Court;
let t: Court['t'];
let service: Court['service'];

beforeAll(async () => {
  court = await openCourt();
  ({ t, service } = court);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

describe('rulings', () => {
  test('part of the price: no money moves before both accept, then all of it, once', async () => {
    const d = await court.trade('shipped');
    const disputeSn = await court.answered(d);
    await service.client.ok(b.staffDisputeRule, ruling(disputeSn, '40.00'));
    expect((await court.money(d)).buyer).toBe(39_900);
    await d.buyer.client.ok(c.acceptRuling, { disputeSn });
    expect((await court.money(d)).buyer).toBe(39_900);
    await Promise.all([1, 2, 3].map(() => d.seller.client.call(c.acceptRuling, { disputeSn })));
    expect(await court.money(d)).toEqual({ buyer: 39_900 + 4040, seller: 0, frozen: 5700 });
    const order = await d.seller.client.ok(orderDetail, { orderSn: d.orderSn });
    expect(order).toMatchObject({ status: 9, money: { refunded: '40.40', sellerGets: '57.00' } });
    const seen = await d.buyer.client.ok(c.disputeDetail, { disputeSn });
    expect(seen.rulings[0]).toMatchObject({ refund: '40.40', release: '57.00', stage: 1 });
    expect(seen.rulings[0]?.rules.map((r) => r.no)).toEqual(['2.2', '4.1']);
    const again = await d.buyer.client.call(c.openDispute, complaint(d.orderSn));
    expect(again.code).toBe(codes.DISPUTE_UNAVAILABLE[0]);
  });

  test('the whole price: a full refund, and the listing is available again', async () => {
    const d = await court.trade('paid');
    const disputeSn = await court.answered(d);
    await service.client.ok(b.staffDisputeRule, ruling(disputeSn, '100'));
    await court.appealTimeOver(disputeSn);
    expect(await court.money(d)).toEqual({ buyer: 50_000, seller: 0, frozen: 0 });
    expect((await d.buyer.client.ok(orderDetail, { orderSn: d.orderSn })).status).toBe(9);
  });

  test.each([-86_400_000, 86_400_000])(
    'is carried out by the database’s time, whatever time the process has: %i ms',
    async (ms) => {
      const d = await court.trade('shipped');
      const disputeSn = await court.answered(d);
      await service.client.ok(b.staffDisputeRule, ruling(disputeSn, '100.00'));
      const before = (await court.money(d)).buyer;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
      try {
        // A timer that comes too early does nothing, and comes again.
        await court.due('dispute.execute', await court.idOf(disputeSn));
        await t.timers();
        expect((await court.money(d)).buyer).toBe(before);
        await court.appealTimeOver(disputeSn);
        expect((await court.money(d)).buyer).toBe(before + 10_100);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('nothing: a shipped order is completed, a paid one continues', async () => {
    const shipped = await court.trade('shipped');
    const first = await court.answered(shipped);
    await service.client.ok(b.staffDisputeRule, ruling(first, '0'));
    await court.appealTimeOver(first);
    expect(await court.money(shipped)).toEqual({ buyer: 39_900, seller: 0, frozen: 9500 });
    const paid = await court.trade('paid');
    const second = await court.answered(paid);
    await service.client.ok(b.staffDisputeRule, ruling(second, '0'));
    await court.appealTimeOver(second);
    expect((await paid.seller.client.ok(orderDetail, { orderSn: paid.orderSn })).status).toBe(1);
    await paid.seller.client.ok(offlineTranSub, { orderId: paid.orderId });
  });

  test('after completion pays the buyer from the seller’s hold, and the seller the rest', async () => {
    const d = await court.trade('completed');
    const disputeSn = await court.answered(d);
    await service.client.ok(b.staffDisputeRule, ruling(disputeSn, '40.00'));
    await court.appealTimeOver(disputeSn);
    // 38.00 from the hold of 95.00 and 2.40 of the 6.00 that the platform earned.
    expect(await court.money(d)).toEqual({ buyer: 39_900 + 4040, seller: 5700, frozen: 0 });
    expect((await d.buyer.client.ok(orderDetail, { orderSn: d.orderSn })).money.refunded).toBe('40.40');
  });

  test('an appeal is allowed once, decided by another person, and its ruling is carried out', async () => {
    const d = await court.trade('shipped');
    const disputeSn = await court.answered(d);
    await service.client.ok(b.staffDisputeRule, ruling(disputeSn, '40.00'));
    const body = { disputeSn, text: '裁决没有看我的发货录屏' };
    const responses = await Promise.all(
      [d.seller, d.buyer, d.seller].map((who) => who.client.call(c.appealRuling, body)),
    );
    expect(responses.map((a) => a.code).toSorted((x, y) => x - y)).toEqual([
      0,
      codes.DISPUTE_STATE[0],
      codes.DISPUTE_STATE[0],
    ]);
    expect((await service.client.call(b.staffDisputeRule, ruling(disputeSn, '0'))).code).toBe(
      codes.DISPUTE_OTHER_PERSON[0],
    );
    await court.due('dispute.execute', await court.idOf(disputeSn));
    await t.timers();
    expect((await court.money(d)).buyer).toBe(39_900);
    await court.other.client.ok(b.staffDisputeRule, ruling(disputeSn, '10.00'));
    expect(await court.money(d)).toEqual({ buyer: 39_900 + 1010, seller: 0, frozen: 8550 });
    expect((await d.buyer.client.call(c.appealRuling, body)).code).toBe(codes.DISPUTE_STATE[0]);
  });

  test('the losing seller’s deposit pays when the ruling is final, by rule 8.3 and up to its amount', async () => {
    const d = await court.trade('shipped');
    await t.fund(d.seller.id, 50_000);
    await d.seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const disputeSn = await court.answered(d);
    const file = await service.client.ok(b.staffDisputeDetail, { disputeSn });
    expect(file.deposits).toEqual({ buyer: null, seller: { roleName: '卖家', paid: '500.00' } });
    const rejected = await service.client.call(b.staffDisputeRule, { ...ruling(disputeSn, '0'), penalty: true });
    expect(rejected.msg).toBe('败诉方没有保证金角色，不能扣除保证金');
    await service.client.ok(b.staffDisputeRule, { ...ruling(disputeSn, '40.00'), penalty: true });
    const deposit = async () => (await loadBalances(t.ctx.db, d.seller.id)).depositFen;
    expect(await deposit()).toBe(50_000);
    // Appealed: only the final ruling takes money. 5 % of 40.00 is below the least, which is 10.00.
    await d.seller.client.ok(c.appealRuling, { disputeSn, text: '裁决没有看我的发货录屏' });
    expect(await deposit()).toBe(50_000);
    const second = { ...ruling(disputeSn, '40.00'), penalty: true };
    const responses = await Promise.all([1, 2, 3].map(() => court.other.client.call(b.staffDisputeRule, second)));
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    await t.relay();
    expect(await deposit()).toBe(49_000);
    const seen = await d.seller.client.ok(c.disputeDetail, { disputeSn });
    expect(seen.rulings.at(-1)?.penalty).toEqual({ side: 'seller', amount: '10.00', taken: '10.00' });
    expect(seen.events.map((e) => e.text)).toContain('依据规则 8.3，败诉方卖家保证金：扣除 10.00 元，归入包赔基金');
    const notices = await d.seller.client.ok(noticeList, {});
    expect(notices.list.map((n) => n.body)).toContain(
      `保证金被扣除 10.00 元（依据规则 8.3）：申诉败诉，订单 ${d.orderSn}。`,
    );
    const records = await d.seller.client.ok(depositRecordList, { role: 'seller', kind: 2 });
    expect(records.list).toMatchObject([{ amount: '-10.00', ruleNo: '8.3', orderSn: d.orderSn }]);
  });

  test('a losing seller without a deposit pays none, and the record shows it', async () => {
    const d = await court.trade('paid');
    const disputeSn = await court.answered(d);
    await service.client.ok(b.staffDisputeRule, { ...ruling(disputeSn, '100'), penalty: true });
    await court.appealTimeOver(disputeSn);
    const seen = await d.buyer.client.ok(c.disputeDetail, { disputeSn });
    expect(seen.rulings[0]?.penalty).toEqual({ side: 'seller', amount: '10.00', taken: '0.00' });
    expect(seen.events.map((e) => e.text)).toContain('依据规则 8.3，败诉方卖家保证金：没有可扣的保证金');
    expect(await court.money(d)).toEqual({ buyer: 50_000, seller: 0, frozen: 0 });
  });

  test('two concurrent rulings: one is stored, with one refund', async () => {
    const d = await court.trade('shipped');
    const disputeSn = await court.answered(d);
    const responses = await Promise.all(
      [service, court.other, service, court.other].map((who, i) =>
        who.client.call(b.staffDisputeRule, ruling(disputeSn, `${10 + i}`)),
      ),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    await court.due('dispute.execute', await court.idOf(disputeSn));
    await passTime(t.ctx.db, 'dispute', { sn: disputeSn }, { until: 'appeal_until' });
    await Promise.all([
      t.timers(),
      d.buyer.client.call(c.acceptRuling, { disputeSn }),
      d.seller.client.call(c.acceptRuling, { disputeSn }),
    ]);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from ledger_transfer where order_id = ${d.orderId} and code = 'order_refund'`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(1);
  });

  test('above the limit is written by one person, and approved or sent back by another', async () => {
    const d = await court.trade('shipped', 900_000);
    const disputeSn = await court.answered(d);
    const input = ruling(disputeSn, '9000');
    const waiting = async () => {
      const { queues } = await court.other.client.ok(staffCounters, {});
      const { list } = await court.other.client.ok(b.staffDisputeList, { todo: '1', pageSize: 50 });
      const counted = queues.find(({ key }) => key === 'disputes');
      expect([counted?.to, counted?.count]).toEqual(['/backstage/disputes?sort=deadline&todo=1', list.length]);
      return list.some((row) => row.disputeSn === disputeSn);
    };
    expect(await waiting()).toBe(true);
    expect(await service.client.ok(b.staffDisputeRule, input)).toEqual({ waits: true });
    // A draft that waits for the second person is in that queue, and not in this one.
    expect(await waiting()).toBe(false);
    expect((await service.client.call(b.staffDisputeRule, input)).code).toBe(codes.SECOND_PERSON[0]);
    const draftId = async () => (await court.other.client.ok(b.staffDisputeDetail, { disputeSn })).draft?.draftId ?? 0;
    const first = await draftId();
    expect((await service.client.call(b.staffDisputeSecond, { disputeSn, draftId: first, allow: '1' })).code).toBe(
      codes.SECOND_PERSON[0],
    );
    expect((await service.client.ok(b.staffDisputeDetail, { disputeSn })).draft).toMatchObject({
      isMine: true,
      refund: '9000.00',
    });
    await court.other.client.ok(b.staffDisputeSecond, { disputeSn, draftId: first, allow: '0', note: '请补充理由' });
    await service.client.ok(b.staffDisputeRule, input);
    // A colleague with the first draft on screen has not read the second.
    const unread = { disputeSn, draftId: first, allow: '1' } as const;
    expect((await court.other.client.call(b.staffDisputeSecond, unread)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await court.other.client.ok(b.staffDisputeDetail, { disputeSn })).acts).toContain('second');
    await court.other.client.ok(b.staffDisputeSecond, { disputeSn, draftId: await draftId(), allow: '1' });
    await court.appealTimeOver(disputeSn);
    expect((await court.money(d)).buyer).toBe(4_500_000);
    const { rows } = await sql<{
      act: string;
    }>`select act from audit_log where target = ${`dispute:${disputeSn}`} order by id`.execute(t.ctx.db);
    expect(rows.map((r) => r.act)).toEqual([
      'dispute.rule.ask',
      'dispute.rule.refuse',
      'dispute.rule.ask',
      'dispute.rule',
    ]);
  });

  test('a rule that does not exist is rejected; other roles and sites cannot rule', async () => {
    const d = await court.trade('paid');
    const disputeSn = await court.answered(d);
    const bad = await service.client.call(b.staffDisputeRule, { ...ruling(disputeSn, '0'), rules: ['9.9'] });
    expect(bad.msg).toBe('引用的规则不存在或已停用');
    const finance = await t.newStaff({ role: 'finance' });
    expect((await finance.client.call(b.staffDisputeRule, ruling(disputeSn, '0'))).code).toBe(codes.FORBIDDEN[0]);
    const distStaff = await t.newStaff({ role: 'service', distId: 2 });
    expect((await distStaff.client.call(b.staffDisputeRule, ruling(disputeSn, '0'))).code).toBe(
      codes.DISPUTE_NOT_FOUND[0],
    );
    expect((await distStaff.client.ok(b.staffDisputeList, {})).total).toBe(0);
  });

  test('is public without names, under its rules', async () => {
    const { list } = await t.client().ok(c.rulingList, { ruleNo: '2.2' });
    expect(list.length).toBeGreaterThan(3);
    expect(list[0]).toMatchObject({ reasonName: '数量不足', orderTypeName: expect.any(String) });
    const book = await t.client().ok(c.ruleBook, {});
    expect(book.list.find((r) => r.no === '2.2')?.cited).toBeGreaterThan(3);
  });
});
