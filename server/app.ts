import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Context } from './context.ts';
import { registerDocs } from './http/docs.ts';
import { parseForm, parseJson } from './http/form.ts';
import { createLimiter } from './http/limits.ts';
import { Load } from './http/load.ts';
import { registerOps } from './http/ops.ts';
import { hostsOf } from './http/tenant.ts';
import type { Call } from './call.ts';
import { Server } from './http/serve.ts';
import { nobody, pageCaller } from './http/session.ts';
import { Effects } from './jobs/events.ts';
import { AppError, asAppError } from './kernel/errors.ts';
import { bindSlices } from './slices.ts';

const FORM_BYTES = 64 * 1024;

export interface App {
  readonly http: FastifyInstance;
  readonly server: Server;
  readonly effects: Effects;
}

/** Turns any failure of a call into the envelope. A fault of ours is logged whole and answered with a constant text. */
function envelopeOf(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error) ?? asHttpFault(error);
  if (!known) ctx.log.error({ err: error, url: request.url.split('?')[0], id: request.id }, 'fault');
  const failure = known ?? new AppError('INTERNAL');
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
  return reply.code(failure.status).send({ code: failure.code, data: null, msg: failure.text });
}

/** Faults that Fastify itself finds in a request. */
function asHttpFault(error: unknown): AppError | undefined {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('BODY_TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return new AppError('UNSUPPORTED_TYPE');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new AppError('BAD_REQUEST');
  return undefined;
}

function registerParsers(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: FORM_BYTES },
    (request, body, done) => {
      try {
        request.rawBody = body as Buffer;
        done(null, parseForm(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  http.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (request, body, done) => {
    try {
      request.rawBody = body as Buffer;
      done(null, (body as Buffer).length === 0 ? {} : parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged into Fastify's own
  interface FastifyRequest {
    /** The body as it came, for signatures over raw bytes. */
    rawBody?: Buffer;
  }
}

function querystring(text: string): Record<string, string> {
  try {
    return parseForm(text);
  } catch {
    // The router cannot refuse; the hook below does.
    return { __malformed: '1' };
  }
}

/** Builds the HTTP side: parsers, headers, calls of all slices, health. Pages are mounted last, by the caller. */
export async function createApp(ctx: Context): Promise<App> {
  const http = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Only the hop of our own proxy is believed; an address that a client wrote itself is not.
    trustProxy: ctx.config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: FORM_BYTES,
    requestTimeout: 12_000,
    // Longer than proxies keep an idle connection, so that none of them writes on one that we are closing.
    keepAliveTimeout: 65_000,
    connectionTimeout: 30_000,
    maxRequestsPerSocket: 10_000,
    http: { headersTimeout: 8_000, maxHeaderSize: 16 * 1024 },
    routerOptions: { ignoreTrailingSlash: true, querystringParser: querystring, maxParamLength: 600 },
    forceCloseConnections: 'idle',
  });
  await http.register(cookie);
  await http.register(compress, {
    global: true,
    encodings: ['br', 'gzip'],
    threshold: 1400,
    brotliOptions: { params: { 1: 4 } },
  });
  registerParsers(http);
  await http.register(multipart, {
    limits: { fileSize: 10 * 1024 * 1024, files: 1, fields: 5, fieldSize: 2000, parts: 6 },
    throwFileSizeLimit: true,
  });

  const hosts = hostsOf(ctx);
  const load = new Load();
  http.addHook('onClose', async () => load.stop());
  http.addHook('onRequest', async (request, reply) => {
    load.arrive(reply.raw);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('cross-origin-opener-policy', 'same-origin');
    if (ctx.config.secureCookies) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (request.url.startsWith('/api/')) {
      reply.header('cache-control', 'no-store');
      if ((request.query as Record<string, string>).__malformed !== undefined) throw new AppError('BAD_REQUEST');
      if (load.isFull) throw new AppError('BUSY', { retryAfterSeconds: 1 });
    }
    if (!hosts.known(request)) throw new AppError('UNKNOWN_SITE');
  });
  http.addHook('preHandler', async (request, reply) => {
    if (request.url.startsWith('/api/') && !load.begin(reply.raw)) throw new AppError('BUSY', { retryAfterSeconds: 1 });
  });
  http.setErrorHandler((error, request, reply) => envelopeOf(ctx, error, request, reply));
  http.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/*',
    handler: (request) => {
      const other = request.method === 'GET' ? 'POST' : 'GET';
      const known = http.hasRoute({ method: other, url: request.url.split('?')[0]?.replace(/\/$/, '') ?? '' });
      throw new AppError(known ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND');
    },
  });

  const server = new Server({ keptMs: ctx.config.keptMs });
  const effects = new Effects();
  await bindSlices({ ctx, server, effects, http });
  server.hear(ctx.bus);
  http.addHook('onClose', async () => server.stop());
  server.mount(
    http,
    ctx,
    createLimiter({ addressFactor: ctx.config.ipLimitFactor, factor: ctx.config.limitFactor }),
    hosts,
  );
  registerOps(http, ctx);
  registerDocs(http, ctx, server);
  return { http, server, effects };
}

/** A call made by a page of the same request, as its user. */
export async function pageCall(ctx: Context, request: FastifyRequest): Promise<Call> {
  const hosts = hostsOf(ctx);
  const staff = hosts.isBackstage(request);
  const caller = await pageCaller(ctx, request, staff).catch(() => nobody);
  return {
    ctx,
    dist: hosts.dist(request),
    caller,
    ip: request.ip,
    agent: request.headers['user-agent'] ?? '',
    origin: `${request.protocol}://${request.headers.host ?? ''}`,
    idem: undefined,
    http: undefined,
  };
}
