/** The catalogue in memory, the search for games, and the hand-over steps that a listing makes unnecessary. */
import { describe, expect, test } from 'vitest';
import type { Field, Step } from '#subjects/games/contract/games.ts';
import {
  assemble,
  fieldFor,
  type Game,
  gameMatch,
  type GameRow,
  readableAttrs,
  recommended,
  showsGame,
  stepsForGoods,
} from './rules.ts';

const row = (id: number, more: Partial<GameRow> = {}): GameRow => ({
  id,
  code: `g${id}`,
  name: `游戏${id}`,
  gameType: 1,
  initial: 'Y',
  pinyin: 'youxi',
  initials: 'yx',
  hue: 0,
  scene: '',
  hot: 0,
  goodsTypes: [{ id: 1, name: '账号' }],
  coinUnit: null,
  coinRatio: null,
  aliases: [],
  defaultType: 1,
  glyph: '游',
  iconKey: null,
  isOpen: true,
  ...more,
});

const field = (key: string, sort: number, more: Partial<Field> = {}): Field => ({
  key,
  label: key.toUpperCase(),
  kind: 'text',
  required: false,
  inCard: false,
  filterable: false,
  goodsTypes: [1, 2],
  sort,
  ...more,
});

const step = (key: string, more: Partial<Step> = {}): Step => ({
  key,
  title: `步骤${key}`,
  actor: 'seller',
  minutes: 10,
  explain: '',
  evidence: false,
  required: true,
  beforeShip: true,
  ...more,
});

const BODY = { accounts: [step('account')], deliveries: [{ goodsTypes: [2, 22], steps: [step('coin')] }] };

/** Two games on offer, of which 1 has everything, and a hidden one. */
const all = assemble({
  games: [row(1), row(2), row(3, { isOpen: false })],
  areas: [
    { id: 10, gameId: 1, name: '一区', isOpen: true },
    { id: 11, gameId: 1, name: '二区', isOpen: false },
    { id: 12, gameId: 1, name: '三区', isOpen: true },
    { id: 30, gameId: 3, name: '旧区', isOpen: true },
  ],
  servers: [
    { id: 100, areaId: 10, name: '甲', isOpen: true },
    { id: 101, areaId: 10, name: '乙', isOpen: false },
    { id: 102, areaId: 10, name: '丙', isOpen: true },
    { id: 110, areaId: 11, name: '丁', isOpen: true },
  ],
  versions: [
    { gameId: 2, kind: 'handover', version: 4, body: { accounts: [step('second')], deliveries: [] } },
    { gameId: 1, kind: 'handover', version: 7, body: BODY },
    {
      gameId: 1,
      kind: 'fields',
      version: 3,
      body: [
        field('late', 3, { goodsTypes: [1] }),
        field('amount', 1, { goodsTypes: [2, 22], unit: '金币' }),
        field('old', 2, { retired: true }),
      ],
    },
    { gameId: 3, kind: 'fields', version: 9, body: [field('past', 1)] },
  ],
});

const keys = (fields: readonly { key: string }[]): string[] => fields.map(({ key }) => key);
const ids = (games: readonly { id: number }[]): number[] => games.map(({ id }) => id);

describe('the catalogue', () => {
  test('offers the open games, and knows the hidden ones for their past trades', () => {
    expect(ids(all.list())).toEqual([1, 2]);
    expect([all.game(1)?.id, all.game(3), all.game(4)]).toEqual([1, undefined, undefined]);
    expect([all.known(1)?.id, all.known(3)?.id, all.known(4)]).toEqual([1, 3, undefined]);
  });

  test('offers open servers in open areas', () => {
    expect(all.game(1)?.areas).toEqual([
      {
        id: 10,
        gameId: 1,
        name: '一区',
        servers: [
          { id: 100, areaId: 10, gameId: 1, name: '甲' },
          { id: 102, areaId: 10, gameId: 1, name: '丙' },
        ],
      },
      { id: 12, gameId: 1, name: '三区', servers: [] },
    ]);
    expect(all.game(2)?.areas).toEqual([]);
    expect(ids(all.known(3)?.areas ?? [])).toEqual([30]);
  });

  test('finds closed areas and servers by number', () => {
    expect(all.area(11)).toEqual({
      id: 11,
      gameId: 1,
      name: '二区',
      servers: [{ id: 110, areaId: 11, gameId: 1, name: '丁' }],
    });
    expect(all.server(101)).toEqual({ id: 101, areaId: 10, gameId: 1, name: '乙' });
    expect(all.area(12)?.servers).toEqual([]);
    expect([all.area(99), all.server(99)]).toEqual([undefined, undefined]);
  });

  test('has the version of each game, 0 for none', () => {
    const versions = [1, 2, 3].map((id) => [all.known(id)?.fieldsVersion, all.known(id)?.handoverVersion]);
    expect(versions).toEqual([
      [3, 7],
      [0, 4],
      [9, 0],
    ]);
  });

  test('sorts fields, and gives those of a goods type', () => {
    expect(keys(all.fieldsOf(1))).toEqual(['amount', 'old', 'late']);
    expect(keys(all.fieldsOf(1, 1))).toEqual(['old', 'late']);
    expect(keys(all.fieldsOf(1, 2))).toEqual(['amount', 'old']);
    expect(keys(all.fieldsOf(3))).toEqual(['past']);
    expect([all.fieldsOf(2), all.fieldsOf(4)]).toEqual([[], []]);
  });

  test('does not offer retired fields', () => {
    expect(keys(all.openFieldsOf(1))).toEqual(['amount', 'late']);
    expect(keys(all.openFieldsOf(1, 2))).toEqual(['amount']);
    expect(all.openFieldsOf(4)).toEqual([]);
  });

  test('hands over whole accounts by their steps, other types by their own delivery', () => {
    const steps = (gameId: number, typeId: number) => {
      const { version, steps: found } = all.handoverOf(gameId, typeId);
      return [version, keys(found)];
    };
    expect([1, 8, 50].map((typeId) => steps(1, typeId))).toEqual(Array.from({ length: 3 }, () => [7, ['account']]));
    expect([2, 22].map((typeId) => steps(1, typeId))).toEqual(Array.from({ length: 2 }, () => [7, ['coin']]));
    expect([steps(2, 2), steps(3, 1), steps(4, 1)]).toEqual([
      [4, ['second']],
      [0, []],
      [0, []],
    ]);
  });
});

describe('fields of a goods type', () => {
  test.each([
    ['amount', 22, '元宝'],
    ['min_lot', 22, '元宝'],
    ['level', 22, '金币'],
    ['amount', 2, '金币'],
  ])('%s of type %i has the unit %s', (key, typeId, unit) => {
    expect(fieldFor(typeId)(field(key, 1, { unit: '金币' })).unit).toBe(unit);
  });

  test('a field that needs no other unit stays the same object', () => {
    const ingots = field('amount', 1, { unit: '元宝' });
    expect(fieldFor(22)(ingots)).toBe(ingots);
    expect(fieldFor(2)(ingots)).toBe(ingots);
    const plain = field('amount', 1);
    expect(fieldFor(2)(plain)).toBe(plain);
  });

  test('attributes are read in the order of the fields; empty and unknown ones are omitted', () => {
    const attrs = { late: '晚', amount: '5', old: '', other: '无' };
    expect(readableAttrs(all, 1, attrs)).toEqual([
      { key: 'amount', label: 'AMOUNT', value: '5' },
      { key: 'late', label: 'LATE', value: '晚' },
    ]);
    expect(keys(readableAttrs(all, 1, attrs, 1))).toEqual(['late']);
    expect(readableAttrs(all, 4, attrs)).toEqual([]);
  });
});

describe('the choice of games', () => {
  test('a distributor without a list shows every game', () => {
    expect(showsGame({ games: null }, 5)).toBe(true);
    expect([showsGame({ games: [1, 5] }, 5), showsGame({ games: [1] }, 5), showsGame({ games: [] }, 5)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  const games = [
    row(1, { hot: 3 }),
    row(2, { hot: 0 }),
    row(3, { hot: 1 }),
    row(4, { hot: 2 }),
  ] as unknown as readonly Game[];
  test.each([
    ['4, 2', [4, 2]],
    ['2,9,1', [2, 1]],
    ['', [3, 4, 1]],
    ['9', [3, 4, 1]],
  ])('recommended by “%s”', (list, expected) => {
    expect(ids(recommended(games, list))).toEqual(expected);
  });

  const king = row(1, {
    name: '王者 荣耀２',
    code: 'wzry',
    pinyin: 'wangzherongyao',
    initials: 'wzr',
    aliases: ['农药', 'Honor of  Kings', 'No.1x'],
  }) as unknown as Game;
  test.each([
    ['王者荣耀2', 3],
    [' ＷＺＲＹ ', 3],
    ['wang zhe rong yao', 3],
    ['wzr', 3],
    ['农药', 3],
    ['HONOROFKINGS', 3],
    ['honor  of kings', 3],
    ['王', 2],
    ['wangzhe', 2],
    ['w', 2],
    ['荣', 1],
    ['荣a', 0],
    ['ron', 1],
    ['ro', 0],
    ['1', 1],
    ['.1', 1],
    ['o.', 1],
    ['1x', 1],
    ['原神', 0],
    ['', 0],
    [' \t　', 0],
  ])('“%s” matches with %i', (keyword, expected) => {
    expect(gameMatch(king, keyword)).toBe(expected);
  });
});

describe('steps made unnecessary by the listing', () => {
  const bool = field('email', 1, { kind: 'bool', label: '带邮箱' });
  const unless = [
    { field: 'email', value: '无', reason: '没有邮箱' },
    { field: 'gone', value: '是', reason: '字段已停用' },
  ];
  const steps = [step('a'), step('b', { unless }), step('c'), step('d', { unless })];
  const split = (attrs: Record<string, unknown>, readings: readonly (readonly [string, string])[] = []) =>
    stepsForGoods(steps, [field('rank', 2), bool], attrs, new Map(readings));

  test.each([
    ['without the attribute', {}, []],
    ['with the other value', { email: true }, []],
    ['when the inspection contradicts the seller', { email: false }, [['email', '有'] as const]],
    ['of a field that the game no longer has', { gone: '是' }, []],
  ])('all steps are needed %s', (_case, attrs, readings) => {
    const { steps: required, ruledOut } = split(attrs, readings);
    expect([keys(required), ruledOut]).toEqual([['a', 'b', 'c', 'd'], []]);
  });

  test.each([
    ['the seller', { email: false }, [], '商品标明没有邮箱'],
    ['the inspection', { email: true }, [['email', '无'] as const], '验号显示没有邮箱'],
    ['the inspection of a former field', {}, [['gone', '是'] as const], '验号显示字段已停用'],
  ])('by %s', (_case, attrs, readings, reason) => {
    const { steps: required, ruledOut } = split(attrs, readings);
    expect(keys(required)).toEqual(['a', 'c']);
    expect(ruledOut).toEqual([
      { afterStep: 1, key: 'b', title: '步骤b', reason },
      { afterStep: 2, key: 'd', title: '步骤d', reason },
    ]);
  });
});
