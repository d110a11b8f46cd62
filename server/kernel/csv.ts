/** Says to spreadsheets that the text is UTF-8. */
export const CSV_BOM = '\ufeff';

const NUMBER = /^-?\d{1,12}(\.\d{1,2})?$/;
/** What spreadsheets take for the beginning of a formula, also in its full-width form and behind blanks. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r|＝＋－＠]/;

/** One cell: quoted where it must be, and no text that a spreadsheet would run (OWASP, CSV injection). Plain amounts stay numbers. */
function cell(value: string): string {
  const safe = !NUMBER.test(value) && FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file with its end. Long digits (order numbers) should end in a tab, or spreadsheets round them. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
