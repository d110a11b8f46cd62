import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentsOf, termsOf } from './highlight.ts';

const marked = (text: string, keyWord: string): string =>
  segmentsOf(text, termsOf(keyWord))
    .map((p) => (p.marked ? `[${p.text}]` : p.text))
    .join('');

test('highlights terms, pairs of longer ones, and letters of any case', () => {
  expect(marked('国服貂蝉 绝版皮肤', '貂蝉')).toBe('国服[貂蝉] 绝版皮肤');
  expect(marked('安卓QQ 1区 V10', 'qq v10')).toBe('安卓[QQ] 1区 [V10]');
  expect(marked('水晶武则天 星元', '武则天皮肤')).toBe('水晶[武则天] 星元');
  expect(marked('典藏皮肤', '肤')).toBe('典藏皮[肤]');
  expect(marked('贵族十级', '没有')).toBe('贵族十级');
  expect(marked('贵族 V10 皮肤100个 V1', 'v10贵族')).toBe('[贵族] [V10] 皮肤100个 V1');
});

test('a hostile keyword or title stays exactly the same text', () => {
  expect(marked('<b>满级</b>', '<b>')).toBe('<[b]>满级</[b]>');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 20 }), (text, keyWord) => {
      expect(
        segmentsOf(text, termsOf(keyWord))
          .map((p) => p.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test.each([
  ['', []],
  ['<>&', []],
  ['貂蝉', ['貂蝉']],
  ['武则天', ['武则天', '武则', '则天']],
  // Only Han characters are searched as pairs.
  ['abc', ['abc']],
  ['QQ １区', ['qq', '1区']],
  // What the search looks for in a word of both kinds; never v1, 10 or 0贵.
  ['v10贵族', ['v10贵族', 'v10贵', 'v10', '贵族']],
  ['皮肤320个', ['皮肤320个', '肤320', '320个', '320', '皮肤']],
  ['武则天1区', ['武则天1区', '武则', '则天', '天1', '1区']],
  ['1.5亿', ['1.5亿', '1.5']],
  ['V10.5', ['v10.5']],
  ['天天天', ['天天天', '天天']],
  ['a 长一点的词 bb', ['长一点的词', 'bb', '长一', '一点', '点的', '的词', 'a']],
])('the terms of %j are %j', (keyWord, terms) => {
  expect(termsOf(keyWord)).toEqual(terms);
});

test('twelve terms are marked, the longest', () => {
  const words = Array.from({ length: 14 }, (_, n) => String.fromCharCode(97 + n).repeat(n + 1));
  expect(termsOf(words.join(' '))).toEqual(words.toReversed().slice(0, 12));
});

test.each([
  ['', 'a', []],
  ['abc', '', [['abc', false]]],
  ['abc', 'abc', [['abc', true]]],
  [
    'abca',
    'a',
    [
      ['a', true],
      ['bc', false],
      ['a', true],
    ],
  ],
  [
    'xab',
    'b a',
    [
      ['x', false],
      ['ab', true],
    ],
  ],
  [
    'aab',
    'a',
    [
      ['aa', true],
      ['b', false],
    ],
  ],
  [
    'ＡＢc',
    'ab',
    [
      ['ＡＢ', true],
      ['c', false],
    ],
  ],
  // The ligature has another length in its plain form, so nothing is marked.
  ['ﬁ a', 'a', [['ﬁ a', false]]],
  ['ﬁ a', '', [['ﬁ a', false]]],
  ['ﬁab', 'a', [['ﬁab', false]]],
] as const)('%j with the keyword %j is %j', (text, keyWord, parts) => {
  expect(segmentsOf(text, termsOf(keyWord)).map((part) => [part.text, part.marked])).toEqual(parts);
});
