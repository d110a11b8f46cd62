import crypto, { createPublicKey, verify } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { createVendorRegistry } from '#server/kernel/vendors.ts';
import { PUSH_SERVICES, pushRequest, webPush } from './web.ts';

afterEach(() => void vi.restoreAllMocks());

const buffer = (text: string) => Buffer.from(text, 'base64url');

function publicKeyOf(text: string) {
  const [x, y] = [buffer(text).subarray(1, 33), buffer(text).subarray(33, 65)].map((part) =>
    part.toString('base64url'),
  );
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}

const key = Buffer.alloc(32, 7);
const target = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const message = { title: '新订单', body: '请发货', url: '/center', tag: 'n1' };

/** Pushes through fake vendors; `fetch` replaces the push services. */
function pushBy(request: typeof fetch, subject = 'https://example.com') {
  const registry = createVendorRegistry();
  const vendors = new Map(
    PUSH_SERVICES.map((one) => [
      one.key as string,
      registry.add({ key: `push.${one.key}`, label: one.label, subject: '浏览器推送', state: 'on' }),
    ]),
  );
  const environment = { fetch: request, now: () => new Date(), nonce: () => 'n' };
  return { registry, push: webPush({ key, subject, environment, vendors }) };
}

/** The library takes its randomness from node:crypto; the RFC's example specifies the values. */
function chance(ephemeral: string, salt: string): void {
  const own = crypto.createECDH('prime256v1');
  own.setPrivateKey(buffer(ephemeral));
  vi.spyOn(own, 'generateKeys').mockReturnValue(own.getPublicKey() as never);
  vi.spyOn(crypto, 'createECDH').mockReturnValue(own);
  vi.spyOn(crypto, 'randomBytes').mockImplementation(() => buffer(salt));
}

it('encrypts like the example of RFC 8291', () => {
  const vapid = {
    subject: 'mailto:a@example.com',
    publicKey: pushBy(fetch).push.publicKey,
    privateKey: key.toString('base64url'),
  };
  chance('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'DGv6ra1nlYgDCS1FRnbzlw');
  const { body, headers } = pushRequest(vapid, target, 'When I grow up, I want to be a watermelon', 't');
  expect(Buffer.from(body).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' });
});

it('sends a topic that push services accept, one per tag, and a mail address where the site has no https', async () => {
  const topicOf = async (tag: string) => {
    const { asked, push } = service(201);
    await push.send(target, { ...message, tag });
    return asked[0]?.headers.topic ?? '';
  };
  const long = 'order.shipped:1234567890123456789:';
  const topics = [await topicOf(`${long}1`), await topicOf(`${long}2`)];
  expect(topics[0]).toMatch(/^[\w-]{32}$/);
  expect(topics[1]).not.toBe(topics[0]);
  expect(await topicOf(`${long}1`)).toBe(topics[0]);

  const requests: string[] = [];
  const fake = ((_url: string, init: RequestInit) => {
    requests.push((init.headers as Record<string, string>).authorization ?? '');
    return Promise.resolve(new Response(null, { status: 201 }));
  }) as typeof fetch;
  await pushBy(fake, 'http://localhost:3000').push.send(target, message);
  const claims = /t=[^.]+\.([^.]+)/.exec(requests[0] ?? '')?.[1] ?? '';
  expect(JSON.parse(buffer(claims).toString())).toMatchObject({ sub: 'mailto:push@localhost' });
});

/** A push service that answers with a status and records the requests. */
function service(status: number) {
  const requests: { url: string; headers: Record<string, string> }[] = [];
  const fake = ((url: string, init: RequestInit) => {
    requests.push({ url, headers: init.headers as Record<string, string> });
    return Promise.resolve(new Response(null, { status }));
  }) as typeof fetch;
  return { asked: requests, ...pushBy(fake) };
}

it('signs for the called service, and reports a browser that is gone', async () => {
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

it('calls only hosts of push services', () => {
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

it('each service has its own circuit breaker, which a rejected message does not open', async () => {
  const down = service(503);
  for (let i = 0; i < 8; i++) await down.push.send(target, message).catch(() => undefined);
  expect(down.asked).toHaveLength(5);
  const states = new Map(down.registry.list().map((vendor) => [vendor.key, vendor.circuit()]));
  expect([states.get('push.fcm'), states.get('push.mozilla')]).toEqual(['open', 'closed']);
  const firefox = { ...target, endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/abc' };
  await expect(down.push.send(firefox, message)).rejects.toThrow('503');
  expect(down.asked).toHaveLength(6);
  const strict = service(413);
  for (let i = 0; i < 8; i++) await expect(strict.push.send(target, message)).rejects.toThrow('HTTP 413');
  expect(strict.asked).toHaveLength(8);
});
