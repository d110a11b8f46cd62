/** Marks the text as UTF-8 for spreadsheets. */
export const CSV_BOM = '\ufeff';

const NUMBER = /^-?\d{1,12}(\.\d{1,2})?$/;
/** Text that spreadsheets interpret as a formula, including full-width characters and leading blanks. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r|＝＋－＠]/;

/**
 * One cell: quoted if needed, and escaped if a spreadsheet would run it as a formula (OWASP, CSV injection). Plain amounts stay
 * numbers.
 */
function cell(value: string): string {
  const safe = !NUMBER.test(value) && FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file with its line end. Long digit strings (order numbers) should end in a tab, or spreadsheets round them. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
