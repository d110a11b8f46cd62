import { codes } from '#contract/codes.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mergeViewed } from './merge-viewed.ts';
import { clearViewed, readViewed, rememberViewed, type ViewedGoods } from './viewed.ts';

const goods = (n: number): ViewedGoods => ({
  goodsSn: `YS${n}`,
  title: `账号 ${n}`,
  gameId: 1,
  gameName: '王者荣耀',
  price: '10.00',
  thumbnail: '/art/goods/wzry/1/0.svg',
});
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('are newest first, once each, at most twenty', () => {
  for (let n = 1; n <= 25; n += 1) rememberViewed(goods(n));
  rememberViewed(goods(10));
  const sns = readViewed().map(({ goodsSn }) => goodsSn);
  expect(sns).toHaveLength(20);
  expect(sns.slice(0, 2)).toEqual(['YS10', 'YS25']);
  expect(new Set(sns).size).toBe(20);
  clearViewed();
  expect(readViewed()).toEqual([]);
});

test('entries written by another script are ignored', () => {
  for (const text of ['no json', '{"a":1}', 'null', '[null, 1, {"goodsSn": 5}]', '[{"goodsSn":"../x","title":""}]']) {
    stored.set('viewedGames', text);
    expect(readViewed()).toEqual([]);
  }
});

test('a blocked storage causes no error', () => {
  vi.stubGlobal('localStorage', undefined);
  rememberViewed(goods(1));
  clearViewed();
  expect(readViewed()).toEqual([]);
});

describe('transfer to the history of an account', () => {
  const left = () => readViewed().map(({ goodsSn }) => goodsSn);
  /** The market's response to the request for each listing. */
  const answers = (...list: ('ok' | 'gone' | 'busy' | 'offline')[]): string[] => {
    const requested: string[] = [];
    vi.stubGlobal('document', { cookie: '' });
    vi.stubGlobal('window', { location: { origin: 'http://localhost', pathname: '/', search: '' } });
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(/YS\d+/.exec(url)?.[0] ?? url);
      const answer = list[requested.length - 1] ?? 'ok';
      if (answer === 'offline') throw new TypeError('Failed to fetch');
      const code = { ok: 0, gone: codes.GOODS_NOT_FOUND[0], busy: codes.INTERNAL[0] }[answer];
      const status = { ok: 200, gone: 404, busy: 500 }[answer];
      return await Promise.resolve(Response.json({ code, msg: answer, data: {} }, { status }));
    });
    return requested;
  };

  test('a listing is removed from the browser when the server has accepted it, the oldest first', async () => {
    for (let n = 1; n <= 3; n += 1) rememberViewed(goods(n));
    const requested = answers('ok', 'gone', 'ok');
    const reload = vi.fn(async () => await Promise.resolve());
    await mergeViewed(reload);
    expect([requested, left()]).toEqual([['YS1', 'YS2', 'YS3'], []]);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test.each(['offline', 'busy'] as const)('what could not be sent stays for the next time: %s', async (failure) => {
    for (let n = 1; n <= 3; n += 1) rememberViewed(goods(n));
    const requested = answers('ok', failure);
    await mergeViewed(async () => await Promise.resolve());
    expect([requested, left()]).toEqual([
      ['YS1', 'YS2'],
      ['YS3', 'YS2'],
    ]);
    answers();
    await mergeViewed(async () => await Promise.resolve());
    expect(left()).toEqual([]);
  });
});
