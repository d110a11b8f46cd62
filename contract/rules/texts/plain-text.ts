/**
 * A text as a reader perceives it, for searching: look-alikes are reduced to one plain form, with the original position of
 * each character.
 */
export interface PlainText {
  text: string;
  /** Offset in the original of the character at the same index. */
  from: readonly number[];
  /** Offset in the original after that character. */
  to: readonly number[];
}

/** Letters of other alphabets that look like Latin ones. */
const LOOK_ALIKES = new Map<string, string>(
  Object.entries({
    а: 'a',
    в: 'b',
    е: 'e',
    к: 'k',
    м: 'm',
    о: 'o',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    х: 'x',
    ѡ: 'w',
    ԛ: 'q',
    ѵ: 'v',
    ν: 'v',
    χ: 'x',
    ω: 'w',
    ο: 'o',
    α: 'a',
    ι: 'i',
    κ: 'k',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    ϙ: 'q',
    ѕ: 's',
    і: 'i',
    ј: 'j',
    ԁ: 'd',
    ԝ: 'w',
    ӏ: 'l',
    һ: 'h',
    ɑ: 'a',
    ɡ: 'g',
    ꮃ: 'w',
    օ: 'o',
    ս: 'u',
    ǫ: 'q',
    ı: 'i',
    丷: 'v',
    // Small capitals, which NFKC does not change.
    ...Object.fromEntries(
      [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, i) => [capital, 'abcdefghijklmnopqrstuvwyz'.charAt(i)]),
    ),
  }),
);
/** Pictograms that replace a word. */
const PICTURES = new Map<string, string>(
  Object.entries({ '➕': '+', '✚': '+', '🐧': '企鹅', '📞': '电话', '☎': '电话', '📱': '电话', '🛰': '卫星' }),
);
/** Replaces any pictogram or ornament, so that patterns need only one character for all of them. */
export const ORNAMENT = '❤';

/** Including the empty Braille cell, which Unicode classifies as a symbol. */
const INVISIBLE = /[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
const ORNAMENTS = /[\p{Extended_Pictographic}♡♥☆★●○◆◇■□▲△※→]/u;
/** Text that only needs lowercasing: all but 丷 of the common ideographs. */
const ALREADY_PLAIN = /^[\n\x20-\x7e\u3001\u3002\u3010\u3011\u4e00-\u4e36\u4e38-\u9fff]*$/;

/** Ringed and squared forms that NFKC leaves alone (❶ ➀ ➊ ⓿, 🅐 🅰, flag letters), dice and clocks. */
function ringed(point: number): string | undefined {
  for (const [first, count, base] of [
    [0x2776, 9, 0x31],
    [0x2780, 9, 0x31],
    [0x278a, 9, 0x31],
    [0x24f5, 9, 0x31],
    [0x24ff, 1, 0x30],
    [0x1f10b, 1, 0x30],
    [0x1f10c, 1, 0x30],
    [0x2680, 6, 0x31],
    [0x1f550, 9, 0x31],
    [0x1f150, 26, 0x61],
    [0x1f170, 26, 0x61],
    [0x1f1e6, 26, 0x61],
  ] as const) {
    if (point >= first && point < first + count) return String.fromCharCode(base + point - first);
  }
  return undefined;
}

const DECIMAL = /\p{Nd}/u;
/** The value of a decimal digit of any script: each script has its ten digits in a row. */
function decimal(point: number): string {
  let value = 0;
  while (value < 9 && DECIMAL.test(String.fromCodePoint(point - value - 1))) value += 1;
  return String(value);
}

function plainForm(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  const replacement = ringed(point) ?? PICTURES.get(char);
  if (replacement !== undefined) return replacement;
  if (INVISIBLE.test(char)) return '';
  // A number in brackets becomes the number: NFKC turns ⑴ into three characters.
  const folded = char
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\((.{1,2})\)$/, '$1');
  if (folded === char && DECIMAL.test(char) && !/\d/.test(char)) return decimal(point);
  const latin = LOOK_ALIKES.get(folded);
  if (latin !== undefined) return latin;
  return folded === char && ORNAMENTS.test(char) ? ORNAMENT : folded;
}

/**
 * The text in NFKC and lower case, without format characters and combining marks; ringed letters, look-alikes of other
 * alphabets and ornaments are reduced to one form each.
 */
export function plainText(original: string): PlainText {
  const from: number[] = [];
  const to: number[] = [];
  if (ALREADY_PLAIN.test(original)) {
    for (let i = 0; i < original.length; i++) {
      from.push(i);
      to.push(i + 1);
    }
    return { text: original.toLowerCase(), from, to };
  }
  let text = '';
  let at = 0;
  for (const char of original) {
    const form = ALREADY_PLAIN.test(char) ? char.toLowerCase() : plainForm(char);
    text += form;
    for (let i = 0; i < form.length; i++) {
      from.push(at);
      to.push(at + char.length);
    }
    at += char.length;
  }
  return { text, from, to };
}
