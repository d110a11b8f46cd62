/** Stock lists imported by staff: any table that is valid for sellers, converted to the form that `runImport` reads. */
import { type Header, headingOf, readHeader } from './columns.ts';
import type { Table, TableRow } from './heading.ts';
import type { Mark } from './files/raw-table.ts';
import { refuse } from './files/table-limits.ts';

export interface StockList {
  /** CSV in UTF-8: the heading, then a line for each row. */
  text: string;
  /** The column names in the first line. */
  columns: string[];
  rows: number;
  /** Notes for the person who uploaded it about how it was read, in Chinese. */
  notes: string[];
}

const AGAIN = '请把这一列设为“文本”、重新填写';

/** Why a cell's value cannot be what was entered; undefined if it is usable. `isName`: another spelling is another item. */
function faultOf(mark: Mark, cell: string, isName: boolean): string | undefined {
  switch (mark) {
    case 'error':
      return `是公式错误 ${cell}`;
    case 'uncomputed':
      return '的公式还没有结果，请用 Excel 或 WPS 打开并保存后重新上传';
    case 'rounded':
      return `${cell} 超过 15 位，表格软件已改动它的末几位，${AGAIN}`;
    case 'date':
      return isName ? `被表格软件改成了日期 ${cell}，${AGAIN}` : undefined;
    case 'scientific':
      return isName ? `被表格软件改成了科学计数 ${cell}，${AGAIN}` : undefined;
    case 'dateLike':
      return undefined;
  }
}

/** Problems with the marked cells of a row in the columns that are read; '' if there are none. */
function rowFault({ cells, marks }: TableRow, { at, names }: Header): string {
  if (!marks) return '';
  const faults = [...at].flatMap(([key, column]) => {
    const mark = marks[column];
    const cell = (cells[column] ?? '').slice(0, 40);
    const fault = mark === undefined ? undefined : faultOf(mark, cell, key === 'key' || key === 'account');
    return fault === undefined ? [] : [`${names[column] ?? ''}${fault}`];
  });
  return faults.join('；');
}

const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** The table as a stock list. Throws BAD_INPUT if required columns are missing. */
export function stockListOf({ columns, rows, notes }: Table): StockList {
  const header = readHeader(columns);
  if ('error' in header) return refuse(header.error);
  const faults = rows.map((row) => rowFault(row, header));
  const hasFaults = faults.some((fault) => fault !== '');
  const names = hasFaults ? [...columns, headingOf('fault')] : columns;
  const text =
    lineOf(names) + rows.map(({ cells }, i) => lineOf(hasFaults ? [...cells, faults[i] ?? ''] : cells)).join('');
  const key = header.at.get('key');
  const dates = rows.filter(({ marks }) => key !== undefined && marks?.[key] === 'dateLike').map(({ line }) => line);
  const note = `第 ${dates.slice(0, 5).join('、')} 行${dates.length > 5 ? `等 ${dates.length} 行` : ''}的编号像是表格软件改成的日期，请核对`;
  return { text, columns: names, rows: rows.length, notes: dates.length > 0 ? [...notes, note] : notes };
}
