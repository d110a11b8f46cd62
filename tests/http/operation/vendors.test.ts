/** Vendors in the market: what is off says so, what gave no verdict records none, and what staff tries is limited and recorded. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  tryOfficialAccount,
  tryPay,
  tryPush,
  trySms,
  tryWechatLogin,
  vendorList,
} from '#subjects/back-office/contract/vendors.ts';
import { noticeSettings } from '#subjects/notices/contract/inbox.ts';
import { pushSubscribe } from '#subjects/notices/contract/notice.ts';
import {
  bindWeChatOfficialAccountPush,
  bindWeChatOfficialAccountPushStatus,
  PublicWechatQRCode,
} from '#subjects/notices/contract/wechat-push.ts';
import { thirdPartyBindings, wechatLogin } from '#subjects/accounts/contract/wechat.ts';
import { sendEmailCode } from '#subjects/accounts/contract/email-and-closing.ts';
import { codes } from '#contract/codes.ts';
import {
  beginFaceCheck,
  certificateInfo,
  finishFaceCheck,
  submitCertificate,
} from '#subjects/verification/contract/identity.ts';
import { clientSms } from '#subjects/accounts/contract/sms.ts';
import { trialKeyOf, trialResults } from '#subjects/back-office/server/system/vendors.ts';
import { sweepTrust } from '#subjects/verification/server/black-report.ts';
import { newPhone, type TestApp, testApp } from '#tests/support/servers/build.ts';
import { FakeAliyun } from '#tests/support/fakes/aliyun.ts';
import { FakeWeixin } from '#tests/support/fakes/weixin.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';

let fake: FakeAliyun;
let base = '';
let t: TestApp | undefined;
beforeEach(async () => {
  fake = new FakeAliyun();
  base = await fake.listen();
});
afterEach(async () => {
  await t?.close();
  await fake.close();
});

const sms = () => ({
  SMS: 'aliyun',
  ALIYUN_SMS_BASE: base,
  ALIYUN_SMS_KEY_ID: fake.keyId,
  ALIYUN_SMS_KEY_SECRET: fake.keySecret,
  ALIYUN_SMS_SIGN: '游市',
  ALIYUN_SMS_TEMPLATES: 'code=SMS_CODE',
});
const identity = () => ({
  REAL_NAME: 'aliyun',
  ALIYUN_ID_BASE: base,
  ALIYUN_ID_KEY_ID: fake.keyId,
  ALIYUN_ID_KEY_SECRET: fake.keySecret,
});
const idCard = idCardFrom17('11010119900307655');
const person = { realName: '欧阳明月', idCard };

test('a service that is switched off says so, and no rule depends on it', async () => {
  t = await testApp({ env: { SMS: 'off', MAIL: 'off', REAL_NAME: 'off' } });
  const user = await t.newUser({ verified: false });
  expect((await user.client.ok(certificateInfo, {})).isOpen).toBe(false);
  expect((await user.client.call(submitCertificate, person)).code).toBe(codes.VENDOR_OFF[0]);
  expect((await t.client().call(clientSms, { phone: newPhone(), type: 'register' })).code).toBe(codes.VENDOR_OFF[0]);
  expect((await user.client.call(sendEmailCode, { email: 'a@example.com' })).code).toBe(codes.VENDOR_OFF[0]);
  expect((await user.client.ok(certificateInfo, {})).authStatus).toBe(0);
  const admin = await t.newStaff({ role: 'admin' });
  const { list } = await admin.client.ok(vendorList, {});
  const ours = list.filter(({ key }) => ['sms', 'mail', 'real-name'].includes(key));
  expect(ours.map(({ key, state, trial }) => [key, state, trial])).toEqual([
    ['sms', 'off', null],
    ['mail', 'off', null],
    ['real-name', 'off', null],
  ]);
  expect((await admin.client.call(trySms, { phone: newPhone() })).code).toBe(codes.VENDOR_OFF[0]);
});

test('a code is sent by the vendor, and a lost response is reported', async () => {
  t = await testApp({ env: sms() });
  const phone = newPhone();
  expect(await t.client().ok(clientSms, { phone, type: 'register' })).toMatchObject({ unconfirmed: false });
  expect(fake.sent).toMatchObject([{ phone, sign: '游市', template: 'SMS_CODE' }]);
  fake.fail(/./, 'error500', 2);
  expect(await t.client().ok(clientSms, { phone: newPhone(), type: 'register' })).toMatchObject({ unconfirmed: true });
  fake.smsCode = 'isv.BUSINESS_LIMIT_CONTROL';
  expect((await t.client().call(clientSms, { phone: newPhone(), type: 'register' })).code).toBe(codes.SMS_TOO_OFTEN[0]);
  fake.smsCode = 'isv.MOBILE_NUMBER_ILLEGAL';
  expect(await t.client().call(clientSms, { phone: newPhone(), type: 'register' })).toMatchObject({
    code: codes.BAD_INPUT[0],
    field: 'phone',
  });
});

test('a lost result is not recorded; a rejected check costs no attempt; two concurrent ones are billed once', async () => {
  t = await testApp({ env: identity() });
  fake.people.set(idCard, { name: person.realName, phone: '' });
  const user = await t.newUser({ verified: false });
  fake.fail(/Verify$/, 'lost');
  expect((await user.client.call(submitCertificate, person)).code).toBe(codes.REAL_NAME_UNCLEAR[0]);
  expect((await user.client.ok(certificateInfo, {})).authStatus).toBe(0);
  fake.idCode = '402';
  for (let i = 0; i < 6; i++) expect((await user.client.call(submitCertificate, person)).code).toBe(codes.BUSY[0]);
  fake.idCode = '200';
  fake.billed = 0;
  const both = await Promise.all(Array.from({ length: 4 }, () => user.client.call(submitCertificate, person)));
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(fake.billed).toBe(1);
  expect((await user.client.ok(certificateInfo, {})).authStatus).toBe(2);
});

test('a face check is recorded by the vendor’s result only, once, and abandoned ones are deleted', async () => {
  const face = { ALIYUN_FACE_SCENE: '1000000001', ALIYUN_FACE_SCRIPT: 'http://127.0.0.1:1/face.js' };
  t = await testApp({ env: { ...identity(), ...face } });
  const user = await t.newUser({ verified: false });
  expect((await user.client.ok(certificateInfo, {})).face).toEqual({ script: face.ALIYUN_FACE_SCRIPT, isBegun: false });
  const input = { ...person, metaInfo: '{"deviceType":"h5"}' };
  expect(await user.client.call(beginFaceCheck, { ...input, isAgreed: false })).toMatchObject({
    code: codes.BAD_INPUT[0],
    field: 'isAgreed',
  });
  expect(fake.faces.size).toBe(0);
  expect((await user.client.call(finishFaceCheck, {})).code).toBe(codes.NOT_FOUND[0]);
  const { url } = await user.client.ok(beginFaceCheck, { ...input, isAgreed: true });
  const [ref = '', begun] = [...fake.faces][0] ?? [];
  expect(url).toContain(ref);
  expect(begun?.backUrl).toMatch(/\/center\/myself\/identityAuthentication\?face=1$/);
  const { rows } = await sql<{ text: string }>`
    select r::text || u.auth_status as text from real_name r join app_user u on u.id = r.user_id where r.user_id = ${user.id}`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.text).toMatch(/0$/);
  expect(rows[0]?.text).not.toContain(idCard);

  // The browser comes back before the face was shown: nothing is proved by that.
  expect((await user.client.call(finishFaceCheck, {})).code).toBe(codes.REAL_NAME_UNCLEAR[0]);
  fake.fail(/^DescribeFaceVerify$/, 'lost');
  expect((await user.client.call(finishFaceCheck, {})).code).toBe(codes.REAL_NAME_UNCLEAR[0]);
  if (begun) begun.passed = true;
  const both = await Promise.all([1, 2].map(() => user.client.call(finishFaceCheck, {})));
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await user.client.ok(certificateInfo, {})).toMatchObject({
    authStatus: 2,
    nameMask: '欧***',
    face: { isBegun: false },
  });

  const stranger = await t.newUser({ verified: false });
  await stranger.client.ok(beginFaceCheck, { ...input, isAgreed: true });
  const second = [...fake.faces.values()][1];
  if (second) second.passed = true;
  expect((await stranger.client.call(finishFaceCheck, {})).code).toBe(codes.REAL_NAME_USED[0]);
  if (second) second.passed = false;
  expect((await stranger.client.call(finishFaceCheck, {})).code).toBe(codes.REAL_NAME_MISMATCH[0]);
  expect((await stranger.client.call(finishFaceCheck, {})).code).toBe(codes.NOT_FOUND[0]);
  await sweepTrust(t.ctx);
  const left = await sql`select from real_name where user_id = ${stranger.id}`.execute(t.ctx.db);
  expect(left.rows).toHaveLength(0);
});

test('face checks count as attempts of the day, and are disabled where the operator has none', async () => {
  t = await testApp({ env: identity() });
  const user = await t.newUser({ verified: false });
  expect((await user.client.ok(certificateInfo, {})).face).toBeNull();
  const begin = { ...person, metaInfo: '{"deviceType":"h5"}', isAgreed: true };
  expect((await user.client.call(beginFaceCheck, begin)).code).toBe(codes.VENDOR_OFF[0]);
  await t.close();
  t = await testApp({
    env: { ...identity(), ALIYUN_FACE_SCENE: '1000000001', ALIYUN_FACE_SCRIPT: 'http://127.0.0.1:1/face.js' },
  });
  const other = await t.newUser({ verified: false });
  for (let i = 0; i < 5; i++) await other.client.ok(beginFaceCheck, begin);
  expect((await other.client.call(beginFaceCheck, begin)).code).toBe(codes.REAL_NAME_TRIES[0]);
  expect((await other.client.call(submitCertificate, person)).code).toBe(codes.REAL_NAME_TRIES[0]);
});

test('staff test a vendor: figures, record without the number, and a limit', async () => {
  t = await testApp({ env: sms() });
  const admin = await t.newStaff({ role: 'admin' });
  const phone = newPhone();
  expect(await admin.client.ok(trySms, { phone })).toMatchObject({ ok: true });
  expect(fake.sent).toMatchObject([{ phone }]);
  fake.smsCode = 'isv.AMOUNT_NOT_ENOUGH';
  const failed = await admin.client.ok(trySms, { phone: newPhone() });
  expect(failed).toMatchObject({ ok: false });
  expect(failed.text).toContain('isv.AMOUNT_NOT_ENOUGH');
  const { list } = await admin.client.ok(vendorList, {});
  expect(list.find(({ key }) => key === 'sms.aliyun')).toMatchObject({
    key: 'sms.aliyun',
    state: 'on',
    circuit: 'closed',
    calls: 2,
    rejected: 1,
    failures: 0,
    lastError: 'isv.AMOUNT_NOT_ENOUGH',
    trial: 'sms',
  });
  const { rows } = await sql<{
    text: string;
  }>`select a::text as text from audit_log a where act = 'vendor.try'`.execute(t.ctx.db);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(phone);
  await sql`update limit_counter set hits = 20 where key = 'vendor-trials'`.execute(t.ctx.db);
  expect((await admin.client.call(trySms, { phone: newPhone() })).code).toBe(codes.RATE_LIMITED[0]);
});

test('WeChat switched off: no fake is created, calls report it, and bindings can still be removed', async () => {
  t = await testApp({ env: { WECHAT_LOGIN: 'off', OFFICIAL_ACCOUNT: 'off', MAIL: 'off' } });
  expect([t.ctx.wechatLogin, t.ctx.officialAccount, t.ctx.mail]).toEqual([undefined, undefined, undefined]);
  const user = await t.newUser();
  await sql`insert into third_party_binding (user_id, provider, open_id) values (${user.id}, 'wechat_push', 'o-old')`.execute(
    t.ctx.db,
  );
  const off = codes.VENDOR_OFF[0];
  expect((await t.client().call(wechatLogin, { act: 'login' })).code).toBe(off);
  expect((await t.client().call(PublicWechatQRCode, {})).code).toBe(off);
  expect((await user.client.call(bindWeChatOfficialAccountPush, { act: 'bind' })).code).toBe(off);
  expect(await user.client.ok(bindWeChatOfficialAccountPushStatus, {})).toMatchObject({ status: 1, isOpen: false });
  await user.client.ok(bindWeChatOfficialAccountPush, { act: 'unbind' });
  expect((await user.client.ok(bindWeChatOfficialAccountPushStatus, {})).status).toBe(0);
  const { list } = await user.client.ok(thirdPartyBindings, {});
  expect(list.find(({ provider }) => provider === 'wechat')?.open).toBe(false);
  const { kinds, reach } = await user.client.ok(noticeSettings, {});
  expect([kinds[0]?.offered, reach]).toEqual([['site', 'sms', 'push'], ['sms']]);
  expect((await t.client().raw({ method: 'GET', url: '/api/pay/payer?payRand=abcdefgh12' })).statusCode).toBe(409);
  expect((await t.client().raw({ method: 'GET', url: '/api/wechat/push?echostr=x' })).statusCode).toBe(404);
  const admin = await t.newStaff({ role: 'admin' });
  for (const [call, input] of [
    [tryWechatLogin, {}],
    [tryOfficialAccount, { phone: user.phone }],
  ] as const)
    expect((await admin.client.call(call, input as never)).code).toBe(off);
  const states = (await admin.client.ok(vendorList, {})).list
    .filter(({ key }) => ['wechat-login', 'official-account'].includes(key))
    .toSorted((a, b) => a.key.localeCompare(b.key))
    .map(({ key, state, trial }) => [key, state, trial]);
  expect(states).toEqual([
    ['official-account', 'off', null],
    ['wechat-login', 'off', null],
  ]);
});

test('every vendor has its test, and its figures in the metrics', async () => {
  const weixin = new FakeWeixin();
  const apiBase = await weixin.listen();
  t = await testApp({
    env: {
      METRICS_TOKEN: 'a-token-of-metrics',
      WECHAT_API_BASE: apiBase,
      WECHAT_APP_ID: weixin.appId,
      WECHAT_APP_SECRET: weixin.secret,
      OFFICIAL_ACCOUNT: 'wechat',
      WECHAT_OA_TITLE: '游市提醒',
      WECHAT_OA_FOLLOW_URL: 'http://weixin.qq.com/r/abc',
      WECHAT_OA_TOKEN: weixin.pushToken,
      WECHAT_OA_TEMPLATE: weixin.templateId,
    },
  });
  const admin = await t.newStaff({ role: 'admin' });
  const user = await t.newUser();
  expect(await admin.client.ok(tryPay, { channel: 'sandbox' })).toMatchObject({ ok: true });
  expect((await admin.client.call(tryPay, { channel: 'alipay' })).code).toBe(codes.VENDOR_OFF[0]);
  expect(await admin.client.ok(tryWechatLogin, {})).toEqual({ ok: true, text: '微信应答正常，应用编号和密钥都对' });
  weixin.fail(/access_token/, 'malformed');
  expect(await admin.client.ok(tryWechatLogin, {})).toMatchObject({ ok: false });
  expect(await admin.client.call(tryOfficialAccount, { phone: user.phone })).toMatchObject({
    code: codes.BAD_INPUT[0],
    field: 'phone',
    msg: '没有发出：没有绑定公众号',
  });
  await sql`insert into third_party_binding (user_id, provider, open_id) values (${user.id}, 'wechat_push', 'o7')`.execute(
    t.ctx.db,
  );
  weixin.followers.add('o7');
  expect(await admin.client.ok(tryOfficialAccount, { phone: user.phone })).toMatchObject({ ok: true });
  expect(weixin.sent).toMatchObject([{ openid: 'o7', title: '测试消息' }]);
  expect(await admin.client.call(tryPush, { phone: newPhone() })).toMatchObject({ field: 'phone' });
  expect((await admin.client.call(tryPush, { phone: user.phone })).msg).toContain('没有可推送的浏览器');
  await user.client.ok(pushSubscribe, {
    endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/abc',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  });
  // No push service is reached from here.
  expect(await admin.client.ok(tryPush, { phone: user.phone })).toMatchObject({ ok: false });
  const { list } = await admin.client.ok(vendorList, {});
  // The search engine is tried with a brand's own token, on the brand's page.
  expect(list.flatMap(({ trial, key }) => (trial === null ? [key] : []))).toEqual(['link-push']);
  expect(list.map(({ key }) => key).toSorted()).toEqual(
    // SMS and mail are stood in for by the test itself.
    [
      'link-push',
      'official-account',
      'pay.sandbox',
      'push.apple',
      'push.fcm',
      'push.mozilla',
      'push.windows',
      'real-name',
      'wechat-login',
    ].toSorted(),
  );
  const metrics = await t.app.http.inject({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: 'Bearer a-token-of-metrics' },
  });
  for (const { key } of list) expect(metrics.body).toContain(`vendor_circuit{vendor="${key}"} 0`);
  expect(metrics.body).toContain('vendor_calls_total{vendor="pay.sandbox",call="query",outcome="ok"} 1');
  expect(metrics.body).toMatch(
    /vendor_calls_total\{vendor="push\.mozilla",call="send",outcome="(unreached|unknown)"\} 1/,
  );
  await weixin.close();
});

test('the newest result of each trial is recorded, also of one that failed', async () => {
  t = await testApp({ env: sms() });
  const admin = await t.newStaff({ role: 'admin' });
  expect(await trialResults(t.ctx)).toEqual(new Map());
  fake.fail(/./, 'error500', 2);
  await admin.client.ok(trySms, { phone: newPhone() });
  expect((await trialResults(t.ctx)).get('sms')).toMatchObject({ ok: false });
  await admin.client.ok(trySms, { phone: newPhone() });
  await admin.client.ok(tryPay, { channel: 'sandbox' });
  const results = await trialResults(t.ctx);
  expect(results.get(trialKeyOf('sms.aliyun') ?? '')).toMatchObject({ ok: true });
  expect(results.get(trialKeyOf('pay.sandbox') ?? '')).toMatchObject({ ok: true });
  expect(results.get(trialKeyOf('pay.alipay') ?? '')).toBeUndefined();
});
