/** Finds the heading of a table among the rows of a file and fits the rows below it. */
import type { Mark, RawCell, RawRow, RawTable } from './raw-table.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';
import { normalizeCell } from './text.ts';

/** The heading and the rows that are not empty, each as wide as the heading. `line` counts rows from 1, the heading left out. */
export interface Table {
  columns: string[];
  rows: TableRow[];
  /** What the seller has to know about how the file was read, in Chinese. */
  notes: string[];
}

export interface TableRow {
  line: number;
  cells: string[];
  /** Cells that may not say what their author wrote, by column from 0. */
  marks?: Record<number, Mark>;
}

/** Rows that may be the heading: what is further down belongs to the content. */
const HEADING_ROWS = 20;
const SHOWN = 5;

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g;
/** What spreadsheets show in place of a value, in every language. */
const ERROR = /^#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|#{2,})$/;
/** '3月5日', '5-Mar', 'Mar-05', '2026/3/5', '3/5/26'. */
const DATE_LIKE =
  /^(?:\d{1,2}月\d{1,2}日|\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}|\d{4}\/\d{1,2}\/\d{1,2}|\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4}))$/i;
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?e\+\d{1,3}$/i;

/** A heading for comparison: plain characters, without blanks, brackets and marks of required columns. */
export const normalHeading = (text: string): string => normalizeCell(text).replace(/[\s（）()【】[\]*＊:：]/g, '');

/** The names by which a heading is compared: as written, and without a unit such as '（元）' or '/元'. */
export function headingNames(text: string): string[] {
  const plain = normalizeCell(text);
  const bare = plain.replace(/[（(【[][^（(【[]*[)）】\]]\s*$/, '').replace(/\/\s*(?:元|件|个|次)\s*$/, '');
  return [...new Set([normalHeading(plain), normalHeading(bare)])].filter((name) => name !== '');
}

/**
 * A cell's text without invisible characters, and without what shops and spreadsheets put around a text to keep it a text: an apostrophe or
 * backtick before it, `="…"` around it.
 */
function plainText(raw: string): string {
  const text = raw.toWellFormed().replace(CONTROLS, '').replace(/\r\n?/g, '\n').trim();
  const wrapped = /^="((?:[^"]|"")*)"$/.exec(text)?.[1];
  if (wrapped !== undefined) return wrapped.replaceAll('""', '"').trim();
  return /^['`](?=[=+\-@\d])/.test(text) ? text.slice(1).trim() : text;
}

function plainCell(cell: RawCell | undefined): RawCell {
  if (!cell) return { text: '' };
  const text = plainText(cell.text);
  if (cell.mark !== undefined) return { text, mark: cell.mark };
  if (ERROR.test(text)) return { text, mark: 'error' };
  if (SCIENTIFIC.test(text)) return { text, mark: 'scientific' };
  return DATE_LIKE.test(text) ? { text, mark: 'dateLike' } : { text };
}

const isFilled = (cell: RawCell): boolean => cell.text !== '' || cell.mark !== undefined;

interface PlainRow extends RawRow {
  cells: RawCell[];
}

/** How many known names a row has; each counts once. */
function score({ cells }: PlainRow, names: ReadonlySet<string>): number {
  const found = new Set(cells.flatMap(({ text }) => headingNames(text).find((name) => names.has(name)) ?? []));
  return found.size;
}

/** The place of the heading among rows that have content: most known names first, else the first row about as wide as the table. */
function headingAt(rows: readonly PlainRow[], names: ReadonlySet<string>): { at: number; known: number } {
  const first = rows.slice(0, HEADING_ROWS);
  const scores = first.map((row) => score(row, names));
  const known = Math.max(0, ...scores);
  if (known > 0) return { at: scores.indexOf(known), known };
  const widths = first.map(({ cells }) => cells.filter(isFilled).length);
  const wide = Math.max(1, Math.ceil(Math.max(0, ...widths) / 2));
  return { at: widths.findIndex((width) => width >= wide), known };
}

const listed = (texts: readonly (string | number)[]): string =>
  texts.slice(0, SHOWN).join('、') + (texts.length > SHOWN ? ` 等 ${texts.length} 处` : '');

function notesOf(raw: RawTable, skipped: readonly PlainRow[], heading: PlainRow, columns: readonly string[]): string[] {
  const notes = [...raw.notes];
  if (skipped.length > 0) {
    const title = skipped
      .flatMap(({ cells }) => cells.filter(({ text }) => text !== '').slice(0, 1))
      .map((c) => c.text);
    notes.push(
      `表头是第 ${heading.number} 行；上面的“${(title[0] ?? '').slice(0, 30)}”${skipped.length > 1 ? ` 等 ${skipped.length} 行` : ''}没有读取`,
    );
  }
  const hidden = raw.hiddenRows.filter((number) => number > heading.number);
  if (hidden.length > 0)
    notes.push(`表格里隐藏（或被筛选掉）的第 ${listed(hidden)} 行也读取了；不需要的请删除后重新上传`);
  const names = raw.hiddenColumns.flatMap((at) => columns[at] ?? []);
  if (names.length > 0) notes.push(`表格里隐藏的列也读取了：${listed(names)}`);
  return notes;
}

/** Whether a row adds up those above it, as programs write it at the end of a list. */
const isSum = ({ cells }: PlainRow): boolean =>
  /^(?:合计|总计|小计|汇总|总数)[:：]?$/.test(cells.find(({ text }) => text !== '')?.text ?? '');

/** Fits a row to the table; in a text file cells beyond the heading were shifted by a separator and would be read under a wrong heading. */
function fitted({ cells, number }: PlainRow, width: number, line: number): TableRow {
  if (cells.slice(width).some(isFilled))
    refuse(`第 ${line} 行的列数比表头多（文件第 ${number} 行），请检查是否有未加引号的逗号`);
  const marks: Record<number, Mark> = {};
  const texts = Array.from({ length: width }, (_, i) => {
    const cell = cells[i] ?? { text: '' };
    if (cell.text.length > TABLE_LIMITS.cellChars) refuse(`第 ${line} 行有单元格超过 ${TABLE_LIMITS.cellChars} 个字`);
    if (cell.mark !== undefined) marks[i] = cell.mark;
    return cell.text;
  });
  return { line, cells: texts, ...(Object.keys(marks).length > 0 && { marks }) };
}

/** How many of the known names the best row of a file has, to compare sheets and separators. */
export function knownHeadings(raw: RawTable, names: ReadonlySet<string>): number {
  const rows = raw.rows.slice(0, HEADING_ROWS).map((row) => ({ ...row, cells: Array.from(row.cells, plainCell) }));
  return headingAt(rows, names).known;
}

/**
 * The table of a file: its heading is the row with most of the known `names` (normalized), which need not be the first. Rows that repeat the
 * heading are left out. Refuses a table that is empty or beyond TABLE_LIMITS.
 */
export function tableOf(raw: RawTable, names: ReadonlySet<string>): Table {
  const filled = raw.rows
    .map((row): PlainRow => ({ ...row, cells: Array.from(row.cells, plainCell) }))
    .filter(({ cells }) => cells.some(isFilled));
  const { at } = headingAt(filled, names);
  const heading = filled[at];
  if (!heading) refuse('文件是空的');
  const below = filled.slice(at + 1);
  const lastOf = (cells: readonly RawCell[]): number => cells.findLastIndex(isFilled) + 1;
  // A cell with an address stays in its column, so a note at the side of the table makes it wider.
  const width = raw.hasAddresses
    ? Math.max(lastOf(heading.cells), ...below.map(({ cells }) => lastOf(cells)))
    : lastOf(heading.cells);
  if (width > TABLE_LIMITS.columns) refuse(`一次最多 ${TABLE_LIMITS.columns} 列，请删去用不到的列`);
  const columns = Array.from(
    { length: width },
    (_, i) => heading.cells[i]?.text.replace(/\s+/g, ' ').slice(0, 60) || `第 ${i + 1} 列`,
  );
  const own = heading.cells.map(({ text }) => text).join('\0');
  const content = below.filter(({ cells }) => cells.map(({ text }) => text).join('\0') !== own);
  const sums = content.filter(isSum);
  const rowsOfTable = content.filter((row) => !sums.includes(row));
  const notes = notesOf(raw, filled.slice(0, at), heading, columns);
  if (sums.length > 0) notes.push(`合计的行没有读取：第 ${listed(sums.map(({ number }) => number))} 行`);
  if (content.length < below.length) notes.push(`重复的表头有 ${below.length - content.length} 行，没有读取`);
  if (rowsOfTable.length === 0) refuse('文件里只有表头，没有内容');
  if (rowsOfTable.length > TABLE_LIMITS.rows) refuse(`一次最多 ${TABLE_LIMITS.rows} 行，请拆开后分别上传`);
  const rows = rowsOfTable.map((row) => {
    const line = row.number - heading.number;
    if (line > TABLE_LIMITS.position)
      refuse(`第 ${row.number} 行还有内容；一次最多 ${TABLE_LIMITS.rows} 行，请删去远处的内容后重新上传`);
    return fitted(row, width, line);
  });
  const chars = rows.reduce((sum, { cells }) => sum + cells.reduce((n, cell) => n + cell.length, 0), 0);
  if (chars > TABLE_LIMITS.chars) refuse('文件的文字过多，请拆开后分别上传');
  return { columns, rows, notes };
}
