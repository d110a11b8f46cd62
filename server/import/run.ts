import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { Transaction } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { inTransaction } from '#server/db/client.ts';
import type { DB } from '#server/db/types.gen.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { type Header, readHeader } from './columns.ts';
import { decoded } from './files/encoding.ts';
import { readRow } from './row.ts';
import { type ReadRow, type RowResult, type Seller, storeRows } from './store.ts';

export interface Counts {
  rows: number;
  imported: number;
  corrected: number;
  existing: number;
  refused: number;
}

/** The initial counts. */
export const noCounts = (): Counts => ({ rows: 0, imported: 0, corrected: 0, existing: 0, refused: 0 });

export interface ImportOptions {
  db: Db;
  keys: Keys;
  games: readonly Game[];
  seller: Seller;
  publish: boolean;
  actor: string;
  /** Number of rows processed by an earlier run. */
  skip?: number;
  /** Stops after a batch when it returns true; the run is then not finished. */
  pause?: () => boolean;
  /** Called inside a batch's transaction with its results: what it writes is committed together with the goods. */
  inBatch?: (trx: Transaction<DB>, results: readonly RowResult[], header: Header) => Promise<void>;
  /** Called after a batch was committed. */
  onBatch?: (
    results: readonly RowResult[],
    header: Header,
    progress: { rows: number; bytes: number },
  ) => void | Promise<void>;
}

export interface ImportOutcome {
  counts: Counts;
  finished: boolean;
}

const BATCH = 500;
/** Number of rows read between two turns of the event loop, so that the previous batch continues to be stored meanwhile. */
const TURN = 50;
const MAX_COLUMNS = 60;
/** Sixty long cells, each quote in them doubled. */
const MAX_RECORD_CHARS = 500_000;

/** Whether a line is empty. */
const isBlank = (cells: readonly string[]): boolean => cells.every((c) => c.trim() === '');

interface Progress {
  bytes: number;
}

/** Lines of a CSV text in either encoding; bad quotes and wrong numbers of columns are passed on and checked per row. */
function linesOf(source: AsyncIterable<Buffer>, progress: Progress): AsyncIterable<string[]> {
  const texts = async function* (): AsyncGenerator<string> {
    for await (const { text, bytes } of decoded(source)) {
      progress.bytes += bytes;
      yield text;
    }
  };
  const parser = parse({
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARS,
  });
  const lines = Readable.from(texts())
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  return lines as AsyncIterable<string[]>;
}

/** The lines; a quoting error that ends the text becomes a message for the user. */
async function* readable(lines: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? error.lines : 0;
    throw new AppError('BAD_INPUT', {
      text: `第 ${at} 行附近的引号没有配对，之后的内容无法读取；前面的行已处理，请改好后重新导入`,
      cause: error,
    });
  }
}

/** Adds results to `counts`. */
export function countIn(counts: Counts, results: readonly RowResult[]): void {
  for (const { outcome } of results) {
    counts.rows++;
    counts[outcome]++;
  }
}

/** The rows stored in one transaction, and the reading position after them. */
interface Batch {
  read: ReadRow[];
  rejected: RowResult[];
  rows: number;
  bytes: number;
}

/** The rows of a list after `skip`, cleaned, in batches. Throws BAD_INPUT if the first line is not the header of a stock list. */
async function* loadBatches(
  source: AsyncIterable<Buffer>,
  { skip = 0, games }: Pick<ImportOptions, 'skip' | 'games'>,
): AsyncGenerator<{ header: Header; batch: Batch }> {
  const progress: Progress = { bytes: 0 };
  let header: Header | undefined;
  let line = 0;
  const empty = (): Batch => ({ read: [], rejected: [], rows: line, bytes: progress.bytes });
  let batch = empty();
  for await (const cells of readable(linesOf(source, progress))) {
    if (isBlank(cells)) continue;
    if (header === undefined) {
      const read = readHeader(cells.slice(0, MAX_COLUMNS));
      if ('error' in read) throw new AppError('BAD_INPUT', { text: read.error });
      header = read;
      continue;
    }
    line++;
    if (line <= skip) continue;
    const reading = readRow(header, cells, games);
    if ('error' in reading) batch.rejected.push({ line, key: null, outcome: 'refused', reason: reading.error, cells });
    else batch.read.push({ line, cells, ...reading });
    if (line % TURN === 0) await nextTurn();
    if (batch.read.length + batch.rejected.length < BATCH) continue;
    yield { header, batch: { ...batch, rows: line, bytes: progress.bytes } };
    batch = empty();
  }
  if (header === undefined) throw new AppError('BAD_INPUT', { text: '文件是空的' });
  if (batch.read.length + batch.rejected.length > 0)
    yield { header, batch: { ...batch, rows: line, bytes: progress.bytes } };
}

/**
 * Imports a stock list: reads it as a stream, cleans each row, and stores each batch in its own transaction, so that an interrupted
 * run leaves only complete rows and the next run continues. One batch is stored while the next is read. Throws BAD_INPUT if the first
 * line is not the header of a stock list.
 */
export async function runImport(source: AsyncIterable<Buffer>, options: ImportOptions): Promise<ImportOutcome> {
  const counts = noCounts();
  const store = async (header: Header, batch: Batch): Promise<void> => {
    const results = await storeBatch(header, batch, options);
    countIn(counts, results);
    await options.onBatch?.(results, header, { rows: batch.rows, bytes: batch.bytes });
  };
  let storing: Promise<void> | undefined;
  try {
    for await (const { header, batch } of loadBatches(source, options)) {
      if (storing !== undefined) {
        await storing;
        if (options.pause?.() === true) return { counts, finished: false };
      }
      storing = store(header, batch);
      // Until it is awaited, its failure has no handler.
      storing.catch(() => undefined);
    }
  } finally {
    // Also if the rest of the list cannot be read: rows already read are stored.
    await storing;
  }
  return { counts, finished: true };
}

async function storeBatch(header: Header, batch: Batch, options: ImportOptions): Promise<RowResult[]> {
  let room = options.seller.limits;
  const results = await inTransaction(options.db, async (trx) => {
    // A retried batch starts from the seller's original limits.
    const limits = options.seller.limits ? { ...options.seller.limits } : null;
    const stored = await storeRows(trx, batch.read, { ...options, seller: { ...options.seller, limits } });
    const all = [...batch.rejected, ...stored].sort((a, b) => a.line - b.line);
    await options.inBatch?.(trx, all, header);
    room = limits;
    return all;
  });
  options.seller.limits = room;
  return results;
}
