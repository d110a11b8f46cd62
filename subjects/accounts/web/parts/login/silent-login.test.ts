/** Inside WeChat the log-in page starts the log-in automatically once for each visit, and never after logging out. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const asked = vi.hoisted(() => ({ paths: [] as string[] }));
vi.mock('#web/lib/api/api.ts', () => ({
  call: (endpoint: { path: string }) => {
    asked.paths.push(endpoint.path);
    return Promise.resolve({ redirectUrl: '/wechat' });
  },
}));
vi.mock('#web/lib/session/cookies.ts', () => ({ clearHints: () => undefined }));

const { useLogout } = await import('#web/lib/session/logout.ts');
const { logInSilently } = await import('./redirect-login.ts');

const asks = (): number => asked.paths.filter((path) => path.includes('wechat')).length;
let left: string[];

beforeEach(() => {
  asked.paths.length = 0;
  left = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 MicroMessenger/8.0.49' });
  vi.stubGlobal('window', { location: { origin: 'https://market.example', assign: (url: string) => left.push(url) } });
});
afterEach(() => vi.unstubAllGlobals());

test('the page asks once for each visit', async () => {
  await logInSilently(null);
  await logInSilently(null);
  expect([asks(), left]).toEqual([1, ['/wechat']]);
});

test('a user who has logged out is not logged in again by the next page', async () => {
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- it returns a plain function and keeps no state
  await useLogout()();
  expect(left).toEqual(['/']);
  await logInSilently(null);
  expect([asks(), left]).toEqual([0, ['/']]);
});

test('nobody is asked outside WeChat', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' });
  await logInSilently(null);
  expect(asks()).toBe(0);
});
