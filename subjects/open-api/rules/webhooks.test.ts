import { expect, test } from 'vitest';
import {
  CIRCUIT_FAILS,
  DISABLE_DAYS,
  MAX_RETRY_AFTER_SECONDS,
  RECEIVER_BUSY,
  RECEIVER_GONE,
  RETRY_SECONDS,
  TEST_EVENT,
  webhookEvents,
  WEBHOOK_HEADERS,
  WEBHOOKS_MAX,
} from './webhooks.ts';

test('an event is tried for about two days, with waits that grow up to one day', () => {
  const total = RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0);
  expect(total / 86_400).toBeCloseTo(1.86, 2);
  expect(RETRY_SECONDS.toSorted((a, b) => a - b)).toEqual([...RETRY_SECONDS]);
  expect(RETRY_SECONDS.at(-1)).toBe(MAX_RETRY_AFTER_SECONDS);
});

test('the statuses and headers are those of Standard Webhooks', () => {
  expect(RECEIVER_BUSY).toEqual([429, 503]);
  expect(RECEIVER_GONE).toBe(410);
  expect(Object.values(WEBHOOK_HEADERS)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
});

test('names and numbers that receivers and the documentation rely on', () => {
  expect(webhookEvents).toHaveLength(10);
  for (const event of webhookEvents) expect(event).toMatch(/^(goods|order|dispute)\.[a-z]+$/);
  expect([TEST_EVENT, WEBHOOKS_MAX, CIRCUIT_FAILS, DISABLE_DAYS]).toEqual(['test', 5, 5, 3]);
});
