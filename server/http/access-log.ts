import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';

/** The caller's name in the access log. */
type Who = 'visitor' | 'user' | 'staff';

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged into Fastify's own
  interface FastifyRequest {
    /** Set once the caller is known. */
    who?: Who;
  }
}

const GIVEN_ID = /^[\w-]{8,64}$/;

/** The request's number: the one that our own proxy set, otherwise a new one. A number sent by a client is ignored. */
export function requestId(request: Pick<IncomingMessage, 'headers'>, trustProxy: boolean): string {
  const requestId = request.headers['x-request-id'];
  return trustProxy && typeof requestId === 'string' && GIVEN_ID.test(requestId) ? requestId : randomUUID();
}

/** Identifies a caller. */
export const whoOf = (caller: { user: unknown; staff: unknown }): Who =>
  caller.staff ? 'staff' : caller.user ? 'user' : 'visitor';

const NOT_LOGGED = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs one line for each request and sends its number in `X-Request-Id`. The line contains the route but never the requested URL,
 * so no query, number or name appears in it, nor the client's address (docs/SECURITY.md). Off with ACCESS_LOG=0.
 */
export function registerAccessLog(
  http: FastifyInstance,
  ctx: Pick<Context, 'config' | 'log'>,
  siteOf: (request: FastifyRequest) => string,
): void {
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  if (!ctx.config.accessLog) return;
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    if (NOT_LOGGED.has(route)) return;
    const bytes = Number(reply.getHeader('content-length'));
    ctx.log.info(
      {
        id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(Number.isFinite(bytes) && { bytes }),
        site: siteOf(request),
        who: request.who ?? 'visitor',
      },
      'request',
    );
  });
}
