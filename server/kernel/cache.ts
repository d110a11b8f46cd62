/**
 * One value that is read again when it is older than `ttlMs`. While it is being read everybody gets the old one; only the very first
 * reader waits, and many first readers share one reading. A failed reading keeps the old value and is tried again by the next reader.
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

  /** Forgets the value: the next reader waits for a fresh one. */
  drop(): void {
    this.#generation++;
    this.#value = undefined;
    this.#reading = undefined;
  }

  async get(): Promise<T> {
    const known = this.#value;
    if (known && performance.now() - known.at < this.#ttlMs) return known.of;
    const reading = (this.#reading ??= this.#read());
    if (!known) return await reading;
    reading.catch(() => undefined);
    return known.of;
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

/** So long an answer is good: a constant, or by the answer and the time that it took to find. */
type Span<T> = number | ((answer: T, tookMs: number) => number);

/** Answers by key, each good for `ttlMs`; equal questions that come at once are asked once. At most `max` are kept. */
export class TtlCache<T> {
  readonly #ttlMs: Span<T>;
  readonly #max: number;
  readonly #known = new Map<string, { answer: Promise<T>; until: number }>();

  constructor(options: { ttlMs: Span<T>; max: number }) {
    this.#ttlMs = options.ttlMs;
    this.#max = options.max;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#known.get(key);
    if (known && known.until > now) return await known.answer;
    if (this.#known.size >= this.#max) this.#makeRoom(now);
    const answer = ask();
    const span = this.#ttlMs;
    const kept = { answer, until: typeof span === 'number' ? now + span : Number.POSITIVE_INFINITY };
    this.#known.set(key, kept);
    try {
      const found = await answer;
      if (typeof span !== 'number') {
        const then = performance.now();
        kept.until = then + span(found, then - now);
      }
      return found;
    } catch (error) {
      if (this.#known.get(key) === kept) this.#known.delete(key);
      throw error;
    }
  }

  #makeRoom(now: number): void {
    for (const [key, { until }] of this.#known) if (until <= now) this.#known.delete(key);
    for (const key of this.#known.keys()) {
      if (this.#known.size < this.#max) return;
      this.#known.delete(key);
    }
  }
}
