/** Before anything: an installation with a vendor, a secret or a host that is not real does not start, and says what would be right. */
import { expect } from '@playwright/test';
import { runCommand } from '../ground/market.ts';
import { test } from '../stage.ts';

/** Settings that are taken away, and the sentence that a start ends with. */
const MISSING: readonly (readonly [what: string, names: readonly string[], sentence: RegExp])[] = [
  ['SMS', ['SMS'], /短信还是演示用的替身（SMS=stand-in），请设 SMS=aliyun 或 SMS=tencent/],
  ['mail', ['MAIL'], /邮件还是演示用的替身（MAIL=stand-in），请设 MAIL=smtp 或 MAIL=off（关闭）/],
  ['real names', ['REAL_NAME'], /实名认证还是演示用的替身.*请设 REAL_NAME=aliyun 或 REAL_NAME=off/],
  ['the account at WeChat', ['WECHAT_APP_ID', 'WECHAT_APP_SECRET'], /OFFICIAL_ACCOUNT=wechat 还需要 WECHAT_APP_ID/],
  [
    'log-in by WeChat',
    ['WECHAT_LOGIN', 'OFFICIAL_ACCOUNT', 'WECHAT_APP_ID', 'WECHAT_APP_SECRET'],
    /微信登录还是演示用的替身（WECHAT_LOGIN=stand-in），请设 WECHAT_LOGIN=official-account 或/,
  ],
  ['the official account', ['OFFICIAL_ACCOUNT'], /公众号消息还是演示用的替身.*请设 OFFICIAL_ACCOUNT=wechat 或/],
  ['the search engine', ['LINK_PUSH'], /搜索引擎推送还是演示用的替身.*请设 LINK_PUSH=baidu 或/],
  ['payments', ['PAY_PROVIDERS'], /支付还是演示用的替身（PAY_PROVIDERS=sandbox），谁都能按「已付款」/],
  ['the key of WeChat Pay', ['WECHAT_PAY_V3_KEY'], /PAY_PROVIDERS 有 wechat 时还需要 WECHAT_PAY_V3_KEY/],
  ['the key of Alipay', ['ALIPAY_PRIVATE_KEY'], /PAY_PROVIDERS 有 alipay 时还需要 ALIPAY_PRIVATE_KEY/],
  ['the secret', ['SECRET'], /必须设置 SECRET/],
  ['the site', ['SITE_URL'], /SITE_URL 没有设/],
  ['the host of the back office', ['BACKSTAGE_HOST'], /BACKSTAGE_HOST 没有设/],
  ['closed cookies', ['SECURE_COOKIES'], /登录 Cookie 会走明文/],
];

const SHOWN_AT_ONCE = 3;

test('the owner creates the tables, and the doctor finds no problem', async ({ stage }) => {
  const before = await stage.npm('doctor');
  expect(before.output, 'the structure is missing').toMatch(/数据库结构/);
  expect(before.code).not.toBe(0);
  const migrated = await stage.npm('migrate', [], { MIGRATE_DATABASE_URL: stage.ownerUrl });
  expect(migrated.code, migrated.output).toBe(0);
  const after = await stage.npm('doctor');
  expect(after.code, after.output).toBe(0);
});

test('the start fails with a message for each missing vendor, secret and host', async ({ stage }) => {
  const entry = ['node', 'build/main.js'];
  const started = async (names: readonly string[]) => {
    const left = Object.entries(stage.settings).filter(([name]) => !names.includes(name));
    return await runCommand(entry, { ...Object.fromEntries(left), NODE_ENV: 'production', PORT: '0' }, 20_000);
  };
  const refuses = async ([what, names, sentence]: (typeof MISSING)[number]) => {
    const { code, output } = await started(names);
    expect(output, what).toMatch(sentence);
    expect(output, what).not.toContain('还没有管理员');
    expect(code, what).toBe(1);
  };
  for (let n = 0; n < MISSING.length; n += SHOWN_AT_ONCE)
    await Promise.all(MISSING.slice(n, n + SHOWN_AT_ONCE).map(refuses));
});
