/** How a cell names pictures: file names, addresses or both. Cells may contain anything, so the parser reads each character only once. */

/** A longer cell is rejected without being parsed. */
export const CELL_CHARS = 3000;
/** Maximum number of names parsed: a row has far fewer pictures. */
export const NAMES_MAX = 40;

const BREAKS = ';；|\r\n';
const COMMAS = ',，、';
const SPACE = /\s/;
/** Sticky, so that each matches only at one position and never scans the rest of a cell again. */
const ADDRESS = /https?:\/\//iy;
const BETWEEN = /[;；|\s,，、]*/y;

const isBreak = (char: string): boolean => BREAKS.includes(char);
const isComma = (char: string): boolean => COMMAS.includes(char);
const isGap = (char: string): boolean => isComma(char) || SPACE.test(char);

function startsAddress(cell: string, at: number): boolean {
  ADDRESS.lastIndex = at;
  return ADDRESS.test(cell);
}

export const isAddress = (source: string): boolean => startsAddress(source, 0);

/** A file name for comparison: without folders, case-insensitive. */
export const fileName = (text: string): string =>
  (text.normalize('NFKC').trim().split(/[\\/]/).at(-1) ?? '').toLowerCase().slice(0, 200);

function afterGap(cell: string, at: number): number {
  BETWEEN.lastIndex = at;
  BETWEEN.test(cell);
  return BETWEEN.lastIndex;
}

/** The name that begins at `from`: where it ends, and where the next search begins. */
function nameAt(cell: string, from: number): { end: number; next: number } {
  const hasCommas = startsAddress(cell, from);
  let end = from;
  let next = from;
  for (; next < cell.length; next++) {
    const char = cell.charAt(next);
    if (isBreak(char) || (!hasCommas && isComma(char))) break;
    if (isGap(char)) continue;
    // An address after a comma or space is a separate name.
    if (next > end && startsAddress(cell, next)) break;
    end = next + 1;
  }
  return { end, next };
}

/** The names in a cell as written, in its order; at most NAMES_MAX + 1 of them: the last one shows that there are too many. */
export function namesIn(cell: string): string[] {
  const names: string[] = [];
  let at = afterGap(cell, 0);
  while (at < cell.length && names.length <= NAMES_MAX) {
    const { end, next } = nameAt(cell, at);
    names.push(cell.slice(at, end));
    at = afterGap(cell, next);
  }
  return names;
}

/**
 * The pictures that a cell names, in its order, each once. They are separated by lines, semicolons or bars, and by commas; a comma inside an
 * address belongs to it unless another address follows.
 */
export function sourcesOf(cell: string): string[] {
  const sources = namesIn(cell).map((name) => (isAddress(name) ? name : fileName(name)));
  return [...new Set(sources.filter((source) => source !== ''))];
}
