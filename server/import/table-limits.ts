import { AppError } from '#server/kernel/errors.ts';

/** How much of a file is read; beyond it the file is refused, never cut. */
export const TABLE_LIMITS = {
  bytes: 5 * 1024 * 1024,
  rows: 2000,
  /** Number of the last row, empty ones included. */
  position: 50_000,
  columns: 60,
  cellChars: 4000,
  /** Of all cells together. */
  chars: 4_000_000,
  /** What the parts of a workbook may unpack to, together. */
  unpackedBytes: 24 * 1024 * 1024,
  /** Files of a workbook; each picture in it is one. */
  parts: 4000,
} as const;

/** Throws BAD_INPUT with the field `file`. */
export function refuse(text: string, cause?: unknown): never {
  throw new AppError('BAD_INPUT', { text, field: 'file', ...(cause !== undefined && { cause }) });
}
