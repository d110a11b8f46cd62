import { stockHeadings } from '../columns.ts';
import { headingNames } from '../heading-names.ts';
import type { Table } from '../heading.ts';
import type { StockList } from '../stock-list.ts';
import { refuse, STOCK_LIST_LIMITS, TABLE_LIMITS } from './table-limits.ts';
import { readInThread, stockListInThread } from './table-thread.ts';

export type { Table, TableRow } from '../heading.ts';

interface ReadOptions {
  /** The file's name, which identifies old formats. */
  name?: string;
  /** Headings to be recognised, in any spelling: they identify the start of the table, its sheet and its separator. */
  headings?: readonly string[];
  /** The owner of the file: files of one owner are read one after the other. */
  owner?: string;
}

/**
 * Reads a file as a table: separated text (CSV, TSV; UTF-8, UTF-16 or GB 18030), or the visible sheet of an XLSX workbook that has the heading.
 * Rejects a file that exceeds TABLE_LIMITS, is not a table, or cannot be read without guessing: BAD_INPUT with the field `file`. Throws BUSY.
 */
export async function readTable(
  body: Buffer,
  { name = '', headings = [], owner = '' }: ReadOptions = {},
): Promise<Table> {
  if (body.length > TABLE_LIMITS.bytes) refuse(`文件不能超过 ${TABLE_LIMITS.bytes / 1024 / 1024}M，请拆开后分别上传`);
  return await readInThread({ body, name, headings: headings.flatMap(headingNames) }, owner);
}

/**
 * Reads a stock list of staff in any form that `readTable` accepts, within STOCK_LIST_LIMITS. A line of a text file with more or fewer cells
 * than the heading is kept and rejected individually. Throws BAD_INPUT, BUSY.
 */
export async function readStockList(
  body: Buffer,
  { name, owner }: { name: string; owner: string },
): Promise<StockList> {
  const limits = STOCK_LIST_LIMITS;
  if (body.length > limits.bytes) refuse(`文件不能超过 ${limits.bytes / 1024 / 1024}M，请拆开后分别导入`);
  const headings = stockHeadings.flatMap(headingNames);
  return await stockListInThread({ body, name, headings, limits, isRagged: true }, owner);
}
