import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

test('newest first, once each, at most twenty', () => {
  for (let n = 1; n <= 25; n += 1) rememberViewed(goods(n));
  rememberViewed(goods(10));
  const sns = readViewed().map(({ goodsSn }) => goodsSn);
  expect(sns).toHaveLength(20);
  expect(sns.slice(0, 2)).toEqual(['YS10', 'YS25']);
  expect(new Set(sns).size).toBe(20);
  clearViewed();
  expect(readViewed()).toEqual([]);
});

test('what somebody else has written there is left out', () => {
  for (const text of ['no json', '{"a":1}', 'null', '[null, 1, {"goodsSn": 5}]', '[{"goodsSn":"../x","title":""}]']) {
    stored.set('viewedGames', text);
    expect(readViewed()).toEqual([]);
  }
});

test('a blocked storage stops nothing', () => {
  vi.stubGlobal('localStorage', undefined);
  rememberViewed(goods(1));
  clearViewed();
  expect(readViewed()).toEqual([]);
});
