/** The rest of the worked examples of docs/LEDGER.md: payments and payouts by a channel, holds, rulings, a claim. */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { staffClaimAction } from '#subjects/guarantees/contract/staff-claims.ts';
import {
  staffDisputeDetail,
  staffDisputeRule,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { releaseHoldEarly } from '#subjects/ledger/contract/staff-ledger.ts';
import { fetchStatement } from '#subjects/payments/contract/staff-reconcile.ts';
import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import { refundTopup, staffTopupList } from '#subjects/payments/contract/staff-topups.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { releaseWantGoods, updateWantGoodsStatus } from '#subjects/offers/contract/offers.ts';
import { coverList, openClaim } from '#subjects/guarantees/contract/guarantee.ts';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance, recPay } from '#subjects/payments/contract/pay.ts';
import { inTransaction } from '#server/db/client.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { takePenalty } from '#subjects/deposits/server/service.ts';
import { lockedOrder, takeForFund } from '#subjects/orders/server/service.ts';
import { account, brokenInvariants, loadDebts, post, recordDebt } from '#subjects/ledger/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { approveWithdrawal, rejectWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import type { TestStaff, TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import {
  accountDisputed,
  complaint,
  type Court,
  type Trade,
  openCourt,
  ruling,
} from '#tests/support/orders/disputes.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { Book, example } from '#tests/support/market/ledger-book.ts';
import { minutesPass, notifyPayment } from '#tests/support/fakes/channel-notices.ts';
import { putSetting } from '#tests/support/market/settings.ts';

const [HOST, RECOVERY] = ['moon.example', 11] as const;
let court: Court;
let t: Court['t'];
let w: Awaited<ReturnType<typeof startChannels>>;
let book: Book;
let finance: TestStaff;

beforeAll(async () => {
  w = await startChannels();
  court = await openCourt({ overrides: { pay: w.channels } });
  ({ t } = court);
  book = new Book(t);
  finance = await t.newStaff({ role: 'finance' });
  const { rows } = await sql<{ id: number }>`
    update distributor d set conf = own.conf, theme = own.theme from distributor own where own.id = 1 and d.code = 'moon'
    returning d.id`.execute(t.ctx.db);
  await sql`insert into dist_host (host, dist_id) values (${HOST}, ${rows[0]?.id ?? 0})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
});
beforeEach(async () => {
  w.alipay.mend();
  w.wechat.mend();
  await book.open();
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

async function person(part: string, overrides: Parameters<typeof t.newUser>[0] = {}): Promise<TestUser> {
  const user = await t.newUser(overrides);
  book.name(part, user);
  await book.open();
  return user;
}

/** An order of goods, placed; type 27 needs no hand-over. */
async function placed(overrides: {
  priceFen: number;
  buyer: TestUser;
  couponId?: number | undefined;
  cover?: boolean;
  typeId?: number;
  level?: number;
}) {
  const seller = await person('seller', {
    sellerLevel: overrides.level ?? 0,
    ...(overrides.level && { depositFen: 50_000 }),
  });
  const { typeId = 27, priceFen } = overrides;
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId, priceFen });
  await sql`update goods set guarantee_ok = true, fingerprint = ${Buffer.from(goods.sn)} where id = ${goods.id}`.execute(
    t.ctx.db,
  );
  const order = await overrides.buyer.client.ok(placeOrder, {
    goodsSn: goods.sn,
    couponId: overrides.couponId,
    ...(overrides.cover && { fixEnsureId: RECOVERY }),
  });
  return { ...order, buyer: overrides.buyer, seller };
}

/** The same, paid from the balance and, as far as asked, shipped and completed. */
async function tradeUpTo(
  overrides: Parameters<typeof placed>[0],
  reached: 'paid' | 'shipped' | 'completed',
): Promise<Trade> {
  const trade = await placed(overrides);
  const { orderId, buyer, seller } = trade;
  await buyer.client.ok(balancePay, { orderId });
  if (reached !== 'paid') await seller.client.ok(offlineTranSub, { orderId });
  if (reached === 'completed') await buyer.client.ok(confirmRecGoods, { orderId });
  return trade;
}

async function ruledBack(d: Trade, yuan: string, isAccount = false): Promise<void> {
  const disputeSn = isAccount ? await accountDisputed(d) : await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, yuan));
  await court.appealTimeOver(disputeSn);
}

const agrees = async (heading: string): Promise<void> => expect(await book.lines(), heading).toEqual(example(heading));

test('a sale with a guarantee', async () => {
  const d = await tradeUpTo(
    { priceFen: 20_000, cover: true, typeId: 1, buyer: await person('buyer', { balanceFen: 30_000 }) },
    'completed',
  );
  await court.hoursPass(d, 168);
  await agrees('A sale with a guarantee');
});

async function paidBy(name: 'alipay' | 'wechat', buyer: TestUser, input: { amount?: string; orderId?: number }) {
  const p = await buyer.client.ok(recPay, { ...input, aliOrWx: name === 'alipay' ? 1 : 2 });
  w[name].pay(p.payInterSn);
  await notifyPayment(t, w, name, p.payInterSn);
  return p.payInterSn;
}

test('a top-up, and a part of it sent back by finance', async () => {
  const user = await person('owner');
  const interSn = await paidBy('alipay', user, { amount: '100.00' });
  const [item] = (await finance.client.ok(staffTopupList, { keyWord: interSn })).list;
  await finance.client.ok(refundTopup, { paymentId: item?.paymentId ?? 0, amount: '40.00', reason: '用户误充' });
  await minutesPass(t, 1);
  await agrees('A top-up');
});

test('a channel’s fee, as its statement names it', async () => {
  await paidBy('wechat', await person('owner'), { amount: '100.00' });
  await finance.client.ok(fetchStatement, { channel: 'wechat', day: chinaDay(new Date()) });
  await agrees('A channel’s fee');
});

test('a refund of an order paid by a channel, to its source', async () => {
  const { orderId, buyer } = await placed({ priceFen: 10_000, buyer: await person('buyer') });
  await paidBy('alipay', buyer, { orderId });
  await buyer.client.ok(cancelOrder, { orderId });
  await minutesPass(t, 1);
  await agrees('A refund to its source');
});

test('a channel that rejects a refund for ever', async () => {
  const { orderId, buyer } = await placed({ priceFen: 10_000, buyer: await person('buyer') });
  const interSn = await paidBy('alipay', buyer, { orderId });
  await buyer.client.ok(cancelOrder, { orderId });
  const trade = w.alipay.trades.get(interSn);
  if (trade) trade.status = 'TRADE_FINISHED';
  await minutesPass(t, 1);
  await agrees('A refund that its channel rejects');
});

test('money that arrived too late', async () => {
  const { orderId, buyer } = await placed({ priceFen: 10_000, buyer: await person('buyer') });
  const p = await buyer.client.ok(recPay, { orderId, aliOrWx: 1 });
  await buyer.client.ok(cancelOrder, { orderId });
  w.alipay.pay(p.payInterSn);
  await notifyPayment(t, w, 'alipay', p.payInterSn);
  await minutesPass(t, 1);
  await agrees('Money that arrived too late');
});

/** A withdrawal of 100.00 with a fee of 1.00. */
async function requestedWithdrawal(): Promise<{ user: TestUser; sn: string }> {
  await putSetting(t, 'withdraw', { feeFen: 100 });
  const user = await person('owner', { balanceFen: 30_000 });
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), 'u@example.com')}, ${Buffer.from(String(user.id))}, 'u***', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
    t.ctx.db,
  );
  return { user, sn: (await user.client.ok(cashAdvance, { amount: '100.00' })).withdrawSn };
}

test('a withdrawal that is returned days later', async () => {
  const { sn } = await requestedWithdrawal();
  await approveWithdrawal(t.ctx, { id: finance.id, distId: null }, sn);
  await t.timers();
  const { rows } = await sql<{ no: string; id: number }>`
    update withdrawal set paid_at = paid_at - interval '1 day' where sn = ${sn} returning channel_no as no, id`.execute(
    t.ctx.db,
  );
  w.alipay.endTransfer(rows[0]?.no ?? '', 'REFUND');
  await makeDue(t.ctx.db, 'withdraw.recheck', rows[0]?.id ?? '');
  await t.timers();
  await agrees('A withdrawal that is returned');
});

test('a withdrawal that finance rejects', async () => {
  const { sn } = await requestedWithdrawal();
  await rejectWithdrawal(t.ctx, { id: finance.id, distId: null }, sn, '资料不符');
  await agrees('A withdrawal that is rejected');
});

test('money frozen and released', async () => {
  const user = await person('owner', { balanceFen: 30_000 });
  const frozen = await finance.client.ok(freezeMoney, { userId: user.id, amount: '50.00', reason: '核对一笔可疑付款' });
  await finance.client.ok(releaseHoldEarly, { holdId: frozen.holdId, reason: '核对无误' });
  await agrees('A freeze');
});

test('the deposit of a want', async () => {
  const user = await person('owner', { balanceFen: 30_000, stepUp: true, payPassword: '135790' });
  const { wantSn } = await user.client.ok(releaseWantGoods, {
    gameId: 1,
    goodsTypeId: 1,
    bigTitle: '求一个皮肤多的号',
    budget: '100',
    deposit: '20',
    payPassword: '135790',
  });
  await user.client.ok(updateWantGoodsStatus, { wantSn, status: 2 });
  await agrees('The deposit of a want');
});

test('a ruling before completion', async () => {
  const buyer = await person('buyer', { balanceFen: 60_000 });
  await ruledBack(await tradeUpTo({ priceFen: 20_000, cover: true, typeId: 1, buyer }, 'shipped'), '50.00', true);
  await agrees('A ruling before completion');
});

test('a ruling after completion', async () => {
  const d = await tradeUpTo({ priceFen: 20_000, buyer: await person('buyer', { balanceFen: 60_000 }) }, 'completed');
  await book.open();
  await ruledBack(d, '50.00');
  await court.hoursPass(d, 168);
  await agrees('A ruling after completion');
});

/** A completed sale of 200.00 on a distributor's site to a user who was invited. */
async function sharedSale(): Promise<Trade> {
  const inviter = await person('inviter');
  const buyer = await person('buyer', { balanceFen: 60_000, host: HOST });
  await sql`update app_user set inviter_id = ${inviter.id} where id = ${buyer.id}`.execute(t.ctx.db);
  const d = await tradeUpTo({ priceFen: 20_000, buyer }, 'completed');
  await book.open();
  return d;
}

test('a ruling on a sale with shares of a distributor and an inviter', async () => {
  const d = await sharedSale();
  await ruledBack(d, '200.00');
  await agrees('A ruling on a sale with shares');
});

test('a ruling over a guarantee and a coupon', async () => {
  const buyer = await person('buyer', { balanceFen: 60_000 });
  await addCampaign(t.ctx, { code: 'WAYS', amountFen: 1_000 });
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code: 'WAYS' });
  const d = await tradeUpTo(
    { priceFen: 10_000, cover: true, typeId: 8, buyer, couponId: coupon?.couponId },
    'completed',
  );
  await t.relay();
  await book.open();
  await ruledBack(d, '100.00', true);
  await agrees('A ruling over a guarantee and a coupon');
});

test('a sale that is released in stages', async () => {
  const buyer = await person('buyer', { balanceFen: 60_000 });
  const d = await tradeUpTo({ priceFen: 10_000, buyer, level: 3 }, 'completed');
  await book.open();
  await court.hoursPass(d, 6);
  await court.hoursPass(d, 18);
  await agrees('Stages');
});

test('a debt, collected from the next sale', async () => {
  const d = await tradeUpTo({ priceFen: 10_000, buyer: await person('buyer', { balanceFen: 60_000 }) }, 'completed');
  const [debtor, creditor] = [{ userId: d.seller.id }, account.platform('guarantee_fund', d.orderId)];
  const debt = { debtor, creditor, fen: 3_000, reason: '包赔赔付', ref: 'test:debt', distId: 1 };
  await recordDebt(t.ctx.db, { ...debt, code: 'claim' });
  await book.open();
  await court.hoursPass(d, 168);
  await agrees('A debt');
});

/** A sale of 100.00 of which half came free; 7.10 are left on the seller's balance and 30.00 of the deposit. */
async function halfSpent(): Promise<Trade> {
  const d = await tradeUpTo(
    { priceFen: 10_000, buyer: await person('buyer', { balanceFen: 60_000 }), level: 3 },
    'completed',
  );
  await court.hoursPass(d, 6);
  const penalty = { userId: d.seller.id, role: 'seller', distId: 1, amountFen: 47_000 } as const;
  await takePenalty(t.ctx.db, { ...penalty, ruleNo: '8.1', reason: '另一笔订单' });
  const { availableFen } = await loadBalances(t.ctx.db, d.seller.id);
  const [debit, credit] = [account.available(d.seller.id), account.wantDeposit(1_000_000 + d.orderId)];
  await post(t.ctx.db, [
    { code: 'want_deposit_in', ref: `spent:${d.orderId}`, debit, credit, fen: availableFen - 710, dist: 1 },
  ]);
  await book.open();
  return d;
}

test('an agreement after the first stage', async () => {
  const d = await halfSpent();
  const { disputeSn } = await d.buyer.client.ok(
    openDispute,
    complaint(d.orderSn, { want: 'refund', wantAmount: undefined }),
  );
  await d.seller.client.ok(answerDispute, { disputeSn, agree: true, answers: {}, text: '' });
  await agrees('An agreement after a stage');
  expect(await loadDebts(t.ctx.db, { userId: d.seller.id })).toMatchObject([{ amountFen: 1_040 }]);
});

test('a ruling after the first stage', async () => {
  const d = await halfSpent();
  const disputeSn = await court.answered(d);
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '100.00'));
  const { draft } = await court.other.client.ok(staffDisputeDetail, { disputeSn });
  await court.other.client.ok(staffDisputeSecond, { disputeSn, draftId: draft?.draftId ?? 0, allow: true });
  await court.appealTimeOver(disputeSn);
  await agrees('A ruling after a stage');
});

test('a claim on a sale with shares reclaims its part of them', async () => {
  const d = await sharedSale();
  await inTransaction(t.ctx.db, async (trx) => takeForFund(trx, await lockedOrder(trx, d.orderId), 20_000, 1_000_000));
  await agrees('A claim on a sale with shares');
});

/** Claims the whole price of what was bought and lets the deadline come. */
async function claimPaid(d: Awaited<ReturnType<typeof tradeUpTo>>, amount: string): Promise<void> {
  const [cover] = (await d.buyer.client.ok(coverList, {})).list;
  const key = `${String(d.buyer.id).padStart(26, '0')}-64x64`;
  await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256) values (${key}, ${d.buyer.id}, 'evidence', 64, 64, 100, '')`.execute(
    t.ctx.db,
  );
  const { claimSn } = await d.buyer.client.ok(openClaim, {
    coverId: cover?.coverId ?? 0,
    reason: 'recovered',
    explain: '今天登录提示密码错误，手机也被换绑了',
    amount,
    pictures: [key],
  });
  await court.service.client.ok(staffClaimAction, { claimSn, act: 'accept', text: '截图核实，开始联系卖家' });
  await passTime(t.ctx.db, 'guarantee_claim', { sn: claimSn }, { until: 'deadline_at' });
  await sql`update timer set due_at = now() - interval '1 second' where kind = 'guarantee.pay'
    and ref = (select id::text from guarantee_claim where sn = ${claimSn})`.execute(t.ctx.db);
  await t.timers();
}

test('a claim while the sale’s money is held', async () => {
  const d = await tradeUpTo(
    { priceFen: 20_000, cover: true, typeId: 1, buyer: await person('buyer', { balanceFen: 60_000 }) },
    'completed',
  );
  await t.relay();
  await book.open();
  await claimPaid(d, '200.00');
  await agrees('A claim');
});

test('a claim after the hold has ended', async () => {
  const d = await tradeUpTo(
    { priceFen: 300_000, cover: true, typeId: 1, buyer: await person('buyer', { balanceFen: 900_000 }) },
    'completed',
  );
  await t.relay();
  await court.hoursPass(d, 168);
  const [debit, credit] = [account.available(d.seller.id), account.deposit(d.seller.id)];
  await post(t.ctx.db, [{ code: 'deposit_in', ref: `put:${d.orderId}`, debit, credit, fen: 50_000, dist: 1 }]);
  await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason) values (${d.seller.id}, 'seller', 1, 50000, 'put', '缴纳')`.execute(
    t.ctx.db,
  );
  await book.open();
  await claimPaid(d, '3000.00');
  await agrees('A claim after the hold has ended');
});
