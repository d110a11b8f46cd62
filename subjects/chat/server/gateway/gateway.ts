import { hostname } from 'node:os';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeCodes } from '#subjects/chat/contract/im-socket.ts';
import type { Context } from '#server/context.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { forceGc } from '#server/kernel/memory.ts';
import { semaphore } from '#server/kernel/semaphore.ts';
import { subscribe } from '../transport/bus.ts';
import { Delivery } from './delivery.ts';
import { admit, rejectUpgrade, SOCKET_PATH } from '../transport/entry.ts';
import { Peer } from './peer.ts';
import { beat, leaveNode, Presence } from './presence.ts';
import { LIMITS } from '../rules.ts';
import { type Admission, nonceOf, sessionEvents } from '../transport/tickets.ts';

export { SOCKET_PATH };

/** Interval of heartbeats between client and server. */
export const HEARTBEAT_MS = 25_000;
/** How often silent connections are checked. */
const PROBE_MS = 1000;
/** A connection that is silent for this long is closed. */
const DEAD_MS = 60_000;
/** Interval of session checks: a log-out or a ban closes its sockets within this (reliability.md b.4). */
const SESSIONS_MS = 4000;
/** How long a stopping server waits for clients to close their connections. */
const GOODBYE_MS = 400;
const RESTARTING = 1012;
/** Sessions checked in one statement. */
const SESSION_BATCH = 2000;
/** Number of new connections after which memory is released. */
const TIDY_EVERY = 1000;

/** The connections of this process, by member. */
class Peers {
  readonly #byMember = new Map<string, Set<Peer>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(member: string): ReadonlySet<Peer> | undefined {
    return this.#byMember.get(member);
  }

  members(): string[] {
    return [...this.#byMember.keys()];
  }

  all(): Peer[] {
    return [...this.#byMember.values()].flatMap((set) => [...set]);
  }

  /** Adds a connection; returns the member's oldest one when there are too many. */
  add(peer: Peer): Peer | undefined {
    const set = this.#byMember.get(peer.member) ?? new Set();
    set.add(peer);
    this.#byMember.set(peer.member, set);
    this.#size++;
    return set.size > LIMITS.socketsPerMember ? set.values().next().value : undefined;
  }

  remove(peer: Peer): void {
    const set = this.#byMember.get(peer.member);
    if (!set?.delete(peer)) return;
    this.#size--;
    if (set.size === 0) this.#byMember.delete(peer.member);
  }
}

/** Closes the connections whose session has ended, and records which users may only read. */
async function checkSessions(ctx: Context, peers: Peers): Promise<void> {
  const all = peers.all();
  for (let i = 0; i < all.length; i += SESSION_BATCH) {
    const batch = all.slice(i, i + SESSION_BATCH);
    const events = await sessionEvents(
      ctx,
      batch.map((peer) => peer.sessionHash),
    );
    const byIndex = new Map(events.map((one) => [one.index, one]));
    for (const [index, peer] of batch.entries()) {
      const one = byIndex.get(index);
      peer.mayWrite = one === undefined;
      if (one && !one.isReader) peer.close(closeCodes.revoked);
    }
  }
}

/**
 * Returns whether it is time to release memory: accepting a thousand connections leaves garbage of several times their size, which V8 would
 * keep while the connections are idle.
 */
function tidier(): (size: number) => boolean {
  let tidiedAt = 0;
  return (size) => {
    if (size < tidiedAt + TIDY_EVERY) {
      tidiedAt = Math.min(tidiedAt, size);
      return false;
    }
    tidiedAt = size;
    return true;
  };
}

/** Repeats work that may fail, without overlap, until it is stopped. Returns the function that stops it. */
function every(ctx: Context, ms: number, work: () => Promise<void> | void): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void Promise.resolve()
      .then(work)
      .catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'chat gateway waits for the database'))
      .finally(() => {
        running = false;
      });
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Serves `/ws/im` on the server's own port: admits connections by one-time ticket, handles their frames, delivers the events of the bus, and
 * closes them with their session. Closes with the server.
 */
export function startGateway(ctx: Context, http: FastifyInstance): void {
  const node = `${hostname()}-${process.pid}-${randomToken(6)}`;
  const wss = new WebSocketServer({ noServer: true, maxPayload: LIMITS.frameBytes, perMessageDeflate: false });
  const peers = new Peers();
  const gate = semaphore(Math.max(2, Math.floor(ctx.config.databasePool / 2)));
  const presence = new Presence(ctx, node, (member) => peers.of(member) !== undefined);
  const delivery = new Delivery(ctx, (member) => peers.of(member));
  const entry = { ctx, hosts: hostsOf(ctx), isFull: () => peers.size >= LIMITS.sockets };
  const isTimeToTidy = tidier();
  let used = false;

  const welcome = (ws: WebSocket, who: Admission, nonce: string): void => {
    used = true;
    const peer = new Peer(ctx, ws, who, gate);
    // A broken frame or connection also emits 'close'; there is nothing else to do.
    ws.on('error', () => undefined);
    ws.on('close', () => {
      peers.remove(peer);
      presence.changed(peer.member);
    });
    peers.add(peer)?.close(closeCodes.tooMany);
    presence.changed(peer.member);
    peer.send({ op: 'hello', imUid: who.member, nonce, heartbeatMs: HEARTBEAT_MS });
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = new URL(request.url ?? '/', 'http://local');
    if (url.pathname.replace(/\/$/, '') !== SOCKET_PATH) {
      // In development the same server also has the socket of the build tool.
      if (!ctx.config.dev) rejectUpgrade(socket, 404);
      return;
    }
    const token = url.searchParams.get('token') ?? '';
    void admit(entry, request, socket, token).then((who) => {
      if (who) wss.handleUpgrade(request, socket, head, (ws) => welcome(ws, who, nonceOf(ctx, token)));
    });
  };

  http.server.on('upgrade', onUpgrade);
  const stops = [
    subscribe(ctx, (events) => delivery.take(events)),
    every(ctx, SESSIONS_MS, async () => {
      if (peers.size > 0) await checkSessions(ctx, peers);
    }),
    // Connections fall silent at different times, so their pings do not come all at once.
    every(ctx, PROBE_MS, () => {
      for (const peer of peers.all()) peer.probe(HEARTBEAT_MS, DEAD_MS);
    }),
    every(ctx, HEARTBEAT_MS, async () => {
      if (used) await beat(ctx, node, peers.members());
      if (isTimeToTidy(peers.size)) forceGc();
    }),
  ];
  http.addHook('preClose', async () => {
    http.server.off('upgrade', onUpgrade);
    for (const stop of stops) stop();
    const all = peers.all();
    for (const peer of all) peer.close(RESTARTING);
    if (all.length > 0) await new Promise((resolve) => setTimeout(resolve, GOODBYE_MS));
    for (const peer of peers.all()) peer.terminate();
    if (used) await leaveNode(ctx, node).catch(() => undefined);
  });
}
