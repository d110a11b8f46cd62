import { expect, test } from 'vitest';
import { oneByOne } from './one-by-one.ts';

test('a slow task is not overtaken, and a failure blocks nothing', async () => {
  const inOrder = oneByOne();
  const done: string[] = [];
  const { promise: slow, resolve: finish } = Promise.withResolvers<void>();
  const all = [
    inOrder(async () => {
      await slow;
      done.push('first');
    }),
    inOrder(async () => {
      await Promise.resolve();
      throw new Error('second');
    }),
    inOrder(async () => {
      await Promise.resolve();
      done.push('third');
      return 3;
    }),
  ];
  await Promise.resolve();
  expect(done).toEqual([]);
  finish();
  const results = await Promise.allSettled(all);
  expect(done).toEqual(['first', 'third']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
