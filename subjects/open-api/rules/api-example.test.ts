import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import * as openCalls from '../contract/open-api.ts';
import { callExamples, SIGNING_EXAMPLE, WEBHOOK_EXAMPLE } from './api-example.ts';

test('the example of a signature is what a program of a seller computes', () => {
  const { body, bodyHash, method, target, timestamp, nonce, secret, text, signature } = SIGNING_EXAMPLE;
  expect(createHash('sha256').update(body).digest('hex')).toBe(bodyHash);
  expect(text).toBe(`HMAC-SHA256\n${method}\n${target}\n${timestamp}\n${nonce}\n${bodyHash}`);
  expect(createHmac('sha256', secret).update(text).digest('hex')).toBe(signature);
});

test('the example of an event is signed by Standard Webhooks', () => {
  const { secret, id, timestamp, body, signature } = WEBHOOK_EXAMPLE;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).toBe(signature);
  expect(Date.parse((JSON.parse(body) as { timestamp: string }).timestamp)).toBe(Number(timestamp) * 1000);
});

test('each call has an example that it accepts, and no other is described', () => {
  const calls = Object.values(openCalls).flatMap((one) =>
    'path' in one && one.path.startsWith('/api/open/') ? [one] : [],
  );
  expect(calls.map(({ path }) => path).toSorted()).toEqual(Object.keys(callExamples).toSorted());
  for (const { path, input } of calls) {
    const { success, error } = input.safeParse(callExamples[path]?.input);
    expect([path, success, error?.issues]).toEqual([path, true, undefined]);
  }
});

test('the examples of one listing describe the same account', () => {
  const { details, price } = callExamples['/api/open/goods/publish']?.input ?? {};
  expect(details).toMatchObject({ second_realname: true });
  expect(callExamples['/api/open/goods/edit']?.input.details).toEqual(details);
  expect(Number(callExamples['/api/open/goods/edit']?.input.price)).toBeLessThan(Number(price));
});

test('the example of many changes shows a price, a stock and an action', () => {
  expect(callExamples['/api/open/goods/updateMany']?.input.list).toEqual([
    { goodsSn: 'SJ0000001', price: '128.00' },
    { goodsSn: 'SJ0000002', stock: 3 },
    { goodsSn: 'SJ0000003', act: 'pull' },
  ]);
});
