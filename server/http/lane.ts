/** What may be going on at once, and how long anybody may wait. Tests take smaller numbers. */
export interface LaneLimits {
  /** Worked on at once at most, when all is quick. */
  readonly most: number;
  /** However late the process runs, so many are worked on at once. */
  readonly least: number;
  /** Of what may be worked on at once, a single network has at most this share. */
  readonly share: number;
  /** Requests of one network that wait at most. */
  readonly pendingPerNetwork: number;
  /** Nobody is let in to wait longer than this by what is known of the pace. */
  readonly maxWaitMs: number;
  /** Whoever has waited this long, because the pace changed, is refused after all. */
  readonly giveUpMs: number;
}

const DEFAULTS: LaneLimits = {
  most: 128,
  least: 12,
  share: 0.75,
  pendingPerNetwork: 1_000,
  maxWaitMs: 800,
  giveUpMs: 3_000,
};

const TICK_MS = 50;
/** The process's own clock runs this late: there is more work in one round of the event loop than anybody should wait for. */
const MAX_LAG_MS = 20;
/** While requests take longer than this on average, fewer are worked on at once: more of them only wait for each other. */
const SLOW_MS = 300;
/** Not fewer than this for slowness alone: what waits for somebody else's answer takes nothing from others. */
const LEAST_SLOW = 32;
/** What one request counts at most, so that an upload over a slow line says nothing of the others. */
const COUNTED_MS = 2_000;
const WEIGHT = 0.05;
/** By tick: halved in half a second, whole again in two and a half. */
const FEWER = 0.93;
const MORE = 6;
/** Requests in a millisecond that are expected while nothing else is known: a burst upon a quiet server is taken whole. */
const PACE = 0.6;
/** By tick, what was learnt is forgotten in some seconds of quiet. */
const PACE_FORGOTTEN = 0.02;
const PACE_WEIGHT = 0.3;
const LEAST_PACE = 0.02;

/** One who waits for a turn. */
export interface Waiter {
  /** Begins the work; `done` is called once when it is over. */
  begin(done: () => void): void;
  reject(): void;
  /** Whether its client has gone meanwhile. */
  readonly isClosed: boolean;
}

interface NetworkQueue {
  readonly network: string;
  running: number;
  readonly pending: { waiter: Waiter; since: number }[];
}

/**
 * Who is worked on, who waits and who is refused. Networks take turns, so that whoever asks much waits for himself. How many are worked
 * on at once follows from how long they take and from how late the process runs; who would wait too long by the pace of the last
 * moments is refused at once, while a refusal is still of use and costs next to nothing.
 */
export class Lane {
  readonly #limits: LaneLimits;
  readonly #queues = new Map<string, NetworkQueue>();
  /** Lines in which somebody waits, next turn first. */
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

  constructor(limits: Partial<LaneLimits> = {}) {
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

  /** For the figures: worked on, waiting, refused since the start, and how many may be worked on now. */
  get figures(): { running: number; waiting: number; refused: number; limit: number } {
    return { running: this.#running, waiting: this.#pending, refused: this.#rejected, limit: Math.floor(this.#limit) };
  }

  /** Begins the work at once, lets it wait for its network's turn, or refuses it. */
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

  /** Gives free places to those whose turn it is. */
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
    // The pace is known only while somebody waits all the time; else it is what a quiet server may be trusted with.
    if (isBusy && this.#wasBusy)
      this.#pace = Math.max(LEAST_PACE, this.#pace + PACE_WEIGHT * (this.#finished / elapsedMs - this.#pace));
    else if (!isBusy) this.#pace += (PACE - this.#pace) * PACE_FORGOTTEN;
    this.#wasBusy = isBusy;
    this.#finished = 0;
    const isLagging = this.#lagMs > MAX_LAG_MS;
    const floor = isLagging ? least : Math.max(least, Math.min(most, LEAST_SLOW));
    if (!isLagging && this.#spentMs <= SLOW_MS) this.#limit = Math.min(most, this.#limit + MORE);
    else if (this.#running >= Math.min(floor, this.#limit * this.#limits.share))
      // A tick that came late stands for as many as it is late.
      this.#limit = Math.max(Math.min(floor, this.#limit), this.#limit * FEWER ** Math.max(1, elapsedMs / TICK_MS));
    this.#giveUp();
    this.#next();
  }

  /** Refuses those who wait in vain, oldest first. */
  #giveUp(): void {
    const before = performance.now() - this.#limits.giveUpMs;
    // Backwards, because lines leave the ring on the way.
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
