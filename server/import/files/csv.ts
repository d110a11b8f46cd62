import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from './encoding.ts';
import { GARBLED, hasLost, isLostLine, RESTORED, restorations } from './garbled.ts';
import { knownHeadings } from '../heading.ts';
import type { RawTable } from './raw-table.ts';
import { refuse, type TableLimits } from './table-limits.ts';

const SEPARATORS = [',', '\t', ';', '|', '，'] as const;
/** Those that are tried only where the others show no heading: they also stand within texts. */
const RARE_SEPARATORS = ['、', '^', '~'] as const;
/** Records by which separators are compared. */
const SAMPLE = 300;
/** The first line that Excel writes and understands. */
const DECLARED = /^"?sep=(.)"?[,;\t| ]*(?:\r\n|\n|\r)/i;
/** Every cell in single quotes, as in the exports of some databases. */
const SINGLE_QUOTED = /^'[^'\n]*'[,;\t|]'/;

type Parsed = { records: string[][] } | { error: CsvError };

interface ParseOptions {
  /** Maximum number of records. */
  to: number;
  /** `exact`: as defined by the format; `loose`: quotes within a cell are text; `none`: quotes have no meaning. */
  quotes: 'exact' | 'loose' | 'none';
  /** Whether each kind of line end ends a line; otherwise the first one of the file does. */
  anyLineEnd?: boolean;
  limits: TableLimits;
}

function parsed(text: string, separator: string, { to, quotes, anyLineEnd = false, limits }: ParseOptions): Parsed {
  try {
    const records: string[][] = parse(text, {
      relax_column_count: true,
      relax_quotes: quotes === 'loose',
      // Blanks around a quoted cell.
      ltrim: quotes !== 'none',
      rtrim: quotes === 'exact',
      max_record_size: limits.columns * limits.cellChars,
      to,
      delimiter: separator,
      quote: quotes === 'none' ? null : SINGLE_QUOTED.test(text) ? "'" : '"',
      // MySQL and many programs write \" for a quote inside quotes.
      ...(quotes !== 'none' && /[^\\]\\"/.test(text) && !text.includes('""') && { escape: '\\' }),
      ...(anyLineEnd && { record_delimiter: ['\r\n', '\n', '\r'] }),
    });
    return { records };
  } catch (error) {
    if (error instanceof CsvError) return { error };
    throw error;
  }
}

const rawTable = (records: readonly string[][], skippedLines: number): RawTable => ({
  rows: records.map((cells, i) => ({ number: i + 1 + skippedLines, cells: cells.map((text) => ({ text })) })),
  notes: [],
  hasAddresses: false,
  hiddenRows: [],
  hiddenColumns: [],
});

/** The share of records with the most common number of cells, if that is more than one. */
function evenness(records: readonly string[][]): number {
  const widths = new Map<number, number>();
  for (const cells of records) {
    const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (width > 0) widths.set(width, (widths.get(width) ?? 0) + 1);
  }
  const [width = 0, count = 0] = [...widths].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const filled = [...widths.values()].reduce((sum, n) => sum + n, 0);
  return width < 2 ? 0 : count / filled;
}

/** Whether the columns of a text are separated by blanks, as in 'formatted text' of spreadsheets. */
function isBlankSeparated(text: string, names: ReadonlySet<string>): boolean {
  const lines = text.split(/\r\n|\n|\r/, SAMPLE).map((line) => line.trim());
  return [/ {2,}/, /[ \u3000]+/].some((blanks) => {
    const cells = lines.map((line) => line.split(blanks));
    return knownHeadings(rawTable(cells, 0), names) >= 2;
  });
}

/** Chooses one separator for the whole file: the one with most known headings, then the most even rows, then the usual one. */
function separatorOf(text: string, names: ReadonlySet<string>, limits: TableLimits): string {
  let best = { separator: ',' as string, known: -1, even: -1 };
  for (const separator of [...SEPARATORS, ...RARE_SEPARATORS]) {
    const isRare = RARE_SEPARATORS.some((rare) => rare === separator);
    if (!text.includes(separator) || (isRare && best.known >= 2)) continue;
    const result = parsed(text, separator, { to: SAMPLE, quotes: 'loose', limits });
    const sample = 'records' in result ? result : parsed(text, separator, { to: SAMPLE, quotes: 'none', limits });
    if (!('records' in sample)) continue;
    const known = knownHeadings(rawTable(sample.records, 0), names);
    const even = evenness(sample.records);
    if (known > best.known || (known === best.known && even > best.even && !isRare)) best = { separator, known, even };
  }
  if (best.known < 2 && isBlankSeparated(text, names))
    refuse('这是用空格分列的文本（如 .prn），列的界线不清楚；请用 Excel 或 WPS 打开原来的表格，另存为 XLSX 后上传');
  return best.separator;
}

/** How many lines with separators a cell may have before they count as swallowed by a quote, depending on whether the quotes are in order. */
const SWALLOWED = { exact: 3, loose: 0 } as const;

/** Detects where a quote that is closed late or never swallowed lines: a cell then contains a quote, separators and line ends. */
function swallowedAt(records: readonly string[][], separator: string, quotes: keyof typeof SWALLOWED): number {
  const isSwallowed = (cell: string): boolean =>
    (quotes === 'exact' || cell.includes('"')) &&
    cell.split(/[\r\n]+/).filter((line, i) => i > 0 && line.includes(separator)).length > SWALLOWED[quotes];
  return records.findIndex((cells) => cells.some(isSwallowed));
}

/** Whether lines end in more than one way. */
const hasMixedEnds = (text: string): boolean => {
  const bare = text.replaceAll('\r\n', '');
  return [text.includes('\r\n'), bare.includes('\n'), bare.includes('\r')].filter(Boolean).length > 1;
};

/** The records of a text with one separator. Rejects text that cannot be read without guessing. */
function recordsOf(text: string, separator: string, limits: TableLimits): string[][] {
  const to = limits.position;
  const attempt = (anyLineEnd: boolean): string[][] | undefined => {
    for (const quotes of ['exact', 'loose'] as const) {
      const result = parsed(text, separator, { to, quotes, anyLineEnd, limits });
      if ('records' in result && swallowedAt(result.records, separator, quotes) < 0) return result.records;
    }
    // A quote that begins a cell and belongs to its text, as in `"限定"皮肤`, is never closed: quotes then have no meaning in this file.
    const bare = parsed(text, separator, { to, quotes: 'none', anyLineEnd, limits });
    return 'records' in bare && evenness(bare.records) === 1 ? bare.records : undefined;
  };
  const first = attempt(false);
  const mixed = hasMixedEnds(text) ? attempt(true) : undefined;
  const found = mixed && (!first || evenness(mixed) > evenness(first)) ? mixed : first;
  return found ?? refuseQuotes(text, separator, limits);
}

/** Reports where and why a text cannot be divided into cells. */
function refuseQuotes(text: string, separator: string, limits: TableLimits): never {
  const loose = parsed(text, separator, { to: limits.position, quotes: 'loose', limits });
  if ('records' in loose) {
    const at = swallowedAt(loose.records, separator, 'loose') + 1;
    return refuse(`第 ${at} 行附近的引号没有配对，会把后面的行并成一行；请补上或删去引号后重新上传`);
  }
  const at = typeof loose.error.lines === 'number' ? loose.error.lines : 0;
  if (loose.error.code === 'CSV_MAX_RECORD_SIZE')
    return refuse(`第 ${at} 行附近有一行过长，或引号没有配对；一格最多 ${limits.cellChars} 个字`, loose.error);
  return refuse(`第 ${at} 行附近的引号没有配对，无法读取；请补上或删去引号，或另存为 XLSX 后上传`, loose.error);
}

/** Maximum percentage of control characters in a text. */
const MAX_CONTROL_PERCENT = 2;
const CONTROL = /[\u0001-\u0008\u000e-\u0019\u001b-\u001f\u007f]/g;

/** Removes zero bytes, with which programs pad a file or a cell. Rejects anything that is not text. */
function textOf(whole: string): string {
  let end = whole.length;
  while (end > 0 && (whole[end - 1] === '\0' || whole[end - 1] === '\u001a')) end -= 1;
  const filled = whole.slice(0, end);
  const text = filled.replaceAll('\0', '');
  const controls = text.match(CONTROL)?.length ?? 0;
  const isNoText =
    (filled.length - text.length) * 20 > filled.length ||
    (controls > 4 && controls * 100 > text.length * MAX_CONTROL_PERCENT) ||
    (filled.length < whole.length - 1 && !/[\r\n]/.test(filled));
  if (isNoText) refuse('这个文件不是表格，请上传 CSV 或 XLSX');
  return text;
}

const DAMAGED = '文件里有个别文字的编码已损坏，显示为“�”或“锟斤拷”之类的乱码，请核对';

/** Line ends that no program of today writes. */
const OLD_ENDS = /[\u0085\u2028\u2029]/g;

interface Divided {
  raw: RawTable;
  separator: string;
}

/** The cells of a text, by the separator that it declares where this shows its heading, else by the one that does. */
function divided(whole: string, names: ReadonlySet<string>, limits: TableLimits): Divided {
  const declared = DECLARED.exec(whole);
  const text = declared ? whole.slice(declared[0].length) : whole;
  const by = (separator: string): Divided => ({
    raw: rawTable(recordsOf(text, separator, limits), declared ? 1 : 0),
    separator,
  });
  if (declared?.[1] === undefined) return by(separatorOf(text, names, limits));
  const own = by(declared[1]);
  if (knownHeadings(own.raw, names) >= 2) return own;
  const better = by(separatorOf(text, names, limits));
  return knownHeadings(better.raw, names) > knownHeadings(own.raw, names) ? better : own;
}

/** Refuses rows that are separated otherwise than the heading: each would be one long cell in the first column. */
function refuseOtherSeparators({ raw, separator }: Divided, names: ReadonlySet<string>): void {
  const width = Math.max(0, ...raw.rows.slice(0, SAMPLE).map(({ cells }) => cells.length));
  if (width < 3 || knownHeadings(raw, names) < 2) return;
  for (const { cells, number } of raw.rows) {
    const [only, ...others] = cells.filter((cell) => cell !== undefined && cell.text.trim() !== '');
    if (!only || others.length > 0) continue;
    const other = SEPARATORS.find((one) => one !== separator && only.text.split(one).length >= width);
    if (other !== undefined)
      refuse(
        `第 ${number} 行用“${other === '\t' ? '制表符' : other}”分列，表头用“${separator === '\t' ? '制表符' : separator}”，不一致；请改成同一种后重新上传，或另存为 XLSX`,
      );
  }
}

/** The table of a text that has no known heading because it was saved in a wrong encoding, put right; refuses one that lost its characters. */
function restoredTable(text: string, names: ReadonlySet<string>, limits: TableLimits): RawTable | undefined {
  for (const { text: restored, isLossy } of restorations(text)) {
    const { raw } = divided(restored, names, limits);
    if (knownHeadings(raw, names) < 2) continue;
    return isLossy ? refuse(GARBLED) : { ...raw, notes: [RESTORED] };
  }
  const first = text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? '';
  // HZ and UTF-7, which mail programs of old wrote.
  if (/~\{[!-}]+~\}/.test(first) || /\+[A-Za-z0-9/]{3,}-(?:[,;\t]|$)/.test(first))
    refuse('文件的文字编码（HZ 或 UTF-7）不支持，请另存为“CSV UTF-8”或“Excel 工作簿（*.xlsx）”后再上传');
  return isLostLine(first) ? refuse(GARBLED) : undefined;
}

/**
 * Reads separated text as Excel, WPS, databases and shops write it: separator, quotes, line ends and encoding are detected over the whole file.
 * `names` are the recognised headings. Rejects anything that is not text or cannot be read without guessing.
 */
export function csvTable(body: Buffer, names: ReadonlySet<string>, limits: TableLimits): RawTable {
  const { text: decoded, isDamaged } = decodeText(body);
  const whole = textOf(decoded);
  const text = /[\r\n]/.test(whole) ? whole : whole.replace(OLD_ENDS, '\n');
  const found = divided(text, names, limits);
  if (names.size > 0 && knownHeadings(found.raw, names) < 1) {
    const restored = restoredTable(text, names, limits);
    if (restored) return restored;
  }
  refuseOtherSeparators(found, names);
  return { ...found.raw, notes: isDamaged || hasLost(text) ? [DAMAGED] : [] };
}
