/** Guarantees from the payment to the pay-out, through HTTP; each ends with the books right. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as b from '#subjects/guarantees/contract/staff-claims.ts';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { codes } from '#contract/codes.ts';
import { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import { openDispute } from '#subjects/disputes/contract/dispute.ts';
import type { Input } from '#contract/endpoint.ts';
import * as c from '#subjects/guarantees/contract/guarantee.ts';
import { cancelOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { brokenInvariants, loadDebts, releaseHold } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { claimsOn, RECOVERY } from '#tests/support/orders/claims.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let service: TestStaff;
let other: TestStaff;

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

let kit: ReturnType<typeof claimsOn>;

interface HoldTimes {
  release_at: Date | null;
  released_at: Date | null;
}
const holdTimesOf = async (orderId: number): Promise<HoldTimes[]> =>
  (
    await sql<HoldTimes>`select release_at, released_at from hold where code = 'sale_protection' and ref = ${String(orderId)}`.execute(
      t.ctx.db,
    )
  ).rows;

describe('covers', () => {
  test('are pending during the order, begin with its completion, and lapse when it is cancelled', async () => {
    const paid = await kit.buy({ reached: 'paid' });
    expect((await kit.coversOf(paid.owner))[0]).toMatchObject({
      status: 'waiting',
      tierName: '找回包赔',
      premium: '10.00',
    });
    await paid.owner.client.ok(cancelOrder, { orderId: paid.orderId });
    await t.relay();
    expect((await kit.coversOf(paid.owner))[0]?.status).toBe('void');
    const done = await kit.buy();
    const [cover] = await kit.coversOf(done.owner);
    expect(cover).toMatchObject({ status: 'active', mine: true, payoutMax: '100.00' });
    await t.relay();
    expect(await kit.coversOf(done.owner)).toHaveLength(1);
  });

  test('pass to the buyer when the holder sells the account, and the old certificate says so', async () => {
    const first = await kit.buy();
    const [cover] = await kit.coversOf(first.owner);
    const oldNo = cover?.certificateNo ?? '';
    const second = await kit.buy({ seller: first.owner, print: first.print, cover: false });
    expect((await kit.coversOf(second.owner))[0]).toMatchObject({
      coverId: cover?.coverId,
      status: 'active',
      mine: true,
    });
    expect((await kit.coversOf(first.owner)).find((x) => x.coverId === cover?.coverId)).toMatchObject({
      mine: false,
      status: 'moved',
    });
    const visitor = t.client();
    expect(await visitor.ok(c.certificateCheck, { no: oldNo })).toMatchObject({ state: 'replaced', genuine: true });
    const newNo = (await kit.coversOf(second.owner))[0]?.certificateNo ?? '';
    const paper = await visitor.ok(c.certificateCheck, { no: newNo.toLowerCase() });
    expect(paper).toMatchObject({ state: 'live', genuine: true, body: { holderSeq: 2, payoutMax: '100.00' } });
    expect(paper.qrSvg).toContain('<svg');
    const rejected = await first.owner.client.call(c.openClaim, await kit.claimOf(first.owner, cover?.coverId ?? 0));
    expect(rejected.msg).toBe('账号已转给新的主人，保障随账号转移');
    const seen = await second.owner.client.ok(c.coverDetail, { coverId: cover?.coverId ?? 0 });
    expect(seen.holders.map((h) => [h.seq, h.mine])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test('do not pass on a sale by someone other than the holder', async () => {
    const first = await kit.buy();
    await kit.buy({ print: first.print, cover: false });
    expect((await kit.coversOf(first.owner))[0]).toMatchObject({ status: 'active', mine: true });
  });

  test('an altered certificate is not genuine, and an unknown number is not found', async () => {
    const { owner } = await kit.buy();
    const no = (await kit.coversOf(owner))[0]?.certificateNo ?? '';
    await sql`update guarantee_certificate set body = body || '{"payoutMaxFen": 9999999}' where no = ${no}`.execute(
      t.ctx.db,
    );
    expect((await t.client().ok(c.certificateCheck, { no })).genuine).toBe(false);
    expect((await t.client().call(c.certificateCheck, { no: 'AAAABBBBCCCC' })).code).toBe(codes.NOT_FOUND[0]);
  });
});

describe('claims', () => {
  test('are paid automatically at the deadline, once', async () => {
    const { owner, claimSn } = await kit.claimed();
    await kit.chasing(claimSn);
    const before = await kit.balance(owner);
    const running = await owner.client.ok(c.claimDetail, { claimSn });
    expect(running).toMatchObject({ status: 'chasing', clock: { day: 1, days: 7 }, acts: ['evidence', 'withdraw'] });
    await kit.timeUp(claimSn, 'pay');
    await t.timers();
    expect((await kit.balance(owner)) - before).toBe(10_000);
    const done = await owner.client.ok(c.claimDetail, { claimSn });
    expect(done).toMatchObject({ status: 'paid', paid: '100.00', acts: [] });
    expect(done.steps.at(-1)?.text).toBe('7 天追索期满，未追回，自动赔付，赔付 100.00 元已到余额');
    expect((await kit.coversOf(owner))[0]?.status).toBe('paid');
  });

  test.each([-86_400_000, 86_400_000])(
    'are paid by the database’s time, whatever time the process has: %i ms',
    async (ms) => {
      const { owner, claimSn } = await kit.claimed();
      await kit.chasing(claimSn);
      const before = await kit.balance(owner);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
      try {
        // A timer that comes too early pays nothing, and comes again.
        await sql`update timer set due_at = now() where kind = 'guarantee.pay'
        and ref = (select id::text from guarantee_claim where sn = ${claimSn})`.execute(t.ctx.db);
        await t.timers();
        expect(await kit.balance(owner)).toBe(before);
        await kit.timeUp(claimSn, 'pay');
        expect(await kit.balance(owner)).toBe(before + 10_000);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('stop payments to the seller; when paid, they take the hold first and the rest from the fund', async () => {
    const { owner, seller, orderId, claimSn } = await kit.claimed();
    const [row] = await holdTimesOf(orderId);
    expect(row).toMatchObject({ release_at: null, released_at: null });
    expect(await releaseHold(t.ctx.db, { orderId })).toBe(false);
    expect(await releaseHold(t.ctx.db, { orderId }, '提前解冻')).toBe(false);
    const before = await kit.balance(owner);
    await kit.chasing(claimSn);
    expect((await service.client.ok(b.staffClaimDetail, { claimSn })).held).toBe('95.00');
    await kit.timeUp(claimSn, 'pay');
    expect((await kit.balance(owner)) - before).toBe(10_000);
    expect(await kit.taken(orderId)).toEqual([
      { code: 'claim_paid', fen: 10_000 },
      { code: 'claim_recourse', fen: 9_500 },
    ]);
    // The part missing in the hold is the seller's debt to the fund.
    expect(await loadDebts(t.ctx.db, { userId: seller.id })).toMatchObject([
      { code: 'claim', amountFen: 500, paidFen: 0 },
    ]);
    expect((await holdTimesOf(orderId))[0]?.released_at).not.toBeNull();
  });

  test('do not take the seller’s money where the seller is not liable, or when they end unpaid', async () => {
    const { orderId, claimSn } = await kit.claimed();
    await kit.payByTwo(claimSn, { text: '游戏方误封，与卖家无关', sparesSeller: '1' });
    expect(await kit.taken(orderId)).toEqual([{ code: 'claim_paid', fen: 10_000 }]);
    const other = await kit.claimed();
    await other.owner.client.ok(c.withdrawClaim, { claimSn: other.claimSn });
    for (const id of [orderId, other.orderId]) {
      const [row] = await holdTimesOf(id);
      expect(row?.released_at).toBeNull();
      expect(Number(row?.release_at) - Date.now()).toBeGreaterThan(160 * 3_600_000);
    }
  });

  test('begin the recovery period automatically without a triage', async () => {
    const { owner, claimSn } = await kit.claimed();
    await kit.timeUp(claimSn, 'look');
    expect((await owner.client.ok(c.claimDetail, { claimSn })).status).toBe('chasing');
  });

  test.each([1, 2, 3])('deadline, approval and rejection concurrently (%i): one succeeds', async () => {
    const { owner, claimSn } = await kit.claimed();
    await kit.chasing(claimSn);
    const before = await kit.balance(owner);
    await service.client.ok(b.staffClaimAction, { claimSn, act: 'pay', text: '核实完毕' });
    const { draft } = await other.client.ok(b.staffClaimDetail, { claimSn });
    const responses = await Promise.all([
      kit.timeUp(claimSn, 'pay'),
      other.client.call(b.staffClaimSecond, { claimSn, draftId: draft?.draftId ?? 0, allow: '1' }),
      service.client.call(b.staffClaimAction, { claimSn, act: 'refuse', text: '核实完毕', ruleNo: '5.2' }),
      other.client.call(b.staffClaimAction, { claimSn, act: 'refuse', text: '核实完毕', ruleNo: '5.2' }),
    ]);
    expect(responses.filter((a) => a !== undefined && a.code === 0).length).toBeLessThanOrEqual(1);
    const { status } = await owner.client.ok(c.claimDetail, { claimSn });
    expect(['paid', 'refused']).toContain(status);
    expect((await kit.balance(owner)) - before).toBe(status === 'paid' ? 10_000 : 0);
  });

  test('are rejected by two persons with a rule, after which the cover continues', async () => {
    const { owner, claimSn, coverId } = await kit.claimed();
    const refuse = { claimSn, act: 'refuse' as const, text: '聊天记录显示主动借给他人' };
    expect((await service.client.call(b.staffClaimAction, refuse)).msg).toBe('请引用一条有效的规则');
    expect((await service.client.call(b.staffClaimAction, { ...refuse, ruleNo: '9.9' })).msg).toBe(
      '请引用一条有效的规则',
    );
    expect(await service.client.ok(b.staffClaimAction, { ...refuse, ruleNo: '5.2' })).toEqual({ waits: true });
    await kit.secondWord(claimSn);
    const seen = await owner.client.ok(c.claimDetail, { claimSn });
    expect(seen.refusal).toBe('规则 5.2 包赔不保的情形：聊天记录显示主动借给他人');
    await owner.client.ok(c.openClaim, await kit.claimOf(owner, coverId));
  });

  test.each([['refuse', '5.2'] as const, ['recovered', ''] as const])(
    'one member of staff alone cannot end a claim (%s)',
    async (act, ruleNo) => {
      const { owner, claimSn } = await kit.claimed();
      const ends = { claimSn, act, text: '与卖家说好了', ...(ruleNo && { ruleNo }) };
      expect(await service.client.ok(b.staffClaimAction, ends)).toEqual({ waits: true });
      expect((await service.client.call(b.staffClaimAction, ends)).code).toBe(codes.SECOND_PERSON[0]);
      const { draft } = await other.client.ok(b.staffClaimDetail, { claimSn });
      const draftId = draft?.draftId ?? 0;
      const own = await service.client.call(b.staffClaimSecond, { claimSn, draftId, allow: '1' });
      expect(own.code).toBe(codes.SECOND_PERSON[0]);
      expect((await owner.client.ok(c.claimDetail, { claimSn })).status).toBe('checking');
      // The colleague sends it back, and the claim is paid all the same.
      await other.client.ok(b.staffClaimSecond, { claimSn, draftId, allow: '0', note: '证据充分，应当赔付' });
      await kit.payByTwo(claimSn);
      expect((await owner.client.ok(c.claimDetail, { claimSn })).status).toBe('paid');
    },
  );

  test('above the limit need a second person', async () => {
    const { owner, claimSn } = await kit.claimed(900_000);
    const before = await kit.balance(owner);
    const input = { claimSn, act: 'pay' as const, text: '证据充分，同意赔付' };
    expect(await service.client.ok(b.staffClaimAction, input)).toEqual({ waits: true });
    expect((await service.client.call(b.staffClaimAction, input)).code).toBe(codes.SECOND_PERSON[0]);
    const { draft } = await other.client.ok(b.staffClaimDetail, { claimSn });
    expect(draft).toMatchObject({ act: 'pay', isMine: false });
    const allowed = { claimSn, draftId: draft?.draftId ?? 0, allow: '1' } as const;
    expect((await service.client.call(b.staffClaimSecond, allowed)).code).toBe(codes.SECOND_PERSON[0]);
    const unread = { ...allowed, draftId: allowed.draftId + 1 };
    expect((await other.client.call(b.staffClaimSecond, unread)).code).toBe(codes.SECOND_PERSON[0]);
    const snsOf = async (query: object) =>
      (await other.client.ok(b.staffClaimList, { ...query, pageSize: 50 })).list.map((x) => x.claimSn);
    expect(await snsOf({ second: '1' })).toContain(claimSn);
    // It is counted only there; the list behind the other count leaves it out.
    const { queues } = await other.client.ok(staffCounters, {});
    const todo = await snsOf({ todo: '1' });
    expect(todo).not.toContain(claimSn);
    expect(await snsOf({ active: '1' })).toContain(claimSn);
    expect(queues.find(({ key }) => key === 'claims')).toMatchObject({
      to: '/backstage/claims?sort=deadline&todo=1',
      count: todo.length,
    });
    await other.client.ok(b.staffClaimSecond, allowed);
    expect((await kit.balance(owner)) - before).toBe(900_000);
  });

  test('are limited to one at a time, to the covered amount, with proof, on the user’s own cover', async () => {
    const { owner } = await kit.buy();
    const coverId = (await kit.coversOf(owner))[0]?.coverId ?? 0;
    const submit = async (more: Partial<Input<typeof c.openClaim>>) =>
      (await owner.client.call(c.openClaim, await kit.claimOf(owner, coverId, more))).msg;
    expect(await submit({ amount: '100.01' })).toBe('「账号被找回」最多赔付 100.00 元，请修改理赔金额');
    for (const amount of ['-1', '1e2', 'NaN', '1,00']) expect(await submit({ amount })).toMatch(/^理赔金额/);
    expect(await submit({ pictures: [] })).toBe('请上传至少一张证明截图');
    const stranger = await t.newUser({});
    expect((await stranger.client.call(c.openClaim, await kit.claimOf(stranger, coverId))).code).toBe(
      codes.COVER_NOT_FOUND[0],
    );
    const input = await kit.claimOf(owner, coverId);
    const responses = await Promise.all([1, 2, 3].map(() => owner.client.call(c.openClaim, input)));
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
  });

  test.each([1, 2, 3])('a claim and a dispute concurrently (%i): one succeeds', async () => {
    const { owner, orderSn } = await kit.buy();
    const coverId = (await kit.coversOf(owner))[0]?.coverId ?? 0;
    const input = await kit.claimOf(owner, coverId);
    const [claim, dispute] = await Promise.all([
      owner.client.call(c.openClaim, input),
      owner.client.call(openDispute, {
        orderSn,
        reason: 'recovered',
        want: 'refund',
        answers: { lost_at: '2026-11-20T10:00', contacted: 'no' },
        text: '账号今天被找回了',
      }),
    ]);
    expect([claim.code === 0, dispute.code === 0].filter(Boolean)).toHaveLength(1);
  });

  test('are listed in the fund’s public account, without names', async () => {
    const fund = await t.client().ok(c.guaranteeFund, {});
    expect(fund.paidCount).toBeGreaterThan(1);
    expect(fund.running[0]?.claimSn).toContain('****');
    expect(JSON.stringify(fund)).not.toContain('密码错误');
  });
});

describe('the price', () => {
  test('is computed from the statistics, and the same on every page', async () => {
    const goods = await addGoods(t.ctx, { sellerId: (await t.newUser({})).id, typeId: 1, priceFen: 100_000 });
    await sql`update goods set guarantee_ok = true where id = ${goods.id}`.execute(t.ctx.db);
    const buyer = await t.newUser({});
    const quote = () => buyer.client.ok(quoteOrder, { goodsSn: goods.sn, fixEnsureId: RECOVERY });
    expect((await quote()).lines.find((l) => l.code === 'fixEnsure')).toMatchObject({ amount: '100.00' });
    const rates = { 1: { [RECOVERY]: { bp: 640, reasons: ['近 180 天该游戏售出 90 份，赔付占保额 1%'] } } };
    await sql`insert into setting (key, version, value) values ('guarantee_rates', 2, ${JSON.stringify(rates)}::jsonb)`.execute(
      t.ctx.db,
    );
    await t.ctx.dir.reload();
    expect((await quote()).lines.find((l) => l.code === 'fixEnsure')).toMatchObject({ amount: '64.00' });
    const offered = await t.client().ok(distEnsureList, { gameId: 1 });
    expect(offered.list.find((g) => g.id === RECOVERY)).toMatchObject({
      rateText: '6.4%',
      reasons: rates[1][RECOVERY].reasons,
    });
    expect((await t.client().ok(distEnsureList, {})).list.find((g) => g.id === RECOVERY)?.rateText).toBe('10%');
  });
});
