import { UserStatus } from '#contract/rules/statuses.ts';
import { createHash } from 'node:crypto';
import { whoOf } from './access-log.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FieldError } from '#contract/codes.ts';
import type { HandlerResult, Data, Endpoint, Parsed } from '#contract/endpoint.ts';
import type { Call, Idem, StaffCall, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { resultAfterError } from '#server/db/idempotent.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { type PerCaller, type CachePolicy, PublicCache, CachedResponse } from './public-cache.ts';
import type { Limiter } from '#server/access/limits.ts';
import { receiveParts, withinOwner } from '#server/access/upload.ts';
import { isOwnMachine } from '#server/access/tenant.ts';
import { viewerOf, withAddresses } from '#server/access/picture-address.ts';
import { recordKeyCall } from '#server/access/api-key-store.ts';
import { type Signed, signedCaller } from '#server/access/signed.ts';
import { hasWritten, onStandby, rememberWrite } from './standby-reads.ts';
import { networkLabel } from '#server/kernel/network.ts';
import { apiCaller, anonymous, type Caller, mayWrite } from '#server/access/session.ts';

type Handler<C, E> = (call: C, input: Parsed<E>) => Promise<HandlerResult<E>>;
type CallFor<E> = E extends { auth: 'login' | 'key' } ? UserCall : E extends { auth: 'staff' } ? StaffCall : Call;

interface BoundEndpoint {
  endpoint: Endpoint;
  handler: Handler<Call, Endpoint>;
  cache: CachePolicy<Endpoint> | undefined;
  perCaller: PerCaller<Endpoint> | undefined;
}

/** Options of how a call is served. */
interface ServeOptions<E> {
  /** Responses to visitors may be cached. */
  cache?: CachePolicy<E>;
  perCaller?: PerCaller<E>;
}

/** Resolves a request's site. */
interface Hosts {
  dist(request: FastifyRequest): Distributor;
  isBackstage(request: FastifyRequest): boolean;
}

const IDEM_KEY = /^[\w.:-]{1,128}$/;

/** The calls that this server implements; pages call them in process by the same endpoint value. */
export class Server {
  readonly #bound = new Map<string, BoundEndpoint>();
  readonly #cache: PublicCache;
  /** Numbers of loaded distributors. */
  readonly #loads = new WeakMap<Distributor, number>();
  #loadCount = 0;
  #limiter: Limiter | undefined;
  /** The last event that cleared part of the cache, on the monotonic clock. */
  #changedAt = 0;

  /** Responses to visitors are cached for at most `publicCacheTtlMs`; 0 disables the cache. */
  constructor(options: { publicCacheTtlMs: number }) {
    this.#cache = new PublicCache({ ttlMs: options.publicCacheTtlMs });
  }

  /** Binds a call to its handler. The handler's input is parsed, its result is reduced to the schema. */
  serve<E extends Endpoint>(endpoint: E, handler: Handler<CallFor<E>, E>, serveOptions: ServeOptions<E> = {}): void {
    const id = `${endpoint.method} ${endpoint.path}`;
    if (this.#bound.has(id)) throw new Error(`endpoint ${id} is bound twice`);
    // The cast ignores what `authorised` guarantees at run time: a 'login' handler always has a user.
    this.#bound.set(id, {
      endpoint,
      handler: handler as unknown as Handler<Call, Endpoint>,
      cache: serveOptions.cache as CachePolicy<Endpoint> | undefined,
      perCaller: serveOptions.perCaller as PerCaller<Endpoint> | undefined,
    });
  }

  /** Every served call as 'METHOD path'. */
  served(): string[] {
    return [...this.#bound.keys()].sort();
  }

  /** Parses, authorises and runs a call, reduces the result to the schema and signs its picture addresses for the caller. Throws AppError. */
  async run<E extends Endpoint>(endpoint: E, raw: unknown, call: Call): Promise<Data<E>> {
    const bound = this.#bound.get(`${endpoint.method} ${endpoint.path}`);
    if (!bound) throw new AppError('NOT_FOUND');
    const { data } = await this.#respond(bound, raw, call);
    return data as Data<E>;
  }

  /**
   * As `run`, for a page. A page counts against no rate limit except those on guessable numbers ('verify', 'search'), which its URL
   * could otherwise bypass. Throws AppError.
   */
  async runForPage<E extends Endpoint>(endpoint: E, raw: unknown, call: Call): Promise<Data<E>> {
    if (endpoint.limit === 'verify' || endpoint.limit === 'search')
      this.#limiter?.take(endpoint.limit, { account: accountOf(call.caller), address: call.ip });
    return await this.run(endpoint, raw, call);
  }

  /** Subscribes to the events that invalidate cached responses. */
  invalidateOn(bus: Bus): void {
    const channels = new Set([...this.#bound.values()].flatMap(({ cache }) => cache?.channel ?? []));
    for (const channel of channels)
      bus.subscribe(channel, (event) => {
        this.#changedAt = performance.now();
        this.#cache.drop(({ endpoint, input }) => {
          const cache = this.#bound.get(`${endpoint.method} ${endpoint.path}`)?.cache;
          return cache?.channel === channel && cache.concerns(event, input);
        });
      });
    // Every response contains names, fees or fields that these events can change.
    for (const channel of GLOBAL_CHANNELS)
      bus.subscribe(channel, () => {
        this.#changedAt = performance.now();
        this.#cache.drop(() => true);
      });
  }

  /** Clears the cache. */
  stop(): void {
    this.#cache.stop();
  }

  /**
   * Cache key of a site as it is configured now. A reloaded distributor has another key: a response computed between the
   * event of a change and the end of the reload must not be served after it.
   */
  #siteKey(dist: Distributor): string {
    let load = this.#loads.get(dist);
    if (load === undefined) {
      this.#loadCount += 1;
      load = this.#loadCount;
      this.#loads.set(dist, load);
    }
    return `${dist.id}.${load}`;
  }

  async #respond(bound: BoundEndpoint, raw: unknown, call: Call, alias?: string): Promise<CachedResponse> {
    const { endpoint, perCaller, cache } = bound;
    // Checked before the input is read: callers without access learn nothing about it.
    authorised(endpoint, call);
    const parsed = endpoint.input.safeParse(raw);
    if (!parsed.success) throw inputError(parsed.error);
    const input = parsed.data as Parsed<Endpoint>;
    const isCacheable =
      cache !== undefined &&
      this.#cache.isOn &&
      isVisitor(call.caller) &&
      call.isPreview !== true &&
      cache.isExcluded?.(input) !== true;
    const completed = (data: unknown): unknown => withAddresses(call.ctx.keys, viewerOf(call.caller), data);
    const load = async (): Promise<CachedResponse> => {
      try {
        // A cached response must not be older than the last change that would have invalidated it.
        const response = await onStandby(endpoint, call, isCacheable ? this.#changedAt : 0, (where) =>
          bound.handler(authorised(endpoint, where), input),
        );
        return new CachedResponse(completed(endpoint.data.parse(response)), perCaller?.(response));
      } catch (error) {
        const earlier = call.idem && (await resultAfterError(call.ctx.db, call.idem, error));
        const first = endpoint.data.safeParse(earlier);
        if (earlier === undefined || !first.success) throw error;
        // The write was already done under this key: return its first result, regardless of the current state.
        return new CachedResponse(completed(first.data), undefined);
      }
    };
    const response = isCacheable
      ? await this.#cache.get(
          { site: this.#siteKey(call.dist), endpoint, input, ...(alias !== undefined && { alias }) },
          load,
        )
      : await load();
    response.perCaller?.(call);
    return response;
  }

  /** Mounts every bound call; a GET with an id field is also served at `{path}/{id}/` (product.md 7). */
  mount(app: FastifyInstance, ctx: Context, limiter: Limiter, hosts: Hosts): void {
    this.#limiter = limiter;
    for (const bound of this.#bound.values()) {
      const { endpoint } = bound;
      const urls = [endpoint.path as string];
      if (endpoint.idField !== undefined) urls.push(`${endpoint.path}/:__id`);
      const handle =
        endpoint.auth === 'key'
          ? this.#signedHandler(bound, ctx, limiter, hosts)
          : this.#plainHandler(bound, ctx, limiter, hosts);
      const handler =
        bound.cache && this.#cache.isOn ? this.#cachedHandler(bound, ctx, limiter, hosts, handle) : handle;
      const { method, maxBytes } = endpoint;
      for (const url of urls)
        app.route({ method, url, handler, ...(maxBytes !== undefined && { bodyLimit: maxBytes }) });
    }
  }

  #plainHandler({ endpoint }: BoundEndpoint, ctx: Context, limiter: Limiter, hosts: Hosts) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const staff = hosts.isBackstage(request);
      if ((endpoint.auth === 'staff') !== staff && endpoint.auth !== 'public') throw new AppError('NOT_FOUND');
      const caller = await apiCaller(ctx, request, staff);
      request.who = whoOf(caller);
      if (endpoint.method === 'POST' && !mayWrite(ctx, request, caller)) throw new AppError('CSRF');
      const sent = rawInput(endpoint, request);
      if (endpoint.limit) limiter.take(endpoint.limit, { account: accountOf(caller), address: request.ip });
      const perform = async (raw: Record<string, unknown>): Promise<unknown> => {
        const call: Call = {
          ...callContext(ctx, request, hosts.dist(request), caller),
          idem: idemOf(endpoint, request, caller, raw),
          http: { request, reply },
        };
        return await this.run(endpoint, raw, call);
      };
      const data =
        endpoint.file && isAuthorised(endpoint, caller) && request.isMultipart()
          ? await withinOwner(ctx, accountOf(caller) ?? '', async () => {
              const { fields } = await receiveParts(request);
              return await perform({ ...sent, ...fields });
            })
          : await perform(sent);
      if (endpoint.method === 'POST') rememberWrite(ctx, reply);
      return { code: 0, data, msg: '' };
    };
  }

  /** The handler of calls by a seller's own program. Each call attributable to its key is logged for the owner. */
  #signedHandler({ endpoint }: BoundEndpoint, ctx: Context, limiter: Limiter, hosts: Hosts) {
    const perform = async (request: FastifyRequest, reply: FastifyReply, signed: Signed): Promise<unknown> => {
      if (signed.failure) throw signed.failure;
      const { caller } = signed;
      if (endpoint.scope && !caller.key.scopes.includes(endpoint.scope)) throw new AppError('KEY_SCOPE');
      if (endpoint.limit) limiter.take(endpoint.limit, { account: accountOf(caller), address: request.ip });
      const raw = rawInput(endpoint, request);
      const call: Call = {
        ...callContext(ctx, request, hosts.dist(request), caller),
        idem: idemOf(endpoint, request, caller, raw),
        http: { request, reply },
      };
      return { code: 0, data: await this.run(endpoint, raw, call), msg: '' };
    };
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      if (hosts.isBackstage(request)) throw new AppError('NOT_FOUND');
      limiter.take('signed', { account: undefined, address: request.ip });
      const began = performance.now();
      const signed = await signedCaller(ctx, request);
      request.who = 'user';
      let failure: AppError | undefined;
      try {
        return await perform(request, reply, signed);
      } catch (error) {
        failure = asAppError(error) ?? new AppError('INTERNAL');
        throw error;
      } finally {
        const keyId = signed.caller ? signed.caller.key.id : signed.keyId;
        const { method, path } = endpoint;
        const ms = Math.round(performance.now() - began);
        if (keyId !== undefined)
          await recordKeyCall(
            ctx.db,
            { keyId, method, path, code: failure?.code ?? 0, ms, network: networkLabel(request.ip) },
            signed.caller !== undefined,
          ).catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'a call of a key was not recorded'));
      }
    };
  }

  /** The handler of cacheable calls: a cached response is sent as the same bytes as before. */
  #cachedHandler(
    bound: BoundEndpoint,
    ctx: Context,
    limiter: Limiter,
    hosts: Hosts,
    handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) {
    const { endpoint } = bound;
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      // Without this header the caller is a visitor, whatever cookies are sent (session.ts).
      if (request.headers.authorization !== undefined) return await handle(request, reply);
      const dist = hosts.dist(request);
      if (endpoint.limit) limiter.take(endpoint.limit, { account: undefined, address: request.ip });
      const call = { ...callContext(ctx, request, dist, anonymous), idem: undefined, http: undefined };
      const alias = `${this.#siteKey(dist)}\n${request.url}`;
      const cached = this.#cache.cached(alias);
      cached?.perCaller?.(call);
      const response = cached ?? (await this.#respond(bound, rawInput(endpoint, request), call, alias));
      const { bytes, gzipped } = response.bytes(/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''));
      reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept-encoding');
      if (gzipped) reply.header('content-encoding', 'gzip');
      return bytes;
    };
  }
}

/** Channels whose events concern every response: settings and distributors, the catalogue, and gaps in the bus. */
const GLOBAL_CHANNELS = ['conf', 'catalogue', BUS_GAP];

const isVisitor = ({ user, staff }: Caller): boolean => user === null && staff === null;

const callContext = (ctx: Context, request: FastifyRequest, dist: Distributor, caller: Caller) => ({
  ctx,
  dist,
  caller,
  ip: request.ip,
  isOwn: isOwnMachine(request.raw),
  agent: request.headers['user-agent'] ?? '',
  origin: `${request.protocol}://${request.headers.host ?? ''}`,
  hasWritten: hasWritten(request),
});

const accountOf = (caller: Caller): string | undefined =>
  caller.key
    ? `k:${caller.key.id}`
    : caller.user
      ? `u:${caller.user.id}`
      : caller.staff
        ? `s:${caller.staff.id}`
        : undefined;

/** Begins with the text of an ended session, which the specified client reacts to. */
const TOKEN_ALONE =
  '登录已过期，请重新登录；若刚刚登录，请把登录时设置的 Cookie（sid）一并带上，或登录时传 client=app 以单独使用令牌';

/** Whether the caller may make the call, as far as it depends on the session. */
const isAuthorised = ({ auth }: Endpoint, { user, staff }: Caller): boolean =>
  auth === 'public' || (auth === 'staff' ? staff !== null : user !== null);

function authorised(endpoint: Endpoint, call: Call): Call {
  if (endpoint.auth === 'public') return call;
  if (endpoint.auth === 'login' || endpoint.auth === 'key') {
    if (!call.caller.user || (endpoint.auth === 'key') !== (call.caller.key !== undefined))
      throw new AppError('LOGIN_REQUIRED', call.caller.hasTokenAlone ? { text: TOKEN_ALONE } : {});
    if (call.caller.user.status === UserStatus.Restricted && endpoint.method === 'POST')
      throw new AppError('USER_BANNED');
    return { ...call, user: call.caller.user } as UserCall;
  }
  if (!call.caller.staff) throw new AppError('LOGIN_REQUIRED');
  return { ...call, staff: call.caller.staff } as StaffCall;
}

const FIELD_PATH = /^[\w.-]{1,80}$/;

/** More errors help no one and would make a response as long as its request. */
const MAX_ERRORS = 50;

/** All errors of an input, one per field. A path with characters that occur in no field name is omitted. */
function inputError({ issues }: z.ZodError): AppError {
  const errors = new Map<string, FieldError>();
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    const allowed = issue.code === 'invalid_value' ? issue.values.map(String) : [];
    if (FIELD_PATH.test(field) && !errors.has(field) && errors.size < MAX_ERRORS)
      errors.set(field, { field, msg: issue.message, ...(allowed.length > 0 && { allowed }) });
  }
  const field = issues[0]?.path.map(String).join('.') ?? '';
  return new AppError('BAD_INPUT', {
    text: issues[0]?.message ?? '提交的内容有误',
    ...(FIELD_PATH.test(field) && { field }),
    errors: [...errors.values()],
  });
}

function rawInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  if (endpoint.method === 'POST') {
    const { body } = request;
    if (request.isMultipart() && !endpoint.file) throw new AppError('UNSUPPORTED_TYPE');
    if (body === undefined || body === null || request.isMultipart())
      return { ...(request.query as Record<string, unknown>) };
    if (typeof body !== 'object' || Array.isArray(body)) throw new AppError('BAD_REQUEST');
    return body as Record<string, unknown>;
  }
  const raw = { ...(request.query as Record<string, unknown>) };
  const id = (request.params as { __id?: string }).__id;
  if (endpoint.idField !== undefined && id !== undefined) raw[endpoint.idField] = id;
  return raw;
}

function idemOf(endpoint: Endpoint, request: FastifyRequest, caller: Caller, raw: unknown): Idem | undefined {
  const key = request.headers['idempotency-key'];
  const scope = accountOf(caller);
  if (endpoint.idempotent !== true || key === undefined || scope === undefined) return undefined;
  if (typeof key !== 'string' || !IDEM_KEY.test(key)) throw new AppError('BAD_REQUEST', { text: '请求编号格式不正确' });
  const entries = Object.entries(raw as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify(entries)).digest('base64url');
  return { scope, endpoint: endpoint.path, key, hash };
}
