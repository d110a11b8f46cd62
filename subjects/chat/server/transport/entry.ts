import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { createLimiter } from '#server/access/limits.ts';
import type { hostsOf } from '#server/access/tenant.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Admission, redeemTicket } from './tickets.ts';

/** The path of the chat's WebSocket (conventions.md, paths). */
export const SOCKET_PATH = '/ws/im';

export interface Entry {
  ctx: Context;
  hosts: ReturnType<typeof hostsOf>;
  isFull(): boolean;
}

const limiter = cacheKind('chat.entries', ({ config }: Context) =>
  createLimiter({ addressFactor: config.ipLimitFactor }),
);

/** Rejects an upgrade with an HTTP status and closes the connection. */
export function rejectUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

/** The address for rate limits: behind our own proxy the last hop that it recorded. */
function addressOf(ctx: Context, request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return (ctx.config.trustProxy ? last : undefined) ?? request.socket.remoteAddress ?? '';
}

/** A page of another origin may not open the socket; clients that are not browsers send no origin. */
function isForeign(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/**
 * Admits an upgrade: known host, same origin, within the rate limit, and a ticket that is valid, unused and of this distributor; staff only
 * by the host of the back office. Returns the admitted user; undefined after a rejection, which has been sent.
 */
export async function admit(
  entry: Entry,
  request: IncomingMessage,
  socket: Duplex,
  token: string,
): Promise<Admission | undefined> {
  const { ctx, hosts } = entry;
  const ended = (): void => void socket.destroy();
  socket.on('error', ended);
  const reject = (status: number): undefined => {
    rejectUpgrade(socket, status);
    return undefined;
  };
  try {
    const target = { headers: request.headers, url: request.url ?? '/' };
    if (!hosts.known(target)) return reject(421);
    if (isForeign(request)) return reject(403);
    if (entry.isFull()) return reject(503);
    cacheOf(ctx, limiter).take('im', { account: undefined, address: addressOf(ctx, request) });
    const who = await redeemTicket(ctx, token);
    if (!who) return reject(401);
    const isStaff = who.staffId !== null;
    if (isStaff !== hosts.isBackstage(target) || (!isStaff && who.distId !== hosts.dist(target).id)) return reject(401);
    if (socket.destroyed) return undefined;
    socket.off('error', ended);
    return who;
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.warn({ error: String(error) }, 'chat entry failed');
    return reject(error instanceof AppError ? error.status : 503);
  }
}
