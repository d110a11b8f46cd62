/** Every set of `count` of these words; a document contains at least `count` of them if it contains all words of one set. */
export function alternatives(words: readonly string[], count: number): string[][] {
  if (count <= 0) return [[]];
  return words.flatMap((word, i) => alternatives(words.slice(i + 1), count - 1).map((rest) => [word, ...rest]));
}
