import { CsvError, parse } from 'csv-parse/sync';
import { decodeText } from './encoding.ts';
import { knownHeadings } from './heading.ts';
import type { RawTable } from './raw-table.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';

const SEPARATORS = [',', '\t', ';', '|', '，'] as const;
/** Records by which separators are compared. */
const SAMPLE = 300;
/** What Excel writes, and understands, as the first line. */
const DECLARED = /^"?sep=(.)"?\r?\n/i;
/** Every cell in single quotes, as some databases export. */
const SINGLE_QUOTED = /^'[^'\n]*'[,;\t|]'/;

type Parsed = { records: string[][] } | { error: CsvError };

function parsed(text: string, separator: string, options: { to: number; hasQuotes: boolean }): Parsed {
  try {
    const records: string[][] = parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: TABLE_LIMITS.columns * TABLE_LIMITS.cellChars,
      to: options.to,
      delimiter: separator,
      quote: options.hasQuotes ? (SINGLE_QUOTED.test(text) ? "'" : '"') : null,
      // MySQL and many programs write \" for a quote inside quotes.
      ...(options.hasQuotes && /[^\\]\\"/.test(text) && !text.includes('""') && { escape: '\\' }),
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

/** The share of records that have the commonest number of cells, where that is more than one. */
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

/** One separator for the whole file: the one that shows most known headings, then the most even rows, then the usual one. */
function separatorOf(text: string, names: ReadonlySet<string>): string {
  let best = { separator: ',' as string, known: -1, even: -1 };
  for (const separator of SEPARATORS) {
    if (!text.includes(separator)) continue;
    const result = parsed(text, separator, { to: SAMPLE, hasQuotes: true });
    const sample = 'records' in result ? result : parsed(text, separator, { to: SAMPLE, hasQuotes: false });
    if (!('records' in sample)) continue;
    const known = knownHeadings(rawTable(sample.records, 0), names);
    const even = evenness(sample.records);
    if (known > best.known || (known === best.known && even > best.even)) best = { separator, known, even };
  }
  return best.separator;
}

/** Whether a quote that is never closed, or closed much later, swallowed lines: a cell then holds separators and several line ends. */
const swallowsLines = (records: readonly string[][], separator: string): boolean =>
  records.some((cells) => cells.some((cell) => cell.split('\n').filter((line) => line.includes(separator)).length > 3));

/**
 * Reads separated text as Excel, WPS, databases and shops write it: separator, quotes and encoding are detected over the whole file. `names` are
 * the headings that would be recognised. Refuses what is no text and what cannot be read without guessing.
 */
export function csvTable(body: Buffer, names: ReadonlySet<string>): RawTable {
  const { text: whole, isDamaged } = decodeText(body);
  if (whole.includes('\0')) refuse('这个文件不是表格，请上传 CSV 或 XLSX');
  const declared = DECLARED.exec(whole);
  const text = declared ? whole.slice(declared[0].length) : whole;
  const separator = declared?.[1] ?? separatorOf(text, names);
  const to = TABLE_LIMITS.position;
  const quoted = parsed(text, separator, { to, hasQuotes: true });
  const isSwallowed = 'records' in quoted && swallowsLines(quoted.records, separator);
  if ('records' in quoted && !isSwallowed)
    return { ...rawTable(quoted.records, declared ? 1 : 0), notes: isDamaged ? [DAMAGED] : [] };
  // A quote that begins a cell and belongs to its text, as in `"限定"皮肤`, is never closed: quotes then have no meaning in this file.
  const bare = parsed(text, separator, { to, hasQuotes: false });
  if ('records' in bare && evenness(bare.records) === 1) return rawTable(bare.records, declared ? 1 : 0);
  if ('records' in quoted) return rawTable(quoted.records, declared ? 1 : 0);
  const at = typeof quoted.error.lines === 'number' ? quoted.error.lines : 0;
  return refuse(`第 ${at} 行附近的引号没有配对，无法读取`, quoted.error);
}

const DAMAGED = '文件里有个别文字的编码已损坏，显示为“�”，请核对';
