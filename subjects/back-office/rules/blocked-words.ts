/**
 * Words that staff block in texts: how they are compared, and how a text is filtered. A word is found in any spelling
 * that a reader recognises (look-alikes, full width) and with gaps between its letters; a word of Latin letters and
 * digits matches only as a whole word.
 */
import { plainText } from '#contract/rules/texts/plain-text.ts';

export const wordLevels = { mask: '打码', review: '送审', refuse: '拒绝' } as const;
export type WordLevel = keyof typeof wordLevels;
export const WORD_MAX = 30;
export const IMPORT_LINES_MAX = 1000;

const GAPS = /[\s.·,，、_*—~|/-]/g;

/** Normalises a word for comparison; may be empty. */
export const plainWord = (word: string): string => plainText(word).text.replace(GAPS, '');

export interface Word {
  id: number;
  plain: string;
  level: WordLevel;
}

export interface WordHit extends Word {
  /** Offsets in the original text. */
  from: number;
  to: number;
}

/** Finds words in a text; where two start at the same offset, the longest first. */
export type WordFinder = (text: string) => WordHit[];

const escaped = (letter: string): string => letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const GAP = '[\\s.·,，、_*—~|/-]{0,3}';

function patternOf(plain: string): string {
  if (/^[a-z0-9]+$/.test(plain)) return `(?<![a-z0-9])${escaped(plain)}(?![a-z0-9])`;
  return [...plain].map(escaped).join(GAP);
}

/** Builds a finder for these words, once per list, for many texts. */
export function wordFinder(words: readonly Word[]): WordFinder {
  if (words.length === 0) return () => [];
  const byPlain = new Map(words.map((word) => [word.plain, word]));
  const source = words
    .map(({ plain }) => plain)
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf)
    .join('|');
  const pattern = new RegExp(source, 'gu');
  return (text) => {
    const plain = plainText(text);
    return [...plain.text.matchAll(pattern)].flatMap((match): WordHit[] => {
      const word = byPlain.get(match[0].replace(GAPS, ''));
      if (!word) return [];
      const from = plain.from[match.index] ?? 0;
      const to = plain.to[match.index + match[0].length - 1] ?? text.length;
      return [{ ...word, from, to }];
    });
  };
}

/** The text with the words of these levels masked by one ＊ per character. */
export function maskedText(text: string, hits: readonly WordHit[], levels: readonly WordLevel[]): string {
  let out = '';
  let at = 0;
  for (const { from, to, level } of hits.toSorted((a, b) => a.from - b.from)) {
    if (!levels.includes(level) || from < at) continue;
    out += text.slice(at, from) + '＊'.repeat(Array.from(text.slice(from, to)).length);
    at = to;
  }
  return out + text.slice(at);
}

/** One line of an import: the word, then after a comma its level (by name or key) and a note. */
export function wordLine(line: string, fallback: WordLevel): { word: string; level: WordLevel; note: string } | string {
  const [word = '', levelName = '', note = ''] = line.split(/[,，\t]/).map((part) => part.trim());
  const level =
    levelName === ''
      ? fallback
      : Object.entries(wordLevels).find(([key, name]) => levelName === key || levelName === name)?.[0];
  if (level === undefined) return `级别应为 ${Object.values(wordLevels).join('、')}`;
  const letters = plainWord(word).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < 2 || word.length > WORD_MAX) return `词语应为 2 到 ${WORD_MAX} 个字，标点和空格不算`;
  if (note.length > 60) return '备注不能超过 60 个字';
  return { word, level: level as WordLevel, note };
}
