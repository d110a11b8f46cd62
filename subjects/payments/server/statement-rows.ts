/** Reads the table in a channel's statement, with titles before it, totals after it, and cells padded as each channel does. */
import { CsvError, parse } from 'csv-parse/sync';

/** A file that cannot be read as a statement. The message is shown to the person who uploaded it. */
export class StatementFault extends Error {
  override name = 'StatementFault';
}

/** One line of a statement. */
export interface StatementRow {
  /** Its number in the file. */
  line: number;
  /** Its cells by heading, see `headingOf`. */
  cells: Readonly<Record<string, string>>;
}

const SEPARATORS = [',', '\t', ';'] as const;
const AS_DOWNLOADED = '请直接上传从渠道下载的文件，不要用表格软件打开后另存';

/**
 * A heading with half-width characters, without blanks and units such as '(+元)', as the readers name it. A byte order mark that was saved in
 * GBK is a question mark.
 */
const headingOf = (cell: string): string =>
  plain(cell)
    .normalize('NFKC')
    .replace(/\s|^[#?]/g, '')
    .replace(/\([+-]?元\)$/, '');

/** A cell without its padding: WeChat adds a leading backtick, Alipay a trailing tab, spreadsheets `="…"`. */
function plain(cell: string): string {
  const text = cell.replace(/^\ufeff/, '').trim();
  return (/^="(.*)"$/.exec(text)?.[1] ?? text).replace(/^[`']/, '').trim();
}

interface Heading {
  /** Place of its line. */
  at: number;
  separator: string;
  names: string[];
}

/**
 * The first line from `from` on that `isHeading` accepts. `like` is a name that the line must contain: parsing every line of a long file as a
 * heading takes seconds.
 */
function findHeading(
  lines: readonly string[],
  isHeading: (names: readonly string[]) => boolean,
  { from = 0, like = '' } = {},
): Heading | undefined {
  for (const [at, line] of lines.entries()) {
    if (at < from || !line.includes(like)) continue;
    for (const separator of SEPARATORS) {
      const names = line.split(separator).map((cell) => headingOf(cell.replace(/^"|"$/g, '')));
      if (names.length > 1 && isHeading(names)) {
        const last = names.findLastIndex((name) => name !== '');
        return { at, separator, names: names.slice(0, last + 1) };
      }
    }
  }
  return undefined;
}

/** Whether a text has a line that `isHeading` knows. */
export const hasHeading = (text: string, isHeading: (names: readonly string[]) => boolean): boolean =>
  findHeading(text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/), isHeading) !== undefined;

/** Lines that end the details: Alipay's notes, and the totals of each channel. */
const isEnd = (line: string): boolean => /^[`"'\s]*(?:#|总(?:交易|计|笔|金额|额)|合计)/.test(line);

/**
 * WeChat's details: every cell begins with a backtick and nothing is quoted, so a comma or a line end within a name is text. Returns the
 * cells of each line with its place.
 */
function backtickRows(lines: readonly string[], from: number, width: number): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  for (let at = from; at < lines.length && !isEnd(lines[at] ?? ''); at++) {
    if ((lines[at] ?? '').trim() === '') continue;
    const line = at + 1;
    let text = lines[at] ?? '';
    const cells = (): string[] => text.slice(text.indexOf('`') + 1).split(',`');
    while (
      cells().length < width &&
      at + 1 < lines.length &&
      !/^`|^[\s]*$/.test(lines[at + 1] ?? '') &&
      !isEnd(lines[at + 1] ?? '')
    ) {
      at += 1;
      text += `\n${lines[at] ?? ''}`;
    }
    rows.push({ line, cells: cells() });
  }
  return rows;
}

/** Maximum lines of one row, whose names may contain line breaks. */
const MAX_LINES_OF_ROW = 20;
/** Amounts and times, which no text follows without its own separator. */
const BARE = /^(?:[-+]?\s*(?:[¥￥]?[-+]?[\d,.]+\s*)?元?|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?)$/;

/** The cells of a text that is one row with balanced quotes; undefined when the quotes are unbalanced or there are none. */
function quotedCells(text: string, separator: string): string[] | undefined {
  if (!text.includes('"')) return undefined;
  try {
    const records: string[][] = parse(text, { delimiter: separator, relax_column_count: true, trim: true });
    return records.length === 1 ? records[0] : undefined;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** The cells of a row without quotes. Alipay ends each text with a tab, so a separator within a text does not follow a tab. */
function bareCells(text: string, separator: string, width: number): string[] {
  const padded = text.split(`\t${separator}`);
  if (text.includes(`\t${separator}`) && padded.length >= width) return padded;
  const parts = text.split(separator);
  if (parts.length <= width || !text.includes(`\t${separator}`)) return parts;
  const cells: string[] = [];
  let open = '';
  for (const part of parts) {
    const whole = open === '' ? part : `${open}${separator}${part}`;
    const isText = open !== '' || !BARE.test(part.trim());
    open = isText && !part.endsWith('\t') ? whole : '';
    if (open === '') cells.push(whole);
  }
  if (open !== '') cells.push(open);
  // Fewer cells than the heading has were joined wrongly, and would be read under wrong headings.
  return cells.length < width ? parts : cells;
}

/**
 * The cells of a WeChat row saved by a spreadsheet. Each cell begins with a backtick, so a part without one follows a comma inside the
 * previous cell, as in '1,234.50' or a name.
 */
function rejoined(cells: readonly string[]): string[] {
  if (!cells[0]?.startsWith('`')) return [...cells];
  const whole: string[] = [];
  for (const cell of cells.slice(0, cells.findLastIndex((text) => text.trim() !== '') + 1))
    if (cell.startsWith('`')) whole.push(cell);
    else whole.push(`${whole.pop() ?? ''},${cell}`);
  return whole;
}

/** Whether cells match the heading; trailing ones may be missing or empty. */
const fits = (cells: readonly string[], width: number): boolean =>
  cells.length >= width - 1 && cells.slice(width).every((cell) => plain(cell) === '');

/** Rows of a delimited statement: with quotes, as spreadsheets save it, or without, as Alipay writes it. */
function separatedRows(
  lines: readonly string[],
  { at: heading, separator, names }: Heading,
): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  const width = names.length;
  for (let at = heading + 1; at < lines.length && !isEnd(lines[at] ?? ''); at++) {
    if ((lines[at] ?? '').trim() === '') continue;
    const line = at + 1;
    let found: string[] | undefined;
    let text = '';
    let last = at;
    for (; !found && last < lines.length && last < at + MAX_LINES_OF_ROW; last++) {
      if (last > at && isEnd(lines[last] ?? '')) break;
      text += last === at ? (lines[last] ?? '') : `\n${lines[last] ?? ''}`;
      const quoted = quotedCells(text, separator);
      found = [quoted ?? [], bareCells(text, separator, width)].map(rejoined).find((cells) => fits(cells, width));
    }
    rows.push({ line, cells: found ?? bareCells(lines[at] ?? '', separator, width) });
    // The caller rejects this row, so no later row is read.
    if (!found) return rows;
    at = last - 1;
  }
  return rows;
}

/**
 * The lines of the table in a text, found by the heading that `isHeading` accepts; undefined when there is none. Throws StatementFault for a
 * line with more or fewer cells than the heading, whose cells would be misassigned or lost.
 */
export function statementRows(
  text: string,
  isHeading: (names: readonly string[]) => boolean,
): { names: string[]; rows: StatementRow[] } | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const heading = findHeading(lines, isHeading);
  if (!heading) return undefined;
  const { names, at, separator } = heading;
  const second = findHeading(lines, isHeading, { from: at + 1, like: names[0] ?? '' });
  if (second) throw new StatementFault(`第 ${second.at + 1} 行又是一份账单的表头；请一次只上传一份账单`);
  const first = lines.slice(at + 1).find((line) => line.trim() !== '') ?? '';
  const isBacktick = separator === ',' && first.startsWith('`') && first.includes(',`');
  const found = isBacktick ? backtickRows(lines, at + 1, names.length) : separatedRows(lines, heading);
  checkEnd(lines, at, found.length);
  return { names, rows: found.flatMap(({ line, cells }) => rowOf(names, line, cells)) };
}

/** Rejects a text whose totals or end mark show that lines are missing. */
function checkEnd(lines: readonly string[], heading: number, count: number): void {
  const before = lines.slice(0, heading);
  const after = lines.slice(heading + 1);
  if (before.some((line) => /明细列表-{3,}/.test(line)) && !after.some((line) => /^[`"\s]*#/.test(line)))
    throw new StatementFault(`账单没有结尾的“列表结束”，文件可能不完整；${AS_DOWNLOADED}`);
  const total = after.findIndex((line) => /^[`"\s]*总交易单数/.test(line));
  const stated = /^[`"'\s]*(\d+)/.exec(total < 0 ? '' : (after[total + 1] ?? ''))?.[1];
  if (stated !== undefined && Number(stated) > count)
    throw new StatementFault(`账单的合计是 ${stated} 笔，明细只有 ${count} 行，文件可能不完整；${AS_DOWNLOADED}`);
}

/** Numbers of this length never end in all zeros, unless a spreadsheet kept only the first 15 digits. */
const ROUNDED = /^\d{15}0{9,}$/;

/** One row by its headings; none for an empty line. Throws StatementFault for a row that does not match the headings or was altered. */
function rowOf(names: readonly string[], line: number, cells: readonly string[]): StatementRow[] {
  if (cells.every((cell) => plain(cell) === '')) return [];
  if (!fits(cells, names.length))
    throw new StatementFault(`账单第 ${line} 行的列数与表头不一致，文件可能不完整；${AS_DOWNLOADED}`);
  const row = Object.fromEntries(names.map((name, i) => [name, plain(cells[i] ?? '')]));
  const changed = Object.entries(row).find(
    ([name, cell]) => /[号]$/.test(name) && (/^\d(?:\.\d+)?e\+\d+$/i.test(cell) || ROUNDED.test(cell)),
  );
  if (changed)
    throw new StatementFault(`账单第 ${line} 行的${changed[0]}已被表格软件改成 ${changed[1]}；${AS_DOWNLOADED}`);
  return [{ line, cells: row }];
}
