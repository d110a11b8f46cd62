import type { FastifyInstance } from 'fastify';
import type { Role } from '#server/config/config-nodes.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Paths of probes and monitoring, which every process serves. */
const OPS = /^\/(healthz|readyz|metrics)\/?(\?|$)/;
/** Calls about conversations, which a chat process serves besides its sockets. */
const CHAT = /^\/api\/(im|backstage\/im)\//;

const paths: Readonly<Record<Role, RegExp | undefined>> = {
  all: undefined,
  web: undefined,
  chat: CHAT,
  // Matches nothing: a worker serves no calls.
  worker: /(?!)/,
};

/** Answers 404 for paths that the process's role does not serve; a proxy that sends them here is misconfigured. */
export function registerProcessRole(http: FastifyInstance, role: Role): void {
  const served = paths[role];
  if (!served) return;
  http.addHook('onRequest', async (request) => {
    if (!OPS.test(request.url) && !served.test(request.url)) throw new AppError('NOT_FOUND');
  });
}
