/** Staff and roles: who may appoint whom, how staff log in and are removed, and what concurrent calls can do. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffInfo, staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import { approveWithdraw } from '#subjects/payments/contract/staff-money.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import * as c from '#subjects/back-office/contract/staff.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import { staffPermissions } from '#subjects/back-office/rules/staff.ts';
import { totpCode } from '#server/kernel/secrets/totp.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { BACKSTAGE_HOST, type TestApp, testApp, type TestStaff, TOTP_SECRET } from '#tests/support/servers/build.ts';
import type { CallResult, TestClient } from '#tests/support/servers/client.ts';

let t: TestApp;
let admin: TestStaff;
/** Manages staff, and has little else. */
let deputy: TestStaff;
/** Administrator of only the second site. */
let siteAdmin: TestStaff;

const PASSWORD = 'Long-enough-2026';
const NOTE = '测试需要';
const office = (): TestClient => t.client({ host: BACKSTAGE_HOST });
const errorOf = ({ code }: CallResult<unknown>): string =>
  Object.entries(codes).find(([, [number]]) => number === code)?.[0] ?? (code === 0 ? 'OK' : String(code));
const tokenOf = (address: string | null | undefined): string => address?.split('#')[1] ?? '';

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await sql`insert into distributor (id, code, name, conf, theme) overriding system value
    select 2, 'moon', '月光', conf, theme from distributor where id = 1`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  admin = await t.newStaff({ login: 'boss' });
  siteAdmin = await t.newStaff({ role: 'admin', distId: 2, login: 'moonboss' });
  const { code } = await admin.client.ok(c.saveStaffRole, {
    name: '人事',
    permissions: ['staff.read', 'staff.manage', 'order.read', 'chat.serve'],
  });
  deputy = await t.newStaff({ role: code, login: 'deputy' });
});
afterAll(async () => await t.close());

let made = 0;
/** A new colleague who has not come in yet, with the one-time token. */
async function invited(by: TestStaff, over: object = {}) {
  made += 1;
  const login = `person${made}`;
  const saved = await by.client.ok(c.saveStaff, { login, name: `同事${made}`, role: 'service', ...over });
  return { id: saved.staffId, login, token: tokenOf(saved.invite?.address) };
}

async function secretOf(token: string): Promise<string> {
  return (await office().ok(c.staffJoinInfo, { token })).secret ?? '';
}

/** Somebody who used the one-time address: their browser, and their second factor. */
async function joined(by: TestStaff, over = {}) {
  const person = await invited(by, over);
  const secret = await secretOf(person.token);
  const client = office();
  const code = totpCode(secret, Date.now());
  const session = await client.ok(c.staffJoin, { token: person.token, newPassword: PASSWORD, code });
  client.token = session.token;
  return { ...person, secret, code, client };
}

const forgetStep = (id: number) => sql`update staff set totp_last_step = 0 where id = ${id}`.execute(t.ctx.db);
const logInWith = (login: string, code: string, password = PASSWORD) =>
  office().call(staffLogin, { login, password, code });
const logIn = (login: string, secret: string, password = PASSWORD) =>
  logInWith(login, totpCode(secret, Date.now()), password);

describe('a new colleague', () => {
  test('sets password and second factor through a one-time link and is logged in', async () => {
    const person = await joined(admin);
    expect((await person.client.ok(staffInfo, {})).permissions).toContain('chat.serve');
    const again = { token: person.token, newPassword: PASSWORD, code: totpCode(person.secret, Date.now()) };
    expect(errorOf(await office().call(c.staffJoin, again))).toBe('INVITE_GONE');
    // The code that set it up is used, too.
    expect(errorOf(await logInWith(person.login, person.code))).toBe('SECOND_FACTOR_WRONG');
    await forgetStep(person.id);
    expect(errorOf(await logIn(person.login, person.secret))).toBe('OK');
  });

  test('cannot log in before that, and only the hash of the link is stored', async () => {
    const person = await invited(admin);
    expect(errorOf(await logIn(person.login, TOTP_SECRET))).toBe('LOGIN_FAILED');
    const { rows } = await sql<{
      row: string;
    }>`select i::text as row from staff_invite i where staff_id = ${person.id}`.execute(t.ctx.db);
    expect(rows[0]?.row.includes(person.token)).toBe(false);
  });

  test('gets field errors; ten wrong codes invalidate the link', async () => {
    const { token } = await invited(admin);
    const secret = await secretOf(token);
    const right = () => totpCode(secret, Date.now());
    const weak = await office().call(c.staffJoin, { token, newPassword: 'short', code: right() });
    expect([errorOf(weak), weak.field]).toEqual(['BAD_INPUT', 'newPassword']);
    for (let i = 0; i < 10; i++) {
      const wrong = await office().call(c.staffJoin, { token, newPassword: PASSWORD, code: '000000' });
      expect([errorOf(wrong), wrong.field]).toEqual(['SECOND_FACTOR_WRONG', 'code']);
    }
    expect(errorOf(await office().call(c.staffJoin, { token, newPassword: PASSWORD, code: right() }))).toBe(
      'INVITE_GONE',
    );
  });

  test("an expired link and a disabled employee's link are rejected; the call does not exist on other hosts", async () => {
    const late = await invited(admin);
    await passTime(t.ctx.db, 'staff_invite', { staff_id: late.id }, { until: 'expires_at' });
    expect(errorOf(await office().call(c.staffJoinInfo, { token: late.token }))).toBe('INVITE_GONE');
    const gone = await invited(admin);
    await admin.client.ok(c.setStaffStatus, { staffId: gone.id, state: 'disabled', reason: NOTE });
    expect(errorOf(await office().call(c.staffJoinInfo, { token: gone.token }))).toBe('INVITE_GONE');
    const other = await invited(admin);
    expect(errorOf(await t.client().call(c.staffJoinInfo, { token: other.token }))).toBe('NOT_FOUND');
  });

  test('one of eight concurrent uses of the link succeeds', async () => {
    const { token } = await invited(admin);
    const code = totpCode(await secretOf(token), Date.now());
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => office().call(c.staffJoin, { token, newPassword: `${PASSWORD}-${i}`, code })),
    );
    expect(results.map(errorOf).toSorted()).toEqual([...Array<string>(7).fill('INVITE_GONE'), 'OK']);
  });

  test('a taken login name gives a field error, also for eight concurrent requests', async () => {
    const login = 'taken-name';
    const results = await Promise.all(
      Array.from({ length: 8 }, () => admin.client.call(c.saveStaff, { login, name: '同名', role: 'service' })),
    );
    const losers = results.filter(({ code }) => code !== 0);
    expect(losers.map((r) => [errorOf(r), r.field])).toEqual(Array(7).fill(['STAFF_LOGIN_TAKEN', 'login']));
  });
});

describe('staff cannot grant permissions that they lack', () => {
  const asDeputy = (over: object): Promise<CallResult<unknown>> =>
    deputy.client.call(c.saveStaff, {
      login: `d${Math.random().toString(36).slice(2)}`,
      name: '新人',
      role: 'none',
      ...over,
    });

  test.each<[string, object, ErrorName | 'OK', string | undefined]>([
    ['a permission of one’s own', { permissions: ['order.read'] }, 'OK', undefined],
    ['a permission that the caller lacks', { permissions: ['withdrawal.decide'] }, 'STAFF_MORE', 'permissions'],
    ['a role with more', { role: 'finance' }, 'STAFF_MORE', 'role'],
    ['the administrators’ role', { role: 'admin' }, 'STAFF_MORE', 'role'],
    ['a role that is not there', { role: 'nothing' }, 'BAD_INPUT', 'role'],
    ['an unknown permission', { permissions: ['everything'] }, 'BAD_INPUT', 'permissions.0'],
    ['a role of sites without a site', { role: 'operator' }, 'BAD_INPUT', 'distId'],
    ['a site that is not there', { distId: 77 }, 'BAD_INPUT', 'distId'],
  ])('%s', async (_, over, error, field) => {
    const countStaff = async (): Promise<number> =>
      Number((await sql<{ n: string }>`select count(*) as n from staff`.execute(t.ctx.db)).rows[0]?.n);
    const before = await countStaff();
    const result = await asDeputy(over);
    expect([errorOf(result), result.field]).toEqual([error, field]);
    expect(await countStaff()).toBe(error === 'OK' ? before + 1 : before);
  });

  test('staff cannot manage staff or roles with more permissions, or their own role', async () => {
    const finance = await joined(admin, { role: 'finance' });
    const manage = { staffId: finance.id, reason: NOTE };
    expect(errorOf(await deputy.client.call(c.resetStaff, { ...manage, what: 'both' }))).toBe('STAFF_MORE');
    expect(errorOf(await deputy.client.call(c.setStaffStatus, { ...manage, state: 'disabled' }))).toBe('STAFF_MORE');
    expect(errorOf(await deputy.client.call(c.endStaffSession, { staffId: finance.id }))).toBe('STAFF_MORE');
    const role = { name: '财务', code: 'finance', permissions: ['order.read'] };
    expect(errorOf(await deputy.client.call(c.saveStaffRole, role))).toBe('STAFF_MORE');
    const grow = { name: '更多', permissions: ['withdrawal.decide'] };
    expect(errorOf(await deputy.client.call(c.saveStaffRole, grow))).toBe('STAFF_MORE');
    const own = (await deputy.client.ok(staffInfo, {})).role;
    expect(errorOf(await deputy.client.call(c.saveStaffRole, { ...role, name: '人事', code: own }))).toBe('STAFF_SELF');
    expect(errorOf(await admin.client.call(c.saveStaffRole, { ...role, name: '管理员', code: 'admin' }))).toBe(
      'FORBIDDEN',
    );
  });

  test('staff cannot manage staff of another site', async () => {
    const site = 2;
    const here = await invited(siteAdmin, { role: 'operator', distId: site });
    const there = await invited(admin);
    const outside = { login: 'outsider', name: '外人', role: 'service' };
    expect(errorOf(await siteAdmin.client.call(c.saveStaff, outside))).toBe('STAFF_MORE');
    expect(errorOf(await siteAdmin.client.call(c.resetStaff, { staffId: there.id, what: 'both', reason: NOTE }))).toBe(
      'NOT_FOUND',
    );
    const { list } = await siteAdmin.client.ok(c.staffPeople, { pageSize: '50' });
    expect(list.every(({ distId }) => distId === site)).toBe(true);
    expect(list.map(({ staffId }) => staffId)).toContain(here.id);
    expect((await siteAdmin.client.ok(c.staffOptions, {})).sites.map(({ distId }) => distId)).toEqual([site]);
  });

  test('staff cannot change their own account', async () => {
    const self = { staffId: admin.id, reason: NOTE };
    expect(errorOf(await admin.client.call(c.setStaffStatus, { ...self, state: 'disabled' }))).toBe('STAFF_SELF');
    expect(errorOf(await admin.client.call(c.resetStaff, { ...self, what: 'both' }))).toBe('STAFF_SELF');
    const grow = { staffId: deputy.id, name: '我', role: 'none' };
    expect(errorOf(await deputy.client.call(c.saveStaff, grow))).toBe('STAFF_SELF');
  });
});

describe('a disabled or reset employee', () => {
  test('loses every session with the next request and cannot log in', async () => {
    const person = await joined(admin);
    await person.client.ok(staffInfo, {});
    await admin.client.ok(c.setStaffStatus, { staffId: person.id, state: 'disabled', reason: NOTE });
    expect(errorOf(await person.client.call(staffInfo, {}))).toBe('LOGIN_REQUIRED');
    await forgetStep(person.id);
    expect(errorOf(await logIn(person.login, person.secret))).toBe('LOGIN_FAILED');
    await admin.client.ok(c.setStaffStatus, { staffId: person.id, state: 'active', reason: NOTE });
    expect(errorOf(await logIn(person.login, person.secret))).toBe('OK');
  });

  test('proves the password after a reset of the second factor, and the second factor after a reset of the password', async () => {
    const person = await joined(admin);
    const { address } = await admin.client.ok(c.resetStaff, { staffId: person.id, what: 'factor', reason: NOTE });
    expect(errorOf(await person.client.call(staffInfo, {}))).toBe('LOGIN_REQUIRED');
    const token = tokenOf(address);
    const secret = await secretOf(token);
    const code = () => totpCode(secret, Date.now());
    const wrong = await office().call(c.staffJoin, { token, password: 'not the password', code: code() });
    expect([errorOf(wrong), wrong.field]).toEqual(['LOGIN_FAILED', 'password']);
    await office().ok(c.staffJoin, { token, password: PASSWORD, code: code() });
    const second = tokenOf(
      (await admin.client.ok(c.resetStaff, { staffId: person.id, what: 'password', reason: NOTE })).address,
    );
    await forgetStep(person.id);
    const old = await office().call(c.staffJoin, {
      token: second,
      newPassword: 'Another-one-2026',
      code: totpCode(person.secret, Date.now()),
    });
    expect([errorOf(old), old.field]).toEqual(['SECOND_FACTOR_WRONG', 'code']);
    await office().ok(c.staffJoin, { token: second, newPassword: 'Another-one-2026', code: code() });
    await forgetStep(person.id);
    expect(errorOf(await logIn(person.login, secret, 'Another-one-2026'))).toBe('OK');
  });

  test('can list and end sessions other than the current one', async () => {
    const person = await joined(admin);
    await forgetStep(person.id);
    await logIn(person.login, person.secret);
    const { list } = await person.client.ok(c.staffSessionList, { staffId: person.id });
    expect([list.length, list.filter(({ isCurrent }) => isCurrent).length]).toEqual([2, 1]);
    expect((await person.client.ok(c.endStaffSession, { staffId: person.id })).ended).toBe(1);
    await person.client.ok(staffInfo, {});
    expect((await admin.client.ok(c.endStaffSession, { staffId: person.id })).ended).toBe(1);
    expect(errorOf(await person.client.call(staffInfo, {}))).toBe('LOGIN_REQUIRED');
  });

  test('an idle session expires, a used one is renewed', async () => {
    const person = await joined(admin);
    const seen = (minutes: number) =>
      sql`update session set last_seen_at = now() - make_interval(mins => ${minutes}) where staff_id = ${person.id}`.execute(
        t.ctx.db,
      );
    await seen(59);
    await person.client.ok(staffInfo, {});
    const { rows } = await sql<{ fresh: boolean }>`
      select last_seen_at > now() - interval '1 minute' as fresh from session where staff_id = ${person.id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.fresh).toBe(true);
    await seen(61);
    expect(errorOf(await person.client.call(staffInfo, {}))).toBe('LOGIN_REQUIRED');
  });
});

describe('the last administrator', () => {
  test('remains when two administrators disable each other concurrently, in twenty rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await t.newStaff(), await t.newStaff()];
      const results = await Promise.all(
        (
          [
            [a, b],
            [b, a],
          ] as const
        ).map(([by, of]) => by.client.call(c.setStaffStatus, { staffId: of.id, state: 'disabled', reason: NOTE })),
      );
      expect(results.map(errorOf).toSorted()).toEqual(['LOGIN_REQUIRED', 'OK']);
    }
  });

  test('can be neither disabled nor given a lesser role', async () => {
    // The command's row acts for the command only and does not count as the last administrator.
    await sql`update staff set status = 2 where role = 'admin' and dist_id is null and id not in (${admin.id}, 0)`.execute(
      t.ctx.db,
    );
    const actor = await t.newStaff();
    await sql`update staff set totp_secret_enc = null where id = ${actor.id}`.execute(t.ctx.db);
    const disable = { staffId: admin.id, state: 'disabled' as const, reason: NOTE };
    expect(errorOf(await actor.client.call(c.setStaffStatus, disable))).toBe('LAST_ADMIN');
    const less = { staffId: admin.id, name: '老板', role: 'service' };
    expect(errorOf(await actor.client.call(c.saveStaff, less))).toBe('LAST_ADMIN');
    expect((await admin.client.ok(staffInfo, {})).role).toBe('admin');
  });
});

describe('roles', () => {
  test('a changed role applies to the next request; so does a restored one', async () => {
    const person = await t.newStaff({ role: 'reviewer' });
    const isForbidden = async () => errorOf(await person.client.call(staffOrderList, {})) === 'FORBIDDEN';
    expect(await isForbidden()).toBe(true);
    await admin.client.ok(c.saveStaffRole, { code: 'reviewer', name: '审核', permissions: ['order.read'] });
    expect(await isForbidden()).toBe(false);
    await admin.client.ok(c.saveStaffRole, { code: 'reviewer', name: '审核', asShipped: '1' });
    expect(await isForbidden()).toBe(true);
    const { roles } = await admin.client.ok(c.staffOptions, {});
    const shipped = Object.keys(staffPermissions).filter((key) =>
      (staffPermissions[key as keyof typeof staffPermissions] as readonly string[]).includes('reviewer'),
    );
    expect(roles.find(({ code }) => code === 'reviewer')).toMatchObject({ isEdited: false, permissions: shipped });
  });

  test('an added role can be deleted when no one has it; names are unique', async () => {
    const { code } = await admin.client.ok(c.saveStaffRole, { name: '夜班', permissions: ['chat.serve'] });
    const twice = await admin.client.call(c.saveStaffRole, { name: '夜班', permissions: ['chat.serve'] });
    expect([errorOf(twice), twice.field]).toEqual(['ROLE_NAME_TAKEN', 'name']);
    const person = await invited(admin, { role: code });
    expect(errorOf(await admin.client.call(c.removeStaffRole, { code }))).toBe('ROLE_IN_USE');
    await admin.client.ok(c.saveStaff, { staffId: person.id, name: '白班', role: 'service' });
    await admin.client.ok(c.removeStaffRole, { code });
    expect(errorOf(await admin.client.call(c.removeStaffRole, { code: 'service' }))).toBe('FORBIDDEN');
  });
});

describe('step-up of staff', () => {
  test('is required before decisions on money and people, accepts each code once, and lasts a few minutes', async () => {
    const boss = await t.newStaff({ stepUp: false });
    const decide = async () => errorOf(await boss.client.call(approveWithdraw, { withdrawSn: 'W0000000000' }));
    expect(await decide()).toBe('FACTOR_REQUIRED');
    expect(errorOf(await boss.client.call(c.saveStaff, { login: 'x-y-z', name: '新人', role: 'none' }))).toBe(
      'FACTOR_REQUIRED',
    );
    const code = totpCode(TOTP_SECRET, Date.now());
    expect(errorOf(await boss.client.call(c.staffStepUp, { code: '000000' }))).toBe('SECOND_FACTOR_WRONG');
    await boss.client.ok(c.staffStepUp, { code });
    const used = await boss.client.call(c.staffStepUp, { code });
    expect(errorOf(used)).toBe('SECOND_FACTOR_WRONG');
    expect(used.msg).toMatch(/^这个动态码已用过，下一个 ([1-9]|[12]\d|30) 秒后出现$/);
    expect(await decide()).not.toBe('FACTOR_REQUIRED');
    await passTime(t.ctx.db, 'session', { staff_id: boss.id }, { minutes: 11 });
    expect(await decide()).toBe('FACTOR_REQUIRED');
  });
});

test('each change is in the audit log, without the link', async () => {
  const person = await invited(admin);
  await admin.client.ok(c.setStaffStatus, { staffId: person.id, state: 'disabled', reason: '离职' });
  const { list } = await admin.client.ok(auditList, { group: 'staff', pageSize: '10' });
  const own = list.filter(({ target }) => target.startsWith('员工 ') && target.endsWith(` ${person.id}`));
  expect(own.map(({ actName, staffName }) => [actName, staffName])).toEqual([
    ['停用员工', '员工1'],
    ['新建员工', '员工1'],
  ]);
  expect(JSON.stringify(own)).not.toContain(person.token);
});
