/** Settings and the environment around them: variables of other programs are ignored, wrong settings are all named at once. */
import { expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { ignoredSettings, ownSettings } from '#server/config/config-environment.ts';

/** Variables set by a log-in on Debian, csh, Conda, Kubernetes and common shells. */
const FOREIGN = {
  MAIL: '/var/mail/maria',
  HOST: 'x86_64-conda-linux-gnu',
  ROLE: 'developer',
  SMS: '+8613800138000',
  SECRET: 'short',
  PORT: 'tcp://10.0.0.1:80',
  LOG_LEVEL: 'VERBOSE',
  DEV: '/dev/sda1',
  HOME: '/home/maria',
  LOGNAME: 'maria',
  SHELL: '/bin/bash',
  LANG: 'zh_CN.UTF-8',
};

function problems(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

test('a log-in environment changes nothing, and each ignored variable is named once', () => {
  const config = loadConfig(FOREIGN);
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', logLevel: 'info', dev: false, isSecretSet: false });
  expect([config.nodes.role, config.vendors.mail.kind, config.vendors.sms.kind]).toEqual([
    'all',
    'stand-in',
    'stand-in',
  ]);
  const notes = ignoredSettings(FOREIGN);
  expect(notes.map((note) => /^环境变量 (\w+)/.exec(note)?.[1])).toEqual([
    'MAIL',
    'SMS',
    'HOST',
    'ROLE',
    'SECRET',
    'PORT',
    'LOG_LEVEL',
    'DEV',
  ]);
  expect(notes[0]).toBe(
    '环境变量 MAIL=/var/mail/maria 不是游市的设置，已忽略；要设定请写 YOUSHI_MAIL（可用的值：stand-in、off、smtp）',
  );
  expect(notes.join()).not.toContain('short');
});

test('a name with the prefix wins, and is judged whatever it says', () => {
  expect(loadConfig({ ...FOREIGN, YOUSHI_PORT: '4300', YOUSHI_HOST: 'box.example' })).toMatchObject({
    port: 4300,
    host: 'box.example',
  });
  expect(ownSettings({ MAIL: 'off', YOUSHI_MAIL: 'smtp', YOUSHI_ROLE: '' })).toEqual({ MAIL: 'smtp' });
  expect(problems({ YOUSHI_MAIL: '/var/mail/x' })).toEqual([
    '设置有误：MAIL=/var/mail/x 应为 stand-in、off、smtp 之一',
  ]);
});

test('all wrong settings are named at once, each with the value seen and what is permitted; secrets are not shown', () => {
  const found = problems({
    DATABASE_URL: 'mysql://user:hunter2@db/x',
    DATABASE_POOL: 'many',
    SEED_GOODS: '-1',
    PICTURE_URLS: 'ftp',
    SITE_URL: 'www.example.com',
    SECRET_PREVIOUS: 'hunter2',
    PAY_PROVIDERS: 'alipay,wechat',
    MAIL: 'smtp',
  });
  expect(found).toEqual(
    expect.arrayContaining([
      '设置有误：DATABASE_URL 应以 postgres 开头',
      '设置有误：DATABASE_POOL=many 应为数字',
      '设置有误：SEED_GOODS=-1 不能小于 0',
      '设置有误：PICTURE_URLS=ftp 应为 https、http、off 之一',
      '设置有误：SITE_URL=www.example.com 应为完整的网址，如 https://www.example.com',
      '设置有误：MAIL=smtp 还需要 MAIL_HOST、MAIL_FROM',
      '设置有误：PAY_PROVIDERS 有 alipay 时还需要 PAY_ORIGIN、ALIPAY_APP_ID、ALIPAY_SELLER_ID、ALIPAY_PRIVATE_KEY、ALIPAY_PUBLIC_KEY',
      expect.stringMatching(/^设置有误：PAY_PROVIDERS 有 wechat 时还需要 PAY_ORIGIN、WECHAT_PAY_MCHID/),
      expect.stringMatching(/^设置有误：SECRET_PREVIOUS 里每一个都至少 32 个字符/),
    ]),
  );
  expect(found.join()).not.toContain('hunter2');
});
