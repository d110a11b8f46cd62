/** The bus over Redis: messages between processes, none twice, and a gap for a receiver that may have missed some. */
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLimiter } from '#server/access/limits.ts';
import { redisBus } from '#server/adapters/bus/redis.ts';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import { type FakeRedis, fakeRedis } from '#tests/support/fakes/redis.ts';

let redis: FakeRedis;
let nodes: Bus[] = [];
const log = pino({ level: 'silent' });

/** A node that is connected, with what it has heard. */
async function node(): Promise<{ bus: Bus; heard: string[]; gaps: () => number }> {
  const bus = redisBus({ url: redis.url, log });
  nodes.push(bus);
  const heard: string[] = [];
  let gaps = 0;
  bus.subscribe('news', ({ text }) => heard.push(String(text)));
  bus.subscribe(BUS_GAP, () => (gaps += 1));
  await expect.poll(() => gaps).toBeGreaterThan(0);
  return { bus, heard, gaps: () => gaps };
}

beforeEach(async () => {
  redis = await fakeRedis();
});
afterEach(async () => {
  await Promise.all(nodes.map((bus) => bus.close()));
  nodes = [];
  await redis.close();
});

test('a message reaches this process immediately and others once', async () => {
  const [a, b] = [await node(), await node()];
  a.bus.publish('news', { text: '一' });
  expect(a.heard).toEqual(['一']);
  await expect.poll(() => b.heard).toEqual(['一']);
  b.bus.publish('news', { text: '二' });
  await expect.poll(() => a.heard).toEqual(['一', '二']);
  expect(b.heard).toEqual(['一', '二']);
});

test('a process without Redis receives its own messages; afterwards all are notified of the gap', async () => {
  const [a, b] = [await node(), await node()];
  redis.pause();
  await expect.poll(() => [a.gaps(), b.gaps()].every((count) => count >= 2)).toBe(true);
  a.bus.publish('news', { text: '断线时' });
  expect(a.heard).toEqual(['断线时']);
  const before = b.gaps();
  redis.resume();
  await expect.poll(() => b.gaps()).toBeGreaterThan(before);
  await expect
    .poll(() => {
      a.bus.publish('news', { text: '恢复后' });
      return b.heard.at(-1);
    })
    .toBe('恢复后');
  expect(b.heard).not.toContain('断线时');
});

test('closing does not wait for an unavailable Redis', async () => {
  const { bus } = await node();
  redis.pause();
  bus.publish('news', { text: '最后' });
  await bus.close();
  nodes = [];
});

test('processes share the rate limit of an account: together at most an eighth more', async () => {
  const [a, b] = [await node(), await node()];
  const limiters = [a, b].map(({ bus }) => createLimiter({ addressFactor: 1, bus, now: () => 0 }));
  let accepted = 0;
  let rejected = 0;
  for (let i = 0; i < 200; i++) {
    try {
      limiters[i % 2]?.take('write', { account: 'u:1', address: '10.0.0.1' });
      accepted += 1;
    } catch {
      rejected += 1;
    }
    // As requests do, these leave time for news in between.
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  // 120 a minute for an account.
  expect(accepted).toBeGreaterThanOrEqual(120);
  expect(accepted).toBeLessThanOrEqual(150);
  expect(rejected).toBe(200 - accepted);
});
