/** Reads on a standby may be stale; a caller who has just written reads the primary. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Remembers a write in the browser, so that the next request sees it on any node. */
const WRITTEN_COOKIE = 'fresh';

/** SQLSTATE of a write in a read-only transaction. */
const READ_ONLY = '25006';

/** Whether the request's browser has written within the allowed lag. */
export const hasWritten = (request: FastifyRequest): boolean => request.cookies[WRITTEN_COOKIE] !== undefined;

/** Marks the response of a write so that the browser's next reads are not stale. Does nothing without a standby. */
export function rememberWrite(ctx: Context, reply: FastifyReply): void {
  if (!ctx.standby) return;
  reply.setCookie(WRITTEN_COOKIE, '1', {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.config.secureCookies,
    maxAge: Math.ceil(ctx.config.nodes.readLagMs / 1000) + 1,
  });
}

/**
 * Runs a read on the standby if the endpoint allows stale data, the caller has not just written, and the standby shows at least the state
 * at `notBefore` (performance.now(), ms). Otherwise, or when the standby fails, it runs on the primary. Throws what `read` throws.
 */
export async function onStandby<T>(
  endpoint: Pick<Endpoint, 'mayLag'>,
  call: Call,
  notBefore: number,
  read: (call: Call) => Promise<T>,
): Promise<T> {
  const { standby } = call.ctx;
  const asOf = endpoint.mayLag === true && call.hasWritten !== true ? standby?.asOf() : undefined;
  if (!standby || asOf === undefined || asOf < notBefore) return await read(call);
  try {
    return await read({ ...call, ctx: { ...call.ctx, db: standby.db } });
  } catch (error) {
    // One of our own errors is a valid response. A database error is not: the primary may succeed.
    if (error instanceof AppError) throw error;
    // A read that turns out to write belongs on the primary; the standby still counts as healthy.
    if ((error as { code?: string }).code !== READ_ONLY) standby.failed(error);
    return await read(call);
  }
}
