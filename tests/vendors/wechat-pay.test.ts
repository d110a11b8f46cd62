/** WeChat Pay: the adapter, its fake and npm wechatpay-axios-plugin verify each other. */
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fen } from '#contract/wire.ts';
import { wechatChannel } from '#server/adapters/pay/wechat.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { NewPayment, PayChannel } from '#server/ports/pay.ts';
import { TRANSFER, wechatConfig } from '#tests/support/fakes/channels.ts';
import { FakeWechat } from '#tests/support/fakes/wechat.ts';
import { ODD_TEXTS, recordingEnvironment, startRecorder } from './recorder.ts';

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const fake = new FakeWechat(ours.publicKey);
const { environment, sent } = recordingEnvironment();
const [serial = '', platform = ours] = [...fake.own][0] ?? [];
let base = '';
let channel: PayChannel;
let payments = 0;

const open = (url: string): PayChannel =>
  wechatChannel({ ...wechatConfig(fake, url, ours.privateKey), transfer: TRANSFER }, environment);

beforeAll(async () => {
  base = await fake.listen();
  channel = open(base);
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
  returnUrl: 'https://market.example/pay/go/r',
  ...more,
});

/** Whether the SDK accepts the Authorization header of the newest request; `change` alters what was sent. */
function holds(change: (body: string) => string = (body) => body): boolean {
  const call = sent.at(-1);
  const header = call?.headers.authorization ?? '';
  const field = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? '';
  const body = change(call?.body ?? '');
  const path = `${call?.url.pathname}${call?.url.search}`;
  const message = Formatter.request(call?.method ?? '', path, field('timestamp'), field('nonce_str'), body);
  return Rsa.verify(message, field('signature'), ours.publicKey);
}

describe('requests of the adapter have the signature that the SDK verifies', () => {
  test.each(ODD_TEXTS)('holds for a payment for %j', async (subject) => {
    await channel.create(payment({ subject }));
    expect([holds(), holds((body) => `${body} `)]).toEqual([true, false]);
  });

  test('holds for payments inside WeChat, queries without a body, and transfers with an encrypted name', async () => {
    const p = payment({ method: 'jsapi', openid: 'o1' });
    const { jsapi } = await channel.create(p);
    const lines = [jsapi?.appId, jsapi?.timeStamp, jsapi?.nonceStr, jsapi?.package].map(String);
    expect(Rsa.verify(Formatter.joinedByLineFeed(...lines), jsapi?.paySign ?? '', ours.publicKey)).toBe(true);
    await channel.query(p);
    expect([sent.at(-1)?.url.search, holds()]).toEqual([`?mchid=${fake.mchid}`, true]);
    await channel.payout({ no: `T${p.interSn}`, amountFen: fen(5000), account: 'o1', name: '张三丰', remark: '提现' });
    expect(holds()).toBe(true);
    const { user_name: name } = JSON.parse(sent.at(-1)?.body ?? '') as { user_name: string };
    expect(Rsa.decrypt(name, platform.privateKey)).toBe('张三丰');
  });
});

test('the SDK can use the fake: it accepts the signature of its responses, and its own ones are accepted', async () => {
  const sdk = new Wechatpay({
    mchid: fake.mchid,
    serial: fake.merchantSerial,
    privateKey: ours.privateKey.export({ format: 'pem', type: 'pkcs8' }),
    certs: { [serial]: platform.publicKey.export({ format: 'pem', type: 'spki' }) },
    baseURL: base,
  });
  const p = payment();
  const { data } = await sdk.chain('v3/pay/transactions/native').post(
    {
      mchid: fake.mchid,
      appid: fake.appid,
      description: '充值',
      out_trade_no: p.interSn,
      time_expire: p.expiresAt.toISOString(),
      notify_url: 'https://market.example/api/pay/notify/wechat',
      amount: { total: 100, currency: 'CNY' },
    },
    { headers: { accept: 'application/json' } },
  );
  expect(data).toEqual({ code_url: `weixin://wxpay/bizpayurl?pr=${p.interSn}` });
  // The adapter finds a payment created by the SDK.
  expect(await channel.query(p)).toMatchObject({ interSn: p.interSn, amountFen: 100, state: 'waiting' });
});

/** The headers of a body as the SDK signs it. */
function sdkSeal(body: string, how: { at?: number; serial?: string; stranger?: boolean; probe?: boolean } = {}) {
  const timestamp = how.at ?? Formatter.timestamp();
  const nonce = Formatter.nonce();
  const key = how.stranger ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : platform.privateKey;
  const signature = Rsa.sign(Formatter.response(timestamp, nonce, body), key);
  return {
    'wechatpay-timestamp': String(timestamp),
    'wechatpay-nonce': nonce,
    'wechatpay-serial': how.serial ?? serial,
    'wechatpay-signature': how.probe ? `WECHATPAY/SIGNTEST/${randomBytes(200).toString('base64')}` : signature,
  };
}

describe('notifications made by the SDK', () => {
  const bodyOf = (inner: Record<string, unknown>, key: string = fake.v3Key): string => {
    const nonce = Formatter.nonce(12);
    const ciphertext = Aes.AesGcm.encrypt(JSON.stringify(inner), key, nonce, 'transaction');
    const resource = { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: 'transaction' };
    return JSON.stringify({ id: 'e1', event_type: 'TRANSACTION.SUCCESS', resource });
  };
  const paid = (more: Record<string, unknown> = {}) => ({
    mchid: fake.mchid,
    appid: fake.appid,
    out_trade_no: 'P1',
    transaction_id: '4200001',
    trade_state: 'SUCCESS',
    attach: ODD_TEXTS.join(''),
    amount: { total: 12_345, currency: 'CNY' },
    ...more,
  });
  const verify = (body: string, headers: Record<string, string>) =>
    channel.verify({ headers, form: {}, body: Buffer.from(body) });

  test('a payment is accepted', () => {
    const body = bodyOf(paid());
    expect(verify(body, sdkSeal(body))).toMatchObject({ interSn: 'P1', amountFen: 12_345, state: 'paid' });
  });

  test.each<[string, Parameters<typeof sdkSeal>[1]]>([
    ['a probe', { probe: true }],
    ['another key', { stranger: true }],
    ['an unknown serial', { serial: 'PUB_KEY_ID_OTHER' }],
    ['a time ten minutes ago', { at: Formatter.timestamp() - 600 }],
    ['a time in ten minutes', { at: Formatter.timestamp() + 600 }],
  ])('%s is refused', (_, how) => {
    const body = bodyOf(paid());
    expect(verify(body, sdkSeal(body, how))).toBeUndefined();
  });

  test('changed bytes, a foreign API key and a foreign application are refused', () => {
    const body = bodyOf(paid());
    expect(verify(`${body} `, sdkSeal(body))).toBeUndefined();
    for (const wrong of [bodyOf(paid(), 'f'.repeat(32)), bodyOf(paid({ appid: 'wx2' })), bodyOf(paid({ mchid: '1' }))])
      expect(verify(wrong, sdkSeal(wrong))).toBeUndefined();
  });
});

test('responses signed by the SDK: a probe is followed by one more request, a second one fails', async () => {
  const body = JSON.stringify({ code_url: 'weixin://wxpay/bizpayurl?pr=1' });
  const probes = [true, false, true, true];
  const vendor = await startRecorder((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...sdkSeal(body, { probe: probes.shift() ?? false }) })
      .end(body),
  );
  const other = open(vendor.url);
  expect((await other.create(payment())).qrText).toContain('bizpayurl');
  await expect(other.create(payment())).rejects.toThrow(UnknownResult);
  expect(vendor.requests).toHaveLength(4);
  await vendor.close();
});

test('a private key of PKCS #8 in PEM, as merchants have it, signs the same', () => {
  const key = createPrivateKey(ours.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const message = Formatter.request('GET', '/v3/x', 1, 'n', '');
  expect(Rsa.sign(message, key)).toBe(Rsa.sign(message, ours.privateKey));
});
