import { describe, expect, test } from 'vitest';
import { maskedText, plainWord, type Word, wordFinder, wordLine } from './blocked-words.ts';

const word = (id: number, text: string, level: Word['level'] = 'mask'): Word => ({ id, plain: plainWord(text), level });
const find = wordFinder([
  word(1, '外挂'),
  word(2, '外挂辅助', 'refuse'),
  word(3, 'vpn'),
  word(4, '代开.发票', 'review'),
]);
const ids = (text: string) => find(text).map(({ id }) => id);

describe('a listed word is found', () => {
  test.each([
    ['as it is', '卖外挂', [1]],
    ['the longer one of two', '外挂辅助脚本', [2]],
    ['with gaps', '外 . 挂', [1]],
    ['in full width and capitals', '要ＶＰＮ吗', [3]],
    ['with invisible letters between', '外\u200b挂', [1]],
    ['although it was written with a gap itself', '代开发票', [4]],
    ['twice', '外挂，外挂', [1, 1]],
  ])('%s', (_, text, expected) => expect(ids(text)).toEqual(expected));

  test('a word is not found across sentences or inside another Latin word', () => {
    expect(ids('在门外。挂机三天')).toEqual([]);
    expect(ids('myvpnbox')).toEqual([]);
    expect(ids('没有问题')).toEqual([]);
    expect(wordFinder([])('外挂')).toEqual([]);
  });
});

test('masking changes only words of the requested levels', () => {
  const text = '出售外 挂和代开发票';
  expect(maskedText(text, find(text), ['mask'])).toBe('出售＊＊＊和代开发票');
  expect(maskedText(text, find(text), ['mask', 'review'])).toBe('出售＊＊＊和＊＊＊＊');
  expect(maskedText('没有', find('没有'), ['mask'])).toBe('没有');
});

test('import lines are parsed', () => {
  expect(wordLine('外挂', 'mask')).toEqual({ word: '外挂', level: 'mask', note: '' });
  expect(wordLine('外挂，拒绝，常见骗术', 'mask')).toEqual({ word: '外挂', level: 'refuse', note: '常见骗术' });
  expect(wordLine('外挂,review', 'mask')).toMatchObject({ level: 'review' });
  expect(wordLine('外挂,删除', 'mask')).toContain('级别');
  for (const wrong of ['', '外', '…。', '字'.repeat(31)]) expect(wordLine(wrong, 'mask')).toContain('2 到 30');
});

test.each([
  ['外 挂', '外挂'],
  ['V.P-N', 'vpn'],
  ['a·b,c，d、e_f*g—h~i|j/k', 'abcdefghijk'],
  ['，。', '。'],
  ['', ''],
])('the word %j is compared as %j', (typed, plain) => {
  expect(plainWord(typed)).toBe(plain);
});

describe('gaps and edges', () => {
  test.each([
    // Up to three characters between two letters.
    ['外...挂', [1]],
    ['外....挂', []],
    ['外x挂', []],
    ['vpn', [3]],
    ['用vpn吗', [3]],
    ['v pn', []],
    ['vpn2', []],
    ['2vpn', []],
    ['VPN.', [3]],
    ['代-开/发|票', [4]],
  ])('%s: %j', (text, expected) => expect(ids(text)).toEqual(expected));

  test('a hit is where the word stands in the text as typed', () => {
    const text = '卖\u200b外 挂！';
    const [hit] = find(text);
    expect(hit && text.slice(hit.from, hit.to)).toBe('外 挂');
    expect(find('外挂')).toEqual([{ ...word(1, '外挂'), from: 0, to: 2 }]);
  });

  test('signs of a word are signs, not patterns', () => {
    const signs = wordFinder(
      ['c++', 'a.b', '(代练)', '五$星', '一?二', '[开]', '问^号', '左{右'].map((text, i) => word(i, text)),
    );
    const found = (text: string) => signs(text).map(({ id }) => id);
    expect(found('学c++吗')).toEqual([0]);
    expect(found('cc')).toEqual([]);
    expect([found('(代练)'), found('五$星'), found('一?二'), found('[开]'), found('问^号'), found('左{右')]).toEqual([
      [2],
      [3],
      [4],
      [5],
      [6],
      [7],
    ]);
    expect([found('代练'), found('五星'), found('二'), found('开')]).toEqual([[], [], [], []]);
  });
});

test('a word of Latin and other letters has gaps, and may stand next to Latin letters', () => {
  const mixed = wordFinder([word(1, '加vx'), word(2, 'qq号')]);
  const found = (text: string) => mixed(text).map(({ id }) => id);
  expect([found('加 v.x'), found('加vxa'), found('q q-号'), found('aqq号')]).toEqual([[1], [1], [2], [2]]);
});

test('where two hits overlap the first is masked, and a sign of two units is one ＊', () => {
  const hit = (from: number, to: number, level: Word['level'] = 'mask') => ({ id: 1, plain: '', level, from, to });
  expect(maskedText('甲乙丙丁', [hit(2, 4), hit(0, 3)], ['mask'])).toBe('＊＊＊丁');
  expect(maskedText('甲乙丙丁', [hit(2, 4), hit(0, 2)], ['mask'])).toBe('＊＊＊＊');
  expect(maskedText('甲乙丙丁', [hit(0, 3, 'review'), hit(2, 4)], ['mask'])).toBe('甲乙＊＊');
  expect(maskedText('甲😀乙', [hit(1, 3)], ['mask'])).toBe('甲＊乙');
  expect(maskedText('甲乙', [hit(0, 1)], [])).toBe('甲乙');
});

test.each([
  ['外挂\t拒绝\t骗术', { word: '外挂', level: 'refuse', note: '骗术' }],
  [' 外挂 , mask , 备注 ', { word: '外挂', level: 'mask', note: '备注' }],
  ['外挂，，备注', { word: '外挂', level: 'review', note: '备注' }],
  [`外挂,,${'注'.repeat(60)}`, { word: '外挂', level: 'review', note: '注'.repeat(60) }],
  [`外挂,,${'注'.repeat(61)}`, '备注不能超过 60 个字'],
  ['外挂,打', '级别应为 打码、送审、拒绝'],
  ['ab', { word: 'ab', level: 'review', note: '' }],
  ['a1', { word: 'a1', level: 'review', note: '' }],
  ['a-', '词语应为 2 到 30 个字，标点和空格不算'],
  ['字'.repeat(30), { word: '字'.repeat(30), level: 'review', note: '' }],
  ['字'.repeat(31), '词语应为 2 到 30 个字，标点和空格不算'],
])('the line %j is read as %o', (line, read) => {
  expect(wordLine(line, 'review')).toEqual(read);
});
