import { expect, test } from 'vitest';
import type { LoadContext } from '#web/lib/pages/context.ts';
import { chosenTags, parseList } from '#web/lib/lists/list-query.ts';
import { broaderSearches } from './broader-searches.ts';

/** A fake context whose lists have as many listings as `countFor` returns for the input. */
const marketOf = (countFor: (input: Record<string, unknown>) => number): LoadContext['call'] =>
  (async (_endpoint: unknown, input: Record<string, unknown>) => {
    const total = countFor(input);
    return await Promise.resolve({ list: total > 0 ? [{ goodsSn: 'A1' }] : [], total, totalCapped: false });
  }) as unknown as LoadContext['call'];

const broaden = async (query: string, countFor: (input: Record<string, unknown>) => number) => {
  const state = parseList(new URLSearchParams(query));
  const { wider } = await broaderSearches(marketOf(countFor), state, [], chosenTags(state, [], {}));
  return wider.map(({ label, total }) => `${label} ${total}`);
};

test('shows how many listings each condition excludes, most first, the keyword last', async () => {
  const countFor = (input: Record<string, unknown>): number =>
    input.keyWord === undefined ? 90 : input.inspected === undefined ? 3 : input.minPrice === undefined ? 7 : 0;
  expect(await broaden('gid=1&keyWord=皮肤&inspected=1&min=9&ensure=1', countFor)).toEqual([
    '全包价 ≥ 9 7',
    '已验号 3',
    '“皮肤” 90',
  ]);
});

test('where removing one condition is not enough, shows how many must be removed', async () => {
  const countFor = (input: Record<string, unknown>): number =>
    input.ensureOpen === undefined && input.officialSell === undefined ? 5 : 0;
  expect(await broaden('gid=1&min=9&ensure=1&official=1', countFor)).toEqual(['可包赔、平台交付 5']);
  expect(await broaden('gid=1&min=9&ensure=1&official=1', () => 0)).toEqual([]);
});
