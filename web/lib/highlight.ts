/** Words of a keyword that are looked for in what was found; more would mark everything. */
const MAX_TERMS = 12;

const HAN = /\p{Script=Han}/u;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The words of a keyword, longest first; a run of several Han characters also by its pairs, as the search finds it. */
export function termsOf(keyWord: string): string[] {
  const words = folded(keyWord).match(/\p{Script=Han}+|[\p{L}\p{N}.]+/gu) ?? [];
  const pairs = words.flatMap((word) => {
    const chars = [...word];
    return chars.length > 2 && HAN.test(word) ? chars.slice(1).map((char, i) => `${chars[i]}${char}`) : [];
  });
  return [...new Set([...words, ...pairs])].toSorted((a, b) => b.length - a.length).slice(0, MAX_TERMS);
}

export interface Segment {
  text: string;
  marked: boolean;
}

/** A text cut where its words are those of a keyword. Joined again the pieces are the text, to the letter. */
export function segmentsOf(text: string, terms: readonly string[]): Segment[] {
  const plain = folded(text);
  // Folding that changes the length would put the marks beside the words.
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
