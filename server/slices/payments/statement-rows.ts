/** The table in a channel's statement: titles before it, totals after it, and cells as each channel pads them. */
import { CsvError, parse } from 'csv-parse/sync';

/** A file that cannot be read as a statement. The message is shown to the person who uploaded it. */
export class StatementFault extends Error {
  override name = 'StatementFault';
}

/** The cells of one line by normalized heading. */
export type StatementRow = Readonly<Record<string, string>>;

const SEPARATORS = [',', '\t', ';'] as const;
const AS_DOWNLOADED = '请直接上传从渠道下载的文件，不要用表格软件打开后另存';

/** A heading with half-width characters and no blanks, as the readers name it. */
const headingOf = (cell: string): string => plain(cell).normalize('NFKC').replace(/\s/g, '');

/** A cell without what channels put around it: WeChat a backtick before, Alipay a tab behind, spreadsheets `="…"`. */
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

function findHeading(lines: readonly string[], isHeading: (names: readonly string[]) => boolean): Heading | undefined {
  for (const [at, line] of lines.entries())
    for (const separator of SEPARATORS) {
      const names = line.split(separator).map((cell) => headingOf(cell.replace(/^"|"$/g, '')));
      if (names.length > 1 && isHeading(names)) {
        const last = names.findLastIndex((name) => name !== '');
        return { at, separator, names: names.slice(0, last + 1) };
      }
    }
  return undefined;
}

/** Lines that end the details: Alipay's notes, and the totals of each channel. */
const isEnd = (line: string): boolean => /^[`"'\s]*(?:#|总|合计|总计)/.test(line);

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

function separatedRows(
  lines: readonly string[],
  { at, separator, names }: Heading,
): { line: number; cells: string[] }[] {
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1;
  const text = lines.slice(at + 1, end).join('\n');
  try {
    const records = parse(text, {
      delimiter: separator,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as { info: { lines: number }; record: string[] }[];
    return records.map(({ info, record }) => {
      const line = at + 1 + info.lines;
      // Alipay ends each cell with a tab and quotes nothing, so a comma within a name is not followed by one.
      const padded = lines[line - 1]?.split(`\t${separator}`);
      const isWide = record.slice(names.length).some((cell) => plain(cell) !== '');
      return { line, cells: isWide && padded && padded.length >= names.length ? padded : record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new StatementFault(`账单格式不正确，${AS_DOWNLOADED}`, { cause: error });
  }
}

/**
 * The lines of the table in a text whose heading `isHeading` knows; undefined when there is none. Throws StatementFault for a line with more or
 * fewer cells than the heading, which would be read under wrong headings or lost.
 */
export function statementRows(
  text: string,
  isHeading: (names: readonly string[]) => boolean,
): { names: string[]; rows: StatementRow[] } | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const heading = findHeading(lines, isHeading);
  if (!heading) return undefined;
  const { names, at, separator } = heading;
  const first = lines.slice(at + 1).find((line) => line.trim() !== '') ?? '';
  const isBacktick = separator === ',' && first.startsWith('`') && first.includes(',`');
  const found = isBacktick ? backtickRows(lines, at + 1, names.length) : separatedRows(lines, heading);
  const rows = found.flatMap(({ line, cells }) => {
    if (cells.every((cell) => plain(cell) === '')) return [];
    const isWide = cells.slice(names.length).some((cell) => plain(cell) !== '');
    // The last columns may be left out where they are empty.
    if (isWide || cells.length < names.length - 1)
      throw new StatementFault(`账单第 ${line} 行的列数与表头不一致，文件可能不完整；${AS_DOWNLOADED}`);
    const row = Object.fromEntries(names.map((name, i) => [name, plain(cells[i] ?? '')]));
    const changed = Object.entries(row).find(
      ([name, cell]) => /[号]$/.test(name) && /^\d(?:\.\d+)?e\+\d+$/i.test(cell),
    );
    if (changed)
      throw new StatementFault(`账单第 ${line} 行的${changed[0]}已被表格软件改成 ${changed[1]}；${AS_DOWNLOADED}`);
    return [row];
  });
  return { names, rows };
}
