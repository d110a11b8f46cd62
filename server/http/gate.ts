import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '#server/kernel/network.ts';
import { RequestQueue, type QueueLimits } from './request-queue.ts';
import { discardBody } from './discard-body.ts';
import { rejectBusy, rejectMany, rejectSlow } from './busy-response.ts';

export interface GateLimits {
  /** Maximum number of concurrent body transfers of one network, whatever their age; the oldest is cut off for a new one. */
  readonly bodiesPerNetwork: number;
  /** How many of these may be older than `graceMs`; the oldest are cut off when another one begins. */
  readonly slowBodiesPerNetwork: number;
  /** A younger body does not count as slow, so that many users behind one address can submit at the same moment. */
  readonly graceMs: number;
  /** Maximum number of concurrent uploads of one network; the next is rejected with 429, because a cut-off upload looks like an error. */
  readonly uploadsPerNetwork: number;
  /** Maximum number of bodies in transfer from all networks. */
  readonly bodies: number;
  /** Time limit for the body of a form. */
  readonly bodyMs: number;
  /** Time limit for images and stock lists. */
  readonly uploadMs: number;
  /** Pipelined requests per connection. */
  readonly ahead: number;
  readonly queue: Partial<QueueLimits>;
}

const DEFAULTS: GateLimits = {
  bodiesPerNetwork: 200,
  slowBodiesPerNetwork: 20,
  graceMs: 1_000,
  uploadsPerNetwork: 20,
  bodies: 1_000,
  bodyMs: 5_000,
  uploadMs: 120_000,
  ahead: 32,
  queue: {},
};

/** Probes, which are never queued: they show whether the process is alive and cost next to nothing. */
const PROBE = /^\/(healthz|readyz|metrics)(\?|$)/;
/** Signed notifications of payment channels. They have a separate queue, so that payments are recorded under any load. */
const SIGNED = /^\/api\/pay\/notify\//;

/** Requests whose body is in transfer, with their start times, oldest first. */
type Bodies = Map<IncomingMessage, number>;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isUpload = ({ headers }: IncomingMessage): boolean => /^multipart\//i.test(headers['content-type'] ?? '');

/**
 * Admission control before anything is parsed or looked up. A request is processed once it is complete; one whose body is still in
 * transfer costs others nothing and is counted per network only. Pipelined requests are handled one after the other.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #trustProxy: boolean;
  readonly #now: () => number;
  readonly #queue: RequestQueue;
  /** A separate queue, so that other traffic cannot delay it. */
  readonly #signed: RequestQueue;
  readonly #networks = new WeakMap<Socket, string>();
  readonly #ahead = new WeakMap<Socket, number>();
  /** Bodies in transfer by network, oldest first. */
  readonly #bodies = new Map<string, Bodies>();
  /** Uploads in transfer by network. */
  readonly #uploads = new Map<string, Bodies>();
  /** Requests admitted before their bodies were complete; they are queued by `turn`. */
  readonly #deferred = new WeakSet<IncomingMessage>();
  #bodyCount = 0;

  /** `now` is a monotonic clock in ms. */
  constructor(options: { trustProxy: boolean; limits?: Partial<GateLimits> | undefined; now?: () => number }) {
    this.#now = options.now ?? (() => performance.now());
    this.#limits = { ...DEFAULTS, ...options.limits };
    this.#trustProxy = options.trustProxy;
    this.#queue = new RequestQueue(this.#limits.queue);
    this.#signed = new RequestQueue({ most: 16, least: 8, maxWaitMs: 8_000, giveUpMs: 10_000 });
  }

  stop(): void {
    this.#queue.stop();
    this.#signed.stop();
  }

  /** Current values for `/metrics`. */
  get figures(): ReturnType<() => RequestQueue['figures']> & { bodies: number } {
    return { ...this.#queue.figures, bodies: this.#bodyCount };
  }

  /** Wraps a server's request handler. */
  wrap(handler: Handler): Handler {
    return (request, response) => {
      if (response.socket !== null) {
        this.#arrive(request, response, handler);
        return;
      }
      // Earlier responses on this connection are not yet written: the request is handled after them.
      const { socket } = request;
      const ahead = (this.#ahead.get(socket) ?? 0) + 1;
      if (ahead > this.#limits.ahead) {
        socket.destroy();
        return;
      }
      this.#ahead.set(socket, ahead);
      response.once('socket', () => {
        this.#ahead.set(socket, (this.#ahead.get(socket) ?? 1) - 1);
        this.#arrive(request, response, handler);
      });
    };
  }

  /** Queues a request that was admitted before its body was complete. False = rejected, and a response is being sent. */
  turn(request: IncomingMessage, response: ServerResponse): Promise<boolean> | true {
    if (!this.#deferred.has(request) || !request.complete) return true;
    this.#deferred.delete(request);
    return new Promise((resolve) => {
      this.#queueOf(request).enter(this.networkOf(request), {
        begin: (done) => {
          response.once('close', done);
          resolve(true);
        },
        reject: () => resolve(false),
        get isClosed() {
          return response.closed || response.destroyed;
        },
      });
    });
  }

  /** The network that a request is counted for; behind our own proxy, that of the address it saw. */
  networkOf(request: IncomingMessage): string {
    const { socket, headers } = request;
    if (this.#trustProxy) {
      const forwarded = headers['x-forwarded-for'];
      const last = (Array.isArray(forwarded) ? forwarded.at(-1) : forwarded)?.split(',').at(-1)?.trim();
      if (last) return networkOf(last);
    }
    const cached = this.#networks.get(socket);
    if (cached !== undefined) return cached;
    const network = networkOf(socket.remoteAddress ?? '');
    this.#networks.set(socket, network);
    return network;
  }

  #queueOf(request: IncomingMessage): RequestQueue {
    return SIGNED.test(request.url ?? '') ? this.#signed : this.#queue;
  }

  #arrive(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    if (PROBE.test(request.url ?? '')) handler(request, response);
    else if (hasBody(request) && !request.complete) {
      // A body that arrived together with the header is complete as soon as that chunk is parsed.
      process.nextTick(() => {
        if (request.complete) this.#enter(request, response, handler);
        else this.#await(request, response, handler);
      });
    } else this.#enter(request, response, handler);
  }

  #enter(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    this.#queueOf(request).enter(this.networkOf(request), {
      begin: (done) => {
        response.once('close', done);
        handler(request, response);
      },
      reject: () => rejectBusy(request, response),
      get isClosed() {
        return response.closed || response.destroyed;
      },
    });
  }

  /** Starts a request whose body is still in transfer; it is queued when the body is complete (`turn`). */
  #await(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const network = this.networkOf(request);
    const isFile = isUpload(request);
    const all = isFile ? this.#uploads : this.#bodies;
    const bodies: Bodies = all.get(network) ?? new Map();
    const now = this.#now();
    const isTooMany = isFile && bodies.size >= this.#limits.uploadsPerNetwork;
    if (!isFile) this.#dropOldest(bodies, network, now);
    if (this.#bodyCount >= this.#limits.bodies) {
      rejectBusy(request, response);
      return;
    }
    const limitMs = isFile ? this.#limits.uploadMs : this.#limits.bodyMs;
    this.#bodyCount += 1;
    // An upload that is queued after it arrived is not idle.
    if (isFile) request.socket.setTimeout(limitMs);
    if (!isTooMany) {
      all.set(network, bodies);
      bodies.set(request, now);
    }
    const limit = setTimeout(() => rejectSlow(request, response), limitMs).unref();
    let isSettled = false;
    const settle = (): void => {
      clearTimeout(limit);
      if (isSettled) return;
      isSettled = true;
      if (isTooMany) this.#bodyCount -= 1;
      else this.#forget(request, { all, bodies, network });
    };
    request.once('end', settle).once('close', settle);
    if (isTooMany) {
      void discardBody(request, limitMs).then(() => rejectMany(response));
      return;
    }
    this.#deferred.add(request);
    handler(request, response);
  }

  /** Reads the rest of an upload before its response is sent; undefined when there is nothing to read. */
  restOf(request: IncomingMessage): Promise<void> | undefined {
    return this.#deferred.has(request) && !request.complete && isUpload(request)
      ? discardBody(request, this.#limits.uploadMs)
      : undefined;
  }

  /** Cuts off the oldest bodies of a network until another may begin. */
  #dropOldest(bodies: Bodies, network: string, now: number): void {
    const { bodiesPerNetwork, slowBodiesPerNetwork, graceMs } = this.#limits;
    for (const [request, since] of bodies) {
      const most = now - since > graceMs ? slowBodiesPerNetwork : bodiesPerNetwork;
      if (bodies.size < most) return;
      this.#forget(request, { all: this.#bodies, bodies, network });
      request.socket.destroy();
    }
  }

  #forget(
    request: IncomingMessage,
    { all, bodies, network }: { all: Map<string, Bodies>; bodies: Bodies; network: string },
  ): void {
    if (!bodies.delete(request)) return;
    this.#bodyCount -= 1;
    if (bodies.size === 0 && all.get(network) === bodies) all.delete(network);
  }
}
