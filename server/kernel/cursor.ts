import { AppError } from './errors.ts';

/** Encodes a position in a list: the sort values and id of the last row, as opaque text. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Reads a cursor of exactly `length` values. Throws AppError BAD_INPUT for anything else. */
export function decodeCursor(text: string | undefined, length: number): (string | number)[] | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isCursorValue = (v: unknown): v is string | number =>
      typeof v === 'number' || (typeof v === 'string' && v.length < 60 && !v.includes('\0'));
    if (Array.isArray(values) && values.length === length && values.every(isCursorValue)) return values;
  } catch {
    // Falls through: not a valid cursor.
  }
  return invalidCursor();
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

function invalidCursor(): never {
  throw new AppError('BAD_INPUT', { text: '翻页位置已失效，请返回第一页' });
}

/** Reads a cursor of one integer, for lists sorted by id. Throws AppError BAD_INPUT for anything else. */
export function decodeId(text: string | undefined): number | undefined {
  const values = decodeCursor(text, 1);
  if (!values) return undefined;
  return isInteger(values[0]) ? values[0] : invalidCursor();
}

/** Reads a cursor of two integers, a sort key and an id. Throws AppError BAD_INPUT for anything else. */
export function decodeKeyAndId(text: string | undefined): [key: number, id: number] | undefined {
  const values = decodeCursor(text, 2);
  if (!values) return undefined;
  const [key, id] = values;
  return isInteger(key) && isInteger(id) ? [key, id] : invalidCursor();
}

const MOMENT = /^\d{4}-\d{2}-\d{2}[T ][\d:.]{8,15}(Z|[+-]\d{2}(:\d{2})?)$/;

/** Reads a cursor of a time as text, in the format of PostgreSQL or JSON, and an id. Throws AppError BAD_INPUT for anything else. */
export function decodeMoment(text: string | undefined): [time: string, id: number] | undefined {
  const values = decodeCursor(text, 2);
  if (!values) return undefined;
  const [time, id] = values;
  // PostgreSQL omits the minutes of a whole-hour offset, which Date does not parse.
  const iso = String(time)
    .replace(' ', 'T')
    .replace(/[+-]\d{2}$/, '$&:00');
  const isTime = typeof time === 'string' && MOMENT.test(time) && !Number.isNaN(Date.parse(iso));
  return isTime && isInteger(id) ? [time, id] : invalidCursor();
}
