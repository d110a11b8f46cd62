import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from '#server/context.ts';
import { createLimiter } from '#server/access/limits.ts';
import type { hostsOf } from '#server/access/tenant.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Admission, redeemTicket } from './tickets.ts';

/** Where the chat's socket is (conventions.md). */
export const SOCKET_PATH = '/ws/im';

export interface Entry {
  ctx: Context;
  hosts: ReturnType<typeof hostsOf>;
  isFull(): boolean;
}

const limiters = new WeakMap<Context, ReturnType<typeof createLimiter>>();

function limiterOf(ctx: Context): ReturnType<typeof createLimiter> {
  const known = limiters.get(ctx) ?? createLimiter({ addressFactor: ctx.config.ipLimitFactor });
  limiters.set(ctx, known);
  return known;
}

/** Answers an upgrade that is refused, and hangs up. */
export function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

/** The address that budgets count: behind our own proxy the last hop that it wrote. */
function addressOf(ctx: Context, request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return (ctx.config.trustProxy ? last : undefined) ?? request.socket.remoteAddress ?? '';
}

/** A page of another site may not open the socket; a client that is no browser names no origin. */
function isForeign(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/**
 * Decides on an upgrade: known host, own origin, within the address's budget, and a ticket that is fresh, unused and of this
 * distributor; staff come by the back office's host alone. Answers who comes in; a refused one has been answered.
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
  const no = (status: number): undefined => {
    refuse(socket, status);
    return undefined;
  };
  try {
    const asked = { headers: request.headers, url: request.url ?? '/' };
    if (!hosts.known(asked)) return no(421);
    if (isForeign(request)) return no(403);
    if (entry.isFull()) return no(503);
    limiterOf(ctx).take('im', { account: undefined, address: addressOf(ctx, request) });
    const who = await redeemTicket(ctx, token);
    if (!who) return no(401);
    const isStaff = who.staffId !== null;
    if (isStaff !== hosts.isBackstage(asked) || (!isStaff && who.distId !== hosts.dist(asked).id)) return no(401);
    if (socket.destroyed) return undefined;
    socket.off('error', ended);
    return who;
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.warn({ error: String(error) }, 'chat entry failed');
    return no(error instanceof AppError ? error.status : 503);
  }
}
