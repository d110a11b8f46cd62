/** Personal data in the log of a demo market: nothing with which a code could be requested or used. */
import { expect, test } from 'vitest';
import { clientSms } from '#subjects/accounts/contract/sms.ts';
import { register } from '#subjects/accounts/contract/user.ts';
import { localMail } from '#server/adapters/mail/local.ts';
import { localSms } from '#server/adapters/sms/local.ts';
import { openLog } from '#server/log.ts';
import { newPhone, testApp } from '#tests/support/servers/build.ts';

test('D9: a registration in a demo market logs neither number nor code', async () => {
  const lines: string[] = [];
  const log = openLog('trace', (line) => lines.push(line));
  const sms = localSms({ sink: undefined, log, shownAt: '/test' });
  const mail = localMail({ sink: undefined, log, shownAt: '/test' });
  const t = await testApp({ env: { DEMO: '1' }, overrides: { log, sms, mail } });
  try {
    const client = t.client();
    const phone = newPhone();
    await client.ok(clientSms, { phone, type: 'register' });
    const smsCode = sms.recent?.()[0]?.code ?? '';
    expect(smsCode).toMatch(/^\d{6}$/);
    await client.ok(register, { phone, smsCode, passWord: 'tiger-woods-7', agree: '1' });
    await mail.send({ to: 'somebody@example.com', subject: '绑定邮箱', text: '验证码 482913', code: '482913' });
    log.warn(`somebody else's words about ${phone}`);
    log.error({ err: new Error(`failed for ${phone}`) }, 'fault');
    const text = lines.join('');
    expect(lines.length).toBeGreaterThan(3);
    for (const secret of [phone, smsCode, '482913', 'somebody@example.com']) expect(text).not.toContain(secret);
    expect(text).toContain(`${phone.slice(0, 3)}****${phone.slice(-4)}`);
  } finally {
    await t.close();
  }
});

test('an untrusted proxy is logged once', async () => {
  const lines: string[] = [];
  const t = await testApp({ overrides: { log: openLog('warn', (line) => lines.push(line)) } });
  try {
    for (let i = 0; i < 3; i++)
      await t.app.http.inject({
        url: '/api/comm/gameList',
        headers: { host: 'localhost', 'x-forwarded-for': '192.0.2.7' },
      });
    expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
  } finally {
    await t.close();
  }
});
