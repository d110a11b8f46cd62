/** Finds the heading of a table among the rows of a file and aligns the rows below it. */
import { headingNames } from './heading-names.ts';
import type { Mark, RawCell, RawTable } from './files/raw-table.ts';
import { isFilled, isKnown, isSum, type PlainRow, remarksAtEnd, wholeHeading } from './side-rows.ts';
import { refuse, type TableLimits } from './files/table-limits.ts';

/** The heading and the non-empty rows, each as wide as the heading. `line` counts rows from 1, excluding the heading. */
export interface Table {
  columns: string[];
  rows: TableRow[];
  /** Notes for the seller about how the file was read, in Chinese. */
  notes: string[];
}

export interface TableRow {
  line: number;
  cells: string[];
  /** Cells whose value may differ from what was entered, by column from 0. */
  marks?: Record<number, Mark>;
}

/** Number of rows that may be the heading: later rows belong to the content. */
const HEADING_ROWS = 20;
const SHOWN = 5;

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g;
/** Placeholders that spreadsheets show instead of a value, in every language. */
const ERROR = /^#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|#{2,})$/;
/** '3月5日', '5-Mar', 'Mar-05', '2026/3/5', '3/5/26'. */
const DATES = [
  /^(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?$/,
  /^\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-\d{2,4})?$/i,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{1,2}$/i,
  /^\d{4}[/-]\d{1,2}[/-]\d{1,2}$/,
  /^\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4})$/,
];
const TIME = / \d{1,2}:\d{2}(?::\d{2})?$/;
/** Whether a text is a date as shown by spreadsheets, optionally with a time. */
function isDateLike(text: string): boolean {
  const date = text.replace(TIME, '');
  return DATES.some((form) => form.test(date));
}
/** How databases and programs write a value that is missing. */
const MISSING = /^(?:\\N|null|[([<{]null[)\]>}]|nan|undefined|None)$/i;
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?e\+\d{1,3}$/i;

/**
 * A cell's text without invisible characters, and without the marks that shops and spreadsheets add to keep it text: an apostrophe or
 * backtick before it, `="…"` around it.
 */
function plainText(raw: string): string {
  const text = raw.toWellFormed().replace(CONTROLS, '').replace(/\r\n?/g, '\n').trim();
  if (MISSING.test(text)) return '';
  // Once more in quotes where a program forgot those of the separated text.
  const wrapped = /^="((?:[^"]|"")*)"$/.exec(text)?.[1] ?? /^=""([^"]*)""$/.exec(text)?.[1];
  if (wrapped !== undefined) return wrapped.replaceAll('""', '"').trim();
  return /^['`](?=[=+\-@\d])/.test(text) ? text.slice(1).trim() : text;
}

function plainCell(cell: RawCell | undefined): RawCell {
  if (!cell) return { text: '' };
  const text = plainText(cell.text);
  if (cell.mark !== undefined) return { text, mark: cell.mark };
  if (ERROR.test(text)) return { text, mark: 'error' };
  if (SCIENTIFIC.test(text)) return { text, mark: 'scientific' };
  return isDateLike(text) ? { text, mark: 'dateLike' } : { text };
}

/** Counts a row's known names, and how many of them match exactly; each counts once. */
function score({ cells }: PlainRow, names: ReadonlySet<string>): { known: number; exact: number } {
  const spellings = cells.map(({ text }) => headingNames(text));
  const known = new Set(spellings.flatMap((of) => of.find((name) => names.has(name)) ?? []));
  const exact = new Set(spellings.flatMap(([name]) => (name !== undefined && names.has(name) ? [name] : [])));
  return { known: known.size, exact: exact.size };
}

/** The index of the heading among non-empty rows: most known names first, else the first row about as wide as the table. */
function headingAt(rows: readonly PlainRow[], names: ReadonlySet<string>): { at: number; known: number } {
  const first = rows.slice(0, HEADING_ROWS);
  const scores = first.map((row) => score(row, names));
  const known = Math.max(0, ...scores.map((of) => of.known));
  // Among equals, notes such as '编号：必填' come before the heading itself.
  const best = scores.filter((of) => of.known === known).toSorted((a, b) => b.exact - a.exact)[0];
  if (known > 0 && best) return { at: scores.indexOf(best), known };
  const widths = first.map(({ cells }) => cells.filter(isFilled).length);
  const wide = Math.max(1, Math.ceil(Math.max(0, ...widths) / 2));
  return { at: widths.findIndex((width) => width >= wide), known };
}

/** Known names in the first column of a transposed table. */
const SIDEWAYS_NAMES = 3;

/** Rejects a transposed table, with headings in its first column and each item in a separate column. */
function refuseSideways(rows: readonly PlainRow[], known: number, names: ReadonlySet<string>): void {
  if (known > 1) return;
  const first = rows.slice(0, HEADING_ROWS).map(({ cells }) => cells.find(isFilled));
  const found = first.flatMap((cell) => (cell && isKnown(cell, names) ? [cell.text] : []));
  if (new Set(found).size >= SIDEWAYS_NAMES)
    refuse(
      `列名（${listed(found.slice(0, SIDEWAYS_NAMES))}等）在第一列，商品是横着排的；请复制整张表，用“选择性粘贴”→“转置”粘到新的工作表，另存后再上传`,
    );
}

const listed = (texts: readonly (string | number)[]): string =>
  texts.slice(0, SHOWN).join('、') + (texts.length > SHOWN ? ` 等 ${texts.length} 处` : '');

/** Headings that occur more than once; only the first column of each is used automatically. */
const repeated = (columns: readonly string[]): string[] => [
  ...new Set(columns.filter((name, i) => columns.indexOf(name) !== i)),
];

function notesOf(raw: RawTable, skipped: readonly PlainRow[], heading: PlainRow, columns: readonly string[]): string[] {
  const notes = [...raw.notes];
  const twice = repeated(columns.filter((name) => name !== ''));
  if (twice.length > 0) notes.push(`有几列的表头相同：${listed(twice)}；默认用最前面的一列，请核对对应关系`);
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
  const names = raw.hiddenColumns.flatMap((at) => columns[at] || []);
  if (names.length > 0) notes.push(`表格里隐藏的列也读取了：${listed(names)}`);
  return notes;
}

interface TableOptions {
  limits: TableLimits;
  /** See FileInput. */
  isRagged: boolean;
}

interface Fit extends TableOptions {
  /** Columns of the table. */
  width: number;
}

/** Fits a row to the table; in a text file cells beyond the heading were shifted by a separator and would be read under a wrong heading. */
function fitted({ cells, number }: PlainRow, line: number, { width, limits, isRagged }: Fit): TableRow {
  if (!isRagged && cells.slice(width).some(isFilled))
    refuse(
      `第 ${line} 行的列数比表头多（文件第 ${number} 行），请检查是否有未加引号的逗号${cells.some((cell) => /[“”]/.test(cell.text)) ? '；中文引号“”不能代替英文引号' : ''}`,
    );
  const marks: Record<number, Mark> = {};
  const texts = Array.from({ length: width }, (_, i) => {
    const cell = cells[i] ?? { text: '' };
    if (cell.text.length > limits.cellChars) refuse(`第 ${line} 行有单元格超过 ${limits.cellChars} 个字`);
    if (cell.mark !== undefined) marks[i] = cell.mark;
    return cell.text;
  });
  return { line, cells: texts, ...(Object.keys(marks).length > 0 && { marks }) };
}

/** The number of known names in the best row of a file, to compare sheets and separators. */
export function knownHeadings(raw: RawTable, names: ReadonlySet<string>): number {
  const rows = raw.rows.slice(0, HEADING_ROWS).map((row) => ({ ...row, cells: Array.from(row.cells, plainCell) }));
  return headingAt(rows, names).known;
}

/** The names of the columns with content or a name, each with its index. */
function columnsOf(heading: PlainRow, rows: readonly PlainRow[], width: number): { at: number; name: string }[] {
  return Array.from({ length: width }, (_, at) => ({
    at,
    name: heading.cells[at]?.text.replace(/\s+/g, ' ').slice(0, 60) ?? '',
  })).filter(({ at, name }) => name !== '' || rows.some(({ cells }) => isFilled(cells[at])));
}

/** The rows below a heading, divided into content and omitted rows, with notes about it. */
function contentOf(
  below: readonly PlainRow[],
  heading: PlainRow,
  own: PlainRow,
): { rows: PlainRow[]; notes: string[] } {
  const textOf = ({ cells }: PlainRow): string => cells.map(({ text }) => text).join('\0');
  const headings = new Set([textOf(heading), textOf(own)]);
  const notes: string[] = [];
  const content = below.filter((row) => !headings.has(textOf(row)));
  if (content.length < below.length) notes.push(`重复的表头有 ${below.length - content.length} 行，没有读取`);
  const numbered = (rows: readonly PlainRow[]): string => listed(rows.map(({ number }) => number));
  const sums = content.filter(isSum);
  const others = content.filter((row) => !sums.includes(row));
  const remarks = remarksAtEnd(others, heading.cells.filter(isFilled).length);
  if (remarks > 0) notes.unshift(`表尾的说明没有读取：第 ${numbered(others.slice(-remarks))} 行`);
  if (sums.length > 0) notes.unshift(`合计的行没有读取：第 ${numbered(sums)} 行`);
  return { rows: remarks > 0 ? others.slice(0, -remarks) : others, notes };
}

const UNKNOWN = (number: number): string =>
  `没有认出表头，把第 ${number} 行当作了表头；如果它是商品，请在最上面加一行列名（如“编号、价格、库存”）后重新上传；如果文字是乱码，请打开原来的表格（不是这个文件），另存为 XLSX 后上传`;

/**
 * The table of a file: its heading is the row with most of the known `names` (normalized), which need not be the first and may have a second row.
 * Repeated headings, sums and remarks at the end are omitted. Rejects a table that is empty or exceeds the limits.
 */
export function tableOf(raw: RawTable, names: ReadonlySet<string>, options: TableOptions): Table {
  const { limits } = options;
  const filled = raw.rows
    .map((row): PlainRow => ({ ...row, cells: Array.from(row.cells, plainCell) }))
    .filter(({ cells }) => cells.some(isFilled));
  const { at, known } = headingAt(filled, names);
  refuseSideways(filled, known, names);
  const found = known > 0 ? wholeHeading(filled, at, names) : undefined;
  const own = filled[at];
  const heading = found?.heading ?? own;
  if (!heading || !own) return refuse(`${raw.place ?? '文件'}是空的`);
  const content = contentOf(filled.slice(at + 1 + (found?.taken ?? 0)), heading, own);
  const lastOf = (cells: readonly RawCell[]): number => cells.findLastIndex(isFilled) + 1;
  // A cell with an address stays in its column, so a note next to the table makes the table wider.
  const width = raw.hasAddresses
    ? Math.max(lastOf(heading.cells), ...content.rows.map(({ cells }) => lastOf(cells)))
    : lastOf(heading.cells);
  if (width > limits.columns) refuse(`一次最多 ${limits.columns} 列，请删去用不到的列`);
  if (content.rows.length === 0) refuse(`${raw.place ?? '文件'}里只有表头，没有内容`);
  if (content.rows.length > limits.rows) refuse(`一次最多 ${limits.rows} 行，请拆开后分别上传`);
  const columns = columnsOf(heading, content.rows, width);
  const named = Array.from({ length: width }, (_, i) => columns.find((column) => column.at === i)?.name ?? '');
  const notes = [...notesOf(raw, filled.slice(0, at), heading, named), ...content.notes];
  if (known === 0 && names.size > 0) notes.unshift(UNKNOWN(heading.number));
  const rows = content.rows.map((row) => {
    const line = row.number - heading.number;
    if (line > limits.position)
      refuse(`第 ${row.number} 行还有内容；一次最多 ${limits.rows} 行，请删去远处的内容后重新上传`);
    const places = columns.map((column) => column.at);
    const isRagged = options.isRagged && !raw.hasAddresses;
    const fit = picked(fitted(row, line, { width, limits, isRagged }), places);
    return isRagged ? { ...fit, cells: asWide(fit.cells, row, width, places) } : fit;
  });
  const chars = rows.reduce((sum, { cells }) => sum + cells.reduce((n, cell) => n + cell.length, 0), 0);
  if (chars > limits.chars) refuse('文件的文字过多，请拆开后分别上传');
  return { columns: columns.map(({ name, at: place }) => name || `第 ${place + 1} 列`), rows, notes };
}

/** The cells of a row that exist in its line and are within the heading. */
function asWide(cells: readonly string[], row: PlainRow, width: number, places: readonly number[]): string[] {
  const own = cells.filter((_, i) => (places[i] ?? 0) < row.cells.length);
  const rest = row.cells.slice(width, row.cells.findLastIndex(isFilled) + 1);
  return [...own, ...rest.map(({ text }) => text)];
}

/** A row reduced to these columns. */
function picked({ line, cells, marks }: TableRow, places: readonly number[]): TableRow {
  const kept = places.flatMap((place, i) => {
    const mark = marks?.[place];
    return mark === undefined ? [] : [[i, mark] as const];
  });
  return {
    line,
    cells: places.map((place) => cells[place] ?? ''),
    ...(kept.length > 0 && { marks: Object.fromEntries(kept) }),
  };
}
