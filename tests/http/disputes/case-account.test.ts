/** The account of a completed sale is offered nowhere while a case about the sale is open: the ruling may give it back. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { pushOrPullGoods, releaseGoods } from '#subjects/goods/contract/goods.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { recycleApply } from '#subjects/recycling/contract/account-recycling.ts';
import { accountFingerprint } from '#server/kernel/account-identity.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { claimsOn, type Owned } from '#tests/support/orders/claims.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { accountOffer, offerFixture } from '#tests/support/goods/offers.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';

let t: TestApp;
let kit: ReturnType<typeof claimsOn>;

beforeAll(async () => {
  t = await testApp();
  await offerFixture(t);
  // The steps of a hand-over are tested elsewhere.
  await sql`insert into catalogue_version (game_id, kind, version, body)
    select game_id, kind, max(version) + 1, '{"accounts": [], "deliveries": []}' from catalogue_version where kind = 'handover' group by 1, 2`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
  kit = claimsOn(t, { service: await t.newStaff({ role: 'service' }), other: await t.newStaff({ role: 'admin' }) });
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

let accounts = 0;
/** A sale of an account by whose number it can be offered again. */
async function sold(): Promise<Owned & { accountNo: string }> {
  accounts += 1;
  const accountNo = `case-account-${accounts}`;
  const print = accountFingerprint(t.ctx.keys, 2, accountNo);
  return { ...(await kit.buy({ print, cover: false })), accountNo };
}

const object = async ({ owner, orderSn }: Owned): Promise<string> =>
  (
    await owner.client.ok(openDispute, {
      orderSn,
      reason: 'not_as_described',
      want: 'refund',
      answers: { field: '段位', found: '低两段' },
      text: '实际段位比描述低了两段',
    })
  ).disputeSn;

async function picture(user: TestUser): Promise<string> {
  const key = `${String(user.id).padStart(25, '0')}g-64x64`;
  await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256)
    values (${key}, ${user.id}, 'goods', 64, 64, 100, '') on conflict do nothing`.execute(t.ctx.db);
  return key;
}

const publish = async (user: TestUser, accountNo: string) =>
  await user.client.call(releaseGoods, accountOffer({ accountNo, pictures: JSON.stringify([await picture(user)]) }));
const deal = async (user: TestUser, accountNo: string) =>
  await user.client.call(openMiddleman, {
    belong: 1,
    title: '满级成品号',
    gameId: 2,
    goodsTypeId: 1,
    serverId: 201_001,
    accountNo,
    price: '100.00',
    feeSide: 'half',
  });
const recycle = async (user: TestUser, accountNo: string) =>
  await user.client.call(recycleApply, {
    gameId: 2,
    areaId: 2001,
    serverId: 201_001,
    accountNo,
    details: accountOffer().details ?? {},
  });

/** The same account offered by a user, in a given state. */
async function listed(print: Buffer, sellerId: number, status: number): Promise<{ id: number; sn: string }> {
  const goods = await addGoods(t.ctx, { sellerId, typeId: 1, priceFen: 12_000 });
  await sql`update goods set fingerprint = ${print}, status = ${status} where id = ${goods.id}`.execute(t.ctx.db);
  return goods;
}
const stateOf = async (id: number) =>
  (await sql<{ status: number }>`select status from goods where id = ${id}`.execute(t.ctx.db)).rows[0]?.status;

test('neither party nor anybody else offers the account until the case is closed', async () => {
  const owned = await sold();
  const off = await listed(owned.print, owned.seller.id, 3);
  const disputeSn = await object(owned);
  for (const user of [owned.seller, owned.owner, await t.newUser({})]) {
    const refused = await publish(user, owned.accountNo);
    expect([refused.code, refused.msg]).toEqual([codes.GOODS_CLAIMED[0], codes.GOODS_CLAIMED[2]]);
    expect((await deal(user, owned.accountNo)).code).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
    expect((await recycle(user, owned.accountNo)).code).toBe(codes.GOODS_CLAIMED[0]);
  }
  expect((await owned.seller.client.call(pushOrPullGoods, { goodsSn: off.sn, act: 'push' })).code).toBe(
    codes.GOODS_CLAIMED[0],
  );
  await owned.owner.client.ok(withdrawDispute, { disputeSn });
  await owned.seller.client.ok(pushOrPullGoods, { goodsSn: off.sn, act: 'push' });
});

test('a private deal is refused as well, and possible after the case', async () => {
  const owned = await sold();
  const disputeSn = await object(owned);
  expect((await deal(owned.seller, owned.accountNo)).code).toBe(codes.ACCOUNT_CLAIMED[0]);
  await owned.owner.client.ok(withdrawDispute, { disputeSn });
  expect((await deal(owned.owner, owned.accountNo)).code).toBe(0);
});

test.each([
  ['on sale', 2, 3],
  ['in review', 1, 6],
  ['hidden', 7, 3],
] as const)('a listing of a party that is %s goes off sale with the case', async (_, before, after) => {
  const owned = await sold();
  const goods = await listed(owned.print, owned.seller.id, before);
  await object(owned);
  expect(await stateOf(goods.id)).toBe(after);
  await t.relay();
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${owned.seller.id} and kind = 'goods.barred'`.execute(t.ctx.db);
  expect(rows[0]?.body).toContain(`对应的游戏账号的成交订单 ${owned.orderSn} 在申诉中，结案前不能出售。`);
});

test('the listing of a third person stays, and returns off sale from an order that ends during the case', async () => {
  const owned = await sold();
  const third = await t.newUser({});
  const goods = await listed(owned.print, third.id, 2);
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await object(owned);
  expect(await stateOf(goods.id)).toBe(4);
  await buyer.client.ok(cancelOrder, { orderId });
  expect(await stateOf(goods.id)).toBe(3);
});
