import { gzipSync } from 'node:zlib';
import type { HandlerResult, Endpoint, Parsed } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';

/** Cache policy of a call for visitors. Only for responses that are the same for every visitor of a site. */
export interface CachePolicy<E> {
  /** Bus channel on which changes are published. */
  readonly channel: string;
  /** Whether a change invalidates the response to this input. */
  concerns(event: Record<string, unknown>, input: Parsed<E>): boolean;
  /** Whether the response to this input must not be cached, because it changes without an event. */
  isExcluded?(input: Parsed<E>): boolean;
}

/** Returns an action derived from a response that must run for each caller, including those served from the cache (e.g. counting a view). */
export type PerCaller<E> = (response: HandlerResult<E>) => (call: Call) => void;

/** A response, stored as data or as the bytes of its envelope. */
export class CachedResponse {
  readonly perCaller: ((call: Call) => void) | undefined;
  #data: unknown;
  #body: Buffer | undefined;
  #gzip: Buffer | undefined;

  constructor(data: unknown, perCaller?: (call: Call) => void) {
    this.#data = data;
    this.perCaller = perCaller;
  }

  /** The response data as pages read it. Shared by all readers: must not be modified. */
  get data(): unknown {
    if (this.#data === undefined && this.#body) return (JSON.parse(this.#body.toString()) as { data: unknown }).data;
    return this.#data;
  }

  /** The envelope's bytes, compressed if the client accepts that; built once for all callers. */
  bytes(acceptsGzip: boolean): { bytes: Buffer; gzipped: boolean } {
    this.#body ??= Buffer.from(JSON.stringify({ code: 0, data: this.#data, msg: '' }));
    // Bytes take a fifth of the memory of the same data as objects.
    this.#data = undefined;
    if (!acceptsGzip || this.#body.length < MIN_GZIP_BYTES) return { bytes: this.#body, gzipped: false };
    this.#gzip ??= gzipSync(this.#body, { level: GZIP_LEVEL });
    return { bytes: this.#gzip, gzipped: true };
  }

  /** Approximate memory use in bytes. */
  get weight(): number {
    const bytes = (this.#body?.length ?? 0) + (this.#gzip?.length ?? 0);
    return this.#data === undefined ? bytes : bytes + OBJECTS_BYTES;
  }
}

interface Entry {
  readonly response: Promise<CachedResponse>;
  /** The resolved response. */
  ready: CachedResponse | undefined;
  readonly until: number;
  readonly endpoint: Endpoint;
  readonly input: unknown;
  dropped: boolean;
}

const MAX_ENTRIES = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Longer URLs are parsed each time, so that arbitrary URLs do not fill the memory. */
const MAX_ALIAS = 500;
/** Estimated size of a response that only pages have read. */
const OBJECTS_BYTES = 48 * 1024;
const GZIP_LEVEL = 4;
/** Smaller bodies are sent uncompressed. */
const MIN_GZIP_BYTES = 1_400;
const SWEEP_MS = 1_000;

/**
 * Caches responses to visitors, each for at most `ttlMs`. Concurrent equal requests run once, whether the response already exists or
 * is being computed. A change immediately drops the affected responses: in this process through the call that made it, in others through
 * the bus. A change that is not published becomes visible after `ttlMs` at the latest. Requests of logged-in users are never served from here.
 */
export class PublicCache {
  readonly #ttlMs: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Entries by requested URL, so that a known URL is not even parsed. */
  readonly #aliases = new Map<string, Entry>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: { ttlMs: number; now?: () => number }) {
    this.#ttlMs = options.ttlMs;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Whether the cache is enabled. */
  get isOn(): boolean {
    return this.#ttlMs > 0;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** A cached response by a URL that was requested before. */
  cached(alias: string): CachedResponse | undefined {
    const entry = this.#aliases.get(alias);
    return entry && !entry.dropped && entry.until > this.#now() ? entry.ready : undefined;
  }

  /** Returns the response to a request from the cache, or computes it with `load`. `alias` is remembered as another key. */
  async get(
    request: { site: string; endpoint: Endpoint; input: unknown; alias?: string },
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
      // Errors are not cached; concurrent callers get the same error.
      if (this.#entries.get(key) === entry) this.#drop(key);
      throw error;
    }
  }

  /**
   * Drops entries that a change invalidates. A response that is being computed is still returned to those already waiting for it, but to no
   * later caller.
   */
  drop(isWrong: (entry: { endpoint: Endpoint; input: unknown }) => boolean): void {
    for (const [key, entry] of this.#entries) if (isWrong(entry)) this.#drop(key);
  }

  /** Clears the cache. */
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

  /** Drops expired entries, and the oldest ones when there are too many. */
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
