/** Passkeys of staff: registered, used, removed, required of those who release money, and recovered by two persons (decision 537). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/back-office/contract/passkeys.ts';
import { staffInfo, staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import { saveStaff, staffStepUp } from '#subjects/back-office/contract/staff.ts';
import { codes } from '#contract/codes.ts';
import { totpCode } from '#server/kernel/secrets/totp.ts';
import { BACKSTAGE_HOST, type TestApp, testApp, type TestStaff, TOTP_SECRET } from '#tests/support/servers/build.ts';
import { softPasskey } from '#tests/support/tools/passkey.ts';

let t: TestApp;
let origin: string;

beforeAll(async () => {
  t = await testApp({ env: { STAFF_PASSKEYS: '1', SITE_URL: 'https://www.market.example' } });
  origin = `https://${BACKSTAGE_HOST}`;
});
afterAll(async () => await t.close());

const code = () => totpCode(TOTP_SECRET, Date.now());
const optionsOf = async (staff: TestStaff, purpose: 'register' | 'stepUp'): Promise<string> =>
  (await staff.client.ok(c.passkeyOptions, { purpose })).options;

/** A new passkey of a member of staff, the first one by a code. */
async function registered(staff: TestStaff) {
  const key = softPasskey(origin);
  const response = key.create(await optionsOf(staff, 'register'));
  await staff.client.ok(c.passkeyRegister, { name: '办公电脑', code: code(), response });
  return key;
}

const visitor = () => t.client({ host: BACKSTAGE_HOST });
const logIn = async (key: ReturnType<typeof softPasskey>, faults = {}) => {
  const client = visitor();
  const { options } = await client.ok(c.passkeyLoginOptions, {});
  return await client.call(c.passkeyLogin, { response: key.get(options, faults) });
};
const refused = codes.SECOND_FACTOR_WRONG[0];

describe('registration', () => {
  test('the first passkey takes a code, further ones a step-up; the list shows the own ones', async () => {
    const staff = await t.newStaff({ role: 'finance', stepUp: false });
    const key = softPasskey(origin);
    const options = await optionsOf(staff, 'register');
    const without = await staff.client.call(c.passkeyRegister, { name: '电脑', response: key.create(options) });
    expect([without.code, without.field]).toEqual([refused, 'code']);
    const input = { name: '电脑', code: code(), response: key.create(options) };
    await staff.client.ok(c.passkeyRegister, input);
    const { list, isRequired } = await staff.client.ok(c.passkeyList, {});
    expect([list.map(({ name, isSynced }) => [name, isSynced]), isRequired]).toEqual([[['电脑', false]], true]);

    const second = { name: '手机', response: softPasskey(origin).create(await optionsOf(staff, 'register')) };
    expect((await staff.client.call(c.passkeyRegister, second)).code).toBe(codes.FACTOR_REQUIRED[0]);
    await staff.client.ok(c.passkeyStepUp, { response: key.get(await optionsOf(staff, 'stepUp')) });
    await staff.client.ok(c.passkeyRegister, second);
    expect((await staff.client.ok(c.passkeyList, {})).list).toHaveLength(2);
  });

  test.each([
    ['of a page on another site', { origin: 'https://desk.market.evil' }],
    ['without PIN or fingerprint', { isUnverified: true }],
  ])('%s is refused and stores nothing', async (_, faults) => {
    const staff = await t.newStaff({ role: 'finance' });
    const response = softPasskey(origin).create(await optionsOf(staff, 'register'), faults);
    expect((await staff.client.call(c.passkeyRegister, { name: '电脑', code: code(), response })).code).toBe(refused);
    expect((await staff.client.ok(c.passkeyList, {})).list).toEqual([]);
  });

  test('a challenge of a colleague, a log-in or an earlier answer is refused', async () => {
    const [staff, other] = [await t.newStaff({ role: 'finance' }), await t.newStaff({ role: 'finance' })];
    const key = await registered(staff);
    const foreign = await optionsOf(other, 'stepUp');
    expect((await staff.client.call(c.passkeyStepUp, { response: key.get(foreign) })).code).toBe(refused);
    const { options } = await visitor().ok(c.passkeyLoginOptions, {});
    expect((await staff.client.call(c.passkeyStepUp, { response: key.get(options) })).code).toBe(refused);
    const response = key.get(await optionsOf(staff, 'stepUp'));
    await staff.client.ok(c.passkeyStepUp, { response });
    expect((await staff.client.call(c.passkeyStepUp, { response })).code).toBe(refused);
  });
});

describe('log-in', () => {
  test('a passkey logs in; a copy of it, a page elsewhere and a disabled person do not', async () => {
    const staff = await t.newStaff({ role: 'finance' });
    const key = await registered(staff);
    const client = visitor();
    const { options } = await client.ok(c.passkeyLoginOptions, {});
    const response = key.get(options);
    const answers = await Promise.all([1, 2, 3].map(() => visitor().call(c.passkeyLogin, { response })));
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect(answers.find((answer) => answer.code === 0)?.data).toMatchObject({ staffId: staff.id });
    expect((await logIn(key, { counter: 1 })).code).toBe(refused);
    expect((await logIn(key, { origin: 'https://desk.market.evil' })).code).toBe(refused);
    expect((await logIn(softPasskey(origin))).code).toBe(refused);
    expect((await t.client().call(c.passkeyLoginOptions, {})).code).toBe(codes.NOT_FOUND[0]);
    await sql`update staff set status = 2 where id = ${staff.id}`.execute(t.ctx.db);
    expect((await logIn(key)).code).toBe(refused);
  });

  test('requires the passkey of staff who release money: a code neither logs in once there is one, nor proves a decision', async () => {
    const staff = await t.newStaff({ role: 'finance', stepUp: false });
    const byCode = await staff.client.call(staffStepUp, { code: code() });
    expect(byCode.code).toBe(codes.PASSKEY_REQUIRED[0]);
    const key = await registered(staff);
    const late = totpCode(TOTP_SECRET, Date.now() + 30_000);
    const login = await visitor().call(staffLogin, { login: staff.login, password: staff.password, code: late });
    expect(login.code).toBe(codes.PASSKEY_REQUIRED[0]);
    expect((await logIn(key)).code).toBe(0);
    const content = await t.newStaff({ role: 'content', stepUp: false });
    expect((await content.client.call(staffStepUp, { code: code() })).code).toBe(0);
  });

  test('the last passkey of those who need one stays; others remove theirs', async () => {
    const staff = await t.newStaff({ role: 'finance' });
    await registered(staff);
    const [own] = (await staff.client.ok(c.passkeyList, {})).list;
    const passkeyId = own?.passkeyId ?? 0;
    expect((await staff.client.call(c.passkeyRemove, { passkeyId })).status).toBe(422);
    const content = await t.newStaff({ role: 'content' });
    expect((await content.client.call(c.passkeyRemove, { passkeyId })).code).toBe(codes.NOT_FOUND[0]);
    await registered(content);
    const [theirs] = (await content.client.ok(c.passkeyList, {})).list;
    await content.client.ok(c.passkeyRemove, { passkeyId: theirs?.passkeyId ?? 0 });
    expect((await content.client.ok(c.passkeyList, {})).list).toEqual([]);
  });
});

describe('recovery', () => {
  test('takes two persons, neither of them the colleague, and ends the sessions', async () => {
    const [lost, first, second] = [
      await t.newStaff({ role: 'finance' }),
      await t.newStaff({ role: 'admin' }),
      await t.newStaff({ role: 'admin' }),
    ];
    const key = await registered(lost);
    const request = { staffId: lost.id, act: 'confirm', reason: '手机丢失' } as const;
    expect(await first.client.ok(c.recoverPasskeys, request)).toEqual({ state: 'waiting' });
    expect((await first.client.call(c.recoverPasskeys, request)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await logIn(key)).code).toBe(0);
    await second.client.ok(c.recoverPasskeys, { ...request, act: 'reject' });
    expect((await logIn(key)).code).toBe(0);
    await first.client.ok(c.recoverPasskeys, request);
    expect(await second.client.ok(c.recoverPasskeys, request)).toEqual({ state: 'done' });
    expect((await logIn(key)).code).toBe(refused);
    expect((await lost.client.call(staffInfo, {})).status).toBe(401);
    const own = await second.client.call(c.recoverPasskeys, { ...request, staffId: second.id });
    expect(own.code).toBe(codes.STAFF_SELF[0]);
    expect((await lost.client.call(saveStaff, { name: '甲', role: 'finance' })).status).toBe(401);
  });
});
