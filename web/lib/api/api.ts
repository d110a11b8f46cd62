import { codes } from '#contract/codes.ts';
import { requestNumber } from '#contract/rules/request-number.ts';
import type { Data, Endpoint, Envelope, Input } from '#contract/endpoint.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { isNetworkFailure, ApiFailure } from './api-failure.ts';
import { clearHints, cookie } from '../session/cookies.ts';
import { canRegain, logInAgain } from '../session/session-regain.ts';

/** Messages of the error catalogue (product.md 8). */
const EXPIRED = '登录已过期，请重新登录';
const OFFLINE = '网络超时';
/** Reads are aborted after this time; a write is left to finish, because its result matters. */
const READ_TIMEOUT_MS = 15_000;

interface CallOptions {
  /** Makes a repeated write return the same result; one key per intended operation. */
  idempotencyKey?: string;
  /** Provides the idempotency key, by what is sent; for writes that honour one. */
  keys?: { keyFor(body: string): string };
  /** The caller shows the error itself: no toast, and an ended session does not redirect. */
  quiet?: boolean;
  signal?: AbortSignal;
  /** The call is completed even when its page is left. */
  keepalive?: boolean;
  /** Additional headers: the solution of a challenge. */
  headers?: Record<string, string>;
  /** The call is repeated after a log-in; it is not repeated again. */
  isRepeated?: boolean;
}

/** The part of an endpoint that the helper needs; a storefront chunk contains only this part. */
type Ref = Pick<Endpoint, 'method' | 'path' | 'idField' | 'idempotent'>;

/**
 * Calls an endpoint from the browser in the specification's wire format: GET with a query, POST form-encoded, the token
 * of the readable cookie in Authorization, and the CSRF cookie in headers, credentials, no cache. When
 * the server asks for a challenge first, the browser solves it and the call is sent once more. An error is shown as a
 * toast for 3 s (unless quiet) and thrown as ApiFailure; status 0 means that there was no response.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Data<E>> {
  const ref: Ref = endpoint;
  const fields = toFields(input);
  const { url, body } = address(ref, fields);
  try {
    const headers = { ...(await buildHeaders(ref, url, body, options)), ...options.headers };
    const response = await fetch(url, {
      method: ref.method,
      headers,
      ...(body === null ? {} : { body }),
      credentials: 'include',
      cache: 'no-store',
      keepalive: options.keepalive ?? false,
      signal: options.signal ?? (ref.method === 'GET' ? AbortSignal.timeout(READ_TIMEOUT_MS) : null),
    });
    const envelope = (await response.json()) as Envelope<Data<E>>;
    if (envelope.code === 0) return envelope.data as Data<E>;
    if (envelope.code === codes.CHALLENGE_REQUIRED[0] && !options.headers) {
      // The browser solves the challenge in about a second and sends the call again.
      const { solveChallenge } = await import('./challenge.ts');
      const proof = await solveChallenge((challengeCall) => call(challengeCall, {}, { quiet: true }));
      return await call(endpoint, input, { ...options, quiet: true, headers: proof });
    }
    const { code, msg, field, requestId } = envelope;
    const text = requestId === undefined ? msg : `${msg}（编号 ${requestNumber(requestId)}）`;
    throw new ApiFailure(code, text, response.status, field);
  } catch (error) {
    const failure = error instanceof ApiFailure ? error : new ApiFailure(-1, OFFLINE, 0);
    if (options.quiet || options.signal?.aborted) throw failure;
    // The user logs in on the page, and the action is then carried out.
    if (isSessionLost(failure) && canRegain() && !options.isRepeated) {
      if (await logInAgain()) return await call(endpoint, input, { ...options, isRepeated: true });
      // A user who closes the dialog stays on the page.
      toast(EXPIRED, 'warn');
    } else showFailure(failure);
    throw failure;
  }
}

/** A key for one intended write; use it again when the same form is sent again. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

/**
 * Whether a failure means that the session has ended: by its code, or by the text that the specified client reacts to
 * (product.md 8).
 */
export function isSessionLost({ code, msg }: Pick<ApiFailure, 'code' | 'msg'>): boolean {
  // oxlint-disable-next-line forms/no-chinese-match -- what is between browser and market may answer without our codes
  return code === codes.LOGIN_REQUIRED[0] || msg.includes('登录已过期') || msg.includes('token');
}

/**
 * Shows a failure as specified (product.md 8): a toast, and for an ended session a redirect to the log-in. The caller
 * of a quiet call uses it for failures that it does not show itself.
 */
export function showFailure(failure: ApiFailure): void {
  if (isSessionLost(failure)) {
    clearHints();
    toast(EXPIRED, 'warn');
    const back = `${window.location.pathname}${window.location.search}`;
    const login = window.location.pathname.startsWith('/backstage') ? '/backstage/login' : '/login';
    // The log-in page repeats the message, since no one reads a toast of a page that is being left.
    window.location.assign(`${login}?returnUrl=${encodeURIComponent(back)}${canRegain() ? '&why=expired' : ''}`);
  } else {
    toastFailure(failure);
  }
}

/** Shows a failure as a toast. */
export function toastFailure(failure: ApiFailure): void {
  toast(isNetworkFailure(failure) ? `提示：${OFFLINE}` : failure.msg, 'warn');
}

type Field = [name: string, value: string];

/**
 * The flat fields of an input: absent ones are omitted, structures are sent as JSON text (product.md 7, form-encoded).
 */
function toFields(input: unknown): Field[] {
  return Object.entries(input ?? {}).flatMap(([name, value]): Field[] => {
    if (value === undefined || value === null) return [];
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
}

/**
 * The URL of a call: `{name}` in the path is replaced by the field of that name, the id field of a GET is appended to
 * the path.
 */
function address(ref: Ref, fields: Field[]): { url: string; body: string | null } {
  const rest = new Map(fields);
  let path = ref.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const id = ref.idField && ref.method === 'GET' ? rest.get(ref.idField) : undefined;
  if (id !== undefined && ref.idField) {
    rest.delete(ref.idField);
    path = `${path}/${encodeURIComponent(id)}/`;
  }
  const query = new URLSearchParams([...rest]).toString();
  if (ref.method === 'POST') return { url: path, body: query };
  return { url: query ? `${path}?${query}` : path, body: null };
}

async function buildHeaders(
  ref: Ref,
  url: string,
  body: string | null,
  options: CallOptions,
): Promise<Record<string, string>> {
  const token = cookie('token');
  const csrf = cookie('csrfToken');
  const key = options.idempotencyKey ?? (ref.idempotent ? options.keys?.keyFor(`${url}\n${body ?? ''}`) : undefined);
  return {
    accept: 'application/json',
    ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(token ? { authorization: token } : {}),
    ...(csrf ? { 'x-csrf-token': csrf } : {}),
    ...(key ? { 'idempotency-key': key } : {}),
  };
}
