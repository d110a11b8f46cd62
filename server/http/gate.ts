import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '#server/kernel/network.ts';
import { Lane, type LaneLimits } from './lane.ts';
import { rejectBusy, rejectSlow } from './busy-response.ts';

export interface GateLimits {
  /** Bodies of one network that may be on their way at once whatever their age; the oldest is cut off for the next. */
  readonly bodiesPerNetwork: number;
  /** Of these, so many may be older than `graceMs`; the oldest are cut off when another begins. */
  readonly slowBodiesPerNetwork: number;
  /** A body that is younger than this is not called slow: a crowd behind one address that presses at the same moment is served. */
  readonly graceMs: number;
  /** Bodies on their way from everywhere. */
  readonly bodies: number;
  /** A form has this long to arrive whole. */
  readonly bodyMs: number;
  /** Pictures and stock lists have this long. */
  readonly uploadMs: number;
  /** Requests that a connection may have sent ahead of its answers. */
  readonly ahead: number;
  readonly lane: Partial<LaneLimits>;
}

const DEFAULTS: GateLimits = {
  bodiesPerNetwork: 200,
  slowBodiesPerNetwork: 20,
  graceMs: 1_000,
  bodies: 1_000,
  bodyMs: 5_000,
  uploadMs: 120_000,
  ahead: 32,
  lane: {},
};

/** Probes: they tell whether the process lives, and ask for next to nothing. */
const PROBE = /^\/(healthz|readyz|metrics)(\?|$)/;
/** Notifications that channels sign: money that came must be heard of, whatever else is asked. */
const SIGNED = /^\/api\/pay\/notify\//;

/** Bodies on their way with the moment they began, oldest first. */
type Bodies = Map<IncomingMessage, number>;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isUpload = ({ headers }: IncomingMessage): boolean => /^multipart\//i.test(headers['content-type'] ?? '');

/**
 * The door of the server, before anything is parsed or looked up. A request is worked on when it is whole; one whose body is still on
 * its way costs others nothing and is counted by network alone. Requests sent ahead on a connection come one after the other.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #trustProxy: boolean;
  readonly #lane: Lane;
  /** Of their own, so that no crowd stands before them. */
  readonly #signed: Lane;
  readonly #networks = new WeakMap<Socket, string>();
  readonly #ahead = new WeakMap<Socket, number>();
  /** Bodies on their way by network, oldest first. */
  readonly #bodies = new Map<string, Bodies>();
  /** Requests that came in before their bodies were whole, and take their turn later. */
  readonly #deferred = new WeakSet<IncomingMessage>();
  #bodyCount = 0;

  constructor(options: { trustProxy: boolean; limits?: Partial<GateLimits> | undefined }) {
    this.#limits = { ...DEFAULTS, ...options.limits };
    this.#trustProxy = options.trustProxy;
    this.#lane = new Lane(this.#limits.lane);
    this.#signed = new Lane({ most: 16, least: 8, maxWaitMs: 8_000, giveUpMs: 10_000 });
  }

  stop(): void {
    this.#lane.stop();
    this.#signed.stop();
  }

  /** For the figures of the process. */
  get figures(): ReturnType<() => Lane['figures']> & { bodies: number } {
    return { ...this.#lane.figures, bodies: this.#bodyCount };
  }

  /** Puts the door before a server's handler. */
  wrap(handler: Handler): Handler {
    return (request, response) => {
      if (response.socket !== null) {
        this.#arrive(request, response, handler);
        return;
      }
      // The answers before it are not yet written: its turn comes with theirs.
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

  /** The turn of a request that came in before its body was whole, once it is. False = refused, and an answer is on its way. */
  turn(request: IncomingMessage, response: ServerResponse): Promise<boolean> | true {
    if (!this.#deferred.has(request) || !request.complete) return true;
    this.#deferred.delete(request);
    return new Promise((resolve) => {
      this.#laneOf(request).enter(this.networkOf(request), {
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

  /** Whom a request is counted as. Behind our own proxy, the address that it saw. */
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

  #laneOf(request: IncomingMessage): Lane {
    return SIGNED.test(request.url ?? '') ? this.#signed : this.#lane;
  }

  #arrive(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    if (PROBE.test(request.url ?? '')) handler(request, response);
    else if (hasBody(request) && !request.complete) {
      // What came in one piece with its head is whole as soon as that piece is parsed.
      process.nextTick(() => {
        if (request.complete) this.#enter(request, response, handler);
        else this.#await(request, response, handler);
      });
    } else this.#enter(request, response, handler);
  }

  #enter(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    this.#laneOf(request).enter(this.networkOf(request), {
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

  /** A body on its way: its request is read, and takes its turn when it is whole (`turn`). */
  #await(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const network = this.networkOf(request);
    const bodies: Bodies = this.#bodies.get(network) ?? new Map();
    const now = performance.now();
    this.#dropOldest(bodies, network, now);
    if (this.#bodyCount >= this.#limits.bodies) {
      rejectBusy(request, response);
      return;
    }
    this.#bodies.set(network, bodies);
    bodies.set(request, now);
    this.#bodyCount += 1;
    const limit = setTimeout(
      () => rejectSlow(request, response),
      isUpload(request) ? this.#limits.uploadMs : this.#limits.bodyMs,
    ).unref();
    const settle = (): void => {
      clearTimeout(limit);
      this.#forget(request, bodies, network);
    };
    request.once('end', settle).once('close', settle);
    this.#deferred.add(request);
    handler(request, response);
  }

  /** Cuts off the oldest bodies of a network until one more may begin. */
  #dropOldest(bodies: Bodies, network: string, now: number): void {
    const { bodiesPerNetwork, slowBodiesPerNetwork, graceMs } = this.#limits;
    for (const [request, since] of bodies) {
      const most = now - since > graceMs ? slowBodiesPerNetwork : bodiesPerNetwork;
      if (bodies.size < most) return;
      this.#forget(request, bodies, network);
      request.socket.destroy();
    }
  }

  #forget(request: IncomingMessage, bodies: Bodies, network: string): void {
    if (!bodies.delete(request)) return;
    this.#bodyCount -= 1;
    if (bodies.size === 0 && this.#bodies.get(network) === bodies) this.#bodies.delete(network);
  }
}
