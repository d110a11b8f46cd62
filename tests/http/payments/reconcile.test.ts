import { freezeMoney } from '#subjects/back-office/contract/freeze.ts';
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffHoldList, releaseHoldEarly, trialBalanceSheet } from '#subjects/ledger/contract/staff-ledger.ts';
import * as c from '#subjects/payments/contract/staff-reconcile.ts';
import { codes } from '#contract/codes.ts';
import type { Envelope } from '#contract/endpoint.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { cashAdvance, chooseRefundTarget, recPay, refundToSource } from '#subjects/payments/contract/pay.ts';
import { staffRoles } from '#subjects/back-office/rules/staff.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { approveWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { fetchStatements } from '#subjects/payments/server/reconcile.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let finance: TestStaff;
const today = chinaDay(new Date());

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels } });
  await addGame(t.ctx);
  finance = await t.newStaff({ role: 'finance' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

async function run(): Promise<void> {
  await makeDue(t.ctx.db, ['pay.watch', 'refund.send', 'withdraw.pay', 'pay.recheck']);
  await t.timers();
}

/** A top-up that its payer has paid; counted here too unless `silent`. */
async function topup(
  name: 'alipay' | 'wechat',
  amount: string,
  silent = false,
): Promise<{ user: TestUser; interSn: string }> {
  const user = await t.newUser({ stepUp: true });
  const { payInterSn } = await user.client.ok(recPay, { amount, aliOrWx: name === 'alipay' ? 1 : 2 });
  w[name].pay(payInterSn);
  if (!silent) await run();
  return { user, interSn: payInterSn };
}

async function send(who: TestStaff, body: Buffer, channel: string, day = today) {
  const line = '----statement';
  const response = await who.client.raw({
    method: 'POST',
    url: `${c.uploadStatement.path}?channel=${channel}&day=${day}`,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([
      Buffer.from(
        `--${line}\r\ncontent-disposition: form-data; name="file"; filename="bill.csv"\r\ncontent-type: text/csv\r\n\r\n`,
      ),
      body,
      Buffer.from(`\r\n--${line}--\r\n`),
    ]),
  });
  return response.json<Envelope<c.ImportedStatement>>();
}

/** Withdraws 120.00 to Alipay and has it sent. */
async function withdrawn(user: TestUser): Promise<string> {
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), `u${user.id}@example.com`)}, ${Buffer.from(`h${user.id}`)}, 'a***', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
    t.ctx.db,
  );
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount: '120.00' });
  await approveWithdrawal(t.ctx, { id: finance.id, distId: null }, withdrawSn);
  await run();
  return withdrawSn;
}

/** Somebody who topped up and withdrew, with the number by which the channel knows the transfer. */
async function paidOut(): Promise<{ user: TestUser; no: string }> {
  const { user } = await topup('alipay', '300.00');
  const sn = await withdrawn(user);
  const { rows } = await sql<{ no: string }>`select channel_no as no from withdrawal where sn = ${sn}`.execute(
    t.ctx.db,
  );
  return { user, no: rows[0]?.no ?? '' };
}

const open = async (query: { channel?: 'alipay' | 'wechat' } = {}) =>
  (await finance.client.ok(c.differenceList, query)).list;

describe('a day’s statement of both channels', () => {
  test('payments, a refund and a payout all match, to the fen', async () => {
    const seller = await t.newUser();
    const buyer = await t.newUser();
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    const p = await buyer.client.ok(recPay, { orderId, aliOrWx: 1 });
    w.alipay.pay(p.payInterSn);
    await run();
    await buyer.client.ok(chooseRefundTarget, { orderSn, toBalance: '1' });
    await buyer.client.ok(cancelOrder, { orderId });
    await buyer.client.ok(refundToSource, { orderSn, amount: '40.00' });
    await run();
    const { user } = await topup('alipay', '300.00');
    await withdrawn(user);
    const claimed = await finance.client.ok(c.fetchStatement, { channel: 'alipay', day: today });
    expect(claimed).toMatchObject({ lines: 4, differences: 0, repeated: false });
    const { list } = await finance.client.ok(c.statementList, {});
    expect(list[0]).toMatchObject({
      channelName: '支付宝',
      day: today,
      source: 'fetch',
      lines: 4,
      matched: 4,
      open: 0,
      pay: '401.00',
      refund: '40.00',
      transfer: '120.00',
      fee: '0.00',
    });
    expect(await open()).toEqual([]);
  });

  test('the same file again changes nothing; the job fetches a missing one; an unavailable channel is queried later', async () => {
    const again = await send(finance, w.alipay.statementZip(today), 'alipay');
    expect(again).toMatchObject({ code: 0, data: { lines: 4, differences: 0 } });
    await topup('wechat', '88.00');
    w.wechat.fail(/bill/, 'error500', 1);
    const tomorrowNoon = new Date(Date.parse(`${today}T12:00:00+08:00`) + 86_400_000);
    await fetchStatements(t.ctx, tomorrowNoon);
    expect(
      (await finance.client.ok(c.statementList, {})).list.some((s) => s.channel === 'wechat' && s.day === today),
    ).toBe(false);
    await fetchStatements(t.ctx, tomorrowNoon);
    const { list } = await finance.client.ok(c.statementList, {});
    // 0.6 % of 88.00 stays with the channel, and the books say so.
    expect(list.find((s) => s.channel === 'wechat' && s.day === today)).toMatchObject({
      lines: 2,
      matched: 2,
      open: 0,
      pay: '88.00',
      fee: '0.53',
    });
    const sheet = await finance.client.ok(trialBalanceSheet, {});
    expect(sheet.kinds.find((k) => k.kind === 'clearing:wechat_fee')).toMatchObject({
      name: '微信手续费支出',
      amount: '-0.53',
    });
    expect(sheet.balanced).toBe(true);
  });

  test('a returned payout matches both lines, also when the statement arrives before our books know', async () => {
    const out = [await paidOut(), await paidOut()];
    w.alipay.endTransfer(out[0]?.no ?? '', 'REFUND');
    // One that came back before it was ever done has no posting of ours, and its two lines explain each other.
    w.alipay.transferBegins = 'DEALING';
    const third = await paidOut();
    w.alipay.transferBegins = 'SUCCESS';
    w.alipay.endTransfer(third.no, 'REFUND');
    await run();
    await finance.client.ok(c.fetchStatement, { channel: 'alipay', day: today });
    // The channel's line makes our books query immediately, and is matched with what they then contain.
    expect((await open()).map(({ kindName, sideName }) => [kindName, sideName])).toEqual([
      ['提现退回', '渠道有，我方无'],
    ]);
    await sql`update timer set due_at = now() where kind = 'withdraw.recheck' and due_at < now() + interval '1 minute'`.execute(
      t.ctx.db,
    );
    await t.timers();
    expect(await open()).toEqual([]);
    const { rows } = await sql<{ kind: string; n: number }>`
      select l.kind, count(l.transfer_id)::int as n from channel_statement_line l
      where l.inter_sn = any(${[...out.map(({ no }) => no), third.no]}) group by l.kind order by l.kind`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([
      { kind: 'back', n: 1 },
      { kind: 'transfer', n: 2 },
    ]);
    // The same day's file once more: the sent line of the one that came back is still ours.
    await sql`update channel_statement set sha256 = null`.execute(t.ctx.db);
    await finance.client.ok(c.fetchStatement, { channel: 'alipay', day: today });
    expect(await open()).toEqual([]);
  });
});

describe('differences', () => {
  test('a payment without a notification is found by the statement, queried, booked, and resolved automatically', async () => {
    const { user, interSn } = await topup('alipay', '66.00', true);
    await sql`update payment set status = 2 where inter_sn = ${interSn}`.execute(t.ctx.db);
    await send(finance, w.alipay.statementZip(today), 'alipay');
    expect(await open({ channel: 'alipay' })).toMatchObject([
      {
        side: 'theirs',
        sideName: '渠道有，我方无',
        number: interSn,
        theirs: '66.00',
        ours: null,
        userId: String(user.id),
        userName: user.nickName,
        canRecheck: true,
      },
    ]);
    w.alipay.fail(/query/, 'refuse', 1);
    await run();
    expect(await open({ channel: 'alipay' })).toHaveLength(1);
    await run();
    expect((await loadBalances(t.ctx.db, user.id)).availableFen).toBe(6_600);
    expect(await open({ channel: 'alipay' })).toEqual([]);
    const closed = (await finance.client.ok(c.differenceList, { state: 'resolved', keyWord: interSn })).list;
    expect(closed).toMatchObject([{ resolvedBy: '系统', note: '已自动对平（跨日或补入账）' }]);
  });

  test('lists lines only in our books, with another amount, twice, and of an unknown number', async () => {
    const [gone, less, twice] = [
      await topup('alipay', '11.00'),
      await topup('alipay', '22.00'),
      await topup('alipay', '33.00'),
    ];
    const lines = w.alipay
      .statementText(today)
      .split('\r\n')
      .filter((l) => !l.includes(gone.interSn));
    const at = lines.findIndex((l) => l.includes(twice.interSn));
    const text = lines
      .toSpliced(at, 0, lines[at] ?? '', (lines[at] ?? '').replaceAll(twice.interSn, 'PNOBODY1'))
      .map((l) => (l.includes(less.interSn) ? l.replace('22.00', '21.00') : l))
      .join('\r\n');
    expect(await send(finance, iconv.encode(text, 'gbk'), 'alipay')).toMatchObject({
      code: 0,
      data: { differences: 4 },
    });
    const list = await open({ channel: 'alipay' });
    expect(new Set(list.map((d) => [d.side, d.number, d.theirs, d.ours].join(' ')))).toEqual(
      new Set([
        `amount ${less.interSn} 21.00 22.00`,
        `ours ${gone.interSn}  11.00`,
        'theirs PNOBODY1 33.00 ',
        `twice ${twice.interSn} 33.00 33.00`,
      ]),
    );
    expect((await finance.client.ok(c.differenceList, { side: 'amount' })).total).toBe(1);
    // The right file takes its place: only what is still wrong stays open.
    await send(finance, w.alipay.statementZip(today), 'alipay');
    expect(await open({ channel: 'alipay' })).toEqual([]);
  });

  test('staff explain a difference once; the note is stored and audited', async () => {
    const { interSn } = await topup('alipay', '44.00');
    const text = w.alipay
      .statementText(today)
      .split('\r\n')
      .filter((l) => !l.includes(interSn))
      .join('\r\n');
    await send(finance, iconv.encode(text, 'gbk'), 'alipay');
    const differenceId = (await open())[0]?.differenceId ?? 0;
    expect((await finance.client.call(c.resolveDifference, { differenceId, note: '' })).msg).toBe('处理说明不能为空');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => finance.client.call(c.resolveDifference, { differenceId, note: '渠道次日补记' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    const { list } = await finance.client.ok(c.differenceList, { state: 'resolved', keyWord: interSn });
    expect(list).toMatchObject([{ note: '渠道次日补记', isOpen: false }]);
    const { rows } =
      await sql`select 1 from audit_log where act = 'reconcile.resolve' and target = ${`difference:${interSn}`}`.execute(
        t.ctx.db,
      );
    expect(rows).toHaveLength(1);
  });

  test('a file of another channel, another day, or an invalid one is rejected with a message', async () => {
    const bill = w.alipay.statementZip(today);
    expect((await send(finance, bill, 'wechat')).msg).toBe('这不是所选渠道的账单');
    expect((await send(finance, bill, 'alipay', '2026-01-01')).msg).toContain('与所选日期不一致');
    expect((await send(finance, Buffer.from('a,b\n1,2'), 'alipay')).msg).toContain('未找到账单表头');
    expect((await send(finance, Buffer.from('PK\u0003\u0004broken'), 'alipay')).msg).toContain('压缩文件无法读取');
    expect((await send(finance, bill, 'alipay', '2026-02-30')).msg).toBe('账单日期不正确');
    expect((await send(finance, bill, 'paypal')).msg).toBe('渠道不正确');
    const broken = w.alipay.statementText(today).replaceAll('300.00', '三百');
    expect((await send(finance, Buffer.from(broken), 'alipay')).msg).toContain('收入金额“三百”无法识别');
  });
});

test('are handled by finance and administrators of the platform only', async () => {
  for (const role of staffRoles) {
    const who = await t.newStaff(role === 'operator' ? { role, distId: 1 } : { role });
    const may = role === 'finance' || role === 'admin';
    const seen = [
      await who.client.call(c.statementList, {}),
      await who.client.call(c.differenceList, {}),
      await who.client.call(c.resolveDifference, { differenceId: 999_999, note: 'x' }),
      await who.client.call(c.recheckDifference, { differenceId: 999_999 }),
      await who.client.call(freezeMoney, { userId: 999_999, amount: '1.00', reason: 'x' }),
    ].map(({ code }) => code === codes.FORBIDDEN[0]);
    expect([role, ...seen]).toEqual([role, !may, !may, !may, !may, !may]);
  }
});

describe('freezing a user’s money', () => {
  test('needs a reason and an end; the owner keeps the rest; it is ended once', async () => {
    const user = await t.newUser({ balanceFen: 10_000 });
    const freeze = (amount: string, key: string) =>
      finance.client.call(
        freezeMoney,
        { userId: user.id, amount, reason: '涉嫌盗号资金，核查中', days: 7 },
        { idempotencyKey: key },
      );
    expect((await freeze('100.01', 'a')).code).toBe(codes.BALANCE_LOW[0]);
    const responses = await Promise.all([freeze('60.00', 'b'), freeze('60.00', 'b'), freeze('60.00', 'b')]);
    expect(new Set(responses.filter((a) => a.code === 0).map((a) => a.data.holdId)).size).toBe(1);
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 4_000, frozenFen: 6_000 });
    const hold = (await finance.client.ok(staffHoldList, { code: 'staff_freeze' })).list[0];
    expect(hold).toMatchObject({ codeName: '平台冻结', reason: '平台冻结：涉嫌盗号资金，核查中', canRelease: true });
    const holdId = hold?.holdId ?? 0;
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => finance.client.call(releaseHoldEarly, { holdId, reason: '核查无误' })),
    );
    expect(ends.filter((a) => a.code === 0)).toHaveLength(1);
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 10_000, frozenFen: 0 });
  });

  test('ends automatically at its time', async () => {
    const user = await t.newUser({ balanceFen: 10_000 });
    const { holdId } = await finance.client.ok(freezeMoney, {
      userId: user.id,
      amount: '10.00',
      reason: '核查',
      days: 1,
    });
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 9000, frozenFen: 1000 });
    await passTime(t.ctx.db, 'hold', { id: holdId }, { until: 'release_at' });
    await makeDue(t.ctx.db, 'freeze.end');
    await t.timers();
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 10_000, frozenFen: 0 });
  });
});
