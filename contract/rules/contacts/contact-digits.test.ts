import { describe, expect, it } from 'vitest';
import { inDigits } from './contact-digits.ts';

const textsOf = (source: string): string[] => inDigits(source).map(({ text }) => text);

describe('homophones count in a row of seven or more', () => {
  it('separators may stand between them', () => {
    expect(textsOf('洞腰两仨似舞流')).toEqual(['0123456']);
    expect(textsOf('洞-腰 两,仨')).toEqual(['0-1 2,3']);
    expect(textsOf('洞.腰。两.仨')).toEqual([]);
  });

  it('six of them are words', () => {
    expect(inDigits('洞腰两仨似舞')).toEqual([]);
  });
});

describe('letters that look like digits count as a separate word', () => {
  it.each([
    ['l38ool38ooo', '13800138000'],
    ['l 3-8.o_o l38ooo', '1 3-8.0_0 138000'],
    ['号l38ool38ooo。', '号13800138000。'],
    ['l38ool38ooo000', '13800138000000'],
  ])('%s', (source, reading) => {
    expect(inDigits(source)).toEqual([{ text: reading, isGuess: true }]);
  });

  // Ten and fifteen of them, two separators, and letters before and after.
  it.each(['l38ool38oo', 'l38ool38ooo0000', 'l  38oo l38ooo', 'al38ool38ooo', 'l38ool38oooa', '|al38oolx38ooo'])(
    'not %s',
    (source) => {
      expect(inDigits(source)).toEqual([]);
    },
  );
});

describe('words for digits', () => {
  it('count from five on, or one among nine digits', () => {
    expect(textsOf('one three eight zero zero')).toEqual(['13800']);
    expect(textsOf('one three eight zero')).toEqual([]);
    expect(textsOf('one 3 eight 0 0')).toEqual(['1 3 8 0 0']);
    expect(textsOf('one 380013800')).toEqual(['1 380013800']);
    expect(textsOf('one 38001380')).toEqual([]);
    expect(textsOf('aone three eight zero zero')).toEqual([]);
    expect(textsOf('one three eight zero zeros')).toEqual([]);
  });

  it('digits alone are no other reading', () => {
    expect(inDigits('13800138000')).toEqual([]);
    expect(inDigits('138, 0013, 8000')).toEqual([]);
  });

  it('each character of the reading has its place in the text', () => {
    expect(inDigits('打 one two 3 four-five 吧')).toEqual([
      {
        text: '打 12 3 45 吧',
        at: [0, 1, 2, 6, 9, 10, 11, 12, 17, 21, 22, 23],
        isGuess: false,
      },
    ]);
    expect(textsOf('liang dong yao guai gou, yi er san si wu liu qi ba jiu ling')).toEqual(['201791234567890']);
    expect(textsOf('one two three four five，six seven eight nine zero')).toEqual(['12345，67890']);
  });
});

it('each reading is given once, the certain one first', () => {
  expect(inDigits('一三八')).toEqual([{ text: '138', isGuess: false }]);
  expect(inDigits('加一三八，要散爸刘气洞舞 lз8oolzзsбb')).toEqual([
    { text: '加138，要散爸刘气洞舞 lз8oolzзsбb', isGuess: false },
    { text: '加138，1386705 lз8oolzзsбb', isGuess: true },
    { text: '加138，要散爸刘气洞舞 13800123568', isGuess: true },
  ]);
});
