/** The settings of the vendors: what lacks or contradicts ends the start with a sentence that names it. */
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config/config.ts';

const outside = {
  DATABASE_URL: 'postgres://u:p@db.example/market',
  SECRET: 'a secret of tests, long enough to be taken',
};
const production = (env: Record<string, string>) => loadConfig({ NODE_ENV: 'production', ...outside, ...env }).vendors;
const atHome = (env: Record<string, string>) => loadConfig({ NODE_ENV: 'test', ...outside, ...env }).vendors;

const aliyun = {
  SMS: 'aliyun',
  ALIYUN_SMS_KEY_ID: 'id',
  ALIYUN_SMS_KEY_SECRET: 'secret',
  ALIYUN_SMS_SIGN: '游市',
  ALIYUN_SMS_TEMPLATES: 'code=SMS_1,notice=SMS_2,code.register=SMS_3',
};
const tencent = {
  SMS: 'tencent',
  TENCENT_SMS_SECRET_ID: 'id',
  TENCENT_SMS_SECRET_KEY: 'key',
  TENCENT_SMS_APP_ID: '1400000001',
  TENCENT_SMS_SIGN: '游市',
  TENCENT_SMS_TEMPLATES: 'code=1',
};
const smtp = { MAIL: 'smtp', MAIL_HOST: 'smtp.example.com', MAIL_FROM: 'no-reply@example.com' };
const realName = { REAL_NAME: 'aliyun', ALIYUN_ID_KEY_ID: 'id', ALIYUN_ID_KEY_SECRET: 'secret' };
const wechat = { WECHAT_LOGIN: 'official-account', WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 'secret' };
const all = { ...aliyun, ...smtp, ...realName, ...wechat };

describe('the switches of the vendors', () => {
  it('use fakes by default, and switch off by name', () => {
    const kinds = (vendors: ReturnType<typeof atHome>) => Object.values(vendors).map(({ kind }) => kind);
    expect(kinds(atHome({}))).toEqual(['stand-in', 'stand-in', 'stand-in', 'stand-in', 'stand-in', 'stand-in']);
    const off = {
      SMS: 'off',
      MAIL: 'off',
      REAL_NAME: 'off',
      WECHAT_LOGIN: 'off',
      OFFICIAL_ACCOUNT: 'off',
      LINK_PUSH: 'off',
    };
    expect(kinds(atHome(off))).toEqual(['off', 'off', 'off', 'off', 'off', 'off']);
    expect(kinds(production(all)).slice(0, 4)).toEqual(['aliyun', 'smtp', 'aliyun', 'official-account']);
  });

  it.each([aliyun, tencent, smtp, realName, wechat])('require every setting of %j', (settings) => {
    expect(() => production(settings)).not.toThrow();
    for (const name of Object.keys(settings).slice(1)) {
      const { [name]: _left, ...rest } = settings as Record<string, string>;
      expect(() => production(rest), name).toThrow(new RegExp(`设置有误.*${name}`));
    }
  });

  it('read signatures by brand, templates by kind and a backup', () => {
    const { sms } = production({
      ...tencent,
      ...aliyun,
      SMS: 'aliyun,tencent',
      ALIYUN_SMS_SIGNS: 'moon=月光, star=星河',
    });
    if (sms.kind !== 'aliyun') throw new Error('not Aliyun');
    expect([...sms.signs]).toEqual([
      ['moon', '月光'],
      ['star', '星河'],
    ]);
    expect(sms.templates.get('code.register')).toBe('SMS_3');
    expect(sms.backup).toMatchObject({ kind: 'tencent', appId: '1400000001' });
  });

  it.each([
    [{ YOUSHI_SMS: 'carrier-pigeon' }, /SMS 应为/],
    [{ ...aliyun, SMS: 'aliyun,aliyun' }, /两家不同/],
    [{ ...aliyun, ALIYUN_SMS_SIGN: '【游市】' }, /不带【】/],
    [{ ...aliyun, ALIYUN_SMS_TEMPLATES: 'notice=SMS_2' }, /缺少验证码模板/],
    [{ ...aliyun, ALIYUN_SMS_TEMPLATES: 'codes=SMS_2' }, /codes 应以 code 或 notice 开头/],
    [{ ...aliyun, ALIYUN_SMS_TEMPLATES: 'SMS_2' }, /名称=值/],
    [{ ...aliyun, ALIYUN_SMS_BASE: 'http://127.0.0.1:9' }, /ALIYUN_SMS_BASE 必须是外部的 https/],
    [{ ...smtp, MAIL_FROM: '游市' }, /MAIL_FROM 应为/],
    [{ ...smtp, MAIL_USER: 'me' }, /MAIL_USER 与 MAIL_PASSWORD/],
    [{ ...smtp, MAIL_TLS: 'none' }, /MAIL_TLS 不能是 none/],
    [{ YOUSHI_MAIL: 'sendmail' }, /MAIL/],
    [{ REAL_NAME: 'maybe' }, /REAL_NAME/],
    [{ ...realName, ALIYUN_FACE_SCENE: '1000000001' }, /ALIYUN_FACE_SCRIPT/],
  ])('reject %j', (settings, sentence) => {
    expect(() => production(settings as Record<string, string>)).toThrow(sentence);
  });

  it('allow a fake on this machine outside production, and mail without TLS', () => {
    expect(atHome({ ...aliyun, ALIYUN_SMS_BASE: 'http://127.0.0.1:9/' }).sms).toMatchObject({
      base: 'http://127.0.0.1:9',
    });
    expect(atHome({ ...smtp, MAIL_TLS: 'none', MAIL_PORT: '2525' }).mail).toMatchObject({ tls: 'none', port: 2525 });
    expect(production({ ...smtp, MAIL_PORT: '587' }).mail).toMatchObject({ tls: 'starttls' });
  });
});
