import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore } from '#server/kernel/semaphore.ts';
import { ROOT } from '#server/root.ts';
import { refuse } from './table-limits.ts';
import type { WorkbookAnswer } from './workbook-worker.ts';

const LIMIT_MS = 10_000;
const MEMORY_MB = 256;
/** Workbooks that are read at the same time. */
const oneAtATime = semaphore(1, 8, () => {
  throw new AppError('BUSY', { retryAfterSeconds: 5 });
});

function inThread(body: Buffer): Promise<WorkbookAnswer | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(join(ROOT, 'server/import/workbook-worker.ts'), {
      workerData: body,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    const end = (answer: WorkbookAnswer | undefined): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end(undefined), LIMIT_MS);
    worker.once('message', (answer: WorkbookAnswer) => end(answer));
    // Out of memory, or a fault of the reader: the file is not read, and nothing else is affected.
    worker.once('error', () => end(undefined));
    worker.once('exit', () => end(undefined));
  });
}

/**
 * The cells of a workbook's first sheet as texts, read in a thread of its own that is ended after ten seconds or 256 MB: a few kilobytes can
 * unpack to any size and any work. Throws BAD_INPUT.
 */
export async function readWorkbook(body: Buffer): Promise<string[][]> {
  const answer = await oneAtATime(async () => await inThread(body));
  if (!answer) return refuse('工作簿过于复杂或已损坏，无法读取，请另存为 CSV 后上传');
  if ('error' in answer) return refuse(answer.error);
  return answer.rows;
}
