import { expect, test } from 'vitest';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import { mergeGames } from './game-merge.ts';
import { pasteRegions } from './region-paste.ts';

const field = (key: string, label: string): GameDoc['fields'][number] => ({
  key,
  label,
  kind: 'bool',
  required: false,
  inCard: false,
  filterable: false,
  goodsTypes: [1],
});
const base: GameDoc = {
  code: 'wzry',
  name: '王者荣耀',
  aliases: [],
  gameType: 2,
  initial: 'W',
  pinyin: 'w',
  initials: 'w',
  glyph: '王',
  hue: 1,
  scene: 'ridge',
  icon: null,
  hot: 1,
  coinUnit: null,
  coinRatio: null,
  defaultType: 1,
  goodsTypes: [{ id: 1, name: '账号' }],
  areas: [{ name: '一区', servers: [{ name: '甲' }] }],
  fields: [field('a', '甲'), field('b', '乙')],
  handover: { accounts: [], deliveries: [] },
};

test('a change by one editor only is kept', () => {
  const mine = { ...base, hue: 20, fields: [field('a', '甲改'), field('b', '乙')] };
  const theirs = { ...base, name: '新名', fields: [field('a', '甲'), field('b', '乙改'), field('c', '丙')] };
  const { doc, clashes } = mergeGames(base, mine, theirs);
  expect(clashes).toEqual([]);
  expect([doc.hue, doc.name]).toEqual([20, '新名']);
  expect(doc.fields.map((f) => f.label)).toEqual(['甲改', '乙改', '丙']);
});

test('a change by both keeps the own value and names the part', () => {
  const mine = { ...base, hot: 5, fields: [field('a', '我的'), field('b', '乙')] };
  const theirs = { ...base, hot: 6, fields: [field('a', '对方的'), field('b', '乙')] };
  const { doc, clashes } = mergeGames(base, mine, theirs);
  expect([doc.hot, doc.fields[0]?.label]).toEqual([5, '我的']);
  expect(clashes).toEqual(['base', 'fields']);
});

test('a part removed by one editor is removed, unless the other changed it', () => {
  const mine = { ...base, fields: [field('b', '乙')] };
  expect(mergeGames(base, mine, { ...base, name: '新' }).doc.fields.map((f) => f.key)).toEqual(['b']);
  const changed = mergeGames(base, mine, { ...base, fields: [field('a', '甲改'), field('b', '乙')] });
  expect([changed.doc.fields.map((f) => f.key), changed.clashes]).toEqual([['b'], ['fields']]);
});

test('regions are pasted as areas only, lists or tables, and merged with existing ones', () => {
  const text = '一区：甲、乙 丙\r\n二区,子\n二区,丑\n\n三区\n一区\n';
  const pasted = pasteRegions(base.areas, text);
  expect(pasted.areas.map((a) => `${a.name} ${a.servers.map((s) => s.name).join('')}`)).toEqual([
    '一区 甲乙丙',
    '二区 子丑',
    '三区 ',
  ]);
  expect([pasted.addedAreas, pasted.addedServers, pasted.known]).toEqual([2, 4, 2]);
  const into = pasteRegions(base.areas, '乙\n丙 丁\n甲', 0);
  expect(into.areas[0]?.servers.map((s) => s.name)).toEqual(['甲', '乙', '丙', '丁']);
  expect(base.areas[0]?.servers).toHaveLength(1);
});

/** The merged areas as 'name:servers'. */
const areasOf = (mine: GameDoc['areas'], theirs: GameDoc['areas']) => {
  const { doc, clashes } = mergeGames(base, { ...base, areas: mine }, { ...base, areas: theirs });
  return [doc.areas.map(({ name, servers }) => `${name}:${servers.map((s) => s.name).join('')}`), clashes];
};
const area = (name: string, ...servers: string[]) => ({ name, servers: servers.map((one) => ({ name: one })) });

test('areas are merged by their name, as fields are by their key', () => {
  const [first] = base.areas;
  if (!first) throw new Error('no area');
  expect(areasOf([first, area('二区', '子')], [area('一区', '甲', '乙')])).toEqual([['一区:甲乙', '二区:子'], []]);
  expect(areasOf([area('一区', '丙')], [area('一区', '甲', '乙')])).toEqual([['一区:丙'], ['areas']]);
  expect(areasOf([area('一区', '丙')], [area('一区', '丙'), area('三区')])).toEqual([['一区:丙', '三区:'], []]);
  // Added by both: the same is no clash, different ones are.
  expect(areasOf([first, area('二区', '子')], [first, area('二区', '子'), area('三区')])).toEqual([
    ['一区:甲', '二区:子', '三区:'],
    [],
  ]);
  expect(areasOf([first, area('二区', '子')], [first, area('二区', '丑')])).toEqual([
    ['一区:甲', '二区:子'],
    ['areas'],
  ]);
  // Removed by one: what the other did not change is removed, what it changed clashes.
  expect(areasOf([first, area('二区')], [])).toEqual([['二区:'], []]);
  expect(areasOf([area('一区', '丙')], [area('三区')])).toEqual([['一区:丙', '三区:'], ['areas']]);
});
