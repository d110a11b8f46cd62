import { expect, test } from 'vitest';
import { isOpenIn, type Sure } from './sure.ts';

test('a question stays only while its request waits for that decision', () => {
  const fits = (status: string) =>
    (['floor', 'withdraw', 'agree', 'takeBack'] satisfies Sure[]).filter((what) => isOpenIn(what, status));
  expect(fits('bidding')).toEqual(['floor', 'withdraw']);
  expect(fits('quoted')).toEqual(['withdraw']);
  expect(fits('reconfirm')).toEqual(['agree', 'takeBack']);
  for (const status of ['accepted', 'paid', 'declined', 'expired', 'withdrawn', 'closed'])
    expect(fits(status)).toEqual([]);
});
