import type { FastifyInstance } from 'fastify';
import type { Role } from '#server/config-nodes.ts';
import { AppError } from '#server/kernel/errors.ts';

/** What probes and monitoring ask of every process. */
const OPS = /^\/(healthz|readyz|metrics)\/?(\?|$)/;
/** What a process that serves chat answers beside its sockets: the calls of the conversation. */
const CHAT = /^\/api\/(im|backstage\/im)\//;

const paths: Readonly<Record<Role, RegExp | undefined>> = {
  all: undefined,
  web: undefined,
  chat: CHAT,
  worker: /(?!)/,
};

/** Refuses what is not of the process's role: a proxy that sends it here is set up wrongly, and says so by 404. */
export function registerRole(http: FastifyInstance, role: Role): void {
  const served = paths[role];
  if (!served) return;
  http.addHook('onRequest', async (request) => {
    if (!OPS.test(request.url) && !served.test(request.url)) throw new AppError('NOT_FOUND');
  });
}
