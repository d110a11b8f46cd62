/** P3: what a claim is paid, by whom, and who bears it; the price and the cover of a guarantee are one table. */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as b from '#subjects/guarantees/contract/staff-claims.ts';
import { codes } from '#contract/codes.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import * as c from '#subjects/guarantees/contract/guarantee.ts';
import { quoteOrder } from '#subjects/orders/contract/order.ts';
import { brokenInvariants, loadDebts, releaseHold } from '#subjects/ledger/server/service.ts';
import { loadSellerDetails } from '#subjects/seller-levels/server/queries.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { claimsOn, RECOVERY, TOPUP } from '#tests/support/orders/claims.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { tie } from '#tests/support/market/links.ts';

let t: TestApp;
let service: TestStaff;
let other: TestStaff;
let kit: ReturnType<typeof claimsOn>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  service = await t.newStaff({ role: 'service' });
  other = await t.newStaff({ role: 'admin' });
  kit = claimsOn(t, { service, other });
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const statusOf = async (claimSn: string) =>
  (
    await sql<{ status: string; why: string[] }>`
      select status, escalated_for as why from guarantee_claim where sn = ${claimSn}`.execute(t.ctx.db)
  ).rows[0];

describe('P3: a reason pays at most what it covers', () => {
  test('a recovered account claims at most the price, also when the cover is higher', async () => {
    const owned = await kit.buy({ priceFen: 100_000, tier: TOPUP });
    const [cover] = await kit.coversOf(owned.owner);
    expect(cover?.payoutMax).toBe('1500.00');
    const send = async (more: object) =>
      await owned.owner.client.call(c.openClaim, await kit.claimOf(owned.owner, cover?.coverId ?? 0, more));
    const rejected = await send({ amount: '1500.00' });
    expect([rejected.code, rejected.msg]).toEqual([
      codes.CLAIM_LIMIT[0],
      '「账号被找回」最多赔付 1,000.00 元，请修改理赔金额',
    ]);
    const none = await send({ amount: '100.00', reason: 'face_refused' });
    expect([none.code, none.msg]).toEqual([
      codes.CLAIM_REASON[0],
      '这份保障不含「人脸核验不通过」，请选择保障内的原因',
    ]);
    const seen = await owned.owner.client.ok(c.coverDetail, { coverId: cover?.coverId ?? 0 });
    expect(seen.reasons.map(({ code, most }) => [code, most])).toEqual([
      ['recovered', '1000.00'],
      ['banned', '1000.00'],
      ['not_as_described', '1000.00'],
      ['topup_lost', '1500.00'],
      ['other', '1000.00'],
    ]);
  });

  test('top-ups are paid by receipts that staff recorded from the evidence, and by two persons', async () => {
    const owned = await kit.buy({ priceFen: 100_000, tier: TOPUP });
    const claimSn = await kit.claim(owned, { reason: 'topup_lost', amount: '1200.00' });
    await kit.chasing(claimSn);
    const pay = { claimSn, act: 'pay' as const, text: '凭证核实无误', amount: '800.00' };
    expect((await service.client.call(b.staffClaimAction, pay)).code).toBe(codes.CLAIM_LIMIT[0]);
    const { proofs } = await service.client.ok(b.staffClaimDetail, { claimSn });
    const receipt = {
      claimSn,
      amount: '800.00',
      paidOn: chinaDay(new Date()),
      note: '648 元档与首充',
      pictures: proofs.map(({ key }) => key),
    };
    const stray = await service.client.call(b.staffClaimReceipt, { ...receipt, pictures: ['somebody-elses'] });
    expect(stray.code).toBe(codes.PICTURE_BROKEN[0]);
    const tooEarly = await service.client.call(b.staffClaimReceipt, { ...receipt, paidOn: '2020-01-01' });
    expect(tooEarly.msg).toBe('充值日期早于保障开始，不在赔付范围');
    const key = { idempotencyKey: 'receipt-once' };
    await service.client.ok(b.staffClaimReceipt, receipt, key);
    await service.client.ok(b.staffClaimReceipt, receipt, key);
    const file = await service.client.ok(b.staffClaimDetail, { claimSn });
    expect([file.receipts.length, file.limit]).toEqual([1, '800.00']);
    const before = await kit.balance(owned.owner);
    await kit.payByTwo(claimSn, { amount: '800.00' });
    expect((await kit.balance(owned.owner)) - before).toBe(80_000);
  });

  test('a cancelled receipt does not count', async () => {
    const owned = await kit.buy({ priceFen: 100_000, tier: TOPUP });
    const claimSn = await kit.claim(owned, { amount: '1000.00' });
    const { proofs } = await service.client.ok(b.staffClaimDetail, { claimSn });
    await service.client.ok(b.staffClaimReceipt, {
      claimSn,
      amount: '300.00',
      paidOn: chinaDay(new Date()),
      note: '充值截图',
      pictures: [proofs[0]?.key ?? ''],
    });
    const file = await service.client.ok(b.staffClaimDetail, { claimSn });
    expect(file.limit).toBe('1300.00');
    const strike = { claimSn, receiptId: file.receipts[0]?.receiptId ?? 0 };
    await other.client.ok(b.staffClaimReceiptStrike, strike);
    expect((await other.client.call(b.staffClaimReceiptStrike, strike)).code).toBe(codes.NOT_FOUND[0]);
    expect((await service.client.ok(b.staffClaimDetail, { claimSn })).limit).toBe('1000.00');
  });

  test('a ban pays less the longer the account was used', async () => {
    const owned = await kit.buy({ priceFen: 100_000 });
    await passTime(t.ctx.db, 'guarantee_cover', { order_id: owned.orderId }, { days: 65 });
    const coverId = (await kit.coversOf(owned.owner))[0]?.coverId ?? 0;
    const send = async (amount: string) =>
      await owned.owner.client.call(c.openClaim, await kit.claimOf(owned.owner, coverId, { reason: 'banned', amount }));
    expect((await send('800.01')).msg).toBe('「因原号主行为被封」最多赔付 800.00 元，请修改理赔金额');
    expect((await send('800.00')).code).toBe(0);
  });

  test('an account that was resold for less is insured for less', async () => {
    const first = await kit.buy({ priceFen: 100_000 });
    const second = await kit.buy({ seller: first.owner, print: first.print, cover: false, priceFen: 10_000 });
    const cover = (await kit.coversOf(second.owner)).find(({ mine }) => mine);
    const rejected = await second.owner.client.call(
      c.openClaim,
      await kit.claimOf(second.owner, cover?.coverId ?? 0, { amount: '100.01' }),
    );
    expect(rejected.msg).toBe('「账号被找回」最多赔付 100.00 元，请修改理赔金额');
  });
});

describe('P3: the deadline pays by itself only what it may', () => {
  test('above the limit two persons are called, and all parties are notified', async () => {
    const { owner, claimSn } = await kit.claimed(900_000);
    await kit.chasing(claimSn);
    const before = await kit.balance(owner);
    await kit.timeUp(claimSn, 'pay');
    expect(await statusOf(claimSn)).toEqual({ status: 'escalated', why: ['limit'] });
    expect(await kit.balance(owner)).toBe(before);
    const seen = await owner.client.ok(c.claimDetail, { claimSn });
    expect(seen).toMatchObject({
      statusName: '双人裁定中',
      clock: { deadline: null, why: '金额超过单人限额' },
      acts: ['evidence', 'withdraw'],
    });
    expect(Date.parse(seen.clock.decideBy ?? '') - Date.now()).toBeGreaterThan(47 * 3_600_000);
    expect(seen.steps.at(-1)?.text).toBe('追索期满，金额超过单人限额，转由两名工作人员在 48 小时内裁定');
    await t.relay();
    expect((await service.client.ok(b.staffClaimList, { status: 'escalated' })).list.map((k) => k.claimSn)).toContain(
      claimSn,
    );
    const notices = await sql<{ n: number }>`
      select count(*)::int as n from notice where user_id = ${owner.id} and body like '%转由两名工作人员%'`.execute(
      t.ctx.db,
    );
    expect(notices.rows[0]?.n).toBe(1);
    await kit.payByTwo(claimSn);
    expect((await kit.balance(owner)) - before).toBe(900_000);
  });

  test('one member of staff alone pays nothing, for any amount', async () => {
    const { owner, claimSn } = await kit.claimed();
    const before = await kit.balance(owner);
    const pay = { claimSn, act: 'pay' as const, text: '证据充分，同意赔付' };
    expect(await service.client.ok(b.staffClaimAction, pay)).toEqual({ waits: true });
    expect((await service.client.call(b.staffClaimAction, pay)).code).toBe(codes.SECOND_PERSON[0]);
    const { draft } = await service.client.ok(b.staffClaimDetail, { claimSn });
    const alone = await service.client.call(b.staffClaimSecond, { claimSn, draftId: draft?.draftId ?? 0, allow: '1' });
    expect(alone.code).toBe(codes.SECOND_PERSON[0]);
    expect(await kit.balance(owner)).toBe(before);
  });

  test.each([
    ['browser', '共用浏览器'],
    ['payee', '同一收款账户'],
    ['network', '同一网络'],
    ['inviter', '邀请关系'],
  ] as const)('between users who share a %s', async (link, name) => {
    const { owner, seller, claimSn } = await kit.claimed();
    await tie(t, link, owner, seller);
    await kit.chasing(claimSn);
    expect((await service.client.ok(b.staffClaimDetail, { claimSn })).related).toEqual([name]);
    await kit.timeUp(claimSn, 'pay');
    expect(await statusOf(claimSn)).toEqual({ status: 'escalated', why: ['related'] });
    // The link between them is visible to staff only.
    expect((await owner.client.ok(c.claimDetail, { claimSn })).clock.why).toBe('需要核实交易双方情况');
  });

  test('also beyond the recovered amount, so that a sale without its money gains nothing', async () => {
    const { owner, seller, orderId, claimSn, goodsId } = await (async () => {
      const owned = await kit.buy();
      await releaseHold(t.ctx.db, { orderId: owned.orderId }, '提前解冻');
      return { ...owned, claimSn: await kit.claim(owned) };
    })();
    expect(goodsId).toBeGreaterThan(0);
    await sql`select ledger_post(${JSON.stringify([
      {
        code: 'withdraw_ask',
        ref: `away:${orderId}`,
        debit: `user:${seller.id}:available`,
        credit: `user:${seller.id}:frozen`,
        fen: 9_500,
        dist: 1,
      },
    ])}::jsonb)`.execute(t.ctx.db);
    await kit.chasing(claimSn);
    await kit.timeUp(claimSn, 'pay');
    expect(await statusOf(claimSn)).toEqual({ status: 'escalated', why: ['loss'] });
    const before = await kit.balance(owner);
    await kit.payByTwo(claimSn);
    expect((await kit.balance(owner)) - before).toBe(10_000);
    expect(await loadDebts(t.ctx.db, { userId: seller.id })).toMatchObject([{ amountFen: 10_000, paidFen: 0 }]);
    await sql`select ledger_post(${JSON.stringify([
      {
        code: 'withdraw_back',
        ref: `away:${orderId}`,
        debit: `user:${seller.id}:frozen`,
        credit: `user:${seller.id}:available`,
        fen: 9_500,
        dist: 1,
      },
    ])}::jsonb)`.execute(t.ctx.db);
  });

  test('also for an account with a new owner', async () => {
    const first = await kit.buy();
    const second = await kit.buy({ seller: first.owner, print: first.print, cover: false });
    const claimSn = await kit.claim(second);
    await kit.chasing(claimSn);
    await kit.timeUp(claimSn, 'pay');
    expect((await statusOf(claimSn))?.why).toContain('moved');
  });
});

describe('P3: the seller is liable for the loss', () => {
  test('the loss is taken from the hold, the deposit, the balance and later income, and lowers the level', async () => {
    const seller = await t.newUser({ balanceFen: 200_000 });
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    const put = 200_000 - (await kit.balance(seller));
    const owned = await kit.buy({ seller, priceFen: 300_000 });
    await releaseHold(t.ctx.db, { orderId: owned.orderId }, '提前解冻');
    const claimSn = await kit.claim(owned);
    await kit.chasing(claimSn);
    await kit.timeUp(claimSn, 'pay');
    expect((await statusOf(claimSn))?.status).toBe('paid');
    expect(await kit.taken(owned.orderId)).toEqual([
      { code: 'claim_paid', fen: 300_000 },
      { code: 'debt_collected', fen: 300_000 - put },
      { code: 'deposit_penalty', fen: put },
    ]);
    const setting = t.ctx.dir.setting('seller_levels');
    expect((await loadSellerDetails(t.ctx.db, seller.id, setting))?.lost).toBe(1);
    const { recourse } = await service.client.ok(b.staffClaimDetail, { claimSn });
    expect(recourse).toMatchObject({ held: '0.00', spared: false });
  });
});

describe('the terms of a guarantee have one source', () => {
  test('the price and the cover read one row, and an order keeps the terms it bought', async () => {
    const old = await kit.buy({ reached: 'paid' });
    await sql`insert into guarantee_tier (id, kind, code, name, version, rate_bp, min_fen, payout_bp, chase_days, cover_text, exclusions, reasons, sort)
      select 111, kind, code, name, version + 1, 1200, min_fen, 5000, 3, cover_text, exclusions, reasons, sort from guarantee_tier where id = ${RECOVERY}`.execute(
      t.ctx.db,
    );
    await t.ctx.dir.reload();
    try {
      const { list } = await t.client().ok(distEnsureList, { gameId: 1 });
      expect(list.filter(({ name }) => name === '找回包赔').map(({ id, rateText }) => [id, rateText])).toEqual([
        [111, '12%'],
      ]);
      const goods = await addGoods(t.ctx, { sellerId: old.seller.id, typeId: 1, priceFen: 10_000 });
      await sql`update goods set guarantee_ok = true where id = ${goods.id}`.execute(t.ctx.db);
      const gone = await old.owner.client.call(quoteOrder, { goodsSn: goods.sn, fixEnsureId: RECOVERY });
      expect(gone.msg).toBe('所选包赔已停售或条款已更新，请刷新页面后重新选择');
      const quoted = await old.owner.client.ok(quoteOrder, { goodsSn: goods.sn, fixEnsureId: 111 });
      expect(quoted.lines.find((l) => l.code === 'fixEnsure')?.amount).toBe('12.00');
      const [cover] = await kit.coversOf(old.owner);
      expect(cover).toMatchObject({ payoutMax: '100.00', premium: '10.00' });
      const { terms } = await old.owner.client.ok(c.coverDetail, { coverId: cover?.coverId ?? 0 });
      expect(terms.chaseDays).toBe(7);
    } finally {
      await sql`update guarantee_tier set revoked_at = now() where id = 111`.execute(t.ctx.db);
      await t.ctx.dir.reload();
    }
  });

  test('offered terms do not change, and no setting repeats them', async () => {
    await expect(sql`update guarantee_tier set rate_bp = 1 where id = ${RECOVERY}`.execute(t.ctx.db)).rejects.toThrow(
      'permission denied',
    );
    const { rows } = await sql`select from setting where key = 'guarantees'`.execute(t.ctx.db);
    expect(rows).toEqual([]);
  });
});
