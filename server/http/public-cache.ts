import { gzipSync } from 'node:zlib';
import type { HandlerResult, Endpoint, Parsed } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';

/** How the answers of a call to visitors may be kept for a moment. Only for answers that are the same for every visitor of a site. */
export interface CachePolicy<E> {
  /** The bus's channel that tells of changes. */
  readonly channel: string;
  /** Whether a change makes the answer to this input wrong. */
  concerns(event: Record<string, unknown>, input: Parsed<E>): boolean;
}

/** Takes from an answer what must be done for each asker, also for one who gets a kept answer. */
export type PerCaller<E> = (response: HandlerResult<E>) => (call: Call) => void;

/** An answer as it was made, or as the bytes of its envelope. */
export class CachedResponse {
  readonly perCaller: ((call: Call) => void) | undefined;
  #data: unknown;
  #body: Buffer | undefined;
  #gzip: Buffer | undefined;

  constructor(data: unknown, perCaller?: (call: Call) => void) {
    this.#data = data;
    this.perCaller = perCaller;
  }

  /** The answer as pages read it. It belongs to all who read it: nobody changes it. */
  get data(): unknown {
    if (this.#data === undefined && this.#body) return (JSON.parse(this.#body.toString()) as { data: unknown }).data;
    return this.#data;
  }

  /** The envelope's bytes, compressed when the asker can read that; made once for all who get them. */
  bytes(acceptsGzip: boolean): { bytes: Buffer; gzipped: boolean } {
    this.#body ??= Buffer.from(JSON.stringify({ code: 0, data: this.#data, msg: '' }));
    // Bytes are a fifth of what the same takes as objects.
    this.#data = undefined;
    if (!acceptsGzip || this.#body.length < MIN_GZIP_BYTES) return { bytes: this.#body, gzipped: false };
    this.#gzip ??= gzipSync(this.#body, { level: GZIP_LEVEL });
    return { bytes: this.#gzip, gzipped: true };
  }

  /** About how much memory it takes. */
  get weight(): number {
    const bytes = (this.#body?.length ?? 0) + (this.#gzip?.length ?? 0);
    return this.#data === undefined ? bytes : bytes + OBJECTS_BYTES;
  }
}

interface Entry {
  readonly response: Promise<CachedResponse>;
  /** The same when it is there. */
  ready: CachedResponse | undefined;
  readonly until: number;
  readonly endpoint: Endpoint;
  readonly input: unknown;
  dropped: boolean;
}

const MAX_ENTRIES = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** A longer address is parsed each time, so that made-up ones do not fill the memory. */
const MAX_ALIAS = 500;
/** What an answer takes that was only read by pages. */
const OBJECTS_BYTES = 48 * 1024;
const GZIP_LEVEL = 4;
/** Less than this is sent as it is. */
const MIN_GZIP_BYTES = 1_400;
const SWEEP_MS = 1_000;

/**
 * Answers to visitors, each for at most `ttlMs`: a question that many ask at once is asked once, whether its answer is there
 * already or still being made. A change drops the answers that it concerns at once, in this process by the call that made it and
 * in others by the bus; what no news told of is at most `ttlMs` old. Whoever is logged in never comes here.
 */
export class PublicCache {
  readonly #ttlMs: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Other names of entries: addresses as they were asked for, so that a known one is not even parsed. */
  readonly #aliases = new Map<string, Entry>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: { ttlMs: number; now?: () => number }) {
    this.#ttlMs = options.ttlMs;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether anything is kept at all. */
  get isOn(): boolean {
    return this.#ttlMs > 0;
  }

  /** How many are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** An answer that is there, by an address that was asked for before. */
  cached(alias: string): CachedResponse | undefined {
    const entry = this.#aliases.get(alias);
    return entry && !entry.dropped && entry.until > this.#now() ? entry.ready : undefined;
  }

  /** The answer to a question, asked by `ask` unless it is there. `alias` is remembered as another name of it. */
  async get(
    request: { site: number; endpoint: Endpoint; input: unknown; alias?: string },
    load: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const { site, endpoint, input, alias } = request;
    const key = `${site}\n${endpoint.path}\n${JSON.stringify(input)}`;
    const now = this.#now();
    let entry = this.#entries.get(key);
    if (!entry || entry.until <= now) {
      entry = { response: load(), ready: undefined, until: now + this.#ttlMs, endpoint, input, dropped: false };
      this.#drop(key);
      this.#entries.set(key, entry);
      this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref();
    }
    if (alias !== undefined && alias.length <= MAX_ALIAS && this.#aliases.size < MAX_ENTRIES * 2)
      this.#aliases.set(alias, entry);
    try {
      entry.ready = await entry.response;
      return entry.ready;
    } catch (error) {
      // A refusal is not kept; those who asked meanwhile get it too.
      if (this.#entries.get(key) === entry) this.#drop(key);
      throw error;
    }
  }

  /** Drops what a change makes wrong; an answer that is just being made goes to those who wait for it and to nobody else. */
  drop(isWrong: (entry: { endpoint: Endpoint; input: unknown }) => boolean): void {
    for (const [key, entry] of this.#entries) if (isWrong(entry)) this.#drop(key);
  }

  /** Forgets everything. */
  stop(): void {
    clearTimeout(this.#sweeping);
    this.#sweeping = undefined;
    this.drop(() => true);
    this.#aliases.clear();
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.dropped = true;
    this.#entries.delete(key);
  }

  /** Lets go of what is too old, and of the oldest when there is too much. */
  #sweep(): void {
    const now = this.#now();
    let bytes = 0;
    for (const { ready } of this.#entries.values()) bytes += ready?.weight ?? OBJECTS_BYTES;
    for (const [key, { ready, until }] of this.#entries) {
      if (until > now && bytes <= MAX_BYTES && this.#entries.size <= MAX_ENTRIES) break;
      bytes -= ready?.weight ?? OBJECTS_BYTES;
      this.#drop(key);
    }
    for (const [alias, entry] of this.#aliases) if (entry.dropped) this.#aliases.delete(alias);
    this.#sweeping = this.#entries.size > 0 ? setTimeout(() => this.#sweep(), SWEEP_MS).unref() : undefined;
  }
}
