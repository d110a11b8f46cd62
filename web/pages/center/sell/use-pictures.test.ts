import { expect, test } from 'vitest';
import type { SellPicture } from './form-state.ts';
import { inserted } from './use-pictures.ts';

const picture = (key: string): SellPicture => ({ key, url: `/img/${key}` });

test('pictures stand as they were chosen, in whatever order they arrive', () => {
  const order = new Map<string, number>();
  let list: SellPicture[] = [picture('old')];
  for (const [key, chosen] of [
    ['b', 2],
    ['d', 4],
    ['a', 1],
    ['c', 3],
  ] as const) {
    order.set(key, chosen);
    list = inserted(list, picture(key), order);
  }
  expect(list.map(({ key }) => key)).toEqual(['old', 'a', 'b', 'c', 'd']);
});
