/** SMS, mail and real name against fakes that check what the real ones check; the signatures by the vectors of their documents. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pino from 'pino';
import { acs3Authorization } from '#server/adapters/aliyun-client.ts';
import { tc3Authorization } from '#server/adapters/sms/tencent.ts';
import type { Environment } from '#server/adapters/vendor-request.ts';
import { openRealName, openSms } from '#server/adapters/vendors.ts';
import { loadConfig } from '#server/config/config.ts';
import { UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import { createVendorRegistry } from '#server/kernel/vendors.ts';
import type { SmsMessage } from '#server/ports/sms.ts';
import { FakeAliyun } from '#tests/support/fakes/aliyun.ts';
import { FakeTencentSms } from '#tests/support/fakes/tencent-sms.ts';

let aliyun: FakeAliyun;
let tencent: FakeTencentSms;
let aliyunUrl = '';
let tencentUrl = '';
let nonces = 0;
let phones = 0;

const environment: Environment = { fetch, now: () => new Date(), nonce: () => `nonce${++nonces}`, limitMs: 400 };

beforeAll(async () => {
  aliyun = new FakeAliyun();
  tencent = new FakeTencentSms();
  [aliyunUrl, tencentUrl] = await Promise.all([aliyun.listen(), tencent.listen()]);
});
beforeEach(() => {
  aliyun.mend();
  tencent.mend();
  aliyun.smsCode = '';
  aliyun.idCode = '200';
  tencent.error = '';
});
afterAll(() => Promise.all([aliyun.close(), tencent.close()]));

function open(env: Record<string, string>) {
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://u:p@db.example/market',
    SECRET: 'a secret of tests, long enough to be taken',
    ALIYUN_SMS_BASE: aliyunUrl,
    ALIYUN_SMS_KEY_ID: aliyun.keyId,
    ALIYUN_SMS_KEY_SECRET: aliyun.keySecret,
    ALIYUN_SMS_SIGN: '游市',
    ALIYUN_SMS_SIGNS: 'moon=月光游市',
    ALIYUN_SMS_TEMPLATES: 'code=SMS_CODE,code.register=SMS_REGISTER,notice=SMS_NOTICE',
    TENCENT_SMS_BASE: tencentUrl,
    TENCENT_SMS_SECRET_ID: tencent.secretId,
    TENCENT_SMS_SECRET_KEY: tencent.secretKey,
    TENCENT_SMS_APP_ID: tencent.appId,
    TENCENT_SMS_SIGN: '游市',
    TENCENT_SMS_TEMPLATES: 'code=1000001,notice=1000002',
    ALIYUN_ID_BASE: aliyunUrl,
    ALIYUN_ID_KEY_ID: aliyun.keyId,
    ALIYUN_ID_KEY_SECRET: aliyun.keySecret,
    ...env,
  });
  const registry = createVendorRegistry();
  return { config, registry, environment, log: pino({ level: 'silent' }) };
}

function smsOf(env: Record<string, string>) {
  const opening = open(env);
  const sms = openSms(opening);
  if (!sms) throw new Error('off');
  return { sms, registry: opening.registry };
}

const message = (more: Partial<SmsMessage> = {}): SmsMessage => ({
  phone: `139${String(++phones).padStart(8, '0')}`,
  code: '123456',
  purpose: 'login',
  site: '游市',
  siteCode: 'platform',
  ...more,
});
const notice = (more: Partial<SmsMessage> = {}) =>
  message({ code: '', purpose: 'order.paid', title: '订单已付款', text: '请尽快发货', ...more });
const thrown = async (work: Promise<unknown>): Promise<unknown> => await work.catch((error: unknown) => error);

it('signs like the test vectors', () => {
  const authorization = acs3Authorization(
    { keyId: 'AK', keySecret: 'SK_TEST' },
    {
      method: 'POST',
      query:
        'PhoneNumbers=13800138000&SignName=%E6%B5%8B%E8%AF%95%E7%AD%BE%E5%90%8D&TemplateCode=SMS_000001&TemplateParam=%7B%22code%22%3A%22123456%22%7D',
      headers: {
        host: 'dysmsapi.aliyuncs.com',
        'x-acs-action': 'SendSms',
        'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-acs-date': '2024-01-01T19:04:05Z',
        'x-acs-signature-nonce': '5a3c1f0e000040008000000000000001',
        'x-acs-version': '2017-05-25',
      },
      bodyHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  );
  expect(authorization).toContain('Signature=af85f1013740115f12b709b1dda459c0475ad5a1a95a6a9f2bb0c7dd9cdef23a');
  const cvm = tc3Authorization(
    { secretId: 'ID', secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******' },
    {
      service: 'cvm',
      host: 'cvm.tencentcloudapi.com',
      action: 'DescribeInstances',
      body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
      at: 1551113065,
    },
  );
  expect(cvm).toContain('Signature=be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3');
  const sms = tc3Authorization(
    { secretId: 'ID', secretKey: 'SK_TEST' },
    {
      service: 'sms',
      host: 'sms.tencentcloudapi.com',
      action: 'SendSms',
      body: '{"PhoneNumberSet":["+8613800138000"],"SmsSdkAppId":"1400000000","SignName":"测试签名","TemplateId":"1000001","TemplateParamSet":["123456"]}',
      at: 1704135845,
    },
  );
  expect(sms).toContain('Signature=44185575342ae2d8ca9e213fbc54aa1a3dfe97f6d09bc1adbb0cc1c71b06f31a');
});

describe.each(['aliyun', 'tencent'])('SMS at %s', (vendor) => {
  const fake = () => (vendor === 'aliyun' ? aliyun : tencent);
  const sentTo = (phone: string) => fake().sent.filter((m) => m.phone.endsWith(phone));

  it('sends a code and a notice with their templates, shortened to the variable’s limit', async () => {
    const { sms } = smsOf({ SMS: vendor });
    const code = message();
    expect(await sms.send(code)).toBe('sent');
    const long = notice({ text: `请看 https://market.example/o/1 ${'长'.repeat(60)}` });
    expect(await sms.send(long)).toBe('sent');
    expect(JSON.stringify(sentTo(code.phone)[0]?.params)).toContain('123456');
    const text = JSON.stringify(sentTo(long.phone)[0]?.params);
    expect(text).toContain('订单已付款');
    expect(text).toContain('…');
    expect(text).not.toContain('https');
  });

  it('throws the vendor’s rejections by their kind, and sends nothing', async () => {
    const { sms } = smsOf({ SMS: vendor });
    expect(await thrown(sms.send(message({ phone: '99900000000' })))).toMatchObject({ kind: 'input' });
    const again = message();
    await sms.send(again);
    expect(await thrown(sms.send(again))).toMatchObject({ kind: 'limit' });
    const wrong = smsOf({ SMS: vendor, ALIYUN_SMS_KEY_SECRET: 'x', TENCENT_SMS_SECRET_KEY: 'x' });
    expect(await thrown(wrong.sms.send(message()))).toMatchObject({ kind: 'account' });
    const unsigned = smsOf({ SMS: vendor, ALIYUN_SMS_SIGN: '别家', TENCENT_SMS_SIGN: '别家' });
    expect(await thrown(unsigned.sms.send(message()))).toMatchObject({ kind: 'account' });
    expect(sentTo(again.phone)).toHaveLength(1);
  });

  it('sends once and reports it unknown when the response is missing', async () => {
    const { sms } = smsOf({ SMS: vendor });
    for (const fault of ['hang', 'error500', 'malformed', 'refuse'] as const) {
      fake().fail(/^SendSms$/, fault);
      const m = message();
      const before = fake().count(/^SendSms$/);
      const delivery = await sms.send(m);
      // Aliyun's receipts tell that a message with a broken answer was accepted.
      expect([fault, delivery]).toEqual([fault, vendor === 'aliyun' && fault === 'malformed' ? 'sent' : 'unknown']);
      expect(fake().count(/^SendSms$/)).toBe(before + 1);
      expect(sentTo(m.phone).length).toBeLessThanOrEqual(1);
    }
  });

  it('opens its circuit breaker, and reports that nothing was sent', async () => {
    const { sms, registry } = smsOf({ SMS: vendor });
    fake().fail(/./, 'error500', 50);
    for (let i = 0; i < 5; i++) expect(await sms.send(message())).toBe('unknown');
    const before = fake().count(/^SendSms$/);
    expect(await thrown(sms.send(message()))).toBeInstanceOf(VendorUnavailable);
    expect(fake().count(/^SendSms$/)).toBe(before);
    expect(registry.list()[0]?.circuit()).toBe('open');
  });

  it('retries a request that was never sent, and then reports it', async () => {
    const { sms } = smsOf({
      SMS: vendor,
      ALIYUN_SMS_BASE: 'http://127.0.0.1:65533',
      TENCENT_SMS_BASE: 'http://127.0.0.1:65533',
    });
    expect(await thrown(sms.send(message()))).toBeInstanceOf(VendorUnavailable);
  });
});

it('uses the brand’s signature and the kind’s template', async () => {
  const { sms } = smsOf({ SMS: 'aliyun' });
  await sms.send(message({ siteCode: 'moon', purpose: 'register' }));
  expect(aliyun.sent.at(-1)).toMatchObject({ sign: '月光游市', template: 'SMS_REGISTER' });
  expect(sms.carries?.('order.paid')).toBe(true);
  const bare = smsOf({ SMS: 'aliyun', ALIYUN_SMS_TEMPLATES: 'code=SMS_CODE,notice.order_paid=SMS_NOTICE' });
  expect(bare.sms.carries?.('order.paid')).toBe(true);
  expect(bare.sms.carries?.('order.shipped')).toBe(false);
  expect(await thrown(bare.sms.send(notice({ purpose: 'order.shipped' })))).toMatchObject({ kind: 'account' });
});

it('queries Aliyun’s receipts when the response to an accepted message is lost', async () => {
  const { sms } = smsOf({ SMS: 'aliyun' });
  aliyun.fail(/^SendSms$/, 'lost');
  const m = message({ ref: 'n77' });
  expect(await sms.send(m)).toBe('sent');
  expect(aliyun.sent.filter((one) => one.phone === m.phone)).toHaveLength(1);
  expect(aliyun.sent.at(-1)?.outId).toBe('n77');
});

describe('a fallback vendor', () => {
  const both = { SMS: 'aliyun,tencent' };

  it('takes over from a vendor that is unavailable, out of money or of service', async () => {
    const m = message();
    const away = smsOf({ ...both, ALIYUN_SMS_BASE: 'http://127.0.0.1:65533' });
    expect(await away.sms.send(m)).toBe('sent');
    expect(tencent.sent.at(-1)?.phone).toBe(`+86${m.phone}`);
    const { sms } = smsOf(both);
    for (const code of ['isv.AMOUNT_NOT_ENOUGH', 'isv.OUT_OF_SERVICE']) {
      aliyun.smsCode = code;
      const next = message();
      expect(await sms.send(next)).toBe('sent');
      expect(tencent.sent.at(-1)?.phone).toBe(`+86${next.phone}`);
    }
  });

  it('does not resend what the first may have sent, nor bypass a limit', async () => {
    const { sms } = smsOf(both);
    const before = tencent.sent.length;
    aliyun.fail(/^SendSms$/, 'hang');
    expect(await sms.send(message())).toBe('unknown');
    aliyun.smsCode = 'isv.BUSINESS_LIMIT_CONTROL';
    expect(await thrown(sms.send(message()))).toMatchObject({ kind: 'limit', retryAfterSeconds: undefined });
    expect(tencent.sent.length).toBe(before);
    aliyun.smsCode = '';
    const { phone } = message();
    await sms.send(message({ phone }));
    expect(await thrown(sms.send(message({ phone })))).toMatchObject({ kind: 'limit', retryAfterSeconds: 60 });
  });
});

describe('real names at Aliyun', () => {
  const person = { name: '张三', idNo: '110101199003077774', phone: '13800138000' };
  const source = (env: Record<string, string> = {}) => {
    const found = openRealName(open({ REAL_NAME: 'aliyun', ...env }));
    if (!found) throw new Error('off');
    return found;
  };
  beforeEach(() => aliyun.people.set(person.idNo, { name: '张三', phone: '13800138000' }));

  it.each(['2', '3'])('distinguishes match, mismatch and no record of %s elements', async (REAL_NAME_ELEMENTS) => {
    const realName = source({ REAL_NAME_ELEMENTS });
    expect((await realName.verify(person)).outcome).toBe('match');
    expect((await realName.verify({ ...person, name: '李四' })).outcome).toBe('mismatch');
    expect((await realName.verify({ ...person, idNo: '11010519491231002X' })).outcome).toBe('unknown');
    const other = await realName.verify({ ...person, phone: '13900139000' });
    expect(other.outcome).toBe(REAL_NAME_ELEMENTS === '3' ? 'mismatch' : 'match');
  });

  it.each([
    ['400', 'input'],
    ['402', 'busy'],
    ['403', 'busy'],
    ['410', 'account'],
    ['412', 'account'],
  ])('treats code %s as a check that was not made (%s)', async (code, kind) => {
    aliyun.idCode = code;
    const error = await thrown(source().verify(person));
    expect(error).toBeInstanceOf(VendorRejected);
    expect(error).toMatchObject({ kind });
  });

  it('starts a face check at the vendor’s page, and accepts the server’s result only', async () => {
    const face = source({ ALIYUN_FACE_SCENE: '1000000001', ALIYUN_FACE_SCRIPT: 'http://127.0.0.1:1/face.js' }).face;
    expect(face?.browserScript).toBe('http://127.0.0.1:1/face.js');
    const request = { number: 'f'.repeat(32), backUrl: 'https://shop.example/back', metaInfo: '{"deviceType":"h5"}' };
    const begun = await face?.begin(person, request);
    const stored = aliyun.faces.get(begun?.ref ?? '');
    expect(stored).toMatchObject({ number: request.number, backUrl: request.backUrl, idNo: person.idNo });
    expect(begun?.url).toContain(begun?.ref ?? '-');
    expect(await face?.outcome(begun?.ref ?? '')).toBe('pending');
    if (stored) stored.passed = false;
    expect(await face?.outcome(begun?.ref ?? '')).toBe('failed');
    if (stored) stored.passed = true;
    expect(await face?.outcome(begun?.ref ?? '')).toBe('passed');
    expect(await thrown(face?.begin(person, request) ?? Promise.resolve())).toBeInstanceOf(VendorRejected);
    expect(await thrown(face?.outcome('none') ?? Promise.resolve())).toMatchObject({ kind: 'input' });
    expect(source().face).toBeUndefined();
  });

  it('gives no result without one, and calls once', async () => {
    for (const fault of ['hang', 'lost', 'error500', 'malformed'] as const) {
      aliyun.fail(/Verify$/, fault);
      const before = aliyun.count(/Verify$/);
      expect(await thrown(source().verify(person)), fault).toBeInstanceOf(UnknownResult);
      expect(aliyun.count(/Verify$/)).toBe(before + 1);
    }
    aliyun.idCode = '500';
    expect(await thrown(source().verify(person))).toBeInstanceOf(UnknownResult);
  });
});
