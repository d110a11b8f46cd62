/** Sources of the refund when a trade is undone: the parties' own money and debts, the fund only by two names (P2, P10; docs/decisions/141). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  staffDisputeDetail,
  staffDisputeRule,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { balancePay, cashAdvance } from '#subjects/payments/contract/pay.ts';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { confirmRecGoods, offlineTranSub, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { saleHold } from '#subjects/seller-levels/contract/seller-level.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { inTransaction } from '#server/db/client.ts';
import {
  account,
  authoriseFund,
  loadBalances,
  brokenInvariants,
  loadDebts,
  post,
  recordDebt,
  releaseStages,
} from '#subjects/ledger/server/service.ts';
import { saleHold as holdFor, takePenalty } from '#subjects/deposits/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { complaint, type Court, type Trade, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: Court['t'];

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** Six hours go by: half of the sale comes free. */
async function stageOut({ orderId }: Trade): Promise<void> {
  await passTime(t.ctx.db, 'hold', { code: 'sale_protection', ref: String(orderId) }, { hours: 6 });
}
/** The deposit is taken for something else meanwhile. */
const depositGone = async ({ seller }: Trade): Promise<unknown> =>
  await inTransaction(t.ctx.db, (trx) =>
    takePenalty(trx, {
      userId: seller.id,
      role: 'seller',
      distId: 1,
      amountFen: 1e9,
      ruleNo: '8.1',
      reason: '另一笔订单',
    }),
  );
/** Spends all but 7.10 of the balance: another sale of 100.00 from the buyer's side would do as well. */
async function spend({ seller, orderId }: Trade, keepFen = 0): Promise<void> {
  const { availableFen } = await loadBalances(t.ctx.db, seller.id);
  if (availableFen > keepFen)
    await post(t.ctx.db, [
      {
        code: 'want_deposit_in',
        ref: `spent:${orderId}`,
        debit: account.available(seller.id),
        credit: account.wantDeposit(1_000_000 + orderId),
        fen: availableFen - keepFen,
        dist: 1,
      },
    ]);
}
/** Nothing is left of what came early. */
async function drained(keepFen = 0): Promise<Trade> {
  const d = await court.trade('completed', 10_000, 3);
  await stageOut(d);
  await releaseStages(t.ctx.db, d.orderId);
  await depositGone(d);
  await spend(d, keepFen);
  return d;
}
/** The accomplice asks for everything and the seller agrees. */
async function settle(d: Trade): Promise<string> {
  const { disputeSn } = await d.buyer.client.ok(
    openDispute,
    complaint(d.orderSn, { want: 'refund', wantAmount: undefined }),
  );
  await d.seller.client.ok(answerDispute, { disputeSn, agree: true, answers: {}, text: '' });
  return disputeSn;
}
const posted = async (orderId: number): Promise<Record<string, number>> => {
  const { rows } = await sql<{ code: string; fen: number }>`
    select code, sum(amount_fen)::bigint as fen from ledger_transfer where order_id = ${orderId} and code like 'ruling%' group by code`.execute(
    t.ctx.db,
  );
  return Object.fromEntries(rows.map((r) => [r.code, r.fen]));
};
const payee = async ({ id, realName }: TestUser): Promise<void> => {
  const location = (column: string): string => `payout_account.${column}:${id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), `s${id}`)}, ${Buffer.from(`payee ${id}`)}, 's***',
      ${encrypt(t.ctx.keys, location('name_enc'), realName)})`.execute(t.ctx.db);
};

describe('P2: an agreement after a stage', () => {
  test('moves the parties’ own money; the rest becomes the seller’s debt, and the fund pays nothing', async () => {
    const d = await drained(710);
    const disputeSn = await settle(d);
    expect(await posted(d.orderId)).toEqual({
      ruling_take_back: 4_750,
      ruling_from_balance: 710,
      ruling_fee_back: 600,
    });
    const [debt] = await loadDebts(t.ctx.db, { userId: d.seller.id });
    expect(debt).toMatchObject({
      code: 'settled',
      amountFen: 4_040,
      paidFen: 0,
      creditor: account.available(d.buyer.id),
    });
    const { rows } = await sql`select refunded_fen, owed_fen from dispute where sn = ${disputeSn}`.execute(t.ctx.db);
    expect(rows).toEqual([{ refunded_fen: 6_060, owed_fen: 4_040 }]);
    expect(await d.seller.client.ok(saleHold, {})).toMatchObject({ stages: [] });
    const moneyText = async (who: TestUser) => (await who.client.ok(orderDetail, { orderSn: d.orderSn })).money.reason;
    expect(await moneyText(d.buyer)).toContain('另有 40.40 元为对方欠您的款项，已偿还 0.00 元');
    expect(await moneyText(d.seller)).toContain('您欠买家');
    expect(await court.service.client.ok(staffDisputeDetail, { disputeSn })).toMatchObject({
      debts: { seller: '40.40' },
    });
    const { list } = await court.other.client.ok(adminQueryUserList, { keyWord: String(d.seller.id) });
    expect(list).toMatchObject([{ debt: '40.40' }]);
  });

  test('pays it from the seller’s next sale', async () => {
    const d = await drained();
    await settle(d);
    const before = (await loadBalances(t.ctx.db, d.buyer.id)).availableFen;
    const buyer = await t.newUser({ balanceFen: 50_000 });
    const goods = await addGoods(t.ctx, { sellerId: d.seller.id, typeId: 27, priceFen: 10_000 });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId });
    await d.seller.client.ok(offlineTranSub, { orderId });
    await buyer.client.ok(confirmRecGoods, { orderId });
    await passTime(t.ctx.db, 'hold', { ref: String(orderId) }, { until: 'release_at' });
    await court.due('hold.release', orderId);
    await t.timers();
    expect((await loadBalances(t.ctx.db, d.buyer.id)).availableFen - before).toBe(4_750);
    expect((await loadBalances(t.ctx.db, d.seller.id)).availableFen).toBe(9_500 - 4_750);
  });

  test('uses the deposit after the balance', async () => {
    const d = await court.trade('completed', 10_000, 3);
    await stageOut(d);
    await releaseStages(t.ctx.db, d.orderId);
    await spend(d);
    await settle(d);
    expect(await posted(d.orderId)).toEqual({
      ruling_take_back: 4_750,
      ruling_from_deposit: 4_750,
      ruling_fee_back: 600,
    });
    expect(await loadDebts(t.ctx.db, { userId: d.seller.id })).toEqual([]);
    expect((await court.money(d)).buyer).toBe(50_000);
  });

  test('concurrent with a stage and a withdrawal loses nothing, and no debtor withdraws', async () => {
    for (let i = 0; i < 6; i++) {
      const d = await court.trade('completed', 10_000, 3);
      await payee(d.seller);
      await depositGone(d);
      await stageOut(d);
      if (i % 2 === 0) await releaseStages(t.ctx.db, d.orderId);
      const { disputeSn } = await d.buyer.client.ok(
        openDispute,
        complaint(d.orderSn, { want: 'refund', wantAmount: undefined }),
      );
      await Promise.all([
        d.seller.client.call(answerDispute, { disputeSn, agree: true, answers: {}, text: '' }),
        d.seller.client.call(cashAdvance, { amount: '47.50' }),
        releaseStages(t.ctx.db, d.orderId),
      ]);
      const owed = (await loadDebts(t.ctx.db, { userId: d.seller.id })).reduce(
        (sum, x) => sum + x.amountFen - x.paidFen,
        0,
      );
      const { buyer, frozen } = await court.money(d);
      expect(buyer + owed).toBe(50_000);
      // A withdrawal that came first is owed; one that came second was rejected.
      expect(owed).toBe(frozen);
      expect((await d.seller.client.call(cashAdvance, { amount: '10.00' })).code).toBe(
        owed > 0 ? codes.DEBT_OPEN[0] : codes.BALANCE_LOW[0],
      );
    }
  });
});

describe('P2: a ruling for which the fund would have to pay', () => {
  test('waits for a second person, for any amount; then the seller owes the fund', async () => {
    const d = await drained();
    const disputeSn = await court.answered(d);
    expect(await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '100.00'))).toEqual({ waits: true });
    const { draft } = await court.other.client.ok(staffDisputeDetail, { disputeSn });
    await court.other.client.ok(staffDisputeSecond, { disputeSn, draftId: draft?.draftId ?? 0, allow: true });
    await court.appealTimeOver(disputeSn);
    expect(await posted(d.orderId)).toEqual({ ruling_take_back: 4_750, ruling_from_fund: 4_750, ruling_fee_back: 600 });
    expect((await court.money(d)).buyer).toBe(50_000);
    expect(await loadDebts(t.ctx.db, { userId: d.seller.id })).toMatchObject([
      { code: 'ruled', amountFen: 4_750, creditor: account.platform('guarantee_fund', d.orderId) },
    ]);
  });

  test('by one person, covered when written but not when effective, leaves a debt to the buyer', async () => {
    const d = await court.trade('completed', 10_000, 3);
    await stageOut(d);
    await releaseStages(t.ctx.db, d.orderId);
    const disputeSn = await court.answered(d);
    expect(await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '100.00'))).toEqual({ waits: false });
    await depositGone(d);
    await spend(d);
    await court.appealTimeOver(disputeSn);
    expect(await posted(d.orderId)).toEqual({ ruling_take_back: 4_750, ruling_fee_back: 600 });
    expect(await loadDebts(t.ctx.db, { userId: d.seller.id })).toMatchObject([
      { code: 'ruled', amountFen: 4_750, creditor: account.available(d.buyer.id) },
    ]);
  });
});

describe('P2: early releases', () => {
  test('are limited to the deposit, and need one, without a debt or linked accounts', async () => {
    const [bare, covered, buyer] = [
      await t.newUser({ sellerLevel: 3 }),
      await t.newUser({ sellerLevel: 3, depositFen: 4_000 }),
      await t.newUser(),
    ];
    expect(await bare.client.ok(saleHold, {})).toMatchObject({ stages: [], earlyMax: '0.00' });
    expect(await covered.client.ok(saleHold, {})).toMatchObject({ earlyMax: '40.00' });
    expect((await holdFor(t.ctx, t.ctx.db, covered.id, buyer.id)).stages).toHaveLength(1);
    await sql`update app_user set inviter_id = ${covered.id} where id = ${buyer.id}`.execute(t.ctx.db);
    expect((await holdFor(t.ctx, t.ctx.db, covered.id, buyer.id)).stages).toEqual([]);
    await recordDebt(t.ctx.db, {
      debtor: { userId: covered.id },
      creditor: account.available(buyer.id),
      fen: 1,
      code: 'settled',
      reason: '测试',
      ref: 'test:stages',
      distId: 1,
    });
    expect((await covered.client.ok(saleHold, {})).stages).toEqual([]);
  });
});

describe('P10: the guarantee fund', () => {
  const out = (ref: string, fen: number) => [
    {
      code: 'ruling_from_fund' as const,
      ref,
      debit: account.platform('guarantee_fund', 1),
      credit: account.available(1),
      fen,
      dist: 1,
    },
  ];
  test('pays nothing without the approval of two persons', async () => {
    await expect(post(t.ctx.db, out('test:none', 100))).rejects.toMatchObject({ code: 'YS105' });
    const { rows } = await sql<{ id: number }>`
      insert into approval (act, target, payload, amount_fen, reason, asked_by, expires_at)
      values ('dispute.rule', 'dispute:test', '{}', 100, '测试', ${court.service.id}, now() + interval '1 day') returning id`.execute(
      t.ctx.db,
    );
    const approvalId = rows[0]?.id ?? 0;
    // One name: the transaction as a whole is refused.
    const once = inTransaction(t.ctx.db, async (trx) => {
      await authoriseFund(trx, { code: 'ruling_from_fund', ref: 'test:one', fen: 100 }, { approvalId });
      await post(trx, out('test:one', 100));
    });
    await expect(once).rejects.toMatchObject({ code: 'YS105' });
    // The same name twice is no second one.
    await expect(
      sql`update approval set status = 'allowed', decided_by = asked_by where id = ${approvalId}`.execute(t.ctx.db),
    ).rejects.toThrow(/approval_second_person/);
  });

  test('pays no claim without approval or before its deadline', async () => {
    const claim = [{ ...out('claim:424242', 100)[0], code: 'claim_paid' as const }] as Parameters<typeof post>[1];
    await expect(post(t.ctx.db, claim)).rejects.toMatchObject({ code: 'YS105' });
    await expect(
      sql`insert into fund_release (code, ref, amount_fen) values ('claim_paid', 'claim:424242', 100)`.execute(
        t.ctx.db,
      ),
    ).rejects.toThrow(/check/);
  });

  test('refunds no more of a premium than the order brought', async () => {
    const d = await court.trade('completed');
    await expect(
      post(t.ctx.db, [
        {
          code: 'premium_back',
          ref: 'test:premium',
          debit: account.platform('guarantee_fund', 1),
          credit: account.available(d.buyer.id),
          fen: 1,
          dist: 1,
          order: d.orderId,
        },
      ]),
    ).rejects.toMatchObject({ code: 'YS105' });
  });
});
