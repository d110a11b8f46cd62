import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { holdsRsa2, isGenuine, signedPart, signRsa2, signText } from '#server/adapters/pay/alipay-sign.ts';
import { authorization } from '#server/adapters/pay/wechat-client.ts';
import { isSigned, decryptResource, signatureHeaders, signLines } from '#server/adapters/pay/wechat-sign.ts';

type Signed = { signString: string; sign: string };

/** Published by the vendors or computed with their own packages. */
const vectors = JSON.parse(readFileSync(new URL('../data/pay-vectors.json', import.meta.url), 'utf8')) as {
  key: { pkcs8DerBase64: string; spkiDerBase64: string };
  alipay: {
    v2Request: Signed & { params: Record<string, string> };
    v2Response: { signedSubstring: string; sign: string; body: string };
    notify: Signed & { params: Record<string, string> };
  };
  wechatpay: {
    mchid: string;
    serial_no: string;
    post: Signed;
    get: Signed;
    response: Signed;
    jsapiPaySign: Signed;
    gcm: {
      apiV3Key: string;
      nonce: string;
      aad: string;
      small: { plain: string; cipher: string };
      notifyPlain: string;
    };
    notify: { body: string; headers: Record<string, string> };
  };
};
const privateKey = createPrivateKey({
  key: Buffer.from(vectors.key.pkcs8DerBase64, 'base64'),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = createPublicKey({
  key: Buffer.from(vectors.key.spkiDerBase64, 'base64'),
  format: 'der',
  type: 'spki',
});

describe('Alipay', () => {
  const { v2Request, v2Response, notify } = vectors.alipay;

  test('a request is signed over its raw parameters', () => {
    expect(signText(v2Request.params, ['sign'])).toBe(v2Request.signString);
    expect(signRsa2(v2Request.signString, privateKey)).toBe(v2Request.sign);
  });

  test('a response is verified over its exact characters', () => {
    const part = signedPart(v2Response.body, 'alipay_trade_precreate_response');
    expect(part).toEqual({ inner: v2Response.signedSubstring, sign: v2Response.sign });
    expect(holdsRsa2(v2Response.signedSubstring, v2Response.sign, publicKey)).toBe(true);
    expect(holdsRsa2(v2Response.signedSubstring.replace('Success', 'success'), v2Response.sign, publicKey)).toBe(false);
  });

  test('the signed part is found behind the signature, with braces and quotes inside texts, and nowhere else', () => {
    const inner = '{"msg":"a } \\" { b","x":{"y":"}"}}';
    expect(signedPart(`{"sign":"s", "a_response" : ${inner}}`, 'a_response')).toEqual({ inner, sign: 's' });
    for (const body of [
      '',
      '{}',
      '{"a_response":"text","sign":"s"}',
      `{"a_response":${inner}}`,
      '{"a_response":{"open":1',
    ])
      expect(signedPart(body, 'a_response')).toBeUndefined();
  });

  test('a notification with a per cent sign in it', () => {
    const form = notify.params;
    expect(signText(form, ['sign', 'sign_type'])).toBe(notify.signString);
    expect(isGenuine(form, publicKey)).toBe(true);
    expect(isGenuine({ ...form, subject: '充值' }, publicKey)).toBe(false);
    for (const type of ['RSA', 'MD5', 'rsa2', ''])
      expect(isGenuine({ ...form, sign_type: type }, publicKey)).toBe(false);
    for (const sign of ['', 'no base64!', 'AAAA']) expect(isGenuine({ ...form, sign }, publicKey)).toBe(false);
  });
});

describe('WeChat Pay', () => {
  const { mchid, serial_no: serial, post, get, response, jsapiPaySign, gcm, notify } = vectors.wechatpay;

  test('signs requests with and without a body', () => {
    for (const { signString, sign } of [post, get]) {
      const [method = '', path = '', timestamp = '', nonce = '', body = ''] = signString.split('\n');
      const header = authorization({ mchid, serial, privateKey }, { method, path, body, timestamp, nonce });
      expect(header).toContain(`signature="${sign}"`);
      expect(header).toMatch(/^WECHATPAY2-SHA256-RSA2048 mchid="1900000001",serial_no="/);
    }
  });

  test('verifies responses, and signs payments inside WeChat', () => {
    const [timestamp = '', nonce = '', body = ''] = response.signString.split('\n');
    const seal = { timestamp, nonce, serial: 'S', signature: response.sign };
    const keys = new Map([['S', publicKey]]);
    const at = (seconds: number): Date => new Date((Number(timestamp) + seconds) * 1000);
    expect(isSigned(seal, Buffer.from(body), keys, at(299))).toBe(true);
    expect(isSigned(seal, Buffer.from(body), keys, at(301))).toBe(false);
    expect(isSigned(seal, Buffer.from(body), keys, at(-301))).toBe(false);
    expect(isSigned({ ...seal, serial: 'T' }, Buffer.from(body), keys, at(0))).toBe(false);
    expect(
      isSigned({ ...seal, signature: `WECHATPAY/SIGNTEST/${response.sign}` }, Buffer.from(body), keys, at(0)),
    ).toBe(false);
    expect(signLines(jsapiPaySign.signString.split('\n').slice(0, 4), privateKey)).toBe(jsapiPaySign.sign);
  });

  test('decrypts a notification', () => {
    const sealed = { nonce: gcm.nonce, associated_data: gcm.aad, ciphertext: gcm.small.cipher };
    expect(decryptResource(gcm.apiV3Key, sealed)).toBe(gcm.small.plain);
    expect(decryptResource('f'.repeat(32), sealed)).toBeUndefined();
    expect(decryptResource(gcm.apiV3Key, { ...sealed, associated_data: '' })).toBeUndefined();
    expect(decryptResource(gcm.apiV3Key, { ...sealed, ciphertext: '' })).toBeUndefined();
    const headers = Object.fromEntries(Object.entries(notify.headers).map(([k, v]) => [k.toLowerCase(), v]));
    const seal = signatureHeaders((name) => headers[name]);
    const keys = new Map([[seal.serial ?? '', publicKey]]);
    expect(isSigned(seal, Buffer.from(notify.body), keys, new Date(Number(seal.timestamp) * 1000))).toBe(true);
    const { resource } = JSON.parse(notify.body) as { resource: Record<string, unknown> };
    expect(decryptResource(gcm.apiV3Key, resource)).toBe(gcm.notifyPlain);
  });
});
