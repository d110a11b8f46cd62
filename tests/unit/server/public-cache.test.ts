import { expect, test } from 'vitest';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { PublicCache, CachedResponse } from '#server/http/public-cache.ts';

function fixture() {
  let now = 0;
  let computed = 0;
  const cache = new PublicCache({ ttlMs: 100, now: () => now });
  const question = (input: unknown, alias?: string) => ({
    site: '1',
    endpoint: getGoodsList,
    input,
    ...(alias !== undefined && { alias }),
  });
  const answers: ((data: unknown) => void)[] = [];
  return {
    kept: cache,
    question,
    asked: () => computed,
    pass: (ms: number) => (now += ms),
    answer: (data: unknown) => answers.splice(0).forEach((give) => give(data)),
    ask: async () => {
      computed += 1;
      return new CachedResponse(await new Promise((resolve) => answers.push(resolve)));
    },
  };
}

test('equal concurrent requests are computed once, and again when the response is too old', async () => {
  const f = fixture();
  const both = [f.kept.get(f.question({ a: 1 }), f.ask), f.kept.get(f.question({ a: 1 }, 'x'), f.ask)];
  expect(f.asked()).toBe(1);
  expect(f.kept.cached('x')).toBeUndefined();
  f.answer({ list: [1] });
  expect((await Promise.all(both)).map(({ data }) => data)).toEqual([{ list: [1] }, { list: [1] }]);
  expect(f.kept.cached('x')?.data).toEqual({ list: [1] });
  f.pass(101);
  expect(f.kept.cached('x')).toBeUndefined();
  const later = f.kept.get(f.question({ a: 1 }), f.ask);
  expect(f.asked()).toBe(2);
  f.answer({ list: [2] });
  expect((await later).data).toEqual({ list: [2] });
  f.kept.stop();
});

test('a response is not stored if a change happens while it is computed', async () => {
  const f = fixture();
  const early = f.kept.get(f.question({ a: 1 }, 'x'), f.ask);
  f.kept.drop(() => true);
  const late = f.kept.get(f.question({ a: 1 }), f.ask);
  expect(f.asked()).toBe(2);
  f.answer({ list: [] });
  await Promise.all([early, late]);
  expect(f.kept.cached('x')).toBeUndefined();
  f.kept.stop();
  expect(f.kept.size).toBe(0);
});

test('an error is returned to those who wait and not stored', async () => {
  const f = fixture();
  const refuse = () => Promise.reject(new Error('no'));
  await expect(f.kept.get(f.question({ a: 1 }), refuse)).rejects.toThrow('no');
  expect(f.kept.size).toBe(0);
});

test('bytes and objects have the same content', () => {
  const made = new CachedResponse({ list: ['游戏'] });
  expect(JSON.parse(made.bytes(false).bytes.toString())).toEqual({ code: 0, data: { list: ['游戏'] }, msg: '' });
  expect(made.data).toEqual({ list: ['游戏'] });
});
