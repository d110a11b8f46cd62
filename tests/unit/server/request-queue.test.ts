import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RequestQueue, type QueueLimits } from '#server/http/request-queue.ts';

let queue: RequestQueue;

const open = (limits: Partial<QueueLimits> = {}): void => {
  queue = new RequestQueue(limits);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  queue.stop();
  vi.useRealTimers();
});

interface Asker {
  state: 'waits' | 'works' | 'refused' | 'done';
  done(): void;
  gone: boolean;
}

function ask(network = 'a'): Asker {
  const asker: Asker = { state: 'waits', gone: false, done: () => undefined };
  queue.enter(network, {
    begin(done) {
      asker.state = 'works';
      asker.done = () => {
        asker.state = 'done';
        done();
      };
    },
    reject() {
      asker.state = 'refused';
    },
    get isClosed() {
      return asker.gone;
    },
  });
  return asker;
}

const states = (askers: readonly Asker[]): Record<string, number> =>
  askers.reduce<Record<string, number>>((sum, { state }) => ({ ...sum, [state]: (sum[state] ?? 0) + 1 }), {});

/** Sends `count` concurrent requests; each that runs ends after `ms`, until none waits. Returns how many ran concurrently at most. */
function wave(count: number, ms: number): number {
  const askers = Array.from({ length: count }, () => ask());
  const first = askers.filter(({ state }) => state === 'works').length;
  for (let round = 0; round < 200 && askers.some(({ state }) => state === 'works'); round++) {
    const working = askers.filter(({ state }) => state === 'works');
    vi.advanceTimersByTime(ms);
    for (const asker of working) asker.done();
  }
  return first;
}

test('a burst on an idle server is accepted whole: some run, the others wait', () => {
  open();
  const askers = Array.from({ length: 570 }, () => ask());
  expect(states(askers)).toEqual({ works: 96, waits: 474 });
});

test('sustained slow requests lower the concurrency, never to zero; fast ones raise it', () => {
  open();
  expect(wave(400, 50)).toBe(96);
  for (let i = 0; i < 10; i++) wave(200, 1_500);
  const slow = wave(200, 1_500);
  expect(slow).toBeGreaterThanOrEqual(24);
  expect(slow).toBeLessThan(36);
  for (let i = 0; i < 120; i++) wave(60, 20);
  expect(queue.figures.limit).toBeGreaterThan(100);
});

test('D6: a request that would wait too long at the recent pace is rejected immediately, and accepted again when idle', () => {
  open({ most: 10, least: 10, share: 1, maxWaitMs: 500 });
  const askers: Asker[] = [];
  // Ten in a hundred milliseconds are answered, thirty ask.
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 30; i++) askers.push(ask());
    const working = askers.filter(({ state }) => state === 'works');
    vi.advanceTimersByTime(100);
    for (const asker of working) asker.done();
  }
  const { refused = 0, done = 0, waits = 0 } = states(askers);
  expect(done).toBeGreaterThan(380);
  expect(refused).toBeGreaterThan(500);
  // Half a second of answers at that pace, give or take what was learnt late.
  expect(waits).toBeLessThan(120);
  for (let i = 0; i < 30; i++) {
    const working = askers.filter(({ state }) => state === 'works');
    vi.advanceTimersByTime(100);
    for (const asker of working) asker.done();
  }
  expect(ask().state).toBe('works');
});

describe('D5: networks take turns', () => {
  test('many requests of one network delay only that network', () => {
    open({ most: 4, least: 4 });
    const crowd = Array.from({ length: 100 }, () => ask('crowd'));
    expect(states(crowd)).toEqual({ works: 3, waits: 97 });
    // A place is left for the next network, and the one after it has its turn before the crowd's hundredth.
    const other = ask('other');
    expect(other.state).toBe('works');
    const third = ask('third');
    expect(third.state).toBe('waits');
    crowd[0]?.done();
    crowd[1]?.done();
    expect(third.state).toBe('works');
  });

  test('a disconnected client’s request is not run', () => {
    open({ most: 1, least: 1 });
    const first = ask();
    const second = ask();
    const third = ask();
    second.gone = true;
    first.done();
    expect([second.state, third.state]).toEqual(['waits', 'works']);
    third.done();
    expect(queue.figures).toMatchObject({ running: 0, waiting: 0 });
  });

  test('a request that waits too long gets an error', () => {
    open({ most: 1, least: 1, giveUpMs: 1_000 });
    const stuck = ask();
    const waiting = ask();
    vi.advanceTimersByTime(1_200);
    expect([stuck.state, waiting.state]).toEqual(['works', 'refused']);
    expect(queue.figures).toMatchObject({ running: 1, waiting: 0, refused: 1 });
  });
});
