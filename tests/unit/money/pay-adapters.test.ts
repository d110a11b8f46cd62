import { chinaDay } from '#contract/rules/time/china-time.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fen } from '#contract/wire.ts';
import { alipayPayoutCodes, alipayRefundCodes } from '#server/adapters/pay/alipay-codes.ts';
import { meaningOf, stateOfCode } from '#server/adapters/pay/vendor-codes.ts';
import { wechatPayoutCodes, wechatRefundCodes } from '#server/adapters/pay/wechat-codes.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { NewPayment, PayChannel } from '#server/ports/pay.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';

let w: Awaited<ReturnType<typeof startChannels>>;
let made = 0;

beforeAll(async () => {
  w = await startChannels({ transfers: true });
});
beforeEach(() => {
  w.alipay.mend();
  w.wechat.mend();
  w.alipay.transferBegins = 'SUCCESS';
});
afterAll(() => w.close());

const channel = (name: string): PayChannel => {
  const found = w.channels.get(name);
  if (!found) throw new Error(name);
  return found;
};

const wish = (more: Partial<NewPayment> = {}): NewPayment => ({
  interSn: `P${Date.now()}${++made}`,
  payRand: 'r',
  amountFen: fen(12_345),
  subject: '游市 充值 a/b=c&d',
  expiresAt: new Date(Date.now() + 900_000),
  origin: 'https://market.example',
  method: 'qr',
  returnUrl: 'https://market.example/pay/go/r',
  ...more,
});

const NAMES = ['alipay', 'wechat'] as const;

describe.each(NAMES)('%s', (name) => {
  const vendor = () => (name === 'alipay' ? w.alipay : w.wechat);

  test('a payment from the QR code to its full refund, in two parts', async () => {
    const p = wish();
    const c = channel(name);
    expect((await c.create(p)).qrText).toContain(p.interSn);
    expect((await c.create(p)).qrText).toContain(p.interSn);
    expect((await c.query(p))?.state ?? 'waiting').toBe('waiting');
    vendor().pay(p.interSn);
    expect(await c.query(p)).toMatchObject({ state: 'paid', amountFen: 12_345, interSn: p.interSn });
    expect(await c.close(p)).toBe('paid');
    const refund = { interSn: p.interSn, totalFen: fen(12_345), reason: '订单取消' };
    const first = { ...refund, refundNo: `R1${p.interSn}`, amountFen: fen(345) };
    expect(await c.refundState(first)).toBeUndefined();
    expect((await c.refund(first)).state).toBe('done');
    // The same number again moves nothing, and another amount under it is no second refund.
    expect((await c.refund(first)).state).not.toBe('failed');
    expect((await c.refundState(first))?.state).toBe('done');
    expect((await c.refund({ ...refund, refundNo: `R2${p.interSn}`, amountFen: fen(12_000) })).state).toBe('done');
    expect((await c.refund({ ...refund, refundNo: `R3${p.interSn}`, amountFen: fen(1) })).state).toBe('failed');
  });

  test('a payment closed before it is paid', async () => {
    const p = wish();
    await channel(name).create(p);
    if (name === 'alipay') w.alipay.scan(p.interSn);
    expect(await channel(name).close(p)).toBe('closed');
    expect(() => vendor().pay(p.interSn)).toThrow('cannot be paid');
    expect((await channel(name).query(p))?.state).toBe('closed');
    // A code that Alipay has not seen scanned can still be paid; WeChat knows each of its own.
    expect(await channel(name).close(wish())).toBe(name === 'alipay' ? 'unseen' : 'closed');
  });

  test.each(['refuse', 'lost', 'hang', 'error500', 'busy429', 'malformed', 'forged', 'unsigned'] as const)(
    'a response that ends as %s is unknown, and repeating the call under the same number resolves it',
    async (fault) => {
      const p = wish();
      const c = channel(name);
      await c.create(p);
      vendor().pay(p.interSn);
      vendor().fail(/./, fault);
      await expect(c.query(p)).rejects.toThrow(UnknownResult);
      const refund = {
        interSn: p.interSn,
        refundNo: `R${p.interSn}`,
        amountFen: p.amountFen,
        totalFen: p.amountFen,
        reason: 'x',
      };
      vendor().fail(/refund/, fault);
      await expect(c.refund(refund)).rejects.toThrow(UnknownResult);
      await c.refund(refund);
      expect((await c.refundState(refund))?.state).toBe('done');
      expect((await c.query(p))?.state).toBe(name === 'alipay' ? 'closed' : 'paid');
    },
  );

  test('the day’s statement is complete', async () => {
    const day = chinaDay(new Date());
    expect((await channel(name).statement?.(day))?.length).toBeGreaterThan(100);
  });
});

test('Alipay: pages for computers and phones are signed URLs, created without a call', async () => {
  const before = w.alipay.requests.length;
  for (const [payMethod, method] of [
    ['page', 'alipay.trade.page.pay'],
    ['h5', 'alipay.trade.wap.pay'],
  ] as const) {
    const { jumpUrl = '' } = await channel('alipay').create(wish({ method: payMethod }));
    const params = new URL(jumpUrl).searchParams;
    expect([params.get('method'), params.get('return_url')]).toEqual([method, 'https://market.example/pay/go/r']);
  }
  expect(w.alipay.requests.length).toBe(before);
});

test('Alipay: a transfer to a wrong name fails permanently, one without money is retried, a pending one ends later', async () => {
  const pay = (no: string, more = {}) =>
    channel('alipay').payout({
      no,
      amountFen: fen(5000),
      account: 'a@example.com',
      name: '张三丰',
      remark: '提现',
      ...more,
    });
  expect((await pay(`T${++made}`)).state).toBe('done');
  w.alipay.people.set('b@example.com', '王五');
  expect(await pay(`T${++made}`, { account: 'b@example.com' })).toEqual({
    state: 'failed',
    reason: 'PAYEE_USER_INFO_ERROR',
  });
  expect(await pay(`T${++made}`, { amountFen: fen(900_000_000_00) })).toEqual({
    state: 'pending',
    reason: 'PAYER_BALANCE_NOT_ENOUGH',
  });
  w.alipay.transferBegins = 'DEALING';
  const no = `T${++made}`;
  expect((await pay(no)).state).toBe('pending');
  expect((await channel('alipay').payoutState({ no }))?.state).toBe('pending');
  w.alipay.endTransfer(no, 'REFUND');
  expect((await channel('alipay').payoutState({ no }))?.state).toBe('failed');
  expect(await channel('alipay').payoutState({ no: 'Tnever' })).toBeUndefined();
});

test('WeChat Pay: payments inside WeChat and from a phone, and a transfer whose payee’s name only WeChat can read', async () => {
  const c = channel('wechat');
  const inside = await c.create(wish({ method: 'jsapi', openid: 'o1' }));
  expect(inside.jsapi).toMatchObject({ appId: 'wx1', signType: 'RSA' });
  expect((await c.create(wish({ method: 'h5', payerIp: '1.2.3.4' }))).jumpUrl).toMatch(/^https:/);
  const no = `T${++made}`;
  const transfer = { no, amountFen: fen(5000), account: 'o1', name: '张三丰', remark: '提现' };
  const sent = await c.payout(transfer);
  expect(sent).toMatchObject({ state: 'pending', reason: 'WAIT_USER_CONFIRM' });
  expect(w.wechat.transfers.all.get(no)).toMatchObject({ name: '张三丰', fen: 5000, openid: 'o1' });
  // The same number again is the same transfer and tells its package; a query does not.
  expect(await c.payout(transfer)).toEqual(sent);
  expect((await c.payoutState({ no }))?.accept).toEqual({ token: undefined });
  await expect(c.payout({ ...transfer, amountFen: fen(6000) })).resolves.toMatchObject({ state: 'pending' });
  expect(w.wechat.transfers.all.get(no)?.fen).toBe(5000);
  w.wechat.transfers.lapse(no);
  expect(await c.payoutState({ no })).toEqual({ state: 'failed', reason: 'OVERDUE_CLOSE' });
});

test('WeChat Pay: a response signed ten minutes ago, or by an unknown key, is rejected', async () => {
  const p = wish();
  await channel('wechat').create(p);
  w.wechat.skewSeconds = -600;
  await expect(channel('wechat').query(p)).rejects.toThrow(UnknownResult);
  w.wechat.skewSeconds = 0;
  await channel('wechat').query(p);
});

test('WeChat Pay: a response with a probe in place of its signature is requested once more', async () => {
  const p = wish();
  w.wechat.probes = 1;
  expect((await channel('wechat').create(p)).qrText).toContain(p.interSn);
  w.wechat.probes = 2;
  await expect(channel('wechat').query(p)).rejects.toThrow(UnknownResult);
  expect(w.wechat.probes).toBe(0);
  expect((await channel('wechat').query(p))?.state).toBe('waiting');
});

test('texts for vendors are cut between characters', async () => {
  const subject = `${'游'.repeat(59)}😀充值`;
  const sent = async (name: 'alipay' | 'wechat', text: string) => {
    await channel(name).create(wish({ subject: text }));
    const { lastBody } = name === 'alipay' ? w.alipay : w.wechat;
    return decodeURIComponent(lastBody);
  };
  expect(await sent('wechat', subject)).toContain(`"description":"${'游'.repeat(59)}"`);
  expect(await sent('alipay', '游'.repeat(60) + subject)).toContain(`"subject":"${'游'.repeat(119)}"`);
});

describe('error codes', () => {
  test.each(Object.entries(alipayRefundCodes))('Alipay refund %s', async (code, { isFinal, text }) => {
    const p = wish();
    w.alipay.refuseNext = code;
    const refund = { interSn: p.interSn, refundNo: `R${p.interSn}`, amountFen: p.amountFen, totalFen: p.amountFen };
    expect(await channel('alipay').refund({ ...refund, reason: 'x' })).toEqual({
      state: isFinal ? 'failed' : 'pending',
      reason: code,
    });
    expect(channel('alipay').explain?.('refund', code)).toBe(text);
  });

  test('unknown ones stay pending and have no explanation', () => {
    for (const codes of [alipayRefundCodes, alipayPayoutCodes, wechatRefundCodes, wechatPayoutCodes]) {
      expect(stateOfCode(codes, 'SOME_NEW_CODE')).toBe('pending');
      expect(meaningOf(codes, 'constructor')).toBeUndefined();
      for (const { text } of Object.values(codes)) expect(text).toMatch(/^[\u4e00-\u9fff]/);
    }
    expect(stateOfCode(alipayPayoutCodes, 'PAYEE_ACCOUNT_STATUS_ERROR')).toBe('failed');
    expect(stateOfCode(wechatRefundCodes, 'RESOURCE_NOT_EXISTS')).toBe('failed');
    expect(stateOfCode(wechatRefundCodes, 'RULE_LIMIT')).toBe('pending');
  });

  test('the refund state ABNORMAL of WeChat Pay stays open', () => {
    expect(stateOfCode(wechatRefundCodes, 'CLOSED')).toBe('failed');
    expect(stateOfCode(wechatRefundCodes, 'ABNORMAL')).toBe('pending');
    expect(channel('wechat').explain?.('refund', 'ABNORMAL')).toContain('商户平台');
  });
});
