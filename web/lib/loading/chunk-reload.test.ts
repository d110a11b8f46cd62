import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { isLeaving, reloadOnMissingChunk, withoutReload } from './chunk-reload.ts';

let page: EventTarget & { location: { reload: () => void } };
let reload: ReturnType<typeof vi.fn<() => void>>;
let isUp: boolean;
let now: number;
let restore: () => void;

beforeEach(() => {
  const stored = new Map<string, string>();
  reload = vi.fn<() => void>();
  isUp = true;
  now = 1_000_000;
  page = Object.assign(new EventTarget(), { location: { reload } });
  restore = putGlobals({
    window: page,
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    performance: { now: () => now },
    fetch: async () => await Promise.resolve(new Response(null, { status: isUp ? 200 : 503 })),
  });
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  reloadOnMissingChunk();
});
afterEach(() => {
  shown(false);
  vi.restoreAllMocks();
  restore();
});

/** Loses a script; resolves when the page has decided about it. */
async function loseScript(): Promise<void> {
  page.dispatchEvent(new Event('vite:preloadError'));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
const shown = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

test('a page whose script is missing is loaded again, and not twice within ten seconds', async () => {
  await loseScript();
  expect(reload).toHaveBeenCalledTimes(1);
  now += 9_999;
  await loseScript();
  expect(reload).toHaveBeenCalledTimes(1);
  now += 1;
  await loseScript();
  expect(reload).toHaveBeenCalledTimes(2);
});

test('without a server the page stays', async () => {
  isUp = false;
  await loseScript();
  expect(reload).not.toHaveBeenCalled();
});

test('a script that the page can do without loads nothing again', async () => {
  let end = (): void => {};
  const load = withoutReload(async () => await new Promise<void>((resolve) => (end = resolve)));
  await loseScript();
  expect(reload).not.toHaveBeenCalled();
  end();
  await load;
  await loseScript();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page that is being left is not loaded again, which would cancel the navigation', async () => {
  page.dispatchEvent(new Event('beforeunload'));
  expect(isLeaving()).toBe(true);
  await loseScript();
  expect(reload).not.toHaveBeenCalled();
});

test('a page that is back is loaded again only where a script was lost while it was left', async () => {
  page.dispatchEvent(new Event('beforeunload'));
  shown(true);
  expect(reload).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('beforeunload'));
  await loseScript();
  shown(true);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a download leaves the page: after half a minute a missing script loads it again', async () => {
  page.dispatchEvent(new Event('beforeunload'));
  now += 29_999;
  await loseScript();
  expect(reload).not.toHaveBeenCalled();
  now += 1;
  expect(isLeaving()).toBe(false);
  await loseScript();
  expect(reload).toHaveBeenCalledTimes(1);
});
