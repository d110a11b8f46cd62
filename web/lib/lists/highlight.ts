/** Maximum number of terms that are highlighted; more would highlight everything. */
const MAX_TERMS = 12;

const HAN = /\p{Script=Han}/u;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * What a word is found by besides itself, as in the search (goods/server/search/tokenize.ts): pairs of Han characters, words of letters and digits, and
 * where the two touch, so that v10贵族 marks V10 and 贵族, and 10 in nothing else.
 */
function partsOf(word: string): string[] {
  const runs = word.match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}.])+/gu) ?? [];
  const parts = runs.flatMap((run) => {
    const chars = [...run];
    if (HAN.test(run)) return chars.slice(1).map((char, i) => `${chars[i]}${char}`);
    return chars.length > 1 ? [run] : [];
  });
  const joints = runs.slice(1).map((run, i) => {
    const left = runs[i] ?? '';
    return HAN.test(run) ? `${left}${[...run][0]}` : `${[...left].at(-1)}${run}`;
  });
  return [...parts, ...joints];
}

/** The terms of a keyword, longest first: its words and their parts. */
export function termsOf(keyWord: string): string[] {
  const words = folded(keyWord).match(/[\p{L}\p{N}.]+/gu) ?? [];
  return [...new Set([...words, ...words.flatMap(partsOf)])]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TERMS);
}

export interface Segment {
  text: string;
  marked: boolean;
}

/** Splits a text where it matches the terms of a keyword. The segments joined are exactly the text. */
export function segmentsOf(text: string, terms: readonly string[]): Segment[] {
  const plain = folded(text);
  // Case folding that changes the length would misplace the highlights.
  if (terms.length === 0 || plain.length !== text.length) return [{ text, marked: false }];
  const isMarked = Array.from({ length: text.length }, () => false);
  for (const term of terms)
    for (let at = plain.indexOf(term); at >= 0; at = plain.indexOf(term, at + term.length))
      isMarked.fill(true, at, at + term.length);
  const segments: Segment[] = [];
  for (let i = 0, from = 0; i < text.length; i++) {
    if (i + 1 < text.length && isMarked[i + 1] === isMarked[i]) continue;
    segments.push({ text: text.slice(from, i + 1), marked: isMarked[i] === true });
    from = i + 1;
  }
  return segments;
}
