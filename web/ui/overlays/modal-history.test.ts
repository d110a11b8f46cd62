/** The history of a browser as far as `modal-history.ts` uses it, and a router that records the events that reach it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type State = Record<string, unknown> | null;
type Listener = (event: PopStateEvent) => void;

let entries: { state: State; url: string }[];
let at: number;
let listeners: Listener[];
/** Addresses of which the router was notified. */
let heard: string[];

class FakeHistory {
  get state(): State {
    return entries[at]?.state ?? null;
  }
  pushState(state: State, _unused: string, url?: string): void {
    entries = [...entries.slice(0, at + 1), { state: structuredClone(state), url: url ?? entries[at]?.url ?? '' }];
    at += 1;
  }
  replaceState(state: State, _unused: string, url?: string): void {
    entries[at] = { state: structuredClone(state), url: url ?? entries[at]?.url ?? '' };
  }
  back(): void {
    this.#go(Math.max(0, at - 1));
  }
  forward(): void {
    if (at < entries.length - 1) this.#go(at + 1);
  }
  #go(to: number): void {
    at = to;
    let isStopped = false;
    const event = { state: this.state, stopImmediatePropagation: () => (isStopped = true) } as unknown as PopStateEvent;
    for (const listener of listeners) {
      if (isStopped) return;
      listener(event);
    }
  }
}

let history: FakeHistory;
let closeOnBack: (close: () => void) => () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  entries = [
    { state: { idx: 0 }, url: '/list' },
    { state: { idx: 1 }, url: '/page' },
  ];
  at = 1;
  heard = [];
  const router: Listener = () => heard.push(entries[at]?.url ?? '');
  listeners = [router];
  history = new FakeHistory();
  vi.stubGlobal('History', FakeHistory);
  vi.stubGlobal('history', history);
  vi.stubGlobal('window', {
    get location() {
      return { href: entries[at]?.url };
    },
    addEventListener: (kind: string, listener: Listener) => {
      if (kind === 'popstate') listeners.unshift(listener);
    },
  });
  ({ closeOnBack } = await import('./modal-history.ts'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('going back closes the dialog and leaves the page where it is', () => {
  const close = vi.fn(() => release());
  const release = closeOnBack(close);
  history.back();
  vi.runAllTimers();
  expect(close).toHaveBeenCalledOnce();
  expect([heard, entries[at]?.url]).toEqual([[], '/page']);
  history.back();
  expect([heard, entries[at]?.url]).toEqual([['/list'], '/list']);
});

test('a dialog that refuses to close gets its entry back, as often as it refuses', () => {
  let isSending = true;
  const close = vi.fn(() => {
    if (!isSending) release();
  });
  const release = closeOnBack(close);
  for (let n = 1; n <= 3; n++) {
    history.back();
    vi.runAllTimers();
    expect(close).toHaveBeenCalledTimes(n);
    expect([heard, entries[at]?.url, history.state]).toEqual([[], '/page', { idx: 1, isOver: true }]);
  }
  isSending = false;
  history.back();
  vi.runAllTimers();
  expect([heard, entries[at]?.url, history.state]).toEqual([[], '/page', { idx: 1 }]);
});

test('the upper one of two dialogs closes first, and the entry stays for the lower one', () => {
  const closed: string[] = [];
  const lower = closeOnBack(() => {
    closed.push('lower');
    lower();
  });
  const upper = closeOnBack(() => {
    closed.push('upper');
    upper();
  });
  history.back();
  vi.runAllTimers();
  history.back();
  vi.runAllTimers();
  expect([closed, heard, entries[at]?.url]).toEqual([['upper', 'lower'], [], '/page']);
});

test('a dialog that is closed by its own button leaves an entry that going back skips', () => {
  closeOnBack(() => undefined)();
  vi.runAllTimers();
  expect(history.state).toEqual({ idx: 1, isOver: true });
  history.back();
  vi.runAllTimers();
  expect([heard, entries[at]?.url]).toEqual([['/list'], '/list']);
});

test('the entry stays for the next dialog, and a page that is opened follows it', () => {
  closeOnBack(() => undefined)();
  const next = closeOnBack(() => undefined);
  expect(history.state).toEqual({ idx: 1, isOver: true });
  next();
  history.pushState({ idx: 2 }, '', '/next');
  vi.runAllTimers();
  expect([heard, entries[at]?.url]).toEqual([[], '/next']);
});

test('an entry that a reload left marked is used again: one step back closes, the next leaves the page', () => {
  entries.push({ state: { idx: 1, isOver: true }, url: '/page' });
  at = 2;
  const close = vi.fn(() => release());
  const release = closeOnBack(close);
  expect(entries).toHaveLength(3);
  history.back();
  expect(close).toHaveBeenCalledOnce();
  history.back();
  expect([heard, entries[at]?.url]).toEqual([['/list'], '/list']);
});

test('going forward passes a marked entry by', () => {
  closeOnBack(() => undefined)();
  history.pushState({ idx: 2 }, '', '/next');
  history.back();
  history.back();
  expect([heard, entries[at]?.url]).toEqual([['/page', '/list'], '/list']);
  heard = [];
  history.forward();
  history.forward();
  expect([heard, entries[at]?.url]).toEqual([['/page', '/next'], '/next']);
});
