import { codes } from '#contract/codes.ts';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mergeViewed } from './merge-viewed.ts';
import { clearViewed, forgetViewed, readViewed, rememberGoods, rememberViewed, type ViewedGoods } from './viewed.ts';

const goods = (n: number): ViewedGoods => ({
  goodsSn: `YS${n}`,
  title: `账号 ${n}`,
  gameId: 1,
  gameName: '王者荣耀',
  price: '10.00',
  thumbnail: '/art/goods/wzry/1/0.svg',
});
const stored = new Map<string, string>();
const restores: (() => void)[] = [];
const put = (values: Readonly<Record<string, unknown>>): void => void restores.push(putGlobals(values));

beforeEach(() => {
  stored.clear();
  put({
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});
afterEach(() => {
  for (const restore of restores.splice(0).toReversed()) restore();
});

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
  put({ localStorage: undefined });
  rememberViewed(goods(1));
  clearViewed();
  expect(readViewed()).toEqual([]);
});

test('one can be removed, and the others stay in their order', () => {
  for (const n of [1, 2, 3]) rememberViewed(goods(n));
  forgetViewed('YS2');
  forgetViewed('YS9');
  expect(readViewed()).toEqual([goods(3), goods(1)]);
});

test('a listing is saved from its page with its full price', () => {
  const { title, price, ...rest } = goods(1);
  rememberGoods({ ...rest, bigTitle: title, allInPrice: price });
  expect(readViewed()).toEqual([goods(1)]);
});

test.each([
  [{}, true],
  [{ goodsSn: 'a'.repeat(40) }, true],
  [{ goodsSn: 'a'.repeat(41) }, false],
  [{ goodsSn: '' }, false],
  [{ goodsSn: 'YS1?' }, false],
  [{ goodsSn: '/YS1' }, false],
  [{ title: 1 }, false],
  [{ gameName: undefined }, false],
  [{ price: null }, false],
  [{ thumbnail: [] }, false],
])('a stored entry with %o is kept: %o', (change, isKept) => {
  stored.set('viewedGames', JSON.stringify([null, { ...goods(1), ...change }]));
  expect(readViewed()).toHaveLength(isKept ? 1 : 0);
});

test('of a longer stored list the newest twenty are read', () => {
  stored.set('viewedGames', JSON.stringify(Array.from({ length: 21 }, (_, n) => goods(n))));
  expect(readViewed().map(({ goodsSn }) => goodsSn)).toEqual(Array.from({ length: 20 }, (_, n) => `YS${n}`));
});

test('a full storage causes no error, and keeps what it has', () => {
  rememberViewed(goods(1));
  put({
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {
        throw new Error('blocked');
      },
    },
  });
  rememberViewed(goods(2));
  forgetViewed('YS1');
  clearViewed();
  expect(readViewed()).toEqual([goods(1)]);
});

describe('transfer to the history of an account', () => {
  const left = () => readViewed().map(({ goodsSn }) => goodsSn);
  /** The market's response to the request for each listing. */
  const answers = (...list: ('ok' | 'gone' | 'busy' | 'offline')[]): string[] => {
    const requested: string[] = [];
    const fetch = async (url: string) => {
      requested.push(/YS\d+/.exec(url)?.[0] ?? url);
      const answer = list[requested.length - 1] ?? 'ok';
      if (answer === 'offline') throw new TypeError('Failed to fetch');
      const code = { ok: 0, gone: codes.GOODS_NOT_FOUND[0], busy: codes.INTERNAL[0] }[answer];
      const status = { ok: 200, gone: 404, busy: 500 }[answer];
      return await Promise.resolve(Response.json({ code, msg: answer, data: {} }, { status }));
    };
    put({
      document: { cookie: '' },
      window: { location: { origin: 'http://localhost', pathname: '/', search: '' } },
      fetch,
    });
    return requested;
  };

  test('a listing is removed from the browser when the server has accepted it, the oldest first', async () => {
    for (let n = 1; n <= 3; n += 1) rememberViewed(goods(n));
    const requested = answers('ok', 'gone', 'ok');
    let reloads = 0;
    const reload = async () => await Promise.resolve(void (reloads += 1));
    await mergeViewed(reload);
    expect([requested, left(), reloads]).toEqual([['YS1', 'YS2', 'YS3'], [], 1]);
    // Without anything to send there is nothing new to show.
    await mergeViewed(reload);
    expect([requested.length, reloads]).toEqual([3, 1]);
  });

  test('when the first cannot be sent, nothing is reloaded', async () => {
    rememberViewed(goods(1));
    answers('offline');
    let reloads = 0;
    await mergeViewed(async () => await Promise.resolve(void (reloads += 1)));
    expect([left(), reloads]).toEqual([['YS1'], 0]);
  });

  test.each(['offline', 'busy'] as const)(
    'an entry that could not be sent stays for the next time: %s',
    async (failure) => {
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
    },
  );
});
