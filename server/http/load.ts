import type { ServerResponse } from 'node:http';

/** Requests that may be there at once, slow senders among them. */
const MAX_PRESENT = 1000;
/** Requests that may be worked on at once: what waits longer than about a second is of no use to anybody. */
const MAX_WORKING = 320;
/** So many are always worked on; beyond them only while the process keeps up, which its own clock tells. */
const FEW_WORKING = 200;
const LATE_MS = 200;
const TICK_MS = 50;
/** However slow everything is, so many are worked on at once. */
const LEAST_WORKING = 32;
/** While calls take longer than this on average, fewer are let in; while they do not, more again. A purchase is two of them. */
const SLOW_MS = 500;
/** What one call counts at most, so that an upload over a slow line says nothing of the others. */
const COUNTED_MS = 2_000;
const WEIGHT = 0.05;
/** By tick: halved in half a second, whole again in two and a half. */
const FEWER = 0.93;
const MORE = 6;

/**
 * How much there is to do. Counted down when a response closes, which it also does when its client has gone: Fastify's own hooks
 * never tell of those, and counters that only rise would shut the door for good.
 */
export class Load {
  #present = 0;
  #working = 0;
  #lateMs = 0;
  #spentMs = 0;
  #limit = MAX_WORKING;
  readonly #clock: NodeJS.Timeout;

  constructor() {
    let last = performance.now();
    this.#clock = setInterval(() => {
      const now = performance.now();
      // Falls slowly, so that one quick moment does not open the door to everybody.
      this.#lateMs = Math.max(now - last - TICK_MS, this.#lateMs * 0.8);
      last = now;
      this.adjust();
    }, TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#clock);
  }

  /** A request has come; its body may still be on the way. */
  arrive(response: ServerResponse): void {
    this.#present += 1;
    response.once('close', () => {
      this.#present -= 1;
    });
  }

  /** Whether a request should be refused before anything is done for it. */
  get isFull(): boolean {
    return (
      this.#present > MAX_PRESENT ||
      this.#working >= this.#limit ||
      (this.#working >= FEW_WORKING && this.#lateMs > LATE_MS)
    );
  }

  /**
   * How many may be worked on at once follows from how long they take: what a machine gets done in a second is another number on each,
   * and beside other work. A burst upon a quiet server is taken whole; only what keeps coming is held to that.
   */
  adjust(): void {
    const isSlow = this.#spentMs > SLOW_MS && this.#working >= LEAST_WORKING;
    this.#limit = isSlow ? Math.max(LEAST_WORKING, this.#limit * FEWER) : Math.min(MAX_WORKING, this.#limit + MORE);
  }

  /** Work on a request may begin; false = there is too much already, and a quick refusal serves everybody better. */
  begin(response: ServerResponse): boolean {
    if (this.#working >= this.#limit) return false;
    this.#working += 1;
    const begun = performance.now();
    response.once('close', () => {
      this.#working -= 1;
      this.#spentMs += WEIGHT * (Math.min(COUNTED_MS, performance.now() - begun) - this.#spentMs);
    });
    return true;
  }
}
