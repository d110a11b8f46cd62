import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore, semaphores } from '#server/kernel/semaphore.ts';
import { ROOT } from '#server/root.ts';
import type { Table } from '../heading.ts';
import type { StockList } from '../stock-list.ts';
import { refuse, TABLE_LIMITS } from './table-limits.ts';
import type { TableAnswer, TableTask } from './table-worker.ts';

const busy = (): never => {
  throw new AppError('BUSY', { retryAfterSeconds: 5 });
};
/** Number of files that are read concurrently. */
const inThreads = semaphore(2, 8, busy);
/** Files of one owner are read one after the other, so that no owner uses all threads. */
const forOwner = semaphores(1, 5, busy);

function inThread(input: TableTask): Promise<TableAnswer | undefined> {
  const { seconds, memoryMb } = input.limits ?? TABLE_LIMITS;
  return new Promise((resolve) => {
    const worker = new Worker(join(ROOT, 'server/import/files/table-worker.ts'), {
      workerData: input,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    const end = (answer: TableAnswer | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end(undefined), seconds * 1000);
    worker.once('message', (answer: TableAnswer) => end(answer));
    // Out of memory, or a bug in the reader: the file is not read, and nothing else is affected.
    worker.once('error', () => end(undefined));
    worker.once('exit', () => end(undefined));
  });
}

/**
 * Reads a file as a table in a separate thread with a time limit and a memory limit, because a file of a few kilobytes can expand to any size.
 * Throws BAD_INPUT; throws BUSY while too many files are being read.
 */
async function loadAnswer(input: TableTask, owner: string): Promise<Exclude<TableAnswer, { error: string }>> {
  const answer = await forOwner(owner, () => inThreads(() => inThread(input)));
  if (!answer) return refuse('文件过于复杂或已损坏，无法读取，请另存为 CSV 后上传');
  if ('error' in answer) return refuse(answer.error);
  return answer;
}

/** Reads a file as a table; see `answerOf`. */
export async function readInThread(input: Omit<TableTask, 'task'>, owner: string): Promise<Table> {
  const answer = await loadAnswer({ ...input, task: 'table' }, owner);
  if ('table' in answer) return answer.table;
  throw new Error('the worker thread replied to a different task');
}

/** Reads a file as a stock list; see `answerOf`. */
export async function stockListInThread(input: Omit<TableTask, 'task'>, owner: string): Promise<StockList> {
  const answer = await loadAnswer({ ...input, task: 'stockList' }, owner);
  if ('list' in answer) return answer.list;
  throw new Error('the worker thread replied to a different task');
}
