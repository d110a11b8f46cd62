import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import {
  chosenTags,
  cleared,
  type ListQuery,
  listInput,
  listPath,
  parseList,
  toggled,
  withField,
  withExistingFields,
  withService,
} from './list-query.ts';

const base = { required: false, inCard: true, filterable: true, goodsTypes: [1], sort: 0 };
const fields: Field[] = [
  {
    ...base,
    key: 'rank',
    label: '段位',
    kind: 'single',
    options: [
      { v: 1, label: '星耀' },
      { v: 2, label: '王者' },
    ],
  },
  {
    ...base,
    key: 'skins',
    label: '皮肤',
    kind: 'multi',
    options: ['a', 'b', 'c'].map((v) => ({ v, label: v.toUpperCase() })),
  },
  { ...base, key: 'count', label: '皮肤数', kind: 'range', unit: '款' },
  { ...base, key: 'rename', label: '可改名', kind: 'bool' },
  { ...base, key: 'items', label: '道具', kind: 'item_count', options: [{ v: 'x', label: '龙纹' }] },
];
const parse = (query: string) => parseList(new URLSearchParams(query));
const detailsOf = (query: string): unknown =>
  JSON.parse((listInput(parse(query), fields, null).details as string | undefined) ?? 'null');

describe('parsing a URL', () => {
  it('starts from type 1, and from type 8 for game 18', () => {
    expect(parse('').gt).toBe(1);
    expect(parse('gid=18').gt).toBe(8);
    expect(parse('gid=18&gt=1').gt).toBe(1);
  });

  it('searches all types for a keyword alone, or when asked to', () => {
    expect(parse('keyWord=貂蝉').gt).toBeNull();
    expect(parse('gt=0').gt).toBeNull();
  });

  it('ignores unknown parts of the address', () => {
    const state = parse("gid=x&min=1e3&max=-5&sort=;drop&f.rank=&f.skins=all:&f.count=-&f.<b>=1&areaId=0'");
    expect(listInput(state, fields, '../')).toEqual({ pageSize: 20, goodsTypeId: 1 });
  });

  it('counts a price above any listing as the highest', () => {
    expect(parse('min=9999999&max=999999999')).toMatchObject({ min: '999999.99', max: '999999.99' });
    expect(parse('min=999999.99&max=0.01')).toMatchObject({ min: '999999.99', max: '0.01' });
    expect(getGoodsList.input.safeParse({ minPrice: parse('min=999999999').min }).success).toBe(true);
  });

  it('has hours and voices of companions only in lists of companions', () => {
    const list = parse('gt=61&free=tonight&voice=female');
    expect(listPath(list)).toBe('/wares?gt=61&free=tonight&voice=female');
    expect(listInput(list, fields, null)).toEqual({
      pageSize: 20,
      goodsTypeId: 61,
      free: 'tonight',
      voice: 'female',
    });
    expect(chosenTags(list, fields, {}).map(({ label, without }) => [label, without])).toEqual([
      ['今晚', '/wares?gt=61&voice=female'],
      ['女声', '/wares?gt=61&free=tonight'],
    ]);
    expect(listPath(cleared(list))).toBe('/wares?gt=61');
    for (const other of ['gt=1&free=tonight&voice=any', 'gt=61&free=never&voice=robot'])
      expect(parse(other)).toMatchObject({ free: null, voice: null });
    // Another type of goods drops them.
    expect(listPath({ ...list, gt: 60 })).toBe('/wares?gt=60');
  });

  it('parses its own URLs to the same state', () => {
    const word = fc.constantFrom('a', 'b', 'c', '王者', '7');
    fc.assert(
      fc.property(
        fc.record({
          gid: fc.integer({ min: 1, max: 999 }),
          min: fc.integer({ min: 0, max: 9999 }),
          values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
        }),
        ({ gid, min, values }) => {
          let state: ListQuery = { ...parse(''), gid, min: String(min), keyWord: values.join('') };
          for (const value of values) state = toggled(state, 'skins', value);
          state = withService(withField(state, 'count', { kind: 'range', min: '2', max: '' }), 'ensure');
          const path = listPath(state);
          expect(parseList(new URL(path, 'http://x').searchParams)).toEqual(state);
        },
      ),
    );
  });
});

describe('the input of the list call', () => {
  it('keeps numbers and booleans in their types', () => {
    expect(detailsOf('f.rank=2&f.rename=1')).toEqual({ rank: 2, rename: true });
  });

  it('has the options all, any and at least', () => {
    expect(detailsOf('f.skins=all:a,b')).toEqual({ skins: { all: ['a', 'b'] } });
    expect(detailsOf('f.skins=any:a,b')).toEqual({ skins: { any: ['a', 'b'] } });
    expect(detailsOf('f.skins=2:a,b,c')).toEqual({ skins: { atLeast: 2, of: ['a', 'b', 'c'] } });
  });

  it('has a count per option only for counted items', () => {
    expect(detailsOf('f.items=all*3:x&f.skins=all*3:a')).toEqual({
      items: { all: ['x'], count: 3 },
      skins: { all: ['a'] },
    });
    expect(chosenTags(parse('f.items=any*3:x'), fields, {}).map(({ label }) => label)).toEqual(['龙纹 ×3']);
  });

  it('keeps an open end of a range', () => {
    expect(detailsOf('f.count=200-')).toEqual({ count: { min: 200 } });
    expect(detailsOf('f.count=-0')).toEqual({ count: { max: 0 } });
  });

  it('ignores a filter of the wrong kind, and fields of another game', () => {
    expect(detailsOf('f.rank=1-2&f.count=all:a&f.other=1')).toBeNull();
  });

  it('never requires more options than are chosen', () => {
    const state = toggled(parse('f.skins=3:a,b,c'), 'skins', 'c');
    expect(state.fields.get('skins')).toEqual({ kind: 'many', mode: 2, values: ['a', 'b'], count: 1 });
  });
});

describe('the chosen filters', () => {
  it('are listed as text, each with the URL that removes it', () => {
    const state = parse('gid=1&areaId=3&f.skins=any:a,b&f.count=200-&min=100&ensure=1');
    const tags = chosenTags(state, fields, { area: '安卓QQ' });
    expect(tags.map(({ label }) => label)).toEqual(['安卓QQ', 'A 或 B', '皮肤数 ≥ 200款', '全包价 ≥ 100', '可包赔']);
    for (const { without } of tags)
      expect(chosenTags(parseList(new URL(without, 'http://x').searchParams), fields, {})).toHaveLength(4);
  });

  it('are all cleared together, and the game stays', () => {
    const state = cleared(parse('gid=1&gt=2&areaId=3&keyWord=x&f.rank=1&sort=newest'));
    expect(listPath(state)).toBe('/wares?gt=2&gid=1&sort=newest');
  });
});

it('ignores fields that the game does not have, and requires no more options than exist', () => {
  const known = (query: string) =>
    [...withExistingFields(parse(query), fields).fields].map(([key, chosen]) => `${key} ${JSON.stringify(chosen)}`);
  expect(known('gid=1&f.rank=9&f.nothing=1&f.rename=2&f.skins=1-2&f.items=all:y')).toEqual([]);
  expect(known('gid=1&f.skins=3:c,a,z&f.rank=2')).toEqual([
    'rank {"kind":"one","value":"2"}',
    'skins {"kind":"many","mode":2,"values":["c","a"],"count":1}',
  ]);
  expect(withExistingFields(parse('gid=1&f.rank=2'), []).fields.size).toBe(0);
});
