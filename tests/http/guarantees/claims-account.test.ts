/** D3: an account under a claim is not for sale, whichever comes first. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as g from '#subjects/goods/contract/staff-review.ts';
import * as b from '#subjects/guarantees/contract/staff-claims.ts';
import { codes } from '#contract/codes.ts';
import { pushOrPullGoods, releaseGoods } from '#subjects/goods/contract/goods.ts';
import * as c from '#subjects/guarantees/contract/guarantee.ts';
import * as m from '#subjects/middleman/contract/middleman.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { accountFingerprint } from '#server/kernel/account-identity.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { claimsOn, type Owned } from '#tests/support/orders/claims.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { accountOffer, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let service: TestStaff;
let other: TestStaff;
let reviewer: TestStaff;
let kit: ReturnType<typeof claimsOn>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await offerFixture(t);
  // The steps of a hand-over are tested elsewhere.
  await sql`insert into catalogue_version (game_id, kind, version, body)
    select game_id, kind, max(version) + 1, '{"accounts": [], "deliveries": []}' from catalogue_version where kind = 'handover' group by 1, 2`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
  service = await t.newStaff({ role: 'service' });
  other = await t.newStaff({ role: 'admin' });
  reviewer = await t.newStaff({ role: 'reviewer' });
  kit = claimsOn(t, { service, other });
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

let accounts = 0;
/** A sale of an account by whose number it can be published again. */
async function sold(): Promise<Owned & { accountNo: string }> {
  accounts += 1;
  const accountNo = `claimed-account-${accounts}`;
  return { ...(await kit.buy({ print: accountFingerprint(t.ctx.keys, 2, accountNo) })), accountNo };
}

async function picture(user: TestUser): Promise<string> {
  const key = `${String(user.id).padStart(25, '0')}g-64x64`;
  await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256)
    values (${key}, ${user.id}, 'goods', 64, 64, 100, '') on conflict do nothing`.execute(t.ctx.db);
  return key;
}

const publish = async (user: TestUser, accountNo: string) =>
  await user.client.call(releaseGoods, accountOffer({ accountNo, pictures: JSON.stringify([await picture(user)]) }));

/** The same account offered by a user, in a given state. */
async function listed(print: Buffer, sellerId: number, status: number): Promise<{ id: number; sn: string }> {
  const goods = await addGoods(t.ctx, { sellerId, typeId: 1, priceFen: 12_000 });
  await sql`update goods set fingerprint = ${print}, status = ${status} where id = ${goods.id}`.execute(t.ctx.db);
  return goods;
}
const stateOf = async (id: number) =>
  (await sql<{ status: number }>`select status from goods where id = ${id}`.execute(t.ctx.db)).rows[0]?.status;

describe('D3: while a claim runs', () => {
  test('the account cannot be published, put on sale or approved; afterwards it can', async () => {
    const owned = await sold();
    const off = await listed(owned.print, owned.owner.id, 3);
    const claimSn = await kit.claim(owned);
    const rejected = await publish(owned.owner, owned.accountNo);
    expect([rejected.code, rejected.msg]).toEqual([codes.GOODS_CLAIMED[0], codes.GOODS_CLAIMED[2]]);
    expect((await owned.owner.client.call(pushOrPullGoods, { goodsSn: off.sn, act: 'push' })).code).toBe(
      codes.GOODS_CLAIMED[0],
    );
    await owned.owner.client.ok(c.withdrawClaim, { claimSn });
    await owned.owner.client.ok(pushOrPullGoods, { goodsSn: off.sn, act: 'push' });
    expect(await stateOf(off.id)).toBe(2);
  });

  test.each([
    ['on sale', 2, 3],
    ['in review', 1, 6],
    ['hidden', 7, 3],
  ] as const)('a listing that is %s is taken off sale and its seller gets the reason', async (_, before, after) => {
    const owned = await sold();
    const goods = await listed(owned.print, owned.owner.id, before);
    const claimSn = await kit.claim(owned);
    expect(await stateOf(goods.id)).toBe(after);
    await t.relay();
    const notices = await sql<{ body: string }>`
      select body from notice where user_id = ${owned.owner.id} and kind = 'goods.barred'`.execute(t.ctx.db);
    expect(notices.rows[0]?.body).toContain('正在包赔理赔');
    const buyer = await t.newUser({ balanceFen: 100_000 });
    expect((await buyer.client.call(placeOrder, { goodsSn: goods.sn })).code).not.toBe(0);
    const file = await service.client.ok(b.staffClaimDetail, { claimSn });
    expect(file.sameAccount).toMatchObject([{ goodsSn: goods.sn, isClaimant: true, isLive: false }]);
  });

  test('the account is rejected in private deals, pending ones cannot be accepted, and a paid claim bars it for good', async () => {
    const owned = await sold();
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const open = async () =>
      await owned.owner.client.call(m.openMiddleman, {
        belong: 1,
        title: '满级成品号',
        gameId: 2,
        goodsTypeId: 1,
        serverId: 201_001,
        accountNo: owned.accountNo,
        price: '100.00',
        feeSide: 'half',
      });
    const pending = (await open()).data;
    const code = new URLSearchParams(pending?.path.split('?')[1]).get('code') ?? '';
    const dealSn = pending?.dealSn ?? '';
    const claimSn = await kit.claim(owned);
    const accepted = await buyer.client.call(m.respondMiddleman, { dealSn, act: 'accept', code });
    expect([accepted.code, accepted.msg]).toEqual([codes.ACCOUNT_CLAIMED[0], codes.ACCOUNT_CLAIMED[2]]);
    await owned.owner.client.ok(m.respondMiddleman, { dealSn, act: 'withdraw', code });
    expect((await open()).code).toBe(codes.ACCOUNT_CLAIMED[0]);
    await kit.chasing(claimSn);
    await kit.payByTwo(claimSn);
    expect((await open()).code).toBe(codes.ACCOUNT_CLAIMED[0]);
  });

  test('a cancelled order returns its listing off sale', async () => {
    const owned = await sold();
    const thief = await t.newUser({});
    const goods = await listed(owned.print, thief.id, 2);
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await kit.claim(owned);
    await buyer.client.call(cancelOrder, { orderId });
    expect(await stateOf(goods.id)).toBe(3);
  });

  test('an unpaid order of the account is closed by its timer', async () => {
    const owned = await sold();
    const thief = await t.newUser({});
    const goods = await listed(owned.print, thief.id, 2);
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await kit.claim(owned);
    await t.timers();
    const { rows } = await sql<{ status: number }>`select status from orders where id = ${orderId}`.execute(t.ctx.db);
    expect([rows[0]?.status, await stateOf(goods.id)]).toEqual([6, 3]);
  });

  test('a user who is selling the account cannot claim for it', async () => {
    const owned = await sold();
    const goods = await listed(owned.print, owned.owner.id, 2);
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const { orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    const coverId = (await kit.coversOf(owned.owner))[0]?.coverId ?? 0;
    const rejected = await owned.owner.client.call(c.openClaim, await kit.claimOf(owned.owner, coverId));
    expect([rejected.code, rejected.msg]).toEqual([
      codes.CLAIM_UNAVAILABLE[0],
      `账号正在您出售的订单 ${orderSn} 中，请先取消该订单再申请理赔`,
    ]);
    expect(await stateOf(goods.id)).toBe(4);
  });

  test('a user who has paid for the account again cannot claim that it was lost', async () => {
    const owned = await sold();
    const goods = await listed(owned.print, owned.seller.id, 2);
    await t.fund(Number(owned.owner.id), 100_000);
    const { orderId, orderSn } = await owned.owner.client.ok(placeOrder, { goodsSn: goods.sn });
    await owned.owner.client.ok(balancePay, { orderId });
    const coverId = (await kit.coversOf(owned.owner))[0]?.coverId ?? 0;
    const rejected = await owned.owner.client.call(c.openClaim, await kit.claimOf(owned.owner, coverId));
    expect([rejected.code, rejected.msg]).toEqual([
      codes.CLAIM_UNAVAILABLE[0],
      `账号正在您购买的订单 ${orderSn} 中，请先取消该订单再申请理赔`,
    ]);
    expect(await stateOf(goods.id)).toBe(4);
  });

  test('reviewers of the listing see the claims of the account', async () => {
    const owned = await sold();
    const claimSn = await kit.claim(owned);
    await owned.owner.client.ok(c.withdrawClaim, { claimSn });
    const { sn } = await listed(owned.print, owned.owner.id, 1);
    const { list } = await reviewer.client.ok(g.reviewGoodsList, { keyWord: sn });
    expect(list[0]?.claims).toMatchObject([{ claimSn, statusName: '已撤回' }]);
  });
});

describe('D3: after a claim was paid', () => {
  test('its listings are off sale and the account cannot be offered again by any user', async () => {
    const owned = await sold();
    const claimSn = await kit.claim(owned);
    await kit.payByTwo(claimSn);
    for (const user of [owned.owner, owned.seller, await t.newUser({})])
      expect((await publish(user, owned.accountNo)).code).toBe(codes.GOODS_CLAIMED[0]);
  });
});

describe('D3: races', () => {
  test.each([1, 2, 3, 4])('a concurrent claim, order, listing put on sale and publication (%i)', async () => {
    const owned = await sold();
    const thief = await t.newUser({});
    const goods = await listed(owned.print, thief.id, 2);
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const coverId = (await kit.coversOf(owned.owner))[0]?.coverId ?? 0;
    const input = await kit.claimOf(owned.owner, coverId);
    const [claim, , order] = await Promise.all([
      owned.owner.client.call(c.openClaim, input),
      thief.client
        .call(pushOrPullGoods, { goodsSn: goods.sn, act: 'pull' })
        .then(() => thief.client.call(pushOrPullGoods, { goodsSn: goods.sn, act: 'push' })),
      buyer.client.call(placeOrder, { goodsSn: goods.sn }),
      publish(owned.owner, owned.accountNo),
    ]);
    expect(claim.code).toBe(0);
    const { rows } = await sql<{ status: number }>`
      select status from goods where fingerprint = ${owned.print} and status in (1, 2, 7)`.execute(t.ctx.db);
    expect(rows).toEqual([]);
    if (order.code !== 0) return;
    await t.timers();
    expect([3, 4]).toContain(await stateOf(goods.id));
  });
});
