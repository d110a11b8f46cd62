import { headingOf, type Header } from './columns.ts';

/** What a spreadsheet interprets as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One cell as CSV: quoted if needed, with an apostrophe before what a spreadsheet would run as a formula. Reading the list again
 * removes it (row.ts), so the value survives.
 */
export function csvCell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Header of the list of rejected rows: the file's own headings and the reason. The BOM lets spreadsheets read it as UTF-8. */
export function rejectedHeader(header: Header): string {
  return `\ufeff${line([...columnsOf(header).map((i) => header.names[i] ?? ''), headingOf('reason')])}`;
}

/** A rejected row in the columns of the file, padded where it was cut off. */
export function rejectedLine(header: Header, cells: readonly string[], reason: string): string {
  return line([...columnsOf(header).map((i) => cells[i] ?? ''), reason]);
}

/** The file's columns without the reason column of an earlier import. */
function columnsOf(header: Header): number[] {
  return header.names.map((_, i) => i).filter((i) => i !== header.at.get('reason'));
}
