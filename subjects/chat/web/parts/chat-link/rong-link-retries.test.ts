/** When the link to the IM provider asks for another token: once per reason, and never after its end. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { LinkState } from './link.ts';
import { type RongCalls, RongLink } from './rong-link.ts';
import type { ImSdk } from './rong-sdk.ts';

const STALE = 31_020;
const LOST = 30_002;

let event: (up: boolean, code: number) => void;
let connect: () => Promise<number>;
let tokens: number;
let states: LinkState[];
let link: RongLink;

const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  tokens = 0;
  states = [];
  connect = () => Promise.resolve(0);
  const nothing = () => undefined;
  const sdk = {
    connect: () => connect(),
    disconnect: nothing,
    onMessage: nothing,
    onHint: nothing,
    onState: (listener: typeof event) => {
      event = listener;
    },
  } as unknown as ImSdk;
  const token = () => Promise.resolve({ imToken: `t${++tokens}`, imUid: '1' });
  const options = {
    onWsFrame: nothing,
    onUp: nothing,
    onBeat: nothing,
    onState: (one: LinkState) => void states.push(one),
  };
  link = new RongLink(options, { token } as unknown as RongCalls, () => Promise.resolve(sdk));
  link.start();
  await wait(0);
  return () => {
    link.stop();
    vi.useRealTimers();
  };
});

test('a lost connection is tried again after five seconds, and not once it was stopped', async () => {
  event(false, LOST);
  await wait(4999);
  expect(tokens).toBe(1);
  await wait(1);
  expect(tokens).toBe(2);
  event(false, LOST);
  link.stop();
  await wait(60_000);
  expect(tokens).toBe(2);
});

test('a try by hand takes the place of the waiting one', async () => {
  event(false, LOST);
  link.retry();
  await wait(60_000);
  expect(tokens).toBe(2);
});

test('a stale token is renewed at once, and only once while that has no result', async () => {
  event(false, STALE);
  await wait(4999);
  expect(tokens).toBe(2);
  await wait(10_000);
  expect(tokens).toBe(2);
  connect = () => new Promise(() => undefined);
  event(false, STALE);
  await wait(0);
  event(false, STALE);
  await wait(0);
  expect(tokens).toBe(3);
});

test('each state is reported once', () => {
  event(false, LOST);
  event(false, LOST);
  expect(states.filter((state) => state === 'lost')).toHaveLength(1);
});
