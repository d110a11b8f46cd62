import { describe, expect, it } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import {
  chosenTags,
  type ListQuery,
  listInput,
  listPath,
  marksOf,
  parseList,
  sortName,
  toggled,
  withExistingFields,
  withField,
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

describe('the borders of a URL', () => {
  it.each([
    ['gid=1', 1],
    ['gid=9999999999', 9_999_999_999],
    ['gid=12345678901', null],
    ['gid=0', null],
    ['gid=-1', null],
    ['gid=1x', null],
    ['gid=x1', null],
  ])('%s', (query, gid) => {
    expect(parse(query).gid).toBe(gid);
  });

  it('the price of a filter', () => {
    const min = (text: string) => parse(`min=${text}`).min;
    expect(['0', '0.5', '0.01', '12.30', '999999.99', '1000000', '123456789'].map(min)).toEqual([
      '0',
      '0.5',
      '0.01',
      '12.30',
      '999999.99',
      '999999.99',
      '999999.99',
    ]);
    expect(['', '01', '.5', '1.', '1.234', '-1', '1e3', '1234567890', 'x1', '1x'].map(min)).toEqual(Array(10).fill(''));
  });

  it('the filter of a field', () => {
    const chosen = (text: string) => parse(`f.a=${text}`).fields.get('a') ?? null;
    expect(chosen('1-2')).toEqual({ kind: 'range', min: '1', max: '2' });
    expect(chosen('123456789-')).toEqual({ kind: 'range', min: '123456789', max: '' });
    expect(parse('f.a=-').fields.size).toBe(0);
    for (const one of ['x1-2', '1-2x', '1234567890-2', '123:', 'xall:a', 'all*0:a', 'all*1234567:a', '123:a'])
      expect(chosen(one), one).toEqual({ kind: 'one', value: one });
    expect(chosen('12:a,,a,b')).toEqual({ kind: 'many', mode: 12, values: ['a', 'b'], count: 1 });
    expect(chosen('any*123456:a')).toEqual({ kind: 'many', mode: 'any', values: ['a'], count: 123_456 });
    expect(chosen('all:,')).toBeNull();
    expect(chosen('all:a%0Ab')).toEqual({ kind: 'one', value: 'all:a\nb' });
    const many = chosen(`all:${Array.from({ length: 41 }, (_, i) => i).join(',')}`);
    expect(many?.kind === 'many' && many.values.length).toBe(40);
  });

  it('has at most twenty fields, with names of 1 to 40 letters, digits and underscores', () => {
    const queryOf = (count: number) => Array.from({ length: count }, (_, i) => `f.k${i}=1`).join('&');
    expect([parse(queryOf(20)).fields.size, parse(queryOf(21)).fields.size]).toEqual([20, 20]);
    const names = [...parse(`xf.a=1&f.a-b=1&f.=1&f.${'a'.repeat(41)}=1&f.A_1=1&a=1`).fields.keys()];
    expect(names).toEqual(['A_1']);
  });

  it('the keyword has 40 characters, without spaces around it', () => {
    expect(parse(`keyWord=${encodeURIComponent(` ${'字'.repeat(41)} `)}`).keyWord).toBe('字'.repeat(40));
    expect(parse('keyWord=e%CC%81').keyWord).toBe('é');
    expect(parse('keyWord=a&gid=1').gt).toBe(1);
  });

  it('a seller is a number of up to 15 digits', () => {
    const seller = (text: string) => parse(`sellerId=${text}`).sellerId;
    expect(['123456789012345', '1234567890123456', 'x1', '1x', ''].map(seller)).toEqual([
      '123456789012345',
      null,
      null,
      null,
      null,
    ]);
  });

  it('each state has one URL, which contains no default', () => {
    for (const path of [
      '/wares?gt=1',
      '/wares?gt=0&sellerId=5',
      '/wares?gt=1&gid=1&areaId=2&serverId=3&sellerId=4&keyWord=x&min=1&max=2&sort=views&inspected=1&online=1',
      '/wares?gt=1&f.a=all*3%3Ax%2Cy&f.b=2%3Ax%2Cy&f.c=1-2&f.d=-2&f.e=x&view=cards',
    ])
      expect(listPath(parse(path.slice(7))), path).toBe(path);
    expect(listPath(parse('view=rows&sort=none&inspected=0'))).toBe('/wares?gt=1');
    expect(parse('view=cards').view).toBe('cards');
    expect(parse('view=other').view).toBe('rows');
  });
});

describe('ranks of boosting', () => {
  const path = `/wares?gt=${BOOSTING}&gid=1&rankFrom=2&rankTo=5`;

  it('belong only to a game’s boosting', () => {
    expect(listPath(parse(path.slice(7)))).toBe(path);
    expect(listInput(parse(path.slice(7)), [], null)).toEqual({
      pageSize: 20,
      goodsTypeId: BOOSTING,
      gameId: 1,
      rankFrom: 2,
      rankTo: 5,
    });
    for (const other of [`gt=${BOOSTING}&rankFrom=2&rankTo=5`, 'gt=1&gid=1&rankFrom=2&rankTo=5'])
      expect(parse(other), other).toMatchObject({ rankFrom: null, rankTo: null });
    const state = parse(path.slice(7));
    expect(listPath({ ...state, gt: 1 })).toBe('/wares?gt=1&gid=1');
    expect(listPath({ ...state, gid: null })).toBe(`/wares?gt=${BOOSTING}`);
    expect(listPath({ ...state, rankFrom: null })).toBe(`/wares?gt=${BOOSTING}&gid=1&rankTo=5`);
    expect(listPath({ ...state, rankTo: null })).toBe(`/wares?gt=${BOOSTING}&gid=1&rankFrom=2`);
  });

  it('are asked for and shown only as a pair', () => {
    const state = parse(path.slice(7));
    const labels = (given: ListQuery, route?: string) => chosenTags(given, [], { route }).map(({ label }) => label);
    expect(labels(state, '黄金到钻石')).toEqual(['黄金到钻石']);
    expect([labels(state), labels(state, '')]).toEqual([['段位'], ['段位']]);
    expect(chosenTags(state, [], {})[0]?.without).toBe(`/wares?gt=${BOOSTING}&gid=1`);
    for (const half of [{ rankFrom: null }, { rankTo: null }]) {
      expect(labels({ ...state, ...half })).toEqual([]);
      expect(Object.keys(listInput({ ...state, ...half }, [], null))).toEqual(['pageSize', 'goodsTypeId', 'gameId']);
    }
  });
});

describe('the whole input of the call', () => {
  it('has every filter of the URL', () => {
    const state = parse(
      'gt=1&gid=1&areaId=2&serverId=3&sellerId=4&keyWord=x&min=1&max=2&sort=views&inspected=1&ensure=1&official=1&bargain=1&online=1',
    );
    expect(listInput(state, fields, 'abc_-1')).toEqual({
      pageSize: 20,
      cursor: 'abc_-1',
      goodsTypeId: 1,
      gameId: 1,
      areaId: 2,
      serverId: 3,
      sellerId: '4',
      keyWord: 'x',
      minPrice: '1',
      maxPrice: '2',
      sort: 'views',
      inspected: '1',
      ensureOpen: '1',
      officialSell: '1',
      bargainOpen: '1',
      sellerOnline: '1',
    });
    expect(listInput(parse('gt=0'), fields, null)).toEqual({ pageSize: 20 });
  });

  it('has a cursor of up to 200 letters', () => {
    const cursorOf = (cursor: string) => listInput(parse(''), [], cursor).cursor;
    expect(['a'.repeat(200), 'a'.repeat(201), '.a', 'a.', ''].map(cursorOf)).toEqual([
      'a'.repeat(200),
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has values as they are in the catalogue', () => {
    expect(detailsOf('f.rank=9&f.rename=0&f.count=1-2')).toEqual({
      rank: '9',
      rename: false,
      count: { min: 1, max: 2 },
    });
    expect(detailsOf('f.items=all:x')).toEqual({ items: { all: ['x'] } });
    const state = withField(parse(''), 'count', { kind: 'range', min: 'x1', max: '1x' });
    expect(listInput(state, fields, null).details).toBe('{"count":{}}');
    const bare: Field[] = [{ ...base, key: 'a', label: 'A', kind: 'single' }];
    expect(listInput(parse('f.a=1'), bare, null).details).toBe('{"a":"1"}');
  });
});

describe('the names of what is chosen', () => {
  const labels = (query: string, names: Parameters<typeof chosenTags>[2] = {}) =>
    chosenTags(parse(query), fields, names).map(({ label }) => label);

  it.each([
    ['keyWord=x', ['“x”']],
    ['sellerId=5', ['卖家 5']],
    ['areaId=1&serverId=2', ['大区', '服务器']],
    ['f.rank=2', ['王者']],
    ['f.rank=9', ['9']],
    ['f.rename=1', ['可改名']],
    ['f.rename=0', ['可改名：否']],
    ['f.skins=all:a,b', ['A 且 B']],
    ['f.skins=any:a,z', ['A 或 z']],
    ['f.skins=2:a,b,c', ['A、B、C 至少 2 项']],
    ['f.skins=all*3:a', ['A']],
    ['f.items=all:x', ['龙纹']],
    ['f.items=all*2:x', ['龙纹 ×2']],
    ['f.count=1-2', ['皮肤数 1–2款']],
    ['f.count=-2', ['皮肤数 ≤ 2款']],
    ['f.count=1', []],
    ['min=1&max=2', ['全包价 1–2']],
    ['max=2', ['全包价 ≤ 2']],
    ['official=1&online=1', ['平台交付', '卖家在线']],
  ])('%s', (query, expected) => {
    expect(labels(query)).toEqual(expected);
  });

  it('are those of the page where it knows them', () => {
    expect(labels('sellerId=5&areaId=1&serverId=2', { seller: '阿木', area: '安卓', server: '一服' })).toEqual([
      '卖家 阿木',
      '安卓',
      '一服',
    ]);
    const bare: Field[] = [{ ...base, key: 'a', label: 'A', kind: 'single' }];
    expect(chosenTags(parse('f.a=1'), bare, {})[0]?.label).toBe('1');
  });

  it('have no server when no area is selected', () => {
    expect(chosenTags(parse('areaId=1&serverId=2'), fields, {}).map(({ without }) => without)).toEqual([
      '/wares?gt=1',
      '/wares?gt=1&areaId=1',
    ]);
  });

  it('a service is neither inspected nor guaranteed, and companions are listed by availability', () => {
    expect([1, null, BOOSTING].map((gt) => marksOf({ gt }).map(({ name }) => name))).toEqual([
      ['inspected', 'ensure', 'official', 'bargain', 'online'],
      ['inspected', 'ensure', 'official', 'bargain', 'online'],
      ['online'],
    ]);
    expect([1, BOOSTING, COMPANION_PLAY].map((gt) => marksOf({ gt }).at(-1)?.label)).toEqual([
      '卖家在线',
      '打手在线',
      '陪玩在线',
    ]);
    const tag = (query: string) => chosenTags(parse(query), [], {}).at(-1)?.label;
    expect([tag('gt=1&online=1'), tag(`gt=${BOOSTING}&online=1`)]).toEqual(['卖家在线', '打手在线']);
    expect(tag(`gt=${BOOSTING}&inspected=1`)).toBe('已验号');
    expect([sortName('综合', COMPANION_PLAY), sortName('综合', 1), sortName('最新', COMPANION_PLAY)]).toEqual([
      '最早有空',
      '综合',
      '最新',
    ]);
  });
});

describe('changing the filters', () => {
  it('an option is added and removed; without options there is no filter', () => {
    const one = toggled(parse(''), 'skins', 'a', 'any');
    expect(one.fields.get('skins')).toEqual({ kind: 'many', mode: 'any', values: ['a'], count: 1 });
    const two = toggled(one, 'skins', 'b');
    expect(two.fields.get('skins')).toEqual({ kind: 'many', mode: 'any', values: ['a', 'b'], count: 1 });
    expect(toggled(toggled(two, 'skins', 'a'), 'skins', 'b').fields.has('skins')).toBe(false);
    const other = toggled(parse('f.skins=1-2'), 'skins', 'a');
    expect(other.fields.get('skins')).toEqual({ kind: 'many', mode: 'all', values: ['a'], count: 1 });
    expect(toggled(parse('f.skins=0:a'), 'skins', 'b').fields.get('skins')).toMatchObject({ mode: 1 });
  });

  it('a service is set and unset', () => {
    const on = withService(parse(''), 'online');
    expect([[...on.services], [...withService(on, 'online').services]]).toEqual([['online'], []]);
  });

  it('keeps the filters that the game supports: existing options, a range with its bounds, yes or no', () => {
    const ranged: Field = { ...base, key: 'count', label: '皮肤数', kind: 'range', numericSlot: 1 };
    const names = (query: string, given: readonly Field[]) => [
      ...withExistingFields(parse(query), given).fields.keys(),
    ];
    expect(names('f.count=1-2', [ranged])).toEqual(['count']);
    expect(names('f.count=1-2', fields)).toEqual([]);
    expect(names('f.count=1-2', [{ ...ranged, filterable: false }])).toEqual([]);
    expect(names('f.count=1', [ranged])).toEqual([]);
    expect(['0', '1', '2', '10', '01'].map((value) => names(`f.rename=${value}`, fields).length)).toEqual([
      1, 1, 0, 0, 0,
    ]);
    expect(names('f.a=1', [{ ...base, key: 'a', label: 'A', kind: 'single' }])).toEqual([]);
    expect(names('f.rank=all:1&f.skins=a', fields)).toEqual([]);
  });
});
