import { createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { encrypt, webPush } from './web.ts';

const buffer = (text: string) => Buffer.from(text, 'base64url');

function publicKeyOf(text: string) {
  const [x, y] = [buffer(text).subarray(1, 33), buffer(text).subarray(33, 65)].map((part) =>
    part.toString('base64url'),
  );
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}

it('encrypts as the example of RFC 8291 does', () => {
  const target = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const message = encrypt(target, Buffer.from('When I grow up, I want to be a watermelon'), {
    ephemeral: buffer('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: buffer('DGv6ra1nlYgDCS1FRnbzlw'),
  });
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

const key = Buffer.alloc(32, 7);
const target = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const message = { title: '新订单', body: '请发货', url: '/center', tag: 'n1' };

/** A push service that answers with a status and keeps what it was asked. */
function service(status: number) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const fake = ((url: string, init: RequestInit) => {
    asked.push({ url, headers: init.headers as Record<string, string> });
    return Promise.resolve(new Response(null, { status }));
  }) as typeof fetch;
  return { asked, push: webPush({ key, subject: 'https://example.com', fetch: fake }) };
}

it('signs for the service that it asks, and knows a browser that is gone', async () => {
  const { asked, push } = service(201);
  expect(await push.send(target, message)).toBe('sent');
  const [, token = '', point = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(asked[0]?.headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(buffer(claims).toString())).toMatchObject({ aud: 'https://fcm.googleapis.com' });
  const signed = { key: publicKeyOf(point), dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, buffer(signature))).toBe(true);
  expect(await service(410).push.send(target, message)).toBe('gone');
  await expect(service(500).push.send(target, message)).rejects.toThrow('500');
});

it('asks only where browsers are reached', () => {
  const { push } = service(201);
  expect(push.accepts(target.endpoint)).toBe(true);
  for (const url of [
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.cn/x',
    'https://fcm.googleapis.com:8443/x',
    'https://127.0.0.1/x',
    'https://me@fcm.googleapis.com/x',
    'nonsense',
  ])
    expect(push.accepts(url), url).toBe(false);
});
