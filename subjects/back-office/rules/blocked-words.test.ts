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
