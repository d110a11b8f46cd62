/**
 * Readings of a text with everything that people read as digits replaced by digits: Chinese numerals, homophones, English words
 * and Pinyin, and letters that look like digits. The filter of contacts.ts searches each of them.
 */

export interface Reading {
  text: string;
  /** Offset in the source of each character and of the end; absent when offsets are the same. */
  at?: readonly number[];
  /** Whether the reading is so far from the text that only a whole phone number counts. */
  isGuess: boolean;
}

const digitsOf = (rows: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(Object.entries(rows).flatMap(([digit, chars]) => [...chars].map((char): [string, string] => [char, digit])));

const NUMERALS = digitsOf({
  0: '零〇',
  1: '一壹幺',
  2: '二贰貳',
  3: '三叁叄',
  4: '四肆',
  5: '五伍',
  6: '六陆陸',
  7: '七柒',
  8: '八捌',
  9: '九玖',
});
/** Characters used for digits on the radio, and homophones. */
const HOMOPHONES = digitsOf({
  0: '洞灵凌铃玲林龄',
  1: '腰要依医衣伊邀',
  2: '两尔迩耳俩',
  3: '仨散伞山叄删',
  4: '似丝司思斯',
  5: '舞吴午武吾',
  6: '溜流刘柳',
  7: '拐起气妻期棋奇齐漆',
  8: '吧巴爸霸扒叭',
  9: '勾酒久就舅玖',
});
const SHAPES = digitsOf({ 0: 'od', 1: 'li|!', 2: 'z', 3: 'з', 5: 's', 6: 'б', 8: 'b', 9: 'gq' });
const WORDS = new Map<string, string>([
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(pair),
  ...['ling', 'yi', 'er', 'san', 'si', 'wu', 'liu', 'qi', 'ba', 'jiu'].map(pair),
  ['yao', '1'],
  ['dong', '0'],
  ['guai', '7'],
  ['liang', '2'],
  ['gou', '9'],
]);

function pair(word: string, digit: number): [string, string] {
  return [word, String(digit)];
}

const NUMERAL = /[零〇一壹幺二贰貳三叁叄四肆五伍六陆陸七柒八捌九玖]/g;
/** Seven or more digits, numerals and homophones in a row. */
const SPOKEN =
  /[\d零〇一壹幺二贰貳三叁叄四肆五伍六陆陸七柒八捌九玖洞灵凌铃玲林龄腰要依医衣伊邀两尔迩耳俩仨散伞山删似丝司思斯舞吴午武吾溜流刘柳拐起气妻期棋奇齐漆吧巴爸霸扒叭勾酒久就舅\s,.-]{7,}/g;
/** Eleven or more characters that look like digits, as a separate word. */
const SHAPED = /(?<![a-z0-9|])[\dodli|!zзsбbgq](?:[ \-._]?[\dodli|!zзsбbgq]){10,13}(?![a-z0-9|])/g;
/** English before Pinyin, as in WORDS: 'six' begins with 'si'. */
const WORD = [...WORDS.keys()].join('|');
const ONE_WORD = new RegExp(WORD, 'g');
/** A word for a digit between digits, words for digits and separators. */
const WORDED =
  /(?<![a-z])(?:zero|one|two|three|four|five|six|seven|eight|nine|ling|liang|liu|yi|yao|er|san|si|wu|qi|ba|jiu|dong|guai|gou|[\d\s,._-])+(?![a-z])/g;

/** Keeps the length: each character of a match is replaced. */
const mapped = (text: string, runs: RegExp, digits: ReadonlyMap<string, string>): string =>
  text.replace(runs, (run) => [...run].map((char) => digits.get(char) ?? char).join(''));

function worded(source: string): Reading | undefined {
  const at: number[] = [];
  let text = '';
  let end = 0;
  const copyTo = (to: number): void => {
    for (; end < to; end++) {
      text += source.charAt(end);
      at.push(end);
    }
  };
  let isChanged = false;
  for (const run of source.matchAll(WORDED)) {
    const words = [...run[0].matchAll(ONE_WORD)];
    const digits = run[0].replace(/\D/g, '').length;
    // Digits alone are read as they are.
    if (words.length === 0 || words.length + digits < (words.length < 2 ? 10 : 5)) continue;
    isChanged = true;
    for (const [i, word] of words.entries()) {
      const start = run.index + word.index;
      // Separators between two words are dropped, as between the digits of one group.
      if (i > 0 && !/\d/.test(source.slice(end, start))) end = start;
      copyTo(start);
      at.push(end);
      text += WORDS.get(word[0]) ?? '';
      end += word[0].length;
    }
  }
  if (!isChanged) return undefined;
  copyTo(source.length);
  at.push(source.length);
  return { text, at, isGuess: false };
}

/** The readings of a text in plain form (plain-text.ts) that differ from it. */
export function inDigits(source: string): Reading[] {
  const readings: Reading[] = [];
  const add = (text: string, isGuess: boolean): void => {
    if (text !== source && readings.every((other) => other.text !== text)) readings.push({ text, isGuess });
  };
  const numerals = mapped(source, NUMERAL, NUMERALS);
  add(numerals, false);
  add(mapped(numerals, SPOKEN, HOMOPHONES), true);
  add(mapped(numerals, SHAPED, SHAPES), true);
  const words = worded(source);
  if (words) readings.push(words);
  return readings;
}
