import { describe, expect, it } from 'vitest';
import { inDigits } from '../contacts/contact-digits.ts';
import { ORNAMENT, plainText } from './plain-text.ts';

describe('the plain form of a text', () => {
  it.each([
    ['Hello 王者。【QQ】', 'hello 王者。【qq】'],
    ['ＶＸ１２３', 'vx123'],
    ['вхѡ', 'bxw'],
    ['丷信', 'v信'],
    ['ᴠx ʏᴢ', 'vx yz'],
    ['q\u0301\u200bq\u2800', 'qq'],
    ['❶❾➀➊⓵', '19111'],
    ['⓿🄋🄌', '000'],
    ['⚀⚅', '16'],
    ['🕐🕘', '19'],
    ['🅐🅩🅰🆉🇦🇿', 'azazaz'],
    ['⑴⑿', '112'],
    ['①⑩', '110'],
    ['٣۴१९', '3419'],
    ['➕🐧📞☎📱🛰', '+企鹅电话电话电话卫星'],
    ['★♥🎮', ORNAMENT.repeat(3)],
    ['行\n行', '行\n行'],
    ['行\n★', `行\n${ORNAMENT}`],
  ])('%s is %s', (text, plain) => {
    expect(plainText(text).text).toBe(plain);
  });

  it('says where each of its characters stands in the text', () => {
    expect(plainText('aB')).toEqual({ text: 'ab', from: [0, 1], to: [1, 2] });
    // One character of two units, one that becomes two, one that becomes none.
    expect(plainText('🐧\u200bQ')).toEqual({ text: '企鹅q', from: [0, 0, 3], to: [2, 2, 4] });
  });
});

describe('the readings of a text as digits', () => {
  const texts = (source: string): string[] => inDigits(source).map(({ text }) => text);

  it.each([
    ['加我一三八', '加我138'],
    ['零〇壹幺贰貳叁叄肆伍陆陸柒捌玖', '001122334566789'],
  ])('numerals count alone: %s', (source, reading) => {
    expect(inDigits(source)[0]).toEqual({ text: reading, isGuess: false });
  });

  it('homophones count in a row of seven or more', () => {
    expect(texts('要散爸刘气')).toEqual([]);
    expect(inDigits('要散爸刘气洞舞')).toEqual([{ text: '1386705', isGuess: true }]);
  });

  it('letters that look like digits count as a separate word, of eleven or more', () => {
    expect(inDigits('lз8oolzзsбb')).toEqual([{ text: '13800123568', isGuess: true }]);
    expect(texts('lз8oolzзsб')).toEqual([]);
    expect(texts('xlз8oolzзsбb')).toEqual([]);
  });

  it('words count from five on, with digits and separators between them', () => {
    const [reading] = inDigits('yao san ba ling ling');
    expect(reading).toMatchObject({ text: '13800', isGuess: false });
    expect(reading?.at).toHaveLength(6);
    expect(texts('one two three four')).toEqual([]);
    expect(texts('one two three four five six')).toEqual(['123456']);
    expect(texts('id: one2three4five')).toEqual(['id: 12345']);
    // A single keyword counts only next to nine digits.
    expect(texts('12345678 one')).toEqual([]);
    expect(texts('123456789 one')).toEqual(['123456789 1']);
  });

  it('a text without any of them has none', () => {
    expect(inDigits('rank 12')).toEqual([]);
  });
});

describe('the borders of plain forms', () => {
  it.each([
    // The ten digits of a script, from the first to the last.
    ['०९', '09'],
    ['٠٩', '09'],
    ['𞥐𞥙', '09'],
    // Only a bracket around all of it is removed; text has its brackets.
    ['⑴', '1'],
    ['⒇', '20'],
    ['(1)é', '(1)é'.normalize('NFKC')],
    ['⒜', 'a'],
    ['㈠', '一'],
    ['㈱', '株'],
    ['Ⅷ', 'viii'],
    ['Ａ★', `a${ORNAMENT}`],
    ['\nＡ\n', '\na\n'],
    // A sign that stands for a word is the word, not an ornament.
    ['㊗™', '祝tm'],
    ['ABC', 'abc'],
    ['', ''],
  ])('%s is %s', (text, plain) => {
    expect(plainText(text).text).toBe(plain);
  });

  it('says for a plain text as for any other where its characters stand', () => {
    expect(plainText('贵族A')).toEqual({ text: '贵族a', from: [0, 1, 2], to: [1, 2, 3] });
    expect(plainText('贵族Ａ')).toEqual({ text: '贵族a', from: [0, 1, 2], to: [1, 2, 3] });
  });
});
