import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore, semaphores } from '#server/kernel/semaphore.ts';
import { ROOT } from '#server/root.ts';
import type { Table } from './heading.ts';
import type { FileInput } from './read-file.ts';
import { refuse } from './table-limits.ts';
import type { TableAnswer } from './table-worker.ts';

const LIMIT_MS = 10_000;
const MEMORY_MB = 256;
const busy = (): never => {
  throw new AppError('BUSY', { retryAfterSeconds: 5 });
};
/** Files that are read at the same time. */
const inThreads = semaphore(2, 8, busy);
/** Files of one owner are read one after the other, so that nobody takes all threads. */
const forOwner = semaphores(1, 5, busy);

function inThread(input: FileInput): Promise<TableAnswer | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(join(ROOT, 'server/import/table-worker.ts'), {
      workerData: input,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    const end = (answer: TableAnswer | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end(undefined), LIMIT_MS);
    worker.once('message', (answer: TableAnswer) => end(answer));
    // Out of memory, or a fault of the reader: the file is not read, and nothing else is affected.
    worker.once('error', () => end(undefined));
    worker.once('exit', () => end(undefined));
  });
}

/**
 * Reads a file as a table in a thread of its own that is ended after ten seconds or 256 MB: a few kilobytes can unpack to any size and any
 * work. Throws BAD_INPUT; BUSY while too many files are read.
 */
export async function readInThread(input: FileInput, owner: string): Promise<Table> {
  const answer = await forOwner(owner, () => inThreads(() => inThread(input)));
  if (!answer) return refuse('文件过于复杂或已损坏，无法读取，请另存为 CSV 后上传');
  if ('error' in answer) return refuse(answer.error);
  return answer.table;
}
