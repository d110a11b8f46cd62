import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { NO_STANDING, standingOf } from '#subjects/valuation/rules/price-reference.ts';
import { addDetails, type Conditions, keywordParts } from '#subjects/goods/server/search/filters.ts';
import { allInFen, bucketOf, bucketsOf, searchRowOf } from '#subjects/goods/server/search/index-row.ts';
import { pinyinOf, queryTokens, tokensOf, vectorText } from '#subjects/goods/server/search/tokenize.ts';

const field = (f: Partial<Field> & Pick<Field, 'key' | 'kind'>): Field => ({
  label: f.key,
  required: false,
  inCard: true,
  filterable: true,
  goodsTypes: [1],
  sort: 0,
  ...f,
});

const FIELDS: Field[] = [
  field({ key: 'rank', kind: 'single', options: [1, 2, 3].map((v) => ({ v, label: `段位${v}` })) }),
  field({ key: 'skins', kind: 'multi', options: [1, 2, 3, 4].map((v) => ({ v, label: `皮肤${v}` })) }),
  field({ key: 'num', kind: 'range', numericSlot: 2, min: 0, max: 1000 }),
  field({ key: 'safe', kind: 'bool' }),
  field({ key: 'box', kind: 'item_count', options: [{ v: 'gold', label: '金箱' }] }),
  field({ key: 'note', kind: 'text' }),
  field({ key: 'secret', kind: 'bool', filterable: false }),
];

const conditions = (details: Record<string, unknown>): Conditions => {
  const into: Conditions = { exact: [], coarse: [], ranges: [], atLeast: [] };
  addDetails(FIELDS, details, into);
  return into;
};

/** Whether goods with these words match a keyword, as decided by the database. */
function matches(text: string, keyword: string): boolean {
  const has = new Set(tokensOf(text));
  return queryTokens(keyword).every(({ token, prefix }) =>
    prefix ? [...has].some((t) => t.startsWith(token)) : has.has(token),
  );
}

describe('tokens', () => {
  test('are Han characters, their pairs, words, numbers and joined parts', () => {
    expect(tokensOf('贵族10 V8')).toEqual(['贵', '族', '贵族', '10', '族10', 'v8']);
    expect(tokensOf('９.5折ＡＢ')).toEqual(['9.5', '折', '9.5折', 'ab', '折ab']);
    expect(tokensOf('！？ \n')).toEqual([]);
  });

  test.each([
    ['安卓QQ 贵族10 皮肤300', '贵族10', true],
    ['安卓QQ 贵族100 皮肤300', '贵族10', false],
    ['荣耀典藏露娜', '典藏', true],
    ['荣耀典藏露娜', '藏露', true],
    ['荣耀典藏露娜', '荣露', false],
    ['荣耀 典藏', '荣耀典藏', false],
    ['娜可露露', '露', true],
    ['ACCOUNT of luna', 'luna', true],
    ['ACCOUNT of luna', 'acc', true],
    ['ACCOUNT of luna', 'ac', false],
    // D4: words of letters and digits are found by their beginning and by their parts.
    ['满配 AK47 急出', 'AK', true],
    ['满配 AK47 急出', 'ak4', true],
    ['满配 AK47 急出', '47', true],
    ['雷神 M4A1', 'm4', true],
    ['贵族 V10', 'V1', false],
    ['TT35b10556e9A', 'TT35b1', true],
    ['TT35b10556e9A', '35b1', false],
    ['贵族V8 皮肤', '8', false],
    ['全角ＱＱ区', 'qq区', true],
  ])('%s matches %s: %s', (text, keyword, answers) => {
    expect(matches(text, keyword)).toBe(answers);
  });

  test('include the whole pinyin and the initials of a name', () => {
    expect(pinyinOf('王者荣耀')).toEqual(['wangzherongyao', 'wzry']);
    expect(pinyinOf('DNF')).toEqual([]);
    expect(pinyinOf('李白 凤求凰')).toEqual(['libaifengqiuhuang', 'lbfqh', 'libai', 'lb', 'fengqiuhuang', 'fqh']);
  });

  test('find any part of a title of Han characters without spaces', () => {
    const han = fc.string({ unit: fc.constantFrom(...'典藏露娜皮肤全英雄满级可换绑'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), (title, from, length) => {
        const start = from % title.length;
        const part = title.slice(start, start + 1 + (length % title.length));
        expect(matches(title, part)).toBe(true);
      }),
    );
  });

  test('stay within their quotes for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const part of keywordParts(text)) expect(part).toMatch(/^'(?:[^'\\]|''|\\\\)+'(?::\*)?$/);
        expect(vectorText([text]).replace(/''|\\\\/g, '')).toMatch(/^(?:'[^'\\]*')?$/);
      }),
    );
  });
});

describe('filters', () => {
  test('have tokens for each kind', () => {
    expect(conditions({ rank: '2', safe: true })).toMatchObject({ exact: ["'rank:2'", "'safe:1'"] });
    expect(conditions({ rank: { any: [1, 3] } }).exact).toEqual(["('rank:1' | 'rank:3')"]);
    expect(conditions({ skins: { all: [1, 2] } }).exact).toEqual(["'skins:1'", "'skins:2'"]);
    expect(conditions({ box: { any: ['gold'], count: 3 } }).exact).toEqual(["('box:gold:3')"]);
    expect(conditions({ num: { min: '100', max: 200 } }).ranges).toEqual([{ slot: 2, min: 100, max: 200 }]);
    expect(conditions({ rank: '', safe: null })).toEqual({ exact: [], coarse: [], ranges: [], atLeast: [] });
  });

  test('count "at least n of k" on rows, and look it up by windows that contain every such row', () => {
    const c = conditions({ skins: { atLeast: 2, of: [1, 2, 3] } });
    expect(c.atLeast).toEqual([{ count: 2, tokens: ['skins:1', 'skins:2', 'skins:3'] }]);
    expect(c.coarse).toEqual(["('skins:1' | 'skins:2')", "('skins:2' | 'skins:3')"]);
    expect(conditions({ skins: { atLeast: 3, of: [1, 2, 3] } }).exact).toHaveLength(3);
  });

  test.each<Record<string, unknown>>([
    { nope: 1 },
    { secret: true },
    { note: 'x' },
    { rank: 9 },
    { rank: [1] },
    { rank: { any: [] } },
    { rank: { any: Array.from({ length: 41 }, () => 1) } },
    { skins: 1 },
    { skins: { all: 'x' } },
    { skins: { atLeast: 0, of: [1] } },
    { skins: { atLeast: 1.5, of: [1] } },
    { num: 5 },
    { num: { min: 'a' } },
    { num: { max: 3e9 } },
    { safe: 'maybe' },
    { box: { any: ['gold'], count: 0 } },
    JSON.parse('{"__proto__": 1, "constructor": 1}') as Record<string, unknown>,
  ])('%j is rejected', (details) => {
    expect(() => conditions(details)).toThrow('BAD_INPUT');
  });

  test('put a number into one bucket of each range around it', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(5000), fc.nat(5000), (n, below, above) => {
        expect(bucketsOf(Math.max(0, n - below), n + above)).toContain(bucketOf(n));
      }),
    );
  });
});

describe('the indexed row', () => {
  const goods = {
    goodsId: 1,
    sellerId: 2,
    gameId: 1,
    typeId: 1,
    areaId: 10,
    serverId: null,
    title: '贵族10',
    attrs: { rank: 2, skins: [1, 3], num: 150, safe: true, box: { gold: 2 }, note: '送头像' },
    priceFen: 9901,
    official: false,
    bargainOk: true,
    guaranteeOk: true,
    inspected: true,
    pictureCount: 3,
    sellerLevel: 2,
    standing: NO_STANDING,
    refreshedAt: new Date('2026-11-20T00:00:00Z'),
  };
  const game = {
    name: '王者荣耀',
    code: 'wzry',
    pinyin: 'wangzherongyao',
    initials: 'wzry',
    aliases: ['农药'],
    goodsTypes: [{ id: 1, name: '账号' }],
    fields: FIELDS,
  };

  test('has the total price, a token for each filter, and all describing texts', () => {
    const row = searchRowOf(goods, game, { area: '安卓QQ', server: '' }, 100);
    expect(row.priceFen).toBe(10_000);
    expect(row.n).toEqual([null, 150, null, null]);
    const tokens = new Set(row.tsv.split(' ').map((t) => t.slice(1, -1)));
    for (const token of [
      't:1',
      'a:10',
      'is:inspected',
      'is:bargain',
      'rank:2',
      'skins:1',
      'skins:3',
      'safe:1',
      'box:gold',
      'box:gold:2',
      '农药',
      '族10',
      '头像',
      'wzry',
    ])
      expect(tokens).toContain(token);
    for (const token of ['box:gold:3', 'is:platform', 'rank:1']) expect(tokens).not.toContain(token);
  });

  test('a newer listing overtakes a better one in time', () => {
    const at = (days: number, inspected: boolean) =>
      searchRowOf(
        { ...goods, inspected, refreshedAt: new Date(goods.refreshedAt.getTime() + days * 86_400_000) },
        game,
        { area: '', server: '' },
        100,
      ).score;
    expect(at(1, true)).toBeGreaterThan(at(1, false));
    expect(at(30, false)).toBeGreaterThan(at(0, true));
  });

  test('an outlier is listed after every other listing of the last years, and before older outliers', () => {
    const at = (days: number, outlier: boolean) =>
      searchRowOf(
        {
          ...goods,
          standing: { ...NO_STANDING, outlier },
          refreshedAt: new Date(goods.refreshedAt.getTime() + days * 86_400_000),
        },
        game,
        { area: '', server: '' },
        100,
      ).score;
    expect(at(0, true)).toBeLessThan(at(-365, false));
    expect(at(0, true)).toBeGreaterThan(at(-30, true));
  });

  test('a price far above or below its reference stands further back, up to a month, and before any outlier', () => {
    const at = (days: number, price: number) =>
      searchRowOf(
        {
          ...goods,
          standing: standingOf(price, { typical: 100, wide: false }),
          refreshedAt: new Date(goods.refreshedAt.getTime() + days * 86_400_000),
        },
        game,
        { area: '', server: '' },
        100,
      ).score;
    expect(at(0, 110)).toBe(at(0, 100));
    expect(at(0, 130)).toBe(at(-15, 100));
    expect(at(0, 180)).toBe(at(-30, 100));
    expect(at(0, 75)).toBe(at(0, 100));
    expect(at(0, 60)).toBe(at(-18, 100));
    expect(at(0, 50)).toBe(at(-30, 100));
    expect(at(-365, 50)).toBeGreaterThan(at(0, 49));
    expect(at(-365, 180)).toBeGreaterThan(at(0, 201));
  });

  test('fees are rounded half up', () => {
    expect([allInFen(50, 100), allInFen(49, 100), allInFen(9950, 100)]).toEqual([51, 49, 10_050]);
  });
});
