import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TOP_UP_MAX_POLLS, TOP_UP_POLL_MS } from '#contract/rules/limits.ts';
import { poll } from './poll.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('polls every 5 s and stops at the final response', async () => {
  const responses = [0, 0, 1];
  const request = vi.fn(() => Promise.resolve(responses.shift() ?? 1));
  const onGiveUp = vi.fn();
  poll({ request, isEnd: (response) => response === 1, onGiveUp });
  expect(request).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS);
  expect(request).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS * 10);
  expect(request).toHaveBeenCalledTimes(3);
  expect(onGiveUp).not.toHaveBeenCalled();
});

test('gives up once after 60 polls, failures included', async () => {
  let n = 0;
  const request = vi.fn(() => (n++ % 2 === 0 ? Promise.reject(new Error('offline')) : Promise.resolve(0)));
  const onGiveUp = vi.fn();
  poll({ request, isEnd: () => false, onGiveUp });
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS * (TOP_UP_MAX_POLLS + 5));
  expect(request).toHaveBeenCalledTimes(TOP_UP_MAX_POLLS);
  expect(onGiveUp).toHaveBeenCalledTimes(1);
});

test('once stopped, it neither polls nor calls back', async () => {
  const isEnd = vi.fn(() => false);
  const slow = vi.fn(() => new Promise<number>((resolve) => setTimeout(() => resolve(1), 2_000)));
  const stop = poll({ request: slow, isEnd, onGiveUp: vi.fn() });
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS + 1_000);
  stop();
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS * 5);
  expect(slow).toHaveBeenCalledTimes(1);
  expect(isEnd).not.toHaveBeenCalled();
});

test('stopped before the first poll it sends nothing', async () => {
  const request = vi.fn(() => Promise.resolve(1));
  poll({ request, isEnd: () => false, onGiveUp: vi.fn() })();
  await vi.advanceTimersByTimeAsync(TOP_UP_POLL_MS * 3);
  expect(request).not.toHaveBeenCalled();
});
