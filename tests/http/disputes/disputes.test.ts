/** Disputes from opening to ruling, through HTTP; each ends with the books right. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as b from '#subjects/disputes/contract/staff-disputes.ts';
import { staffOrderStep } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import * as c from '#subjects/disputes/contract/dispute.ts';
import type { Input } from '#contract/endpoint.ts';
import { cancelOrder, confirmRecGoods, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { responseOverdue, escalate } from '#subjects/disputes/server/ruling.ts';
import { brokenInvariants, releaseHold } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { complaint, type Court, openCourt, type Trade } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

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

describe('opening', () => {
  test('pauses the deadlines, shows the case to both parties, and is the only one', async () => {
    const d = await court.trade('shipped');
    const terms = await d.buyer.client.ok(c.disputeEntry, { orderSn: d.orderSn });
    expect(terms).toMatchObject({ closed: null, viewer: 'buyer', answerHours: 2, goodsPrice: '100.00' });
    expect(terms.reasons.map((r) => r.code)).toContain('short_delivered');
    const disputeSn = await court.opened(d);
    expect(await court.timersOf(d.orderId)).toEqual([]);
    expect((await d.buyer.client.call(c.openDispute, complaint(d.orderSn))).code).toBe(codes.DISPUTE_OPEN[0]);
    expect((await d.buyer.client.call(confirmRecGoods, { orderId: d.orderId })).code).toBe(codes.ORDER_STATE[0]);
    expect((await d.seller.client.call(cancelOrder, { orderId: d.orderId })).code).toBe(codes.ORDER_STATE[0]);
    const rejected = await service.client.call(staffOrderStep, {
      orderId: d.orderId,
      act: 'staffClose',
      reason: '试试',
    });
    expect(rejected.code).toBe(codes.ORDER_DISPUTED[0]);
    const seen = await d.seller.client.ok(c.disputeDetail, { disputeSn });
    expect(seen).toMatchObject({
      viewer: 'seller',
      mine: false,
      status: 'open',
      acts: ['answer', 'agree', 'evidence'],
    });
    expect(seen.form?.map((f) => f.key)).toEqual(['sent']);
    expect(seen.statements[0]).toMatchObject({ side: 'buyer', answers: [{ label: '实际收到数量', value: '60 个' }] });
    expect(seen.evidence.map((e) => e.kind)).toEqual(expect.arrayContaining(['step', 'money']));
    expect(
      (await d.buyer.client.ok(orderDetail, { orderSn: d.orderSn })).acts.find((a) => a.act === 'dispute'),
    ).toMatchObject({ label: '查看申诉' });
    const stranger = await t.newUser({});
    expect((await stranger.client.call(c.disputeDetail, { disputeSn })).code).toBe(codes.DISPUTE_NOT_FOUND[0]);
    expect((await stranger.client.call(c.disputeEntry, { orderSn: d.orderSn })).code).toBe(codes.ORDER_NOT_FOUND[0]);
  });

  test('names the traded goods to both parties and to staff', async () => {
    const [buyer, seller] = [await t.newUser({ balanceFen: 100_000 }), await t.newUser({})];
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 5 });
    const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, goodsNum: '3' });
    await buyer.client.ok(balancePay, { orderId });
    const { disputeSn } = await buyer.client.ok(c.openDispute, complaint(orderSn));
    const facts = [{ label: '数量', value: '3 件' }];
    for (const party of [buyer, seller])
      expect((await party.client.ok(c.disputeDetail, { disputeSn })).facts).toEqual(facts);
    expect((await service.client.ok(b.staffDisputeDetail, { disputeSn })).facts).toEqual(facts);
  });

  test('returns a message for each missing or wrong input', async () => {
    const d = await court.trade('paid');
    const submit = async (more: Partial<Input<typeof c.openDispute>>) =>
      (await d.buyer.client.call(c.openDispute, complaint(d.orderSn, more))).msg;
    expect(await submit({ answers: {} })).toBe('请填写「实际收到数量」');
    expect(await submit({ reason: 'recovered' })).toBe('请选择原因');
    expect(await submit({ want: 'release' })).toBe('请重新选择诉求');
    expect(await submit({ wantAmount: '100' })).toBe('部分退款须低于商品价，全部退款请选全额退款');
    for (const wantAmount of ['1e3', '-5', 'NaN', '0.001']) expect(await submit({ wantAmount })).toMatch(/^退款金额/);
    expect(await submit({ pictures: ['nobody-has-this'] })).toBe('图片不存在，请重新上传');
  });

  test('asks the seller for his statement once', async () => {
    const d = await court.trade('paid');
    const more = { reason: 'not_as_described', answers: { field: '数量', found: '少一半' } };
    const { disputeSn } = await d.buyer.client.ok(c.openDispute, complaint(d.orderSn, more as never));
    expect((await d.seller.client.ok(c.disputeDetail, { disputeSn })).form).toEqual([]);
    await d.seller.client.ok(c.answerDispute, { disputeSn, answers: {}, text: '数量和描述一致' });
  });

  test('the same key twice is one dispute', async () => {
    const d = await court.trade('paid');
    const [a, again] = await Promise.all(
      [1, 2].map(() => d.buyer.client.ok(c.openDispute, complaint(d.orderSn), { idempotencyKey: `open-${d.orderId}` })),
    );
    expect(a?.disputeSn).toMatch(/^D/);
    expect(again).toEqual(a);
  });

  test('is possible after completion only while the money is held', async () => {
    const d = await court.trade('completed');
    await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { until: 'release_at' });
    const disputeSn = await court.opened(d);
    expect(await releaseHold(t.ctx.db, { orderId: d.orderId })).toBe(false);
    await d.buyer.client.ok(c.withdrawDispute, { disputeSn });
    expect(await court.timersOf(d.orderId)).toEqual(['hold.release']);
    expect(await releaseHold(t.ctx.db, { orderId: d.orderId })).toBe(true);
    const tooLate = await d.buyer.client.call(c.openDispute, complaint(d.orderSn));
    expect([tooLate.code, tooLate.msg]).toEqual([
      codes.DISPUTE_UNAVAILABLE[0],
      '保护期已结束，货款已放给卖家；买了包赔的账号可以申请理赔',
    ]);
  });

  test.each([1, 2, 3, 4])(
    'as the hold ends (%i): either the money stays held, or the dispute is rejected',
    async () => {
      const d = await court.trade('completed');
      await passTime(t.ctx.db, 'hold', { ref: String(d.orderId) }, { until: 'release_at' });
      const [released, opening] = await Promise.all([
        releaseHold(t.ctx.db, { orderId: d.orderId }),
        d.buyer.client.call(c.openDispute, complaint(d.orderSn)),
      ]);
      expect([released, opening.code]).toEqual(released ? [true, codes.DISPUTE_UNAVAILABLE[0]] : [false, 0]);
      expect((await court.money(d)).frozen).toBe(released ? 0 : 9500);
    },
  );

  test.each([1, 2, 3])(
    'during automatic confirmation (%i): never both an open dispute and a running deadline',
    async () => {
      const d = await court.trade('shipped');
      await court.due('order.autoConfirm', d.orderId);
      const [, opening] = await Promise.all([t.timers(), d.buyer.client.call(c.openDispute, complaint(d.orderSn))]);
      expect([opening.code, opening.data.disputeSn]).toEqual([0, expect.stringMatching(/^D/)]);
      expect(await court.timersOf(d.orderId)).toEqual([]);
    },
  );
});

describe('the course of a dispute', () => {
  test('withdrawn: the deadlines continue with the remaining time', async () => {
    const d = await court.trade('shipped');
    const before = await sql<{ at: Date }>`select auto_confirm_at as at from orders where id = ${d.orderId}`.execute(
      t.ctx.db,
    );
    const disputeSn = await court.opened(d);
    await d.buyer.client.ok(c.withdrawDispute, { disputeSn });
    const after = await sql<{ at: Date }>`select auto_confirm_at as at from orders where id = ${d.orderId}`.execute(
      t.ctx.db,
    );
    expect(Math.abs((after.rows[0]?.at.getTime() ?? 0) - (before.rows[0]?.at.getTime() ?? 0))).toBeLessThan(5000);
    expect(await court.timersOf(d.orderId)).toEqual(['order.autoConfirm']);
    await d.buyer.client.ok(confirmRecGoods, { orderId: d.orderId });
  });

  test('agreed: carried out immediately', async () => {
    const d = await court.trade('shipped');
    const disputeSn = await court.opened(d);
    await d.seller.client.ok(c.answerDispute, { disputeSn, agree: '1' });
    // 40.00 of the price and 0.40 of the fee; the seller has 60.00 less 3.00.
    expect(await court.money(d)).toEqual({ buyer: 50_000 - 10_100 + 4040, seller: 0, frozen: 5700 });
    expect(await d.buyer.client.ok(c.disputeDetail, { disputeSn })).toMatchObject({
      outcome: 'settled',
      outcomeName: '双方协商：部分退款',
      refunded: '40.40',
    });
    expect((await d.buyer.client.call(c.withdrawDispute, { disputeSn })).code).toBe(codes.DISPUTE_STATE[0]);
  });

  test('continues automatically at each deadline when triage, response or ruling is missing', async () => {
    const d = await court.trade('paid');
    const disputeSn = await court.opened(d);
    const id = await court.idOf(disputeSn);
    await court.due('dispute.look', id);
    await t.timers();
    // Nobody is promised a time that has passed; the one who has to answer still is.
    const seenBy = async ({ client }: Trade['buyer']) => await client.ok(c.disputeDetail, { disputeSn });
    expect(await seenBy(d.buyer)).toMatchObject({ waits: '超过受理时限，已升级给主管处理', deadline: null });
    expect(await seenBy(d.seller)).toMatchObject({ waits: '请在时限内答复', deadline: expect.any(String) });
    await court.due('dispute.answer', id);
    await t.timers();
    expect((await service.client.ok(b.staffDisputeDetail, { disputeSn })).status).toBe('evidence');
    await court.due('dispute.rule', id);
    await t.timers();
    const file = await service.client.ok(b.staffDisputeDetail, { disputeSn });
    expect(file.escalated).toBe(true);
    expect(file.events.filter((e) => e.kind === 'late').map((e) => e.text)).toEqual([
      '超过受理时限，已升级给主管',
      '对方超时未答复，按现有证据进入裁决',
      '超过裁决时限，已升级给主管',
    ]);
    const tooLate = await service.client.ok(b.staffDisputeList, { late: '1' });
    expect(tooLate.list.map((x) => x.disputeSn)).toContain(disputeSn);
    // A timer that runs again, also many times concurrently, writes nothing and assigns the case to no other staff.
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 3 === 2 ? responseOverdue(t.ctx, id) : escalate(t.ctx, id, i % 3 === 0 ? 'look' : 'rule'),
      ),
    );
    const again = await service.client.ok(b.staffDisputeDetail, { disputeSn });
    expect(again.events).toEqual(file.events);
    expect(again.staffName).toBe(file.staffName);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from outbox where topic = 'dispute.late' and (payload->>'disputeId')::bigint = ${id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(2);
  });

  test('both parties can add evidence until the ruling', async () => {
    const d = await court.trade('paid');
    const disputeSn = await court.opened(d);
    await service.client.ok(b.staffDisputeFirstResponse, { disputeSn });
    await service.client.ok(b.staffDisputeQuestion, { disputeSn, text: '请买家补充到账截图' });
    for (const who of [d.buyer, d.seller])
      await who.client.ok(c.addDisputeEvidence, { disputeSn, text: '补充说明一下经过' });
    const seen = await d.seller.client.ok(c.disputeDetail, { disputeSn });
    expect(seen.statements.map((s) => [s.side, s.kind])).toEqual([
      ['buyer', 'form'],
      ['buyer', 'evidence'],
      ['seller', 'evidence'],
    ]);
    expect(seen.events.map((e) => e.kind)).toEqual(['opened', 'looked', 'asked', 'evidence', 'evidence']);
  });

  test('a case can be taken over by a colleague, and not by the one who has it', async () => {
    const disputeSn = await court.opened(await court.trade('paid'));
    const colleague = await t.newStaff({ role: 'service' });
    const acts = async (who: typeof colleague) => (await who.client.ok(b.staffDisputeDetail, { disputeSn })).acts;
    await service.client.ok(b.staffDisputeFirstResponse, { disputeSn });
    expect(await acts(service)).toEqual(['ask']);
    expect(await acts(colleague)).toEqual(['look', 'ask']);
    await colleague.client.ok(b.staffDisputeFirstResponse, { disputeSn });
    expect(await acts(service)).toEqual(['look', 'ask']);
    expect(await acts(colleague)).toEqual(['ask']);
  });
});
