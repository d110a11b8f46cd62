/** The settings of the ways to pay: what lacks, contradicts or lets play money out ends the start with a sentence. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config/config.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const bare = (text: string): string => text.replace(/-----[^-]+-----|\s/g, '');
const pem = (type: 'pkcs1' | 'pkcs8'): string => privateKey.export({ type, format: 'pem' }).toString();
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const alipay = {
  PAY_PROVIDERS: 'alipay',
  PAY_ORIGIN: 'https://market.example',
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY: pem('pkcs8'),
  ALIPAY_PUBLIC_KEY: publicPem,
};
const wechat = {
  PAY_PROVIDERS: 'wechat',
  PAY_ORIGIN: 'https://market.example',
  WECHAT_PAY_MCHID: '1900000001',
  WECHAT_PAY_APPID: 'wx0000000000000001',
  WECHAT_PAY_SERIAL: 'ABCD',
  WECHAT_PAY_PRIVATE_KEY: pem('pkcs8'),
  WECHAT_PAY_V3_KEY: '0123456789abcdef0123456789abcdef',
  WECHAT_PAY_PUBLIC_KEYS: `PUB_KEY_ID_1=${bare(publicPem)},SERIAL2=${bare(publicPem)}`,
};

const outside = {
  DATABASE_URL: 'postgres://u:p@db.example/market',
  SECRET: 'a secret of tests, long enough to be taken',
};
const production = (env: Record<string, string>) => loadConfig({ NODE_ENV: 'production', ...outside, ...env }).pay;
const atHome = (env: Record<string, string>) => loadConfig({ NODE_ENV: 'test', ...outside, ...env }).pay;

describe('a real channel', () => {
  it.each(Object.keys({ ...alipay, ...wechat }).filter((name) => name !== 'PAY_PROVIDERS'))('requires %s', (name) => {
    for (const all of [alipay, wechat].filter((settings) => name in settings)) {
      const { [name as 'PAY_ORIGIN']: _left, ...rest } = all;
      expect(() => production(rest)).toThrow(new RegExp(`设置有误.*${name}`));
    }
  });

  it('accepts its keys as PEM of either kind and as bare Base64', () => {
    for (const ALIPAY_PRIVATE_KEY of [
      pem('pkcs8'),
      pem('pkcs1'),
      pem('pkcs8').replaceAll('\n', '\\n'),
      bare(pem('pkcs8')),
    ])
      expect(production({ ...alipay, ALIPAY_PRIVATE_KEY }).alipay?.privateKey.type).toBe('private');
    expect(production({ ...alipay, ALIPAY_PUBLIC_KEY: bare(publicPem) }).alipay?.publicKey.type).toBe('public');
    expect([...(production(wechat).wechat?.publicKeys.keys() ?? [])]).toEqual(['PUB_KEY_ID_1', 'SERIAL2']);
    for (const ALIPAY_PRIVATE_KEY of ['不是密钥', 'AAAA'])
      expect(() => production({ ...alipay, ALIPAY_PRIVATE_KEY })).toThrow(/设置有误：ALIPAY_PRIVATE_KEY/);
    expect(() => production({ ...wechat, WECHAT_PAY_V3_KEY: '短' })).toThrow(/32 个字符/);
  });

  it('calls by https only in production, and may call a fake elsewhere', () => {
    for (const ALIPAY_GATEWAY of [
      'http://openapi.alipay.com/gateway.do',
      'https://localhost/gateway.do',
      'https://127.0.0.1/',
    ])
      expect(() => production({ ...alipay, ALIPAY_GATEWAY })).toThrow(/ALIPAY_GATEWAY/);
    expect(() => production({ ...alipay, PAY_ORIGIN: 'http://market.example' })).toThrow(/PAY_ORIGIN/);
    expect(atHome({ ...alipay, ALIPAY_GATEWAY: 'http://127.0.0.1:9/gateway.do' }).alipay?.notifyUrl).toBe(
      'https://market.example/api/pay/notify/alipay',
    );
  });
});

describe('the sandbox', () => {
  it('is the default payment method', () => {
    expect(atHome({}).providers).toEqual(['sandbox']);
    expect(production({}).providers).toEqual(['sandbox']);
  });

  it('is rejected together with a real channel in production, which would pay it out', () => {
    for (const both of ['alipay,sandbox', 'sandbox, alipay', 'alipay,wechat,sandbox'])
      expect(() => production({ ...wechat, ...alipay, PAY_PROVIDERS: both })).toThrow(/sandbox/);
    expect(production({ ...wechat, ...alipay, PAY_PROVIDERS: 'alipay,wechat' }).providers).toEqual([
      'alipay',
      'wechat',
    ]);
    expect(atHome({ ...alipay, PAY_PROVIDERS: 'alipay,sandbox' }).providers).toEqual(['alipay', 'sandbox']);
  });
});
