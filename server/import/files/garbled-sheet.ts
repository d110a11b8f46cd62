/** Worksheets whose texts came from a text file that was opened in the wrong encoding and saved as a workbook. */
import { GARBLED, isLostLine, RESTORED, restorations } from './garbled.ts';
import { knownHeadings } from '../heading.ts';
import type { RawTable } from './raw-table.ts';
import { refuse } from './table-limits.ts';

/** Stands between the texts of cells while they are restored together. XML allows no such character in a cell. */
const BETWEEN = '\u001f';
/** A restored sheet has at least this many known headings. */
const SURE = 2;

/** The cells' texts in order of reading; empty cells are left out. */
const textsOf = ({ rows }: RawTable): string[] =>
  rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell === undefined ? [] : [cell.text])));

/** The table with other texts, in the order of `textsOf`. */
function withTexts(table: RawTable, texts: readonly string[]): RawTable {
  let next = 0;
  const rows = table.rows.map((row) => ({
    ...row,
    cells: Array.from(row.cells, (cell) => (cell === undefined ? cell : { ...cell, text: texts[next++] ?? '' })),
  }));
  return { ...table, rows };
}

const isLostRow = ({ cells }: RawTable['rows'][number]): boolean =>
  isLostLine(cells.map((cell) => cell?.text ?? '').join(''));

/**
 * A sheet without a known heading, with the texts that it had before they were read in the wrong encoding; unchanged where none are found.
 * Throws BAD_INPUT where characters were lost.
 */
export function restoredSheet(table: RawTable, names: ReadonlySet<string>): RawTable {
  if (names.size === 0 || knownHeadings(table, names) > 0) return table;
  const texts = textsOf(table);
  for (const { text, isLossy } of restorations(texts.join(BETWEEN))) {
    const restored = text.split(BETWEEN);
    if (restored.length !== texts.length) continue;
    const found = withTexts(table, restored);
    const known = knownHeadings(found, names);
    if (known >= 1 && isLossy) return refuse(GARBLED);
    if (known >= SURE) return { ...found, notes: [RESTORED, ...table.notes] };
  }
  const [first] = table.rows;
  return first !== undefined && isLostRow(first) ? refuse(GARBLED) : table;
}
