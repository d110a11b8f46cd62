import { AppError } from '#server/kernel/errors.ts';

/** Limits for reading a file; a file that exceeds them is rejected, never truncated. */
export interface TableLimits {
  bytes: number;
  rows: number;
  /** Number of the last row, including empty ones. */
  position: number;
  columns: number;
  cellChars: number;
  /** Limit of all cells together. */
  chars: number;
  /** Total unpacked size of a workbook's parts. */
  unpackedBytes: number;
  /** Number of files in a workbook; each picture is one. */
  parts: number;
  /** Limit of the thread that reads the file. */
  seconds: number;
  memoryMb: number;
}

const MB = 1024 * 1024;

/** Sellers' tables. */
export const TABLE_LIMITS: TableLimits = {
  bytes: 5 * MB,
  rows: 2000,
  position: 50_000,
  columns: 60,
  cellChars: 4000,
  chars: 4_000_000,
  unpackedBytes: 24 * MB,
  parts: 4000,
  seconds: 10,
  memoryMb: 256,
};

/** Stock lists that staff import. */
export const STOCK_LIST_LIMITS: TableLimits = {
  ...TABLE_LIMITS,
  bytes: 10 * MB,
  rows: 50_000,
  position: 200_000,
  chars: 12_000_000,
  unpackedBytes: 96 * MB,
  seconds: 40,
  memoryMb: 640,
};

/** Throws BAD_INPUT with the field `file`. */
export function refuse(text: string, cause?: unknown): never {
  throw new AppError('BAD_INPUT', { text, field: 'file', ...(cause !== undefined && { cause }) });
}
