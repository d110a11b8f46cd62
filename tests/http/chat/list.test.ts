/** The order chat's list: fifty a page with a way to the rest, each tab from its beginning, and what was said last. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { logout } from '#subjects/accounts/contract/user.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { CHAT_PAGE_SIZE } from '#contract/rules/limits.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { newId, trade } from '#tests/support/market/chat.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

/** Orders that a user placed and that were cancelled: one by the calls, the others its copies. */
async function failedOrders(buyer: TestUser, count: number): Promise<void> {
  const seller = await t.newUser({});
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const { orderId } = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(c.cancelOrder, { orderId });
  await sql`insert into orders overriding system value
    select (jsonb_populate_record(o, jsonb_build_object('id', nextval('orders_id_seq'), 'sn', o.sn || '-' || n))).*
    from orders o, generate_series(1, ${count - 1}::int) n where o.id = ${orderId}`.execute(t.ctx.db);
}

test('the 51st order of a tab is on the second page, once, and another tab starts with its first', async () => {
  const buyer = await t.newUser({ balanceFen: 50_000 });
  await failedOrders(buyer, CHAT_PAGE_SIZE + 1);
  const query = { belong: 0, status: -1, pageSize: CHAT_PAGE_SIZE };
  const first = await buyer.client.ok(c.queryOrderList, query);
  expect(first.orderList).toHaveLength(CHAT_PAGE_SIZE);
  expect(first.counts['-1']).toBe(CHAT_PAGE_SIZE + 1);
  const second = await buyer.client.ok(c.queryOrderList, { ...query, cursor: first.next ?? '' });
  expect(second.orderList).toHaveLength(1);
  expect(second.next).toBeNull();
  const all = [...first.orderList, ...second.orderList].map((order) => order.orderSn);
  expect(new Set(all).size).toBe(CHAT_PAGE_SIZE + 1);
  const byNumber = await buyer.client.ok(c.queryOrderList, { ...query, pages: 2 });
  expect(byNumber.orderList.map((order) => order.orderSn)).toEqual(all.slice(CHAT_PAGE_SIZE));
  const other = await buyer.client.ok(c.queryOrderList, { ...query, status: 3 });
  expect(other).toMatchObject({ orderList: [], next: null });
});

test('each group’s newest message is returned to its members only, and a recalled one is empty', async () => {
  const { buyer, seller, groupId } = await trade(t);
  const strange = await trade(t);
  const groups = JSON.stringify([groupId, strange.groupId, '999999999']);
  const last = async (who: TestUser) => (await who.client.ok(im.lastMessages, { groups })).list;
  expect(await last(buyer)).toMatchObject([{ groupId, messageType: 'card', content: { card: 'order.paid' } }]);
  const textMessage = (content: string) => ({ groupId, clientMsgId: newId(), content });
  await seller.client.ok(im.sendMessage, textMessage('马上发货'));
  expect(await last(buyer)).toMatchObject([{ groupId, content: { content: '马上发货' }, messageDirection: 2 }]);
  expect(await last(seller)).toMatchObject([{ messageDirection: 1 }]);
  const { seq } = await seller.client.ok(im.sendMessage, textMessage('微信 vx_seller99'));
  const [masked] = (await last(buyer)).filter((m) => m.seq >= seq);
  expect(JSON.stringify(masked)).not.toContain('seller99');
  const { seq: mine } = await seller.client.ok(im.sendMessage, textMessage('说错了'));
  await seller.client.ok(im.recallMessage, { groupId, seq: mine });
  expect(JSON.stringify(await last(buyer))).not.toContain('说错了');
  expect((await last(strange.buyer)).map((m) => m.groupId)).toEqual([strange.groupId]);
  expect((await buyer.client.call(im.lastMessages, { groups: JSON.stringify(Array(51).fill(groupId)) })).code).toBe(
    codes.BAD_INPUT[0],
  );
  expect((await buyer.client.ok(im.lastMessages, { groups: '[]' })).list).toEqual([]);
  await buyer.client.ok(logout, {});
  expect((await buyer.client.call(im.lastMessages, { groups })).code).not.toBe(0);
});
