import type { FastifyInstance } from 'fastify';
import type { Limiter } from './access/limits.ts';
import type { Context } from './context.ts';
import type { Server } from './http/serve.ts';
import type { Effects } from './jobs/events.ts';

/** The server parts that a subject binds its calls and effects to. */
export interface Binding {
  ctx: Context;
  server: Server;
  effects: Effects;
  http: FastifyInstance;
  limiter: Limiter;
}
