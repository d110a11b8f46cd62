import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { readPart } from './read.ts';

const done = vi.fn();
const failed = vi.fn();

/** A server that never responds: a call ends only when it is aborted. */
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new TypeError('aborted')));
    });
  });
  vi.clearAllMocks();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a read without an answer fails, as one that changed nothing', async () => {
  readPart(staffCounters, {}, done, failed);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(failed.mock.calls).toEqual([['网络超时，没有读到内容']]);
  expect(done).not.toHaveBeenCalled();
});

test('a read that was ended tells nothing', async () => {
  readPart(staffCounters, {}, done, failed)();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(failed).not.toHaveBeenCalled();
  expect(done).not.toHaveBeenCalled();
});
