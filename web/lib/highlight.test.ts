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
