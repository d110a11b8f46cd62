import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test.each([
  ['游市 充值', 10, '游市 充值'],
  ['游市 充值', 2, '游市'],
  ['游市😀充值', 3, '游市'],
  ['游市😀充值', 4, '游市😀'],
  ['𠮷𠮷𠮷', 5, '𠮷𠮷'],
  ['家👨‍👩‍👧家', 5, '家'],
  ['e\u0301\u0301x', 2, ''],
  ['e\u0301\u0301x', 3, 'e\u0301\u0301'],
])('world 9: %s within %i is %s', (text, max, expected) => {
  const cut = cutText(text, max);
  expect(cut).toBe(expected);
  expect(cut.isWellFormed()).toBe(true);
});
