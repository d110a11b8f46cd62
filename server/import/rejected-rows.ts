import { headingOf, type Header } from './columns.ts';

/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One cell as CSV: quoted where needed, and with a mark before what a spreadsheet would run as a formula. Reading the list again takes
 * the mark away (row.ts), so the value survives.
 */
export function csvCell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** First line of a list of refused rows: the headings of the file itself, and the reason. The mark lets spreadsheets read it as UTF-8. */
export function rejectedHeader(header: Header): string {
  return `\ufeff${line([...columnsOf(header).map((i) => header.names[i] ?? ''), headingOf('reason')])}`;
}

/** A refused row in the columns of the file, filled up where it was cut off. */
export function rejectedLine(header: Header, cells: readonly string[], reason: string): string {
  return line([...columnsOf(header).map((i) => cells[i] ?? ''), reason]);
}

/** The file's columns without the reason that an earlier round added. */
function columnsOf(header: Header): number[] {
  return header.names.map((_, i) => i).filter((i) => i !== header.at.get('reason'));
}
