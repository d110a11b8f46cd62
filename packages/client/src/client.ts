import { type CallName, type Calls, CALLS, type Methods, methods } from './calls.gen.ts';
import { YoushiError } from './error.ts';
import { hex, sign } from './sign.ts';

export interface YoushiOptions {
  /** The address of the market, as https://www.example.com. */
  origin: string;
  /** The number of the key, yk_… */
  key: string;
  secret: string;
  /** How often a call that can be repeated safely is tried again. Default 2. */
  retries?: number;
  /** After so long without an answer a try ends. Default 15 seconds. */
  timeoutMs?: number;
  /** Replaces `fetch`, for a proxy. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** For writes: repeating a call with the same key returns the same result. Generated when omitted. */
  idempotencyKey?: string;
}

interface Envelope {
  code: number;
  data: unknown;
  msg: string;
  field?: string;
  errors?: { field: string; msg: string }[];
}

const MAX_WAIT_SECONDS = 60;
const randomText = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));
const wait = async (seconds: number): Promise<void> => await new Promise((done) => setTimeout(done, seconds * 1000));

/** An answer that may differ when it is asked for again: too many calls, or a market that is being restarted. */
const isPassing = (error: YoushiError): boolean => [0, 429].includes(error.status) || error.status >= 502;

/** A seller's program at a market. One method for each call; each is signed. */
export class Youshi {
  readonly #options: Required<Omit<YoushiOptions, 'fetch'>> & { fetch: typeof fetch };
  /** The calls by name: `await market.calls.update({ goodsSn, price: '128.00' })`. */
  readonly calls: Methods;

  constructor(options: YoushiOptions) {
    const origin = options.origin.replace(/\/+$/, '');
    this.#options = { retries: 2, timeoutMs: 15_000, fetch: globalThis.fetch, ...options, origin };
    this.calls = methods(async (name, input, given) => await this.call(name, input, given));
  }

  /**
   * Calls by name. A read, and a write under an idempotency key, is tried again where the answer was lost or the market asks to wait.
   * Throws YoushiError.
   */
  async call<N extends CallName>(
    name: N,
    input: Calls[N]['input'],
    { idempotencyKey }: CallOptions = {},
  ): Promise<Calls[N]['data']> {
    const { method, path, idempotent } = CALLS[name];
    const isRead = method === 'GET';
    const query = new URLSearchParams();
    if (isRead)
      for (const [field, value] of Object.entries(input))
        if (value !== undefined) query.set(field, typeof value === 'string' ? value : JSON.stringify(value));
    const target = query.size > 0 ? `${path}?${query}` : path;
    const body = isRead ? '' : JSON.stringify(input);
    const key = idempotent ? (idempotencyKey ?? randomText()) : undefined;
    for (let left = isRead || idempotent ? this.#options.retries : 0; ; left--) {
      try {
        return (await this.#send(method, target, body, key)) as Calls[N]['data'];
      } catch (error) {
        if (!(error instanceof YoushiError) || !isPassing(error) || left <= 0) throw error;
        await wait(Math.min(MAX_WAIT_SECONDS, Number((error.cause as { retryAfter?: number })?.retryAfter ?? 1)));
      }
    }
  }

  async #send(method: 'GET' | 'POST', target: string, body: string, idempotencyKey?: string): Promise<unknown> {
    const { origin, key, secret, timeoutMs } = this.#options;
    const timestamp = Math.floor(Date.now() / 1000);
    const nonce = randomText();
    const headers: Record<string, string> = {
      'x-api-key': key,
      'x-api-timestamp': String(timestamp),
      'x-api-nonce': nonce,
      'x-api-signature': await sign(secret, { method, target, body, timestamp, nonce }),
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    let response: Response;
    let envelope: Envelope;
    try {
      response = await this.#options.fetch(`${origin}${target}`, {
        method,
        headers,
        ...(body !== '' && { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      envelope = (await response.json()) as Envelope;
    } catch (cause) {
      throw new YoushiError('没有收到平台的答复', { code: -1, status: 0, cause });
    }
    if (envelope.code === 0) return envelope.data;
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    const retryAfter = Number.isFinite(seconds) ? seconds : 1;
    const { code, msg, field, errors } = envelope;
    throw new YoushiError(msg, { code, status: response.status, field, errors, cause: { retryAfter } });
  }
}
