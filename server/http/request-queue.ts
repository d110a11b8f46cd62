/** Limits on concurrency and waiting time. Tests use smaller values. */
export interface QueueLimits {
  /** Maximum concurrency, when the process is fast. */
  readonly most: number;
  /** Minimum concurrency, however busy the process is. */
  readonly least: number;
  /** Largest share of the concurrency that one network may use. */
  readonly share: number;
  /** Maximum number of queued requests per network. */
  readonly pendingPerNetwork: number;
  /** A request whose expected waiting time exceeds this is rejected on arrival. */
  readonly maxWaitMs: number;
  /** A request that has waited this long, because throughput fell, is rejected after all. */
  readonly giveUpMs: number;
}

const DEFAULTS: QueueLimits = {
  most: 128,
  least: 12,
  share: 0.75,
  pendingPerNetwork: 1_000,
  maxWaitMs: 800,
  giveUpMs: 3_000,
};

const TICK_MS = 50;
/** Event-loop lag above which concurrency is reduced. */
const MAX_LAG_MS = 20;
/** Concurrency is reduced while requests take longer than this on average: higher concurrency would only make them wait for each other. */
const SLOW_MS = 300;
/** Lower bound of that reduction: requests waiting for a remote response use no resources. */
const MIN_SLOW = 32;
/** Cap on the measured duration of one request, so that an upload over a slow connection does not distort the average. */
const COUNTED_MS = 2_000;
const WEIGHT = 0.05;
/** Change per tick: concurrency halves in half a second and recovers in two and a half. */
const FEWER = 0.93;
const MORE = 6;
/** Assumed requests per millisecond while nothing is measured: a burst on an idle server is accepted in full. */
const PACE = 0.6;
/** Per tick; the measured throughput decays within some idle seconds. */
const PACE_FORGOTTEN = 0.02;
const PACE_WEIGHT = 0.3;
const MIN_PACE = 0.02;

/** A queued request. */
export interface Waiter {
  /** Starts the work; `done` must be called once when it has ended. */
  begin(done: () => void): void;
  reject(): void;
  /** Whether the client has disconnected. */
  readonly isClosed: boolean;
}

interface NetworkQueue {
  readonly network: string;
  running: number;
  readonly pending: { waiter: Waiter; since: number }[];
}

/**
 * Decides which requests run, wait or are rejected. Networks take turns, so that heavy use by one delays only that one. Concurrency
 * adapts to request duration and event-loop lag. A request that would wait too long at the recent throughput is rejected immediately,
 * when rejecting is cheap and still useful to the client.
 */
export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, NetworkQueue>();
  /** Networks with queued requests, next turn first. */
  readonly #ring: NetworkQueue[] = [];
  readonly #clock: NodeJS.Timeout;
  #running = 0;
  #pending = 0;
  #limit: number;
  #lagMs = 0;
  #spentMs = 0;
  #pace = PACE;
  #finished = 0;
  #rejected = 0;
  #wasBusy = false;

  constructor(limits: Partial<QueueLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
    this.#limit = this.#limits.most;
    let last = performance.now();
    this.#clock = setInterval(() => {
      const now = performance.now();
      this.#lagMs = Math.max(now - last - TICK_MS, this.#lagMs * 0.8);
      this.#tick(now - last);
      last = now;
    }, TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#clock);
  }

  /** For `/metrics`: running, waiting, rejected since the start, and the current concurrency limit. */
  get figures(): { running: number; waiting: number; refused: number; limit: number } {
    return { running: this.#running, waiting: this.#pending, refused: this.#rejected, limit: Math.floor(this.#limit) };
  }

  /** Starts the request, queues it for its network's turn, or rejects it. */
  enter(network: string, waiter: Waiter): void {
    const queue = this.#queues.get(network) ?? this.#newQueue(network);
    if (queue.pending.length === 0 && this.#hasRoom(queue)) {
      this.#begin(queue, waiter);
      return;
    }
    const networks = this.#ring.length + (queue.pending.length === 0 ? 1 : 0);
    const waitMs = ((queue.pending.length + 1) * networks) / this.#pace;
    if (queue.pending.length >= this.#limits.pendingPerNetwork || waitMs > this.#limits.maxWaitMs) {
      this.#reject(waiter);
      return;
    }
    if (queue.pending.length === 0) this.#ring.push(queue);
    queue.pending.push({ waiter, since: performance.now() });
    this.#pending += 1;
  }

  #newQueue(network: string): NetworkQueue {
    const queue = { network, running: 0, pending: [] };
    this.#queues.set(network, queue);
    return queue;
  }

  #hasRoom(queue: NetworkQueue): boolean {
    if (this.#running >= this.#limit) return false;
    return queue.running < Math.max(1, Math.ceil(this.#limit * this.#limits.share));
  }

  #reject(waiter: Waiter): void {
    this.#rejected += 1;
    waiter.reject();
  }

  #begin(queue: NetworkQueue, waiter: Waiter): void {
    this.#running += 1;
    queue.running += 1;
    const begun = performance.now();
    let isOver = false;
    waiter.begin(() => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      queue.running -= 1;
      this.#finished += 1;
      this.#spentMs += WEIGHT * (Math.min(COUNTED_MS, performance.now() - begun) - this.#spentMs);
      if (queue.running === 0 && queue.pending.length === 0) this.#queues.delete(queue.network);
      this.#next();
    });
  }

  /** Starts queued requests while there is room. */
  #next(): void {
    let skipped = 0;
    while (this.#running < this.#limit && skipped < this.#ring.length) {
      const queue = this.#ring.shift();
      if (!queue) return;
      if (!this.#hasRoom(queue)) {
        this.#ring.push(queue);
        skipped += 1;
        continue;
      }
      const first = queue.pending.shift();
      if (first) {
        this.#pending -= 1;
        if (queue.pending.length > 0) this.#ring.push(queue);
        if (!first.waiter.isClosed) this.#begin(queue, first.waiter);
      }
    }
  }

  #tick(elapsedMs: number): void {
    const { least, most } = this.#limits;
    const isBusy = this.#pending > 0;
    // Throughput can be measured only while requests are queued continuously; otherwise it approaches the value for an idle server.
    if (isBusy && this.#wasBusy)
      this.#pace = Math.max(MIN_PACE, this.#pace + PACE_WEIGHT * (this.#finished / elapsedMs - this.#pace));
    else if (!isBusy) this.#pace += (PACE - this.#pace) * PACE_FORGOTTEN;
    this.#wasBusy = isBusy;
    this.#finished = 0;
    const isLagging = this.#lagMs > MAX_LAG_MS;
    const floor = isLagging ? least : Math.max(least, Math.min(most, MIN_SLOW));
    if (!isLagging && this.#spentMs <= SLOW_MS) this.#limit = Math.min(most, this.#limit + MORE);
    else if (this.#running >= Math.min(floor, this.#limit * this.#limits.share))
      // A delayed tick counts as all the ticks it missed.
      this.#limit = Math.max(Math.min(floor, this.#limit), this.#limit * FEWER ** Math.max(1, elapsedMs / TICK_MS));
    this.#giveUp();
    this.#next();
  }

  /** Rejects requests that have waited too long, oldest first. */
  #giveUp(): void {
    const before = performance.now() - this.#limits.giveUpMs;
    // Backwards, because entries are removed from the ring during the loop.
    for (let at = this.#ring.length - 1; at >= 0; at--) {
      const queue = this.#ring[at];
      if (!queue) continue;
      while ((queue.pending[0]?.since ?? before) < before) {
        const expired = queue.pending.shift();
        this.#pending -= 1;
        if (expired && !expired.waiter.isClosed) this.#reject(expired.waiter);
      }
      if (queue.pending.length > 0) continue;
      this.#ring.splice(at, 1);
      if (queue.running === 0) this.#queues.delete(queue.network);
    }
  }
}
