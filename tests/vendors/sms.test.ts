/** SMS: Aliyun's and Tencent's published SDKs sign like the adapters, and both are accepted by the fakes. */
import { Agent } from 'node:http';
import Sms, { QuerySendDetailsRequest, SendSmsRequest } from '@alicloud/dysmsapi20170525';
import { $OpenApiUtil, OpenApiUtil } from '@alicloud/openapi-core';
import { sms as tencentSdk } from 'tencentcloud-sdk-nodejs-sms';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aliyunSms } from '#server/adapters/sms/aliyun.ts';
import { tencentSms } from '#server/adapters/sms/tencent.ts';
import type { SmsMessage } from '#server/ports/sms.ts';
import { FakeAliyun } from '#tests/support/fakes/aliyun.ts';
import { FakeTencentSms } from '#tests/support/fakes/tencent-sms.ts';
import { ODD_TEXTS, recordingEnvironment, startRecorder } from './recorder.ts';

const aliyun = new FakeAliyun();
const tencent = new FakeTencentSms();
const { environment, sent } = recordingEnvironment();
let aliyunUrl = '';
let tencentUrl = '';
let phones = 0;

beforeAll(async () => {
  [aliyunUrl, tencentUrl] = await Promise.all([aliyun.listen(), tencent.listen()]);
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(() => Promise.all([aliyun.close(), tencent.close()]));

const nextPhone = (): string => `139${String(++phones).padStart(8, '0')}`;
const notice = (text: string): SmsMessage => ({
  phone: nextPhone(),
  code: '',
  purpose: 'order.paid',
  site: '游市',
  siteCode: 'platform',
  title: '订单已付款',
  text,
  ref: 'n77',
});
const texts = (templates: [string, string][]) => ({
  sign: '游市',
  signs: new Map<string, string>(),
  templates: new Map(templates),
});

const aliyunAdapter = () =>
  aliyunSms(
    {
      kind: 'aliyun',
      base: aliyunUrl,
      keyId: aliyun.keyId,
      keySecret: aliyun.keySecret,
      ...texts([['notice', 'SMS_NOTICE']]),
    },
    environment,
  );
const tencentAdapter = (base = tencentUrl) =>
  tencentSms(
    {
      kind: 'tencent',
      base,
      secretId: tencent.secretId,
      secretKey: tencent.secretKey,
      appId: tencent.appId,
      region: 'ap-guangzhou',
      ...texts([['notice', '1000002']]),
    },
    environment,
  );

describe('Aliyun', () => {
  test.each(ODD_TEXTS)('the SDK computes the adapter’s signature of a notice with %j', async (text) => {
    expect(await aliyunAdapter().send(notice(text))).toBe('sent');
    const [call] = sent;
    if (!call) throw new Error('no request');
    const { url } = call;
    const { authorization = '', ...headers } = call.headers;
    const by = (query: Record<string, string>) =>
      OpenApiUtil.getAuthorization(
        { pathname: '/', method: 'POST', query, headers: { ...headers, host: url.host } } as never,
        'ACS3-HMAC-SHA256',
        headers['x-acs-content-sha256'] ?? '',
        aliyun.keyId,
        aliyun.keySecret,
      );
    const query = Object.fromEntries(url.searchParams);
    expect(by(query)).toBe(authorization);
    expect(by({ ...query, PhoneNumbers: '13900000000' })).not.toBe(authorization);
  });

  const sdk = (accessKeySecret: string) =>
    new Sms(
      new $OpenApiUtil.Config({
        accessKeyId: aliyun.keyId,
        accessKeySecret,
        endpoint: new URL(aliyunUrl).host,
        protocol: 'HTTP',
      }),
    );

  test('the SDK’s own messages and queries are accepted, its message is found by the adapter’s', async () => {
    const m = notice('x');
    const request = new SendSmsRequest({
      phoneNumbers: m.phone,
      signName: '游市',
      templateCode: 'SMS_NOTICE',
      templateParam: JSON.stringify({ title: '订单已付款', content: "*'()!~ +" }),
      outId: 'sdk1',
    });
    expect((await sdk(aliyun.keySecret).sendSms(request)).body?.code).toBe('OK');
    await aliyunAdapter().send({ ...m, ref: 'ours1' });
    const details = await sdk(aliyun.keySecret).querySendDetails(
      new QuerySendDetailsRequest({ phoneNumber: m.phone, sendDate: '20261129', pageSize: 10, currentPage: 1 }),
    );
    const list = details.body?.smsSendDetailDTOs?.smsSendDetailDTO ?? [];
    expect(list.map(({ outId }) => String(outId)).toSorted((a, b) => a.localeCompare(b))).toEqual(['ours1', 'sdk1']);
    await expect(sdk('wrong').sendSms(request)).rejects.toThrow(/SignatureDoesNotMatch/);
  });
});

describe('Tencent', () => {
  const message = (phone: string) => ({
    PhoneNumberSet: [`+86${phone}`],
    SmsSdkAppId: tencent.appId,
    SignName: '游市',
    TemplateId: '1000002',
    TemplateParamSet: ['订单已付款', "😀 *'()!~ +"],
    SessionContext: 'n77',
  });
  // The SDK takes the service that it signs for from the host's name, so only the connection is led to the loopback.
  const loopback = new Agent({
    lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const sdk = (url: string, secretKey = tencent.secretKey) =>
    new tencentSdk.v20210111.Client({
      credential: { secretId: tencent.secretId, secretKey },
      region: 'ap-guangzhou',
      profile: {
        httpProfile: { protocol: 'http://', endpoint: `sms.tencentcloudapi.com:${new URL(url).port}`, agent: loopback },
      },
    });

  test('the SDK’s own message is accepted; with another key it is refused', async () => {
    const phone = nextPhone();
    const { SendStatusSet: [status] = [] } = await sdk(tencentUrl).SendSms(message(phone));
    expect(status).toMatchObject({ Code: 'Ok', PhoneNumber: `+86${phone}` });
    await expect(sdk(tencentUrl, 'wrong').SendSms(message(phone))).rejects.toThrow(/SignatureFailure/);
  });

  test('the adapter sends the body, version and region that the SDK sends', async () => {
    const vendor = await startRecorder((_, response) =>
      response.end(JSON.stringify({ Response: { SendStatusSet: [{ Code: 'Ok' }], RequestId: 'r' } })),
    );
    const m = notice("😀 *'()!~ +");
    await tencentAdapter(vendor.url).send(m);
    await sdk(vendor.url).SendSms(message(m.phone));
    const [ours, theirs] = vendor.requests;
    expect(JSON.parse(ours?.body ?? '')).toEqual(JSON.parse(theirs?.body ?? ''));
    for (const name of ['x-tc-action', 'x-tc-version', 'x-tc-region'])
      expect([name, ours?.headers[name]]).toEqual([name, theirs?.headers[name]]);
    await vendor.close();
  });

  test.each(ODD_TEXTS)('the adapter’s notice with %j is accepted by the same check', async (text) => {
    expect(await tencentAdapter().send(notice(text))).toBe('sent');
  });
});
