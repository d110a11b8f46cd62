/** A thread that reads one file and ends; see table-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#server/kernel/errors.ts';
import type { Table } from '../heading.ts';
import { type FileInput, readFile } from './read-file.ts';
import { type StockList, stockListOf } from '../stock-list.ts';

/** A file, and the kind of list it is read as. */
export interface TableTask extends FileInput {
  task: 'table' | 'stockList';
}

/** The thread's response. */
export type TableAnswer = { table: Table } | { list: StockList } | { error: string };

function answer(): TableAnswer {
  const { task, ...input } = workerData as TableTask;
  try {
    return task === 'table' ? { table: readFile(input) } : { list: stockListOf(readFile(input)) };
  } catch (error) {
    if (error instanceof AppError) return { error: error.text };
    throw error;
  }
}

parentPort?.postMessage(answer());
