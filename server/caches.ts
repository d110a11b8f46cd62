/**
 * What a process keeps in memory, in one place. A subject declares a kind next to the code that fills it; each context creates its own on
 * first use. So two contexts of one process (two tests, a command and a server) share nothing, and each cache's invalidation is declared here.
 */
import { BUS_GAP, type Bus } from './ports/bus.ts';

/** A cache that can be emptied. */
interface Droppable {
  drop(): void;
}

/** A kind of cache: its name, how a context creates its own, and the bus channels whose messages clear it on every node. */
export interface CacheKind<T extends object, C> {
  readonly name: string;
  readonly create: (ctx: C) => T;
  readonly dropOn: readonly string[];
}

/**
 * Declares a kind of cache. `create` returns a bounded cache: a TtlCache or BoundedMap with `max`, or a single value. With `dropOn` it is cleared
 * by each message on those channels of the bus, and when messages may have been lost.
 */
export function cacheKind<T extends object, C>(name: string, create: (ctx: C) => T): CacheKind<T, C>;
export function cacheKind<T extends Droppable, C>(
  name: string,
  create: (ctx: C) => T,
  options: { dropOn: readonly string[] },
): CacheKind<T, C>;
export function cacheKind<T extends object, C>(
  name: string,
  create: (ctx: C) => T,
  { dropOn = [] }: { dropOn?: readonly string[] } = {},
): CacheKind<T, C> {
  return { name, create, dropOn };
}

/** The caches of one context. */
export class Caches {
  readonly #bus: Bus;
  /** By kind, not by name: the kind carries the type of its value. */
  readonly #values = new Map<CacheKind<never, never>, { name: string; value: object }>();
  readonly #ends: (() => void)[] = [];

  /** The context that all caches are created with. */
  #root: unknown;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /**
   * Sets the context that caches are created with, independent of the reader: a read call on a standby has its own context, but the values it
   * reads are cached for others.
   */
  createFor(root: unknown): void {
    this.#root = root;
  }

  /** The context's own cache of a kind, created on first use. Throws when another kind already has its name. */
  of<T extends object, C>(kind: CacheKind<T, C>, ctx: C): T {
    const existing = this.#values.get(kind as unknown as CacheKind<never, never>);
    if (existing) return existing.value as T;
    if (this.names().includes(kind.name)) throw new Error(`two kinds of cache are named ${kind.name}`);
    const value = kind.create((this.#root as C | undefined) ?? ctx);
    this.#values.set(kind as unknown as CacheKind<never, never>, { name: kind.name, value });
    const channels = kind.dropOn.length === 0 ? [] : [...kind.dropOn, BUS_GAP];
    for (const channel of channels)
      this.#ends.push(this.#bus.subscribe(channel, () => (value as T & Droppable).drop()));
    return value;
  }

  /** Names of the caches in use. */
  names(): string[] {
    return [...this.#values.values()].map(({ name }) => name);
  }

  /** Clears all values and stops listening. */
  close(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#values.clear();
  }
}

/** The part of a context that has caches. */
export interface HasCaches {
  readonly caches: Caches;
}

/** The cache of a kind that belongs to this context. */
export const cacheOf = <T extends object, C extends HasCaches>(ctx: C, kind: CacheKind<T, C>): T =>
  ctx.caches.of(kind, ctx);
