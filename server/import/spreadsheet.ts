import { CsvError, parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { detectEncoding } from './encoding.ts';
import { readWorkbook } from './read-workbook.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';

/** The heading and the rows that are not empty, each as wide as the heading. `line` counts rows from 1, the heading left out. */
export interface Table {
  columns: string[];
  rows: { line: number; cells: string[] }[];
}

const ZIP = Buffer.from('PK\u0003\u0004');
/** Old Excel files and encrypted workbooks. */
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

function csvRows(body: Buffer): string[][] {
  if (body.includes(0)) refuse('这个文件不是表格，请上传 CSV 或 XLSX');
  const text = iconv.decode(body, detectEncoding(body), { stripBOM: true });
  try {
    return parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: TABLE_LIMITS.columns * TABLE_LIMITS.cellChars,
      to: TABLE_LIMITS.rows + 2,
      delimiter: [',', '\t'],
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? error.lines : 0;
    return refuse(`第 ${at} 行附近的引号没有配对，无法读取`, error);
  }
}

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g;

/** A cell's text without invisible characters and without the apostrophe that guards text that looks like a formula. */
function plainCell(raw: string): string {
  const text = raw.toWellFormed().replace(CONTROLS, '').replace(/\r\n?/g, '\n').trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

/** Fits a row to the heading; cells beyond it must be empty, or values would be read under a wrong heading. */
function fitted(cells: readonly string[], width: number, line: number): string[] {
  if (cells.slice(width).some((cell) => cell !== '')) refuse(`第 ${line} 行的列数比表头多，请检查是否有未加引号的逗号`);
  for (const cell of cells)
    if (cell.length > TABLE_LIMITS.cellChars) refuse(`第 ${line} 行有单元格超过 ${TABLE_LIMITS.cellChars} 个字`);
  return Array.from({ length: width }, (_, i) => cells[i] ?? '');
}

/**
 * Reads a file as a table: CSV in UTF-8 or GB 18030, or the first sheet of an XLSX workbook. What is larger than TABLE_LIMITS, is no
 * table, or cannot be read without guessing, is refused: BAD_INPUT with the field `file`.
 */
export async function readTable(body: Buffer): Promise<Table> {
  if (body.length > TABLE_LIMITS.bytes) refuse(`文件不能超过 ${TABLE_LIMITS.bytes / 1024 / 1024}M，请拆开后分别上传`);
  if (body.subarray(0, 4).equals(OLE)) refuse('不支持旧版或加密的 Excel 文件，请另存为 XLSX 或 CSV');
  const raw = body.subarray(0, 4).equals(ZIP) ? await readWorkbook(body) : csvRows(body);
  const all = raw.map((cells) => cells.map(plainCell));
  const at = all.findIndex((cells) => cells.some((cell) => cell !== ''));
  const heading = all[at];
  if (!heading) refuse('文件是空的');
  const width = heading.findLastIndex((cell) => cell !== '') + 1;
  if (width > TABLE_LIMITS.columns) refuse(`一次最多 ${TABLE_LIMITS.columns} 列，请删去用不到的列`);
  const columns = heading.slice(0, width).map((cell, i) => (cell === '' ? `第 ${i + 1} 列` : cell.slice(0, 60)));
  const rows = all
    .slice(at + 1)
    .map((cells, i) => ({ line: i + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ line, cells }) => ({ line, cells: fitted(cells, width, line) }));
  if (rows.length === 0) refuse('文件里只有表头，没有内容');
  if (rows.length > TABLE_LIMITS.rows) refuse(`一次最多 ${TABLE_LIMITS.rows} 行，请拆开后分别上传`);
  const chars = rows.reduce((sum, { cells }) => sum + cells.reduce((n, cell) => n + cell.length, 0), 0);
  if (chars > TABLE_LIMITS.chars) refuse('文件的文字过多，请拆开后分别上传');
  return { columns, rows };
}
