import { describe, expect, test } from 'vitest';
import { type Sample, SampleBuilder, type SampleRow } from '#subjects/goods/server/search/sample.ts';
import { EVERY_LISTING, type Search } from '#subjects/goods/server/search/search.ts';

const PAGE = { after: undefined, offset: 0, limit: 10 };

/** Three thousand listings of three games in turn, one fen dearer each. */
const ROWS: SampleRow[] = Array.from({ length: 3000 }, (_, i) => ({
  gameId: 1 + (i % 3),
  priceFen: i,
  score: (i * 7) % 3000,
  fresh: 3000 - i,
  n: [i % 100, null, null, i % 7 === 0 ? -5 : null],
  words: [
    't:1',
    `rank:${i % 10}`,
    ...(i % 2 === 0 ? ['皮肤'] : []),
    ...(i % 5 === 0 ? ["o'neil"] : []),
    ...(i % 30 === 0 ? ['a:10'] : []),
    ...(i >= 2900 ? ['skin'] : []),
  ],
}));

async function sampleOf(fraction: number): Promise<Sample> {
  const builder = new SampleBuilder();
  for (let at = 0; at < ROWS.length; at += 700) builder.add(ROWS.slice(at, at + 700));
  return await builder.build(fraction);
}

const sample = await sampleOf(1);
const matches = (s: Partial<Search>): number | undefined => sample.estimate({ ...EVERY_LISTING, ...s }, PAGE)?.matches;

describe('a sample of the market', () => {
  test.each<[string, Partial<Search>, (row: SampleRow) => boolean]>([
    ['all', {}, () => true],
    ['a game', { games: [2] }, (r) => r.gameId === 2],
    ['several games', { games: [1, 3] }, (r) => r.gameId !== 2],
    ['a game that has none', { games: [9] }, () => false],
    ['a word', { exact: ["'皮肤'"] }, (r) => r.words.includes('皮肤')],
    ['words', { exact: ["'皮肤'", "'rank:4'"] }, (r) => r.words.includes('皮肤') && r.words.includes('rank:4')],
    [
      'one of several',
      { games: [1], exact: ["('rank:1' | 'rank:2')"] },
      (r) => r.gameId === 1 && ['rank:1', 'rank:2'].includes(r.words[1] ?? ''),
    ],
    [
      'a synonym with its meaning',
      { exact: ["(('rank:1') | ('rank:2' & '皮肤'))"] },
      (r) => r.words.includes('rank:1') || (r.words.includes('rank:2') && r.words.includes('皮肤')),
    ],
    ['a word with a quote', { exact: ["'o''neil'"] }, (r) => r.words.includes("o'neil")],
    ['a word that nobody wrote', { exact: ["'没有'"] }, () => false],
    [
      'two of three',
      { atLeast: [{ count: 2, tokens: ['皮肤', "o'neil", 'a:10'] }] },
      (r) => ['皮肤', "o'neil", 'a:10'].filter((word) => r.words.includes(word)).length >= 2,
    ],
    ['a price band', { minFen: 100, maxFen: 199 }, (r) => r.priceFen >= 100 && r.priceFen <= 199],
    ['a range', { ranges: [{ slot: 1, min: 90, max: undefined }] }, (r) => (r.n[0] ?? -1) >= 90],
    ['a range of what few have', { ranges: [{ slot: 4, min: undefined, max: 3 }] }, (r) => r.n[3] === -5],
    ['type and area', { typeId: 1, areaId: 10 }, (r) => r.words.includes('a:10')],
  ])('counts %s', (_, s, fits) => {
    expect(matches(s)).toBe(ROWS.filter(fits).length);
  });

  test('says nothing of a seller, of who is online, and of beginnings of words', () => {
    expect([matches({ sellerId: 3 }), matches({ present: true }), matches({ exact: ["('皮肤' | 'abc':*)"] })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('is as sure as its size allows', async () => {
    const of = async (fraction: number, count: number): Promise<number> =>
      (await sampleOf(fraction)).estimate({ ...EVERY_LISTING, maxFen: count - 1 }, PAGE)?.least ?? Number.NaN;
    // A hundred of one in ten: a thousand, but perhaps only 600. And none is never more than none.
    expect(await of(0.1, 100)).toBeCloseTo(600);
    expect(await of(0.1, 400)).toBeCloseTo(3200);
    expect(await of(0.1, 0)).toBe(0);
  });

  test.each<[string, Partial<Search>, number | undefined, (rows: number) => boolean]>([
    ['in the whole market', { exact: ["'rank:4'"] }, undefined, (rows) => rows > 60 && rows < 140],
    ['in a game, only whose rows are read', { games: [1], exact: ["'rank:4'"] }, undefined, (rows) => rows < 140],
    ['in a band, by price', { exact: ["'rank:4'"], minFen: 1000, sort: 'priceAsc' }, undefined, (rows) => rows < 100],
    ['before the first match', { exact: ["'rank:4'"], minFen: 2000, sort: 'priceAsc' }, 0, (rows) => rows < 100],
    ['not in the front', { exact: ["'skin'"], sort: 'priceAsc' }, undefined, (rows) => rows > 2500],
    ['in the front', { exact: ["'skin'"], sort: 'priceDesc' }, undefined, (rows) => rows < 12],
    ['among the oldest', { exact: ["'skin'"], sort: 'newest' }, undefined, (rows) => rows > 2500],
    ['behind a page', { exact: ["'skin'"], sort: 'priceAsc' }, 2900, (rows) => rows < 12],
    ['to the end where too few match', { exact: ["'skin'"], sort: 'priceAsc' }, 2995, (rows) => rows === 5],
    ['to the end where none does', { games: [2], exact: ["'没有'"] }, undefined, (rows) => rows === 1000],
  ])('knows how far a walk goes: %s', (_, s, after, isRight) => {
    const range = { ...PAGE, after: after === undefined ? undefined : ([after, 0] as const) };
    const rows = sample.estimate({ ...EVERY_LISTING, ...s }, range)?.rows ?? Number.NaN;
    expect({ rows, isRight: isRight(rows) }).toEqual({ rows, isRight: true });
  });

  test.each<[string, Partial<Search>, number | undefined, { key: number; rows: number } | undefined]>([
    // Ten are wanted; the eighteenth of the sample is surely behind them.
    ['dearer', { exact: ["'rank:4'"], sort: 'priceAsc' }, undefined, { key: 174, rows: 175 }],
    ['cheaper', { exact: ["'rank:4'"], sort: 'priceDesc' }, undefined, { key: 2824, rows: 176 }],
    ['behind a page', { exact: ["'rank:4'"], sort: 'priceAsc' }, 1000, { key: 1174, rows: 175 }],
    ['in a game', { games: [1], typeId: 1, sort: 'priceAsc' }, undefined, { key: 51, rows: 18 }],
    ['nowhere, where too few match', { exact: ["'skin'"], sort: 'priceAsc' }, 2990, undefined],
    ['nowhere, by views', { exact: ["'rank:4'"], sort: 'views' }, undefined, undefined],
  ])('knows where a page ends: %s', (_, s, after, expected) => {
    const range = { ...PAGE, after: after === undefined ? undefined : ([after, 0] as const) };
    expect(sample.estimate({ ...EVERY_LISTING, ...s }, range)?.reach).toEqual(expected);
  });
});
