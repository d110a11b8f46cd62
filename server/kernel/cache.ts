/**
 * A value that is reloaded when it is older than `ttlMs`. While it is being reloaded callers get the old value; only the first callers
 * ever wait, and they share one load. A failed load keeps the old value and is retried by the next caller.
 */
export class StaleWhileRevalidate<T> {
  readonly #load: () => Promise<T>;
  readonly #ttlMs: number;
  #value: { of: T; at: number } | undefined;
  #reading: Promise<T> | undefined;
  #generation = 0;

  constructor(load: () => Promise<T>, ttlMs: number) {
    this.#load = load;
    this.#ttlMs = ttlMs;
  }

  /** Drops the value: the next caller waits for a new one. */
  drop(): void {
    this.#generation++;
    this.#value = undefined;
    this.#reading = undefined;
  }

  async get(): Promise<T> {
    const cached = this.#value;
    if (cached && performance.now() - cached.at < this.#ttlMs) return cached.of;
    const reading = (this.#reading ??= this.#read());
    if (!cached) return await reading;
    reading.catch(() => undefined);
    return cached.of;
  }

  async #read(): Promise<T> {
    const generation = this.#generation;
    try {
      const of = await this.#load();
      if (generation === this.#generation) this.#value = { of, at: performance.now() };
      return of;
    } finally {
      if (generation === this.#generation) this.#reading = undefined;
    }
  }
}

/** How long a value is valid: a constant, or computed from the value and the time that loading took. */
type Ttl<T> = number | ((value: T, tookMs: number) => number);

/** Values by key, each valid for `ttlMs`; concurrent loads of one key run once. Holds at most `max` values. */
export class TtlCache<T> {
  readonly #ttlMs: Ttl<T>;
  readonly #max: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, { value: Promise<T>; until: number }>();

  /** `now` is a monotonic clock in ms. */
  constructor(options: { ttlMs: Ttl<T>; max: number; now?: () => number }) {
    this.#now = options.now ?? (() => performance.now());
    this.#ttlMs = options.ttlMs;
    this.#max = options.max;
  }

  async get(key: string, load: () => Promise<T>): Promise<T> {
    const now = this.#now();
    const cached = this.#entries.get(key);
    if (cached && cached.until > now) return await cached.value;
    if (this.#entries.size >= this.#max) this.#makeRoom(now);
    const value = load();
    const ttl = this.#ttlMs;
    const entry = { value, until: typeof ttl === 'number' ? now + ttl : Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    try {
      const loaded = await value;
      if (typeof ttl !== 'number') {
        const then = this.#now();
        entry.until = then + ttl(loaded, then - now);
      }
      return loaded;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  /** Clears all values. */
  drop(): void {
    this.#entries.clear();
  }

  #makeRoom(now: number): void {
    for (const [key, { until }] of this.#entries) if (until <= now) this.#entries.delete(key);
    for (const key of this.#entries.keys()) {
      if (this.#entries.size < this.#max) return;
      this.#entries.delete(key);
    }
  }
}

/** A map of at most `max` entries: a new entry evicts the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;
  /**
   * The eviction iterator is reused, because a new one would skip over the slots of all removed entries. The iterator retains every table that the
   * map has had since its last step, so it is dropped when anything else removes entries.
   */
  #oldest: MapIterator<K> | undefined;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    super.set(key, value);
    while (this.size > this.#max) {
      this.#oldest ??= this.keys();
      const { value: oldest, done } = this.#oldest.next();
      if (done === true) break;
      super.delete(oldest);
    }
    return this;
  }

  override delete(key: K): boolean {
    this.#oldest = undefined;
    return super.delete(key);
  }

  override clear(): void {
    this.#oldest = undefined;
    super.clear();
  }
}
