import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAY_POLL_MAX, PAY_POLL_MS, poll } from './poll.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('looks every 5 s and stops at the final answer', async () => {
  const answers = [0, 0, 1];
  const ask = vi.fn(() => Promise.resolve(answers.shift() ?? 1));
  const onGiveUp = vi.fn();
  poll({ ask, isEnd: (answer) => answer === 1, onGiveUp });
  expect(ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(PAY_POLL_MS);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(PAY_POLL_MS * 10);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(onGiveUp).not.toHaveBeenCalled();
});

test('gives up once after 60 looks, failures included', async () => {
  let n = 0;
  const ask = vi.fn(() => (n++ % 2 === 0 ? Promise.reject(new Error('offline')) : Promise.resolve(0)));
  const onGiveUp = vi.fn();
  poll({ ask, isEnd: () => false, onGiveUp });
  await vi.advanceTimersByTimeAsync(PAY_POLL_MS * (PAY_POLL_MAX + 5));
  expect(ask).toHaveBeenCalledTimes(PAY_POLL_MAX);
  expect(onGiveUp).toHaveBeenCalledTimes(1);
});

test('ended from outside, it neither asks nor tells again', async () => {
  const isEnd = vi.fn(() => false);
  const slow = vi.fn(() => new Promise<number>((resolve) => setTimeout(() => resolve(1), 2_000)));
  const stop = poll({ ask: slow, isEnd, onGiveUp: vi.fn() });
  await vi.advanceTimersByTimeAsync(PAY_POLL_MS + 1_000);
  stop();
  await vi.advanceTimersByTimeAsync(PAY_POLL_MS * 5);
  expect(slow).toHaveBeenCalledTimes(1);
  expect(isEnd).not.toHaveBeenCalled();
});
