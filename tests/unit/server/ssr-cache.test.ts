import { beforeEach, expect, test } from 'vitest';
import { PageCache } from '#server/ssr/ssr-cache.ts';
import { packStyle } from '#server/ssr/ssr-gzip.ts';

let now = 0;
let pages: PageCache;

beforeEach(() => {
  now = 1_000;
  pages = new PageCache(() => now);
});

const STYLE = packStyle('a{}');
const text = (nonce: string) => ({
  before: `<script nonce="${nonce}">`,
  after: `<script nonce="${nonce}"></script>`,
  style: STYLE,
});
const page = (nonce: string, init: ResponseInit = {}) => ({
  text: text(nonce),
  nonce,
  response: new Response(null, { status: 200, ...init }),
});
const key = (url: string, more: { method?: string; theme?: string; device?: string } = {}) =>
  PageCache.keyOf({ method: 'GET', theme: '', device: 'pc', url: new URL(url), ...more });

/** Two visitors request concurrently, and the page that one of them gets is offered to the cache. */
function offer(name: string, offered: ReturnType<typeof page>): void {
  pages.get(name, 'x');
  pages.get(name, 'y');
  pages.put(name, offered);
}

test('a page requested by one visitor is not cached', () => {
  pages.get('k', 'x');
  pages.put('k', page('first'));
  expect(pages.get('k', 'second')).toBeUndefined();
  now += 5_000;
  pages.get('k', 'x');
  pages.put('k', page('first'));
  expect(pages.get('k', 'second')).toBeUndefined();
});

test('a cached page is sent with the nonce of its own response', () => {
  offer('k', page('first'));
  expect(pages.get('k', 'second')?.text).toEqual(text('second'));
  expect(pages.get('k', 'third')?.text).toEqual(text('third'));
});

test('a page is cached briefly', () => {
  offer('k', page('first'));
  now += 999;
  expect(pages.get('k', 'second')).toBeDefined();
  now += 1;
  expect(pages.get('k', 'second')).toBeUndefined();
});

test('a failure and a page that sets a cookie are not shared', () => {
  offer('failed', page('n', { status: 404 }));
  offer('cookie', page('n', { headers: { 'set-cookie': 'a=1' } }));
  expect(pages.get('failed', 'm')).toBeUndefined();
  expect(pages.get('cookie', 'm')).toBeUndefined();
});

test('at most a few dozen are cached', () => {
  for (let n = 0; n < 200; n++) offer(`k${n}`, page('n'));
  const left = Array.from({ length: 200 }, (_, n) => pages.get(`k${n}`, 'm')).filter((page) => page !== undefined);
  expect(left.length).toBeLessThanOrEqual(64);
  expect(pages.get('k199', 'm')).toBeDefined();
});

test('the cache key contains everything that a page depends on', () => {
  const names = [
    key('http://localhost/'),
    key('http://moon.localhost/'),
    key('http://localhost/?a=1'),
    key('http://localhost/', { theme: 'dark' }),
    key('http://localhost/', { device: 'phone' }),
  ];
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ['http://localhost/wares?gt=1'],
  ['http://localhost/center'],
  ['http://localhost/goods/YS1/order'],
  ['http://localhost/detail/YS1.data'],
  ['http://localhost/login'],
])('%s is rendered each time', (url) => {
  expect(key(url)).toBeUndefined();
});

test('a form never gets a cached page', () => {
  expect(key('http://localhost/', { method: 'POST' })).toBeUndefined();
});
