/** P3: pairs that share a browser, a payee, a network or an inviter are marked on disputes and withdrawals (claims: claims-cover). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeDetail } from '#subjects/disputes/contract/staff-disputes.ts';
import { staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance } from '#subjects/payments/contract/pay.ts';
import { linkNames, type LinkReason } from '#subjects/back-office/rules/links.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { accountDisputed } from '#tests/support/orders/disputes.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { tie } from '#tests/support/market/links.ts';

const LINKS = Object.entries(linkNames) as [LinkReason, string][];

let t: TestApp;
let finance: TestStaff;
let service: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  finance = await t.newStaff({ role: 'finance' });
  service = await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

interface Sale {
  buyer: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
}

/** A sale that is completed, or only shipped. */
async function sale(isCompleted: boolean): Promise<Sale> {
  const seller = await t.newUser({ soldCount: 20, balanceFen: 100_000 });
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 1, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  if (isCompleted) await buyer.client.ok(confirmRecGoods, { orderId });
  return { buyer, seller, orderId, orderSn };
}

/** A pending withdrawal of a user's balance. */
async function withdrawn(user: TestUser): Promise<void> {
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), 'a@example.com')}, ${Buffer.from(`own${user.id}`)}, 'a***@example.com', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
    t.ctx.db,
  );
  await user.client.ok(smsBindPhone, { type: 'payout' });
  await user.client.ok(cashAdvance, { amount: '100.00', smsCode: t.lastCode(user.phone) });
}

const badgesOf = async (user: TestUser): Promise<string[] | undefined> =>
  (await finance.client.ok(staffWithdrawList, { keyWord: String(user.id) })).list[0]?.related;

describe('the warning in a dispute', () => {
  test.each(LINKS)('is shown for users who share a %s', async (link, name) => {
    const sold = await sale(false);
    const disputeSn = await accountDisputed(sold);
    const badges = async (): Promise<string[]> => (await service.client.ok(staffDisputeDetail, { disputeSn })).related;
    expect(await badges()).toEqual([]);
    await tie(t, link, sold.buyer, sold.seller);
    expect(await badges()).toEqual([name]);
  });
});

describe('the warning on a withdrawal', () => {
  test.each(LINKS)('is shown for a user who traded with another of the same %s', async (link, name) => {
    const { buyer, seller } = await sale(true);
    await withdrawn(seller);
    expect(await badgesOf(seller)).toEqual([]);
    await tie(t, link, buyer, seller);
    expect(await badgesOf(seller)).toEqual([name]);
  });

  test('is not shown for a user linked to others without trades', async () => {
    const { seller } = await sale(true);
    await withdrawn(seller);
    await tie(t, 'browser', seller, await t.newUser({}));
    expect(await badgesOf(seller)).toEqual([]);
  });

  test('a network of more than eight users links no one', async () => {
    const { buyer, seller } = await sale(true);
    await withdrawn(seller);
    const hash = Buffer.from(`public-${seller.id}`);
    const crowd = await Promise.all(Array.from({ length: 7 }, () => t.newUser({})));
    for (const { id } of [...crowd, buyer, seller])
      await sql`insert into user_network (user_id, network_hash) values (${id}, ${hash})`.execute(t.ctx.db);
    expect(await badgesOf(seller)).toEqual([]);
  });
});
