/** What proves a person's identity: the identity card, the payout account, the number, the second factor of the staff. */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeEmail, sendEmailCode } from '#subjects/accounts/contract/email-and-closing.ts';
import { staffInfo, staffLogin } from '#subjects/back-office/contract/sign-in.ts';
import { codes } from '#contract/codes.ts';
import { certificateInfo, submitCertificate } from '#subjects/verification/contract/identity.ts';
import { clientSms, smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { changeBindPhone, changeUserUsualInfo, login, userInfo } from '#subjects/accounts/contract/user.ts';
import { inTransaction } from '#server/db/client.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { totpCode } from '#server/kernel/secrets/totp.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import {
  BACKSTAGE_HOST,
  newPhone,
  type TestApp,
  testApp,
  type TestUser,
  TOTP_SECRET,
} from '#tests/support/servers/build.ts';
import { EVENTUALLY } from '#tests/support/time/eventually.ts';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function afterAMinute(): Promise<void> {
  await sql`delete from limit_counter where key like 'sms:minute:%'`.execute(t.ctx.db);
}

type OwnPurpose = 'payee' | 'changePhone' | 'email';

/** A code to the user's own number. */
async function ownCode(user: TestUser, type: OwnPurpose): Promise<string> {
  await afterAMinute();
  await user.client.ok(smsBindPhone, { type });
  return t.lastCode(user.phone);
}

/** A code that proves a number that is to be bound. */
async function bindCode(user: TestUser, phone: string): Promise<string> {
  await afterAMinute();
  await user.client.ok(clientSms, { phone, type: 'bind' });
  return t.lastCode(phone);
}

let cards = 0;

/** A fresh identity number of a person born on a day like 19950821. */
function card(day = '19950821'): string {
  cards += 1;
  return idCardFrom17(`440106${day}${String(cards).padStart(3, '0')}`);
}

describe('real-name verification', () => {
  test('an adult is verified; name and number are only returned masked', async () => {
    const user = await t.newUser({ verified: false });
    const idCard = card();
    const response = await user.client.ok(submitCertificate, { realName: '欧阳小明', idCard: idCard.toLowerCase() });
    expect(response).toMatchObject({ authStatus: 2, isAdult: true, nameMask: '欧***' });
    const seen = JSON.stringify([
      response,
      await user.client.ok(certificateInfo, {}),
      await user.client.ok(userInfo, {}),
    ]);
    expect(seen).not.toContain('欧阳小明');
    expect(seen).not.toContain(idCard.slice(6, 14));
    const { rows } = await sql<{
      stored: string;
    }>`select r::text as stored from real_name r where user_id = ${user.id}`.execute(t.ctx.db);
    expect(rows[0]?.stored).not.toContain(idCard);
    expect(rows[0]?.stored).not.toContain('欧阳小明');
    await expect(requireAdult(t.ctx.db, user.id)).resolves.toBeUndefined();
    const again = await user.client.call(submitCertificate, { realName: '欧阳小明', idCard: card() });
    expect(again.code).toBe(codes.REAL_NAME_DONE[0]);
  });

  test('a number with a wrong check digit, length or birthday is rejected with a message and counts as no attempt', async () => {
    const user = await t.newUser({ verified: false });
    const good = card();
    const last = good.endsWith('0') ? '1' : '0';
    const cases = [
      [good.slice(0, 17) + last, '身份证号错误'],
      [good.slice(0, 16), '身份证号长度错误'],
      ['', '身份证号不能为空'],
      [idCardFrom17('44010619950230001'), '身份证号错误'],
      [idCardFrom17('44010629950821001'), '身份证号错误'],
      [idCardFrom17('99010619950821001'), '身份证号错误'],
    ] as const;
    for (const [idCard, message] of cases)
      expect(await user.client.call(submitCertificate, { realName: '李明', idCard }), idCard).toMatchObject({
        status: 422,
        msg: message,
      });
    expect((await user.client.call(submitCertificate, { realName: '李明', idCard: good })).code).toBe(0);
  });

  test('a minor is verified but may not trade before the eighteenth birthday', async () => {
    const today = chinaDay(new Date());
    const [year = '', month = '', day = ''] = today.split('-');
    const isLeapDay = month === '02' && day === '29';
    const birthday = `${Number(year) - 18}${month}${isLeapDay ? '28' : day}`;
    const tomorrow = chinaDay(new Date(Date.now() + 86_400_000)).split('-');
    const dayAfter = `${Number(tomorrow[0]) - 18}${tomorrow[1]}${tomorrow[2] === '29' ? '28' : tomorrow[2]}`;
    const grown = await t.newUser({ verified: false });
    expect((await grown.client.ok(submitCertificate, { realName: '李明', idCard: card(birthday) })).isAdult).toBe(true);
    if (dayAfter <= birthday) return;
    const minor = await t.newUser({ verified: false });
    const response = await minor.client.ok(submitCertificate, { realName: '李小', idCard: card(dayAfter) });
    expect(response).toMatchObject({ authStatus: 2, isAdult: false });
    await expect(requireAdult(t.ctx.db, minor.id)).rejects.toMatchObject({ error: 'REAL_NAME_MINOR' });
    await expect(requireAdult(t.ctx.db, minor.id, new Date(Date.now() + 2 * 86_400_000))).resolves.toBeUndefined();
  });

  test('one identity number verifies one account, also concurrently and as 15 digits', async () => {
    const idCard = idCardFrom17('44010619770315088');
    const users = await Promise.all(Array.from({ length: 6 }, () => t.newUser({ verified: false })));
    const results = await Promise.all(
      users.map((user, i) =>
        user.client.call(submitCertificate, {
          realName: '李明',
          idCard: i % 2 === 0 ? idCard : idCard.slice(0, 6) + idCard.slice(8, 17),
        }),
      ),
    );
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(results.filter(({ code }) => code === codes.REAL_NAME_USED[0])).toHaveLength(5);
  });

  test('a mismatch is rejected five times a day without saying that the number is taken', async () => {
    const claimed = card();
    const owner = await t.newUser({ verified: false });
    await owner.client.ok(submitCertificate, { realName: '李明', idCard: claimed });
    const user = await t.newUser({ verified: false });
    for (let i = 0; i < 4; i++)
      expect((await user.client.call(submitCertificate, { realName: '错小明', idCard: claimed })).code).toBe(
        codes.REAL_NAME_MISMATCH[0],
      );
    expect((await user.client.call(submitCertificate, { realName: '查无人', idCard: card() })).code).toBe(
      codes.REAL_NAME_MISMATCH[0],
    );
    expect((await user.client.call(submitCertificate, { realName: '李明', idCard: card() })).code).toBe(
      codes.REAL_NAME_TRIES[0],
    );
  });
});

describe('payout accounts', () => {
  const bind = (user: TestUser, more: Partial<Parameters<typeof input>[0]> = {}) =>
    user.client.call(bindAccountNum, input(more));
  function input(more: {
    accountType?: 'alipay' | 'wechat' | 'bank';
    account?: string;
    realName?: string;
    smsCode?: string;
  }) {
    return { accountType: 'alipay' as const, account: '13912345678', realName: '张三丰', smsCode: '000000', ...more };
  }

  test('must have the verified name and need a code', async () => {
    const stranger = await t.newUser({ verified: false });
    expect((await bind(stranger)).code).toBe(codes.REAL_NAME_REQUIRED[0]);
    const user = await t.newUser({ realName: '买买提·艾力' });
    const smsCode = await ownCode(user, 'payee');
    expect((await bind(user, { smsCode })).code).toBe(codes.PAYEE_NAME[0]);
    const wrong = smsCode === '999999' ? '999998' : '999999';
    expect((await bind(user, { realName: '买买提·艾力', smsCode: wrong })).code).toBe(codes.SMS_CODE_WRONG[0]);
    const distStaff = await bind(user, { realName: '买买提•艾力', smsCode });
    expect(distStaff).toMatchObject({ code: 0, data: { accountMask: '139****5678' } });
    expect(Date.parse(distStaff.data.usableFrom)).toBeLessThanOrEqual(Date.now() + 1000);
    const me = await user.client.ok(userInfo, {});
    expect(me.aliAccount).toBe('139****5678');
    expect(JSON.stringify(me)).not.toContain('13912345678');
  });

  test('invalid numbers are rejected; a changed account waits a day, an unchanged one does not', async () => {
    const user = await t.newUser();
    for (const more of [
      { account: 'not an account' },
      { account: 'a@b' },
      { accountType: 'bank', account: '6222021234567891' },
      { accountType: 'wechat', account: '1weixin' },
    ] as const)
      expect((await bind(user, more)).status, more.account).toBe(422);
    await bind(user, { smsCode: await ownCode(user, 'payee') });
    const same = await bind(user, { smsCode: await ownCode(user, 'payee') });
    expect(Date.parse(same.data.usableFrom)).toBeLessThanOrEqual(Date.now() + 1000);
    const changed = await bind(user, { account: 'zhang@example.com', smsCode: await ownCode(user, 'payee') });
    expect(changed.data.accountMask).toBe('zh****@example.com');
    expect(Date.parse(changed.data.usableFrom) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const { rows } = await sql<{ live: number }>`
      select count(*) as live from payout_account where user_id = ${user.id} and removed_at is null`.execute(t.ctx.db);
    expect(Number(rows[0]?.live)).toBe(1);
  });
});

describe('change of phone', () => {
  test('needs codes of both numbers, ends the other sessions, and the new number logs in', async () => {
    const user = await t.newUser({ password: 'tiger-woods-7' });
    const elsewhere = t.client();
    elsewhere.token = (await elsewhere.ok(login, { username: user.phone, password: 'tiger-woods-7' })).token;
    const phone = newPhone();
    const smsCode = await ownCode(user, 'changePhone');
    const newSmsCode = await bindCode(user, phone);
    const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
    expect(await user.client.call(changeBindPhone, { smsCode: wrong(smsCode), phone, newSmsCode })).toMatchObject({
      code: codes.SMS_CODE_WRONG[0],
      msg: '原手机验证码错误或已失效',
    });
    const slip = await user.client.call(changeBindPhone, { smsCode, phone, newSmsCode: wrong(newSmsCode) });
    expect(slip).toMatchObject({ code: codes.SMS_CODE_WRONG[0], msg: '新手机验证码错误或已失效' });
    // The old number has proved itself; a slip in the new code does not cost another message to it.
    const changed = await user.client.ok(changeBindPhone, { smsCode, phone, newSmsCode });
    expect(changed.phoneMask).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`);
    expect((await user.client.call(userInfo, {})).code).toBe(0);
    expect((await elsewhere.call(userInfo, {})).status).toBe(401);
    const by = (username: string) => t.client().call(login, { username, password: 'tiger-woods-7' });
    expect((await by(user.phone)).code).toBe(codes.LOGIN_FAILED[0]);
    expect((await by(phone)).code).toBe(0);
  });

  test('succeeds for one of two accounts that change to one number concurrently, and the other keeps its own', async () => {
    for (let round = 0; round < 5; round++) {
      const pair = [await t.newUser({ stepUp: true }), await t.newUser({ stepUp: true })] as const;
      const phone = newPhone();
      const newSmsCode = await bindCode(pair[0], phone);
      // A number has one code at a time, so the second is given another, as if it had come a moment later.
      const move = (user: TestUser) => user.client.call(changeBindPhone, { smsCode: '000000', phone, newSmsCode });
      const [a, b] = await Promise.all(pair.map(move));
      expect([a, b].filter((r) => r?.code === 0)).toHaveLength(1);
      const loser = a?.code === 0 ? pair[1] : pair[0];
      const tooLate = await loser.client.call(changeBindPhone, {
        smsCode: '000000',
        phone,
        newSmsCode: await bindCode(loser, phone),
      });
      expect(tooLate).toMatchObject({ code: codes.SMS_CODE_WRONG[0], msg: '该手机号已绑定其他账号' });
      const me = await loser.client.ok(userInfo, {});
      expect(me.phoneMask).toBe(`${loser.phone.slice(0, 3)}****${loser.phone.slice(7)}`);
    }
  });
});

test('a number that is registered while it is being bound stays with the new user', async () => {
  const user = await t.newUser({ stepUp: true });
  const phone = newPhone();
  const newSmsCode = await bindCode(user, phone);
  const inserted = Promise.withResolvers<void>();
  const waited = Promise.withResolvers<void>();
  const registering = inTransaction(t.ctx.db, async (trx) => {
    await createUser(trx, t.ctx.keys, { phone, distId: 1 });
    inserted.resolve();
    await waited.promise;
  });
  await inserted.promise;
  const binding = user.client.call(changeBindPhone, { smsCode: '000000', phone, newSmsCode });
  await vi.waitUntil(async () => {
    const { rows } = await sql`
      select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`.execute(
      t.ctx.db,
    );
    return rows.length > 0;
  }, EVENTUALLY);
  waited.resolve();
  await registering;
  expect(await binding).toMatchObject({ code: codes.SMS_CODE_WRONG[0], msg: '该手机号已绑定其他账号' });
  expect((await user.client.ok(userInfo, {})).phoneMask.slice(-4)).toBe(user.phone.slice(-4));
});

describe('mail address', () => {
  test('needs codes by phone and mail; an address belongs to one account, a code to the account that requested it', async () => {
    const [user, other] = [await t.newUser(), await t.newUser({ stepUp: true })];
    const email = 'Zhang.San@example.com';
    await user.client.ok(sendEmailCode, { email });
    const emailCode = t.mails.at(-1)?.code ?? '';
    expect(t.mails.at(-1)?.to).toBe(email.toLowerCase());
    expect((await user.client.call(sendEmailCode, { email })).code).toBe(codes.SMS_TOO_OFTEN[0]);
    const bind = (who: TestUser, input: { emailCode: string; smsCode: string }) =>
      who.client.call(changeEmail, { email, ...input });
    expect((await bind(other, { emailCode, smsCode: '000000' })).msg).toBe('邮箱验证码错误或已失效');
    const smsCode = await ownCode(user, 'email');
    const wrong = smsCode === '000000' ? '000001' : '000000';
    expect((await bind(user, { emailCode, smsCode: wrong })).code).toBe(codes.SMS_CODE_WRONG[0]);
    expect(await bind(user, { emailCode, smsCode })).toMatchObject({
      code: 0,
      data: { emailMask: 'zh****@example.com' },
    });
    expect((await user.client.ok(userInfo, {})).isHadEmail).toBe(true);
    await other.client.ok(sendEmailCode, { email: email.toUpperCase() });
    const tooLate = await bind(other, { emailCode: t.mails.at(-1)?.code ?? '', smsCode: '000000' });
    expect(tooLate).toMatchObject({ code: codes.SMS_CODE_WRONG[0], msg: '该邮箱已绑定其他账号' });
    const { rows } = await sql<{
      stored: string;
    }>`select u::text as stored from app_user u where id = ${user.id}`.execute(t.ctx.db);
    expect(rows[0]?.stored).not.toContain('example.com');
  });
});

describe('names', () => {
  test('a nickname may not imitate staff, contain a contact or invisible characters', async () => {
    const user = await t.newUser();
    const change = (nickName: string) => user.client.call(changeUserUsualInfo, { nickName });
    for (const nickName of [
      '官方客服',
      '客 服 小美',
      'Ａdmin',
      'QQ12345678',
      '加我13812345678',
      '小\u200b明',
      '\u202e明小',
    ])
      expect((await change(nickName)).status, nickName).toBe(422);
    for (const nickName of ['山间听雨', '❤️小明', 'Tom_1990']) expect((await change(nickName)).code, nickName).toBe(0);
  });
});

describe('staff log-in', () => {
  const backOffice = () => t.client({ host: BACKSTAGE_HOST });

  test('a second-factor code works once, also when sent five times concurrently', async () => {
    const { login: name, password } = await t.newStaff({ role: 'service' });
    const code = totpCode(TOTP_SECRET, Date.now());
    const results = await Promise.all(
      Array.from({ length: 5 }, () => backOffice().call(staffLogin, { login: name.toUpperCase(), password, code })),
    );
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    expect(results.filter((r) => r.code === codes.SECOND_FACTOR_WRONG[0])).toHaveLength(4);
    const replay = await backOffice().call(staffLogin, { login: name, password, code });
    expect(replay.code).toBe(codes.SECOND_FACTOR_WRONG[0]);
    const earlier = totpCode(TOTP_SECRET, Date.now() - 30_000);
    expect((await backOffice().call(staffLogin, { login: name, password, code: earlier })).code).toBe(
      codes.SECOND_FACTOR_WRONG[0],
    );
  });

  test('unknown name, wrong password and former staff get the same response; the session is valid only in the back office', async () => {
    const staff = await t.newStaff({ role: 'finance' });
    const gone = await t.newStaff({ role: 'finance' });
    await sql`update staff set status = 2 where id = ${gone.id}`.execute(t.ctx.db);
    const code = totpCode(TOTP_SECRET, Date.now());
    const responses = [
      await backOffice().call(staffLogin, { login: 'nobody', password: staff.password, code }),
      await backOffice().call(staffLogin, { login: staff.login, password: 'not-this', code }),
      await backOffice().call(staffLogin, { login: gone.login, password: gone.password, code }),
    ].map(({ status, code: number, msg }) => ({ status, number, msg }));
    expect(new Set(responses.map((a) => JSON.stringify(a))).size).toBe(1);
    expect((await gone.client.call(staffInfo, {})).status).toBe(401);
    const public_ = await t.client().call(staffLogin, { login: staff.login, password: staff.password, code });
    expect(public_.status).toBe(404);
    const client = backOffice();
    client.token = (await client.ok(staffLogin, { login: staff.login, password: staff.password, code })).token;
    expect((await client.ok(staffInfo, {})).role).toBe('finance');
    client.host = 'localhost';
    expect((await client.call(staffInfo, {})).status).toBe(404);
    expect((await client.call(userInfo, {})).status).toBe(401);
  });

  test('ten wrong attempts require a challenge for that name', async () => {
    const staff = await t.newStaff({ role: 'content' });
    const code = totpCode(TOTP_SECRET, Date.now());
    for (let i = 0; i < 10; i++) await backOffice().call(staffLogin, { login: staff.login, password: `no-${i}`, code });
    const shut = await backOffice().call(staffLogin, { login: staff.login, password: staff.password, code });
    expect(shut).toMatchObject({ status: 429, code: codes.CHALLENGE_REQUIRED[0] });
  });
});
