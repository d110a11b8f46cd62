import type { Table } from '#server/import/files/spreadsheet.ts';

const CREDENTIAL = /密码|密保|口令|验证码|身份证|password|passwd|pwd/i;
/** Headings of columns that state whether something was done, and contain no secret. */
const YES_NO = /^(?:是|否|有|无|y|n|yes|no|true|false|0|1)?$/i;

/**
 * The table without the values of columns that hold passwords or identity numbers: stock lists have them, but a listing does not, and
 * credentials are stored sealed or not at all (SECURITY). The columns are recognised by their headings.
 */
export function withoutCredentials({ columns, rows, notes }: Table): Table {
  const secret = columns.map(
    (name, i) => CREDENTIAL.test(name) && !rows.every(({ cells }) => YES_NO.test((cells[i] ?? '').trim())),
  );
  return {
    columns: columns.map((name, i) => (secret[i] ? `${name}（未保存）` : name)),
    rows: rows.map((row) => ({ ...row, cells: row.cells.map((cell, i) => (secret[i] ? '' : cell)) })),
    notes,
  };
}
