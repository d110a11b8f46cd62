/** Decisions of other subjects appear in the conversation too: forms of the hand-over, disputes, rulings, claims. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute } from '#subjects/disputes/contract/dispute.ts';
import { staffRequestForm, staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { staffImColleagues, staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import * as im from '#subjects/chat/contract/im.ts';
import { handoverDone } from '#subjects/orders/contract/order.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { groupOf } from '#tests/support/market/chat.ts';
import { type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';

let court: Court;
let t: Court['t'];

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
});
afterAll(async () => await t.close());

async function cards(user: Parameters<typeof groupOf>[0], orderSn: string) {
  await t.relay();
  const { list } = await user.client.ok(im.history, { groupId: await groupOf(user, orderSn) });
  return list.filter((m) => m.messageType === 'card').map(({ content }) => content);
}

test('a dispute, its ruling and its end are posted for both parties, each once, with a link', async () => {
  const d = await court.trade('shipped');
  const disputeSn = await court.opened(d);
  const first = (await cards(d.seller, d.orderSn)).at(-1);
  expect(first).toMatchObject({ card: 'dispute.opened', title: '本单已发起申诉', ref: disputeSn });
  expect(first?.content).toContain('对方请在');
  const reply = { disputeSn, answers: { sent: '100 个' }, text: '一百个都发了，请核对' };
  await d.seller.client.ok(answerDispute, reply);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '40'));
  const ruled = (await cards(d.buyer, d.orderSn)).at(-1);
  expect(ruled).toMatchObject({ card: 'dispute.ruled', title: '申诉已裁决', ref: disputeSn });
  expect(ruled?.content).toContain('上诉一次');
  await court.appealTimeOver(disputeSn);
  const all = await cards(d.buyer, d.orderSn);
  expect(all.filter(({ card }) => card === 'dispute.closed')).toHaveLength(1);
  // An event that comes twice adds nothing.
  const payload = JSON.stringify({ disputeId: await court.idOf(disputeSn), orderId: d.orderId });
  await sql`insert into outbox (topic, payload) values ('dispute.opened', ${payload}::jsonb), ('order.ruled', ${payload}::jsonb)`.execute(
    t.ctx.db,
  );
  expect(await cards(d.buyer, d.orderSn)).toEqual(all);
});

test('money that a ruling reclaims after completion is posted once', async () => {
  const d = await court.trade('completed');
  const disputeSn = await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '40'));
  await court.appealTimeOver(disputeSn);
  const closed = (await cards(d.seller, d.orderSn)).filter(({ card }) => card === 'dispute.closed');
  expect(closed).toHaveLength(1);
  expect(closed[0]?.content).toContain('退回买家');
});

test('the seller is reminded of missing steps; an order without such steps has no reminder', async () => {
  const d = await court.trade('paid');
  await t.relay();
  const known = await sql`select 1 from order_handover where order_id = ${d.orderId}`.execute(t.ctx.db);
  expect(known.rows).toEqual([]);
  expect((await cards(d.seller, d.orderSn)).map(({ card }) => card)).not.toContain('form');
  await sql`insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, explain) values
    (${d.orderId}, 1, 'give', '提交账号密码', 'seller', 60, true, true, false, true, ''),
    (${d.orderId}, 2, 'phone', '解绑手机', 'seller', 60, true, true, true, false, ''),
    (${d.orderId}, 3, 'check', '买家验号', 'buyer', 60, true, false, true, false, '')`.execute(t.ctx.db);
  const payload = JSON.stringify({ orderId: d.orderId });
  await sql`insert into outbox (topic, payload) values ('order.paid', ${payload}::jsonb), ('order.paid', ${payload}::jsonb)`.execute(
    t.ctx.db,
  );
  const formsOf = async () => (await cards(d.seller, d.orderSn)).filter(({ card }) => card === 'form');
  expect(await formsOf(), 'who has just sold is given a moment').toEqual([]);
  await makeDue(t.ctx.db, 'chat.form', d.orderId);
  await t.timers();
  const forms = await formsOf();
  expect(forms).toHaveLength(1);
  expect(forms[0]?.items).toEqual([
    { step: 1, title: '提交账号密码', needs: ['密封信息'] },
    { step: 2, title: '解绑手机', needs: ['截图'] },
  ]);
  expect(forms[0]?.content).toBe(
    '待填 2 项：提交账号密码（密封信息）；解绑手机（截图）。密封信息只有对方能打开一次，不要发在群里',
  );
});

/** A paid order whose group this test's customer service has, with two of the seller's steps and one of the buyer's. */
async function requested() {
  const d = await court.trade('paid');
  await sql`insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, explain) values
    (${d.orderId}, 1, 'give', '提交账号密码', 'seller', 60, true, true, false, true, ''),
    (${d.orderId}, 2, 'phone', '解绑手机', 'seller', 60, true, true, true, false, ''),
    (${d.orderId}, 3, 'check', '买家验号', 'buyer', 60, true, false, true, false, '')`.execute(t.ctx.db);
  await sql`update orders set handover_version = 1 where id = ${d.orderId}`.execute(t.ctx.db);
  await t.relay();
  const groupId = await groupOf(d.seller, d.orderSn);
  const { list } = await court.service.client.ok(staffImColleagues, {});
  const admin = await t.newStaff({ role: 'admin' });
  const staffId = list.find(({ imUid }) => imUid === court.service.imUid)?.staffId ?? 0;
  await admin.client.call(staffImTransfer, { groupId, staffId });
  return { ...d, groupId, admin };
}

test('customer service requests chosen items again, once in ten minutes, and done ones are ticked automatically', async () => {
  const d = await requested();
  const { client } = court.service;
  const { form } = await client.ok(staffImSidebar, { groupId: d.groupId });
  expect(form).toEqual({
    items: [
      { step: 1, title: '提交账号密码', actor: 'seller', needs: ['密封信息'] },
      { step: 2, title: '解绑手机', actor: 'seller', needs: ['截图'] },
    ],
    againAt: null,
  });
  const send = (steps: string) => client.call(staffRequestForm, { groupId: d.groupId, steps });
  expect((await send('[3]')).code, 'the buyer’s turn comes after the shipping').toBe(codes.BAD_INPUT[0]);
  const responses = await Promise.all([send('[2]'), send('[2]'), send('[2,1]')]);
  expect(responses.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    0,
    codes.RATE_LIMITED[0],
    codes.RATE_LIMITED[0],
  ]);
  const forms = (await cards(d.seller, d.orderSn)).filter(({ card }) => card === 'form');
  expect(forms).toHaveLength(1);
  expect(forms[0]?.title).toContain('请卖家补齐交付资料');
  expect((await client.ok(staffImSidebar, { groupId: d.groupId })).form.againAt).not.toBeNull();

  await d.seller.client.ok(handoverDone, { orderId: d.orderId, step: 1, pictures: '[]' });
  const done = (await cards(d.seller, d.orderSn)).filter(({ card }) => card === 'order.handover');
  expect(done.map(({ ref }) => ref)).toEqual(['1']);
  const left = (await client.ok(staffImSidebar, { groupId: d.groupId })).form.items;
  expect(left.map(({ step }) => step)).toEqual([2]);
});

test('requests in a group of other members are rejected', async () => {
  const d = await requested();
  const other = await t.newStaff({ role: 'service' });
  const steps = '[1]';
  expect((await other.client.call(staffRequestForm, { groupId: d.groupId, steps })).code).toBe(
    codes.CHAT_NOT_MEMBER[0],
  );
  const reviewer = await t.newStaff({ role: 'reviewer' });
  expect((await reviewer.client.call(staffRequestForm, { groupId: d.groupId, steps })).code).toBe(codes.FORBIDDEN[0]);
  await d.admin.client.ok(staffRequestForm, { groupId: d.groupId, steps });
});

test('a claim and its result are posted in the group of its order', async () => {
  const d = await court.trade('completed');
  await cards(d.buyer, d.orderSn);
  const { rows } = await sql<{ id: number }>`
    insert into guarantee_cover (dist_id, tier_id, kind, order_id, holder_id, price_fen, premium_fen, payout_max_fen, terms, status, starts_at)
    select 1, (select min(id) from guarantee_tier), 'ensure', ${d.orderId}, ${d.buyer.id}, 10000, 1000, 10000, '{}', 'claimed', now() returning id`.execute(
    t.ctx.db,
  );
  const claim = await sql<{ id: number }>`
    insert into guarantee_claim (sn, dist_id, cover_id, user_id, order_id, reason, explain, asked_fen, paid_fen, chase_days, first_look_by, status, decided_at)
    values ('C1', 1, ${rows[0]?.id ?? 0}, ${d.buyer.id}, ${d.orderId}, 'recovered', '被找回', 10000, 10000, 7, now(), 'paid', now()) returning id`.execute(
    t.ctx.db,
  );
  const payload = JSON.stringify({ claimId: claim.rows[0]?.id ?? 0, claimSn: 'C1', orderId: d.orderId });
  await sql`insert into outbox (topic, payload) values ('claim.opened', ${payload}::jsonb), ('claim.paid', ${payload}::jsonb)`.execute(
    t.ctx.db,
  );
  const notices = (await cards(d.seller, d.orderSn)).filter(({ card }) => card?.startsWith('claim.'));
  expect(notices.map(({ title }) => title)).toEqual(['买家申请了包赔理赔', '包赔已赔付']);
  expect(notices[1]?.content).toContain('100.00');
});
