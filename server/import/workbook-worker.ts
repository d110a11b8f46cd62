/** A thread that reads one workbook and ends; see read-workbook.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import { workbookRows } from './workbook.ts';

/** What the thread answers. */
export type WorkbookAnswer = { rows: string[][] } | { error: string };

const answer = await workbookRows(Buffer.from(workerData as Uint8Array)).then(
  (rows): WorkbookAnswer => ({ rows }),
  (error: unknown): WorkbookAnswer => {
    if (error instanceof AppError) return { error: error.text };
    throw error;
  },
);
parentPort?.postMessage(answer);
