/** A thread that reads one file and ends; see table-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import type { Table } from './heading.ts';
import { type FileInput, readFile } from './read-file.ts';

/** What the thread answers. */
export type TableAnswer = { table: Table } | { error: string };

function answer(): TableAnswer {
  try {
    return { table: readFile(workerData as FileInput) };
  } catch (error) {
    if (error instanceof AppError) return { error: error.text };
    throw error;
  }
}

parentPort?.postMessage(answer());
