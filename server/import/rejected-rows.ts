import { headingOf, type Header } from './columns.ts';

/** Text that a spreadsheet would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Codes and accounts that a spreadsheet would change. */
const LONG_OR_PADDED = /^(?:\d{12,}|0\d+)$/;

/**
 * One cell as CSV: quoted if needed, with an apostrophe before anything a spreadsheet would run as a formula. Reading the list again
 * removes it (row.ts), so the value survives.
 */
export function csvCell(value: string): string {
  // A spreadsheet keeps only 15 digits of a number and no leading zeros; with a trailing tab it is text.
  const whole = LONG_OR_PADDED.test(value) ? `${value}\t` : value;
  const safe = FORMULA.test(whole) ? `'${whole}` : whole;
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

/** The file's own columns, without the reason of an earlier import and the notes made while reading it. */
function columnsOf(header: Header): number[] {
  const notes = [header.at.get('reason'), header.at.get('fault')];
  return header.names.map((_, i) => i).filter((i) => !notes.includes(i));
}
