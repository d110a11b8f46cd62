/** Webhooks: npm standardwebhooks verifies what the market signs; its own signatures are the market's. */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { WEBHOOK_HEADERS } from '#subjects/open-api/rules/webhooks.ts';
import { webhookSignature } from '#subjects/open-api/server/webhook-send.ts';
import { ODD_TEXTS } from './recorder.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const timestamp = String(Math.floor(Date.now() / 1000));
const headersOf = (body: string, at = timestamp) => ({
  [WEBHOOK_HEADERS.id]: 'evt_1',
  [WEBHOOK_HEADERS.time]: at,
  [WEBHOOK_HEADERS.signature]: webhookSignature(secret, 'evt_1', at, body),
});

test.each(ODD_TEXTS)('the library verifies an event with %j', (text) => {
  const body = JSON.stringify({ type: 'order.paid', data: { text } });
  const receiver = new Webhook(secret);
  expect(receiver.verify(body, headersOf(body))).toEqual(JSON.parse(body));
  expect(receiver.sign('evt_1', new Date(Number(timestamp) * 1000), body)).toBe(
    webhookSignature(secret, 'evt_1', timestamp, body),
  );
  expect(() => receiver.verify(`${body} `, headersOf(body))).toThrow(/No matching signature/);
  expect(() => receiver.verify(body, { ...headersOf(body), [WEBHOOK_HEADERS.id]: 'evt_2' })).toThrow();
  expect(() => receiver.verify(body, headersOf(body, String(Number(timestamp) - 600)))).toThrow(/too old/);
  expect(() =>
    new Webhook(`whsec_${Buffer.from('other key').toString('base64')}`).verify(body, headersOf(body)),
  ).toThrow();
});
