import { stockHeadings } from './columns.ts';
import { headingNames } from './heading-names.ts';
import type { Table } from './heading.ts';
import type { StockList } from './stock-list.ts';
import { refuse, STOCK_LIST_LIMITS, TABLE_LIMITS } from './table-limits.ts';
import { readInThread, stockListInThread } from './table-thread.ts';

export type { Table, TableRow } from './heading.ts';

interface ReadOptions {
  /** The file's name, by which an old format is named. */
  name?: string;
  /** Headings that would be recognised, in any spelling: they show where the table begins, in which sheet, and what separates its cells. */
  headings?: readonly string[];
  /** Whose file it is: files of one owner are read one after the other. */
  owner?: string;
}

/**
 * Reads a file as a table: separated text (CSV, TSV; UTF-8, UTF-16 or GB 18030), or the visible sheet of an XLSX workbook that has the heading.
 * What is larger than TABLE_LIMITS, is no table, or cannot be read without guessing, is refused: BAD_INPUT with the field `file`. Throws BUSY.
 */
export async function readTable(
  body: Buffer,
  { name = '', headings = [], owner = '' }: ReadOptions = {},
): Promise<Table> {
  if (body.length > TABLE_LIMITS.bytes) refuse(`文件不能超过 ${TABLE_LIMITS.bytes / 1024 / 1024}M，请拆开后分别上传`);
  return await readInThread({ body, name, headings: headings.flatMap(headingNames) }, owner);
}

/**
 * Reads a stock list of staff, which may be all that `readTable` reads, within STOCK_LIST_LIMITS. A line of a text file with more or fewer cells
 * than the heading is kept, to be refused by itself. Throws BAD_INPUT, BUSY.
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
