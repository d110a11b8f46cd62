import { createServer } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify';
import type { Context } from './context.ts';
import { registerAccessLog, requestId, whoOf } from './http/access-log.ts';
import { registerDocs } from './http/openapi/docs.ts';
import { parseForm, parseJson } from './http/form.ts';
import { NEXT_CALLS } from './http/openapi/next-calls.ts';
import { Gate, type GateLimits } from './http/gate.ts';
import { createLimiter, type Limiter } from './access/limits.ts';
import { registerOps } from './http/ops.ts';
import { hostsOf, isOwnMachine } from './access/tenant.ts';
import type { Call } from './access/call.ts';
import type { Distributor } from './directory/directory.ts';
import { Server } from './http/serve.ts';
import { hasWritten } from './http/standby-reads.ts';
import { registerProcessRole } from './http/process-role.ts';
import { pageCaller } from './access/session.ts';
import { Effects, REGISTRY } from './jobs/events.ts';
import { faultPage, isForPerson } from './http/fault-page.ts';
import { AppError, asAppError } from './kernel/errors.ts';
import { bindSubjects } from './subjects.ts';
import { type Preview, PREVIEW_COOKIE, loadPreview } from '#subjects/distributors/server/preview.ts';

const FORM_BYTES = 64 * 1024;

export interface App {
  readonly http: FastifyInstance;
  readonly server: Server;
  readonly effects: Effects;
  readonly limiter: Limiter;
}

/** Turns any error of a call into the envelope. An unexpected error is logged in full and answered with a constant text. */
function envelopeOf(ctx: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const expected = asAppError(error) ?? asHttpFault(error);
  if (!expected) ctx.log.error({ err: error, url: request.url.split('?')[0], id: request.id }, 'fault');
  const failure = expected ?? new AppError('INTERNAL');
  const next = failure.call ?? NEXT_CALLS[failure.error];
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
  if (isForPerson(request.method, request.url, request.headers.accept))
    return reply.code(failure.status).type('text/html; charset=utf-8').send(faultPage(failure));
  return reply.code(failure.status).send({
    code: failure.code,
    data: null,
    msg: failure.text,
    ...(failure.field !== undefined && { field: failure.field }),
    ...(failure.errors !== undefined && { errors: failure.errors }),
    ...(next !== undefined && { call: next }),
    // The request number that a user can report; the log has the same one.
    ...(!expected && { requestId: request.id }),
  });
}

/** Errors that Fastify itself raises for a request. */
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
    /** The unparsed body, for signatures over raw bytes. */
    rawBody?: Buffer;
  }
}

function querystring(text: string): Record<string, string> {
  try {
    return parseForm(text);
  } catch {
    // The parser cannot reject a request; the hook below does so.
    return { __malformed: '1' };
  }
}

const NOTICE_EVERY_MS = 3_600_000;
const CONNECTION_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than proxies keep an idle connection, so that no proxy writes to a connection that we are closing. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Logs once an hour that requests come through a proxy that is not trusted, in which case all its users share the limits of one
 * address.
 */
function proxyNotice(ctx: Context): (request: FastifyRequest) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ headers }) => {
    if (ctx.config.trustProxy || headers['x-forwarded-for'] === undefined) return;
    if (performance.now() - loggedAt < NOTICE_EVERY_MS) return;
    loggedAt = performance.now();
    ctx.log.warn(
      '请求经过代理（带有 X-Forwarded-For），但 TRUST_PROXY 没有打开：所有人会共用一个地址的限额。确认前面是自己的代理后设 TRUST_PROXY=1',
    );
  };
}

/** Creates the HTTP server behind the gate: load is limited before Fastify sees a request. */
function gatedServer(gate: Gate): FastifyServerFactory {
  return (handler) => {
    const server = createServer({ headersTimeout: 8_000, maxHeaderSize: 16 * 1024 }, gate.wrap(handler));
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.maxRequestsPerSocket = 10_000;
    server.setTimeout(CONNECTION_TIMEOUT_MS);
    return server;
  };
}

/** The limits of requests; with a bus on Redis processes share them. */
const limiterOf = ({ config, bus, monotonicMs }: Context): Limiter =>
  createLimiter({
    addressFactor: config.ipLimitFactor,
    factor: config.limitFactor,
    now: monotonicMs,
    bus: config.nodes.busUrl === undefined ? undefined : bus,
  });

/** Sets the security headers of every response; rejects or redirects requests before their handler. */
function registerRequestChecks(http: FastifyInstance, ctx: Context, hosts: ReturnType<typeof hostsOf>): void {
  const notice = proxyNotice(ctx);
  http.addHook('onRequest', async (request, reply) => {
    notice(request);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    reply.header('cross-origin-opener-policy', 'same-origin');
    if (ctx.config.trial) reply.header('x-robots-tag', 'noindex, nofollow');
    if (ctx.config.secureCookies) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (request.url.startsWith('/api/')) {
      reply.header('cache-control', 'no-store');
      if ((request.query as Record<string, string>).__malformed !== undefined) throw new AppError('BAD_REQUEST');
    }
    if (!hosts.known(request)) throw new AppError('UNKNOWN_SITE');
    const moved = hosts.movedTo(request);
    return moved === undefined ? undefined : await reply.redirect(moved, 302);
  });
}

/**
 * Builds the HTTP app: gate, parsers, headers, calls of all subjects, health. Pages are mounted last, by the caller. `gate` lets tests
 * use small limits.
 */
export async function createApp(ctx: Context, options: { gate?: Partial<GateLimits> } = {}): Promise<App> {
  const gate = new Gate({
    trustProxy: ctx.config.trustProxy,
    limits: options.gate,
    now: ctx.monotonicMs,
  });
  const http = Fastify({
    serverFactory: gatedServer(gate),
    genReqId: (request) => requestId(request, ctx.config.trustProxy),
    loggerInstance: ctx.log as FastifyBaseLogger,
    // A logger per request would be created thousands of times a second but used only for errors, which name the request
    // anyway; Fastify's own warnings do not need its number.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Only our own proxy's hop is trusted, never an address supplied by the client.
    trustProxy: ctx.config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: FORM_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: querystring, maxParamLength: 600 },
    forceCloseConnections: 'idle',
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (error, request, reply) => void envelopeOf(ctx, error, request, reply),
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
  registerAccessLog(http, ctx, (request) => (hosts.known(request) ? hosts.dist(request).code : 'none'));
  http.addHook('onClose', async () => gate.stop());
  registerRequestChecks(http, ctx, hosts);
  registerProcessRole(http, ctx.config.nodes.role);
  http.addHook('preHandler', async (request, reply) => {
    if (!(await gate.turn(request.raw, reply.raw))) throw new AppError('BUSY', { retryAfterSeconds: 1 });
  });
  http.addHook('onSend', async (request, _reply, payload) => {
    await gate.restOf(request.raw);
    return payload;
  });
  http.setErrorHandler((error, request, reply) => envelopeOf(ctx, error, request, reply));
  http.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/*',
    handler: (request) => {
      const other = request.method === 'GET' ? 'POST' : 'GET';
      const otherExists = http.hasRoute({ method: other, url: request.url.split('?')[0]?.replace(/\/$/, '') ?? '' });
      throw new AppError(otherExists ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND');
    },
  });

  const server = new Server({ publicCacheTtlMs: ctx.config.publicCacheTtlMs });
  const effects = new Effects(REGISTRY);
  const limiter = limiterOf(ctx);
  await bindSubjects({ ctx, server, effects, http, limiter });
  server.invalidateOn(ctx.bus);
  http.addHook('onClose', async () => server.stop());
  server.mount(http, ctx, limiter, hosts);
  registerOps(http, ctx, gate);
  registerDocs(http, ctx, server);
  return { http, server, effects, limiter };
}

/** The working copy of a brand requested for a site's page: by the URL, then by the cookie set from the URL. */
async function previewFor(ctx: Context, request: FastifyRequest, host: Distributor): Promise<Preview | undefined> {
  const { preview } = request.query as Record<string, string | undefined>;
  return await loadPreview(ctx, preview ?? request.cookies[PREVIEW_COOKIE], host);
}

/** A call made by a page of the same request, as its user. `preview` is set while it shows a brand's working copy. */
export async function pageCall(
  ctx: Context,
  request: FastifyRequest,
): Promise<Call & { preview: Preview | undefined }> {
  const hosts = hostsOf(ctx);
  const staff = hosts.isBackstage(request);
  // It throws when the database does: the page of a visitor would be a wrong answer to a person who is signed in.
  const caller = await pageCaller(ctx, request, staff);
  request.who = whoOf(caller);
  const host = hosts.dist(request);
  const preview = staff ? undefined : await previewFor(ctx, request, host);
  return {
    ctx,
    dist: preview?.dist ?? host,
    isPreview: preview !== undefined,
    preview,
    caller,
    ip: request.ip,
    isOwn: isOwnMachine(request.raw),
    agent: request.headers['user-agent'] ?? '',
    origin: `${request.protocol}://${request.headers.host ?? ''}`,
    idem: undefined,
    hasWritten: hasWritten(request),
    http: undefined,
  };
}
