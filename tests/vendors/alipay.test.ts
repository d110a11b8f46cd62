/** Alipay: the adapter, its fake and npm alipay-sdk verify each other. */
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { AlipaySdk } from 'alipay-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fen } from '#contract/wire.ts';
import { alipayChannel } from '#server/adapters/pay/alipay.ts';
import { chinaText } from '#server/adapters/vendor-request.ts';
import type { NewPayment, PayChannel } from '#server/ports/pay.ts';
import { FakeAlipay } from '#tests/support/fakes/alipay.ts';
import { alipayConfig } from '#tests/support/fakes/channels.ts';
import { ODD_TEXTS, recordingEnvironment } from './recorder.ts';

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const fake = new FakeAlipay(ours.publicKey);
const { environment, sent } = recordingEnvironment();
let gateway = '';
let channel: PayChannel;
let payments = 0;

const pem = (key: KeyObject, type: 'pkcs8' | 'spki'): string => key.export({ format: 'pem', type }).toString();

/** The SDK as a program that verifies what `publicKey` belongs to and signs by `privateKey`. */
const sdkWith = (privateKey: KeyObject, publicKey: KeyObject): AlipaySdk =>
  new AlipaySdk({
    appId: fake.appId,
    keyType: 'PKCS8',
    privateKey: pem(privateKey, 'pkcs8'),
    alipayPublicKey: pem(publicKey, 'spki'),
    gateway,
  });

beforeAll(async () => {
  gateway = `${await fake.listen()}/gateway.do`;
  channel = alipayChannel(alipayConfig(fake, gateway, ours.privateKey), environment);
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(() => fake.close());

const payment = (more: Partial<NewPayment> = {}): NewPayment => ({
  interSn: `P${Date.now()}${++payments}`,
  payRand: 'r',
  amountFen: fen(12_345),
  subject: '游市 充值',
  expiresAt: new Date(Date.now() + 900_000),
  origin: 'https://market.example',
  method: 'qr',
  returnUrl: 'https://market.example/pay/go/r?a=1&b=%E4%B8%AD',
  ...more,
});

const paramsOf = (url: URL, body = ''): Record<string, string> =>
  Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]);

describe('requests of the adapter have the signature that the SDK verifies', () => {
  test.each(ODD_TEXTS)('holds for a payment for %j', async (subject) => {
    const verifier = sdkWith(ours.privateKey, ours.publicKey);
    await channel.create(payment({ subject }));
    const page = await channel.create(payment({ subject, method: 'page' }));
    const call = sent[0];
    if (!call) throw new Error('no request');
    for (const params of [paramsOf(call.url, call.body), paramsOf(new URL(page.jumpUrl ?? ''))]) {
      expect(verifier.checkNotifySignV2(params)).toBe(true);
      expect(verifier.checkNotifySignV2({ ...params, biz_content: `${params.biz_content} ` })).toBe(false);
      expect(verifier.checkNotifySignV2({ ...params, notify_url: 'https://other.example' })).toBe(false);
    }
  });
});

test('the SDK can use the fake: it accepts the signature of every response, and its own ones are accepted', async () => {
  const sdk = sdkWith(ours.privateKey, fake.own.publicKey);
  const notifyUrl = 'https://market.example/api/pay/notify/alipay';
  const run = async (method: string, bizContent: Record<string, unknown>) =>
    // The SDK writes the time of the machine's zone.
    await sdk.exec(method, { timestamp: chinaText(new Date()), notifyUrl, bizContent }, { validateSign: true });
  const p = payment({ subject: '充值 “x” & y' });
  await channel.create(p);
  expect(await run('alipay.trade.query', { outTradeNo: 'none' })).toMatchObject({ subCode: 'ACQ.TRADE_NOT_EXIST' });
  const created = await run('alipay.trade.precreate', {
    outTradeNo: `S${p.interSn}`,
    totalAmount: '1.00',
    subject: '充值',
    timeExpire: chinaText(new Date(Date.now() + 600_000)),
  });
  expect(created).toMatchObject({ code: '10000', outTradeNo: `S${p.interSn}` });
  await expect(
    sdkWith(ours.privateKey, ours.publicKey).exec(
      'alipay.trade.query',
      { timestamp: chinaText(new Date()), bizContent: { outTradeNo: 'none' } },
      { validateSign: true },
    ),
  ).rejects.toThrow(/验签失败/);
});

describe('notifications', () => {
  const notice = (more: Record<string, string> = {}): Record<string, string> => ({
    app_id: fake.appId,
    seller_id: fake.sellerId,
    out_trade_no: 'P1',
    trade_no: '2026112922001',
    total_amount: '123.45',
    trade_status: 'TRADE_SUCCESS',
    notify_id: 'n1',
    charset: 'utf-8',
    ...more,
  });
  /** The form as Alipay signs it: all fields but the signature and its type, also empty ones. */
  const signed = (fields: Record<string, string>): Record<string, string> => {
    const text = Object.keys(fields)
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&');
    const signature = sign('sha256', Buffer.from(text), fake.own.privateKey).toString('base64');
    return { ...fields, sign_type: 'RSA2', sign: signature };
  };
  const accepted = (form: Record<string, string>): boolean =>
    channel.verify({ headers: {}, form: {}, body: Buffer.from(new URLSearchParams(form).toString()) }) !== undefined;
  const CASES: [string, Record<string, string>][] = [
    ['plain', {}],
    ['a signed empty value', { body: '' }],
    ['two empty values', { body: '', passback_params: '' }],
    ...ODD_TEXTS.map((subject): [string, Record<string, string>] => [
      `subject ${JSON.stringify(subject)}`,
      { subject },
    ]),
  ];

  test.each(CASES)('%s: the SDK and the adapter accept it, and refuse it when one value differs', (_, more) => {
    const sdk = sdkWith(ours.privateKey, fake.own.publicKey);
    const form = signed(notice(more));
    expect([sdk.checkNotifySignV2(form), accepted(form)]).toEqual([true, true]);
    for (const name of Object.keys(form).filter((field) => field !== 'sign_type')) {
      const forged = { ...form, [name]: `1${form[name]}` };
      expect([name, sdk.checkNotifySignV2(forged), accepted(forged)]).toEqual([name, false, false]);
    }
  });

  test('rejects a notice signed by another key or with the merchant’s own', () => {
    const sdk = sdkWith(ours.privateKey, fake.own.publicKey);
    const text = 'app_id=1';
    const form = {
      ...notice(),
      sign_type: 'RSA2',
      sign: sign('sha256', Buffer.from(text), ours.privateKey).toString('base64'),
    };
    expect([sdk.checkNotifySignV2(form), accepted(form)]).toEqual([false, false]);
  });
});
