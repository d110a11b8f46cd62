import { expect, test } from 'vitest';
import { payPage } from './pay-page.ts';

const back = '/wares/YS2618407/pay?orderSn=1';

test('the demo page receives the return URL', () => {
  expect(payPage('http://localhost:3000/pay/sandbox/abcdefgh', back)).toBe(
    'http://localhost:3000/pay/sandbox/abcdefgh?back=%2Fwares%2FYS2618407%2Fpay%3ForderSn%3D1',
  );
});

test('a foreign page is linked unchanged, and a text that is not a URL has no link', () => {
  expect(payPage('https://qr.alipay.com/bax0123', back)).toBe('https://qr.alipay.com/bax0123');
  expect(payPage('weixin://wxpay/bizpayurl?pr=abc', back)).toBeNull();
  expect(payPage('javascript:alert(1)', back)).toBeNull();
  expect(payPage('weixin://open?url=https://example.com/', back)).toBeNull();
  expect(payPage('', back)).toBeNull();
});
