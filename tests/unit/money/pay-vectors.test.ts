import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { genuineForm, holdsRsa2, signedPart, signRsa2, signText } from '#server/adapters/pay/alipay-sign.ts';
import { authorization } from '#server/adapters/pay/wechat-client.ts';
import { isSigned, decryptResource, signatureHeaders, signLines } from '#server/adapters/pay/wechat-sign.ts';

type Signed = { signString: string; sign: string };

/** Published by the vendors or computed with their own packages. */
const vectors = JSON.parse(readFileSync(new URL('../../data/pay-vectors.json', import.meta.url), 'utf8')) as {
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
    const part = signedPart(Buffer.from(v2Response.body), 'alipay_trade_precreate_response');
    expect(part).toMatchObject({ text: v2Response.signedSubstring, sign: v2Response.sign });
    expect(part?.inner.toString()).toBe(v2Response.signedSubstring);
    expect(holdsRsa2(v2Response.signedSubstring, v2Response.sign, publicKey)).toBe(true);
    expect(holdsRsa2(v2Response.signedSubstring.replace('Success', 'success'), v2Response.sign, publicKey)).toBe(false);
  });

  test('the signed part is found behind the signature, with braces and quotes inside texts, and nowhere else', () => {
    const inner = '{"msg":"a } \\" { b","x":{"y":"}"}}';
    expect(signedPart(Buffer.from(`{"sign":"s", "a_response" : ${inner}}`), 'a_response')).toMatchObject({
      text: inner,
      sign: 's',
    });
    for (const body of [
      '',
      '{}',
      '{"a_response":"text","sign":"s"}',
      `{"a_response":${inner}}`,
      '{"a_response":{"open":1',
    ])
      expect(signedPart(Buffer.from(body), 'a_response')).toBeUndefined();
  });

  test('a notification with a per cent sign in it', () => {
    const form = notify.params;
    expect(signText(form, ['sign', 'sign_type'])).toBe(notify.signString);
    const genuine = (fields: Record<string, string>) =>
      genuineForm(Buffer.from(new URLSearchParams(fields).toString()), publicKey);
    expect(genuine(form)).toEqual(form);
    expect(genuine({ ...form, subject: '充值' })).toBeUndefined();
    for (const type of ['RSA', 'MD5', 'rsa2', '']) expect(genuine({ ...form, sign_type: type })).toBeUndefined();
    for (const sign of ['', 'no base64!', 'AAAA']) expect(genuine({ ...form, sign })).toBeUndefined();
    expect(genuineForm(Buffer.from(`${new URLSearchParams(form).toString()}&app_id=2`), publicKey)).toBeUndefined();
  });

  /** A form as a vendor sends it: values percent-encoded in a character set, signed over their bytes. */
  function signedForm(fields: Record<string, string>, charset: 'utf-8' | 'gbk'): Buffer {
    const bytes = (text: string) => iconv.encode(text, charset);
    const names = Object.keys(fields).sort();
    const text = Buffer.concat(
      names.flatMap((name, i) => [Buffer.from(`${i === 0 ? '' : '&'}${name}=`), bytes(fields[name] ?? '')]),
    );
    const encoded = (value: Buffer) => [...value].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const signature = sign('sha256', text, privateKey).toString('base64');
    const all = { ...fields, sign_type: 'RSA2', sign: signature };
    return Buffer.from(
      Object.entries(all)
        .map(([name, value]) => `${name}=${encoded(bytes(value))}`)
        .join('&'),
    );
  }

  test('a notification with a signed empty value', () => {
    const fields = { app_id: '1', body: '', charset: 'utf-8', subject: '充值 50% + 1' };
    expect(genuineForm(signedForm(fields, 'utf-8'), publicKey)).toMatchObject(fields);
    const forged = Buffer.from(signedForm(fields, 'utf-8').toString().replace('body=', 'body=x'));
    expect(genuineForm(forged, publicKey)).toBeUndefined();
  });

  test('a notification and a response in GBK are verified over their bytes', () => {
    // The second bytes of these characters are a backslash, a brace and a vertical line.
    const subject = '乗\u{7A5E}誠 充值';
    const fields = { app_id: '1', charset: 'GBK', subject };
    expect(genuineForm(signedForm(fields, 'gbk'), publicKey)).toMatchObject(fields);
    const inner = iconv.encode('{"code":"40004","sub_msg":"交易乗"}', 'gbk');
    const body = Buffer.concat([Buffer.from('{"a_response":'), inner, Buffer.from(',"sign":"s"}')]);
    expect(signedPart(body, 'a_response')).toMatchObject({ inner, text: '{"code":"40004","sub_msg":"交易乗"}' });
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

  test('decrypts a notification with the right key and its data only', () => {
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
