import type { z } from 'zod';
import type { FieldError } from './codes.ts';
import type { ApiScope } from '#subjects/open-api/rules/api-keys.ts';

/** Permitted callers: anyone, a signed-in user, a member of staff (only on the back office's own host), or a seller's key by its signature. */
export type Auth = 'public' | 'login' | 'staff' | 'key';

/** Named request budgets; the numbers live in server/access/limits.ts (reliability.md c.9). */
export type LimitName =
  | 'read'
  | 'search'
  | 'write'
  | 'sms'
  | 'login'
  | 'register'
  | 'order'
  | 'pay'
  | 'topup'
  | 'withdraw'
  | 'publish'
  | 'upload'
  | 'uploadMany'
  | 'im'
  | 'verify'
  | 'keyRead'
  | 'keyWrite';

/** The file of an upload call, for the document. */
export interface FileField {
  /** Formats and largest size, in Chinese. */
  readonly about: string;
}

/** One API call, shared by browser and server. The server binds it with `serve`, the browser calls it with `call`. */
export interface Endpoint<I extends z.ZodType = z.ZodType, D extends z.ZodType = z.ZodType, A extends Auth = Auth> {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly auth: A;
  readonly input: I;
  readonly data: D;
  /** One line for the reference page. */
  readonly summary: string;
  /** The input field that a GET may have in the path, as `{id}/` after the URL (product.md section 7). */
  readonly idField?: string;
  /** The write honours the header Idempotency-Key. */
  readonly idempotent?: boolean;
  readonly limit?: LimitName;
  /** May be read from a standby, so the data may be a few seconds old except for a user who has just written. GET only. */
  readonly mayLag?: true;
  /** The permission that a key needs; null = any key. Only for calls of `auth: 'key'`. */
  readonly scope?: ApiScope | null;
  /** A paragraph for the documentation, if the summary is not enough. */
  readonly about?: string;
  /** The body is multipart/form-data with one file in the part `file`; the fields of `input` are its other parts. */
  readonly file?: FileField;
  /** Maximum body size, if larger than that of other calls. */
  readonly maxBytes?: number;
}

/** Declares a call. Returns the same value, frozen, with the types of its schemas preserved. */
export function endpoint<I extends z.ZodType, D extends z.ZodType, const A extends Auth>(
  spec: Endpoint<I, D, A>,
): Endpoint<I, D, A> {
  return Object.freeze(spec);
}

type StaffSpec<I extends z.ZodType, D extends z.ZodType> = Omit<
  Endpoint<I, D, 'staff'>,
  'method' | 'path' | 'auth' | 'summary'
>;

/** Declares a read call for staff: a GET of the back office, counted as `read` unless `limit` specifies another budget. */
export const staffRead = <I extends z.ZodType, D extends z.ZodType>(
  path: Endpoint['path'],
  summary: string,
  spec: StaffSpec<I, D>,
): Endpoint<I, D, 'staff'> => endpoint({ limit: 'read', ...spec, method: 'GET', path, auth: 'staff', summary });

/** Declares a write call for staff: a POST of the back office, counted as `write` unless `limit` specifies another budget. */
export const staffWrite = <I extends z.ZodType, D extends z.ZodType>(
  path: Endpoint['path'],
  summary: string,
  spec: StaffSpec<I, D>,
): Endpoint<I, D, 'staff'> => endpoint({ limit: 'write', ...spec, method: 'POST', path, auth: 'staff', summary });

/** The input type for callers. */
export type Input<E> = E extends Endpoint<infer I, z.ZodType> ? z.input<I> : never;
/** The parsed input type for handlers. */
export type Parsed<E> = E extends Endpoint<infer I, z.ZodType> ? z.output<I> : never;
/** The type of `data` for callers. */
export type Data<E> = E extends Endpoint<z.ZodType, infer D> ? z.output<D> : never;
/** The type that a handler returns: amounts in fen, times as Date; the schema converts them to the wire format. */
export type HandlerResult<E> = E extends Endpoint<z.ZodType, infer D> ? z.input<D> : never;

/** The response of every call (product.md section 3). */
export interface Envelope<T> {
  code: number;
  data: T | null;
  msg: string;
  /**
   * The path of the input that caused an error: `price`, `attrs.3`, `items.0.count`. Absent if the error has another
   * cause.
   */
  field?: string;
  /** Every invalid field of the input, in its order; `msg` and `field` are those of the first. */
  errors?: FieldError[];
  /** The call that removes the obstacle, as 'POST /api/user/stepUp'; present if a single call does. */
  call?: string;
  /** The request's number in the log; present with an unexpected error. */
  requestId?: string;
}
