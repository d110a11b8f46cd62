import { describe, expect, test } from 'vitest';
import { mustLeave, payerBrowser } from './payer-browser.ts';

const agents = {
  desktop: [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    // WeChat for computers: its browser has no payment by JSAPI.
    'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 Chrome/122.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090a13)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/81 MicroMessenger/6.8.0(0x16080000) MacWechat/3.8.7',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/131.0.0.0 Safari/537.36',
    'lightMyRequest',
    '',
  ],
  phone: [
    'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile',
  ],
  wechat: [
    'Mozilla/5.0 (Linux; Android 14; PGT-AN00) AppleWebKit/537.36 Chrome/126.0 MMWEBID/1 MicroMessenger/8.0.54.2760(0x2800363D) WeChat/arm64',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.53(0x1800353c)',
  ],
  alipay: ['Mozilla/5.0 (Linux; U; Android 14; zh-CN) AppleWebKit/537.36 Chrome/105.0 Mobile AlipayClient/10.6.80'],
} as const;

describe.each(Object.entries(agents))('%s', (environment, list) => {
  test.each(list)('%s', (agent) => expect(payerBrowser(agent)).toBe(environment));
});

test('each app opens its own channel only, and the sandbox opens anywhere', () => {
  expect(mustLeave('alipay', 'h5', 'wechat')).toBe(true);
  expect(mustLeave('alipay', 'jsapi', 'wechat')).toBe(true);
  expect(mustLeave('wechat', 'h5', 'wechat')).toBe(true);
  expect(mustLeave('wechat', 'jsapi', 'wechat')).toBe(false);
  expect(mustLeave('wechat', 'h5', 'alipay')).toBe(true);
  expect(mustLeave('alipay', 'h5', 'alipay')).toBe(false);
  for (const channel of ['alipay', 'wechat']) expect(mustLeave(channel, 'h5', 'phone')).toBe(false);
  expect(mustLeave('sandbox', 'h5', 'wechat')).toBe(false);
});
