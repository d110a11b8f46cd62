/** Contact that a party leaves for one transaction: sealed, only for the assigned customer service, gone with the order's end. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import { staffOrderContact } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import { confirmRecGoods, offlineTranSub, orderDetail } from '#subjects/orders/contract/order.ts';
import { changeUserUsualInfo, userInfo } from '#subjects/accounts/contract/user.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';

let court: Court;

beforeAll(async () => {
  court = await openCourt();
});
afterAll(async () => await court.t.close());

test('is entered, read by the assigned staff, withdrawn, and erased at the end', async () => {
  const { t, service, other } = court;
  const d = await court.trade('paid');
  const { orderSn, orderId } = d;
  await sql`update orders set staff_id = ${service.id} where id = ${orderId}`.execute(t.ctx.db);
  const leave = (more: object) => d.buyer.client.call(transactionCacheContactInfo, { orderSn, ...more });
  expect((await leave({ contactPhone: '12345' })).msg).toBe('您输入的手机号有误');
  expect((await leave({ qq: '12345678', roleName: '听风', note: '' })).data).toEqual({ orderSn, saved: true });
  expect((await d.buyer.client.ok(orderDetail, { orderSn })).contactSaved).toBe(true);
  expect((await d.seller.client.ok(orderDetail, { orderSn })).contactSaved).toBe(false);
  const stored = await sql<{
    body: Buffer;
  }>`select body_enc as body from order_contact where order_id = ${orderId}`.execute(t.ctx.db);
  expect(stored.rows[0]?.body.toString('latin1')).not.toContain('12345678');
  const seen = await service.client.ok(staffOrderContact, { orderId });
  expect(seen.list).toEqual([
    {
      side: 'buyer',
      fields: [
        { label: 'QQ', value: '12345678' },
        { label: '角色名', value: '听风' },
      ],
    },
  ]);
  const colleague = await t.newStaff({ role: 'service' });
  expect((await colleague.client.call(staffOrderContact, { orderId })).code).toBe(codes.ORDER_FORBIDDEN[0]);
  expect((await other.client.ok(staffOrderContact, { orderId })).list).toHaveLength(1);
  expect((await leave({})).data.saved).toBe(false);
  await leave({ weChat: 'tingfeng_01' });
  await d.seller.client.ok(offlineTranSub, { orderId });
  await d.buyer.client.ok(confirmRecGoods, { orderId });
  await t.relay();
  expect((await d.buyer.client.ok(orderDetail, { orderSn })).contactSaved).toBe(false);
  expect((await leave({ qq: '12345678' })).code).toBe(codes.ORDER_STATE[0]);
  const stranger = await t.newUser({});
  expect((await stranger.client.call(transactionCacheContactInfo, { orderSn, qq: '12345678' })).code).toBe(
    codes.ORDER_NOT_FOUND[0],
  );
});

test('the assigned staff read the profile’s contact while none is entered for the order', async () => {
  const { t, service } = court;
  const d = await court.trade('paid');
  await sql`update orders set staff_id = ${service.id} where id = ${d.orderId}`.execute(t.ctx.db);
  const leave = (contact: string) => d.seller.client.call(changeUserUsualInfo, { contact });
  expect(await leave('0123')).toMatchObject({ code: codes.BAD_INPUT[0], field: 'contact' });
  expect((await leave('tingfeng_01')).code).toBe(0);
  expect((await d.seller.client.ok(userInfo, {})).contactMask).toBe('ti****01');
  const stored = await sql<{
    body: Buffer;
  }>`select contact_enc as body from app_user where id = ${d.seller.id}`.execute(t.ctx.db);
  expect(stored.rows[0]?.body.toString('latin1')).not.toContain('tingfeng');
  const seen = async () => (await service.client.ok(staffOrderContact, { orderId: d.orderId })).list;
  expect(await seen()).toEqual([
    { side: 'seller', fields: [{ label: '备注', value: '资料里的联系方式：tingfeng_01' }] },
  ]);
  await d.seller.client.ok(transactionCacheContactInfo, { orderSn: d.orderSn, qq: '12345678' });
  expect((await seen())[0]?.fields).toEqual([{ label: 'QQ', value: '12345678' }]);
  await d.seller.client.ok(changeUserUsualInfo, { nickName: '别的名字' });
  expect((await d.seller.client.ok(userInfo, {})).contactMask).toBe('ti****01');
  await leave('');
  expect((await d.seller.client.ok(userInfo, {})).contactMask).toBe('');
});
