import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answer, Data, Endpoint, Parsed } from '#contract/endpoint.ts';
import type { Call, Idem, StaffCall, UserCall } from '#server/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Distributor } from '#server/slices/distributors/service.ts';
import type { Limiter } from './limits.ts';
import { apiCaller, type Caller, mayWrite } from './session.ts';

type Handler<C, E> = (call: C, input: Parsed<E>) => Promise<Answer<E>>;
type CallFor<E> = E extends { auth: 'login' } ? UserCall : E extends { auth: 'staff' } ? StaffCall : Call;

interface Bound {
  endpoint: Endpoint;
  handler: Handler<Call, Endpoint>;
}

const IDEM_KEY = /^[\w.:-]{1,128}$/;

/** The calls that this server answers; pages call them in process by the same value. */
export class Server {
  readonly #bound = new Map<string, Bound>();

  /** Binds a call to its handler. The handler's input is parsed, its answer is cut to the schema. */
  serve<E extends Endpoint>(endpoint: E, handler: Handler<CallFor<E>, E>): void {
    const id = `${endpoint.method} ${endpoint.path}`;
    if (this.#bound.has(id)) throw new Error(`${id} is served twice`);
    // The cast forgets what `authorised` proves at run time: a 'login' handler runs with a user only.
    this.#bound.set(id, { endpoint, handler: handler as unknown as Handler<Call, Endpoint> });
  }

  /** Every served call as 'METHOD path'. */
  served(): string[] {
    return [...this.#bound.keys()].sort();
  }

  /** Parses, authorises, runs and cuts the answer. Throws AppError. */
  async run<E extends Endpoint>(endpoint: E, raw: unknown, call: Call): Promise<Data<E>> {
    const bound = this.#bound.get(`${endpoint.method} ${endpoint.path}`);
    if (!bound) throw new AppError('NOT_FOUND');
    const parsed = endpoint.input.safeParse(raw);
    if (!parsed.success) throw new AppError('BAD_INPUT', { text: parsed.error.issues[0]?.message ?? '提交的内容有误' });
    const answer = await bound.handler(authorised(endpoint, call), parsed.data as Parsed<E>);
    return endpoint.data.parse(answer) as Data<E>;
  }

  /** Mounts every bound call; a GET with an id field also answers `{path}/{id}/` (product.md 7). */
  mount(
    app: FastifyInstance,
    ctx: Context,
    limiter: Limiter,
    around: { dist(request: FastifyRequest): Distributor; isBackstage(request: FastifyRequest): boolean },
  ): void {
    for (const { endpoint } of this.#bound.values()) {
      const urls = [endpoint.path as string];
      if (endpoint.idField !== undefined) urls.push(`${endpoint.path}/:__id`);
      for (const url of urls) {
        app.route({
          method: endpoint.method,
          url,
          handler: async (request, reply) => {
            const staff = around.isBackstage(request);
            if ((endpoint.auth === 'staff') !== staff && endpoint.auth !== 'public') throw new AppError('NOT_FOUND');
            const caller = await apiCaller(ctx, request, staff);
            if (endpoint.method === 'POST' && !mayWrite(ctx, request, caller)) throw new AppError('CSRF');
            const raw = rawInput(endpoint, request);
            if (endpoint.limit) limiter.take(endpoint.limit, { account: accountOf(caller), address: request.ip });
            const call: Call = {
              ctx,
              dist: around.dist(request),
              caller,
              ip: request.ip,
              agent: request.headers['user-agent'] ?? '',
              origin: `${request.protocol}://${request.headers.host ?? ''}`,
              idem: idemOf(endpoint, request, caller, raw),
              http: { request, reply },
            };
            return { code: 0, data: await this.run(endpoint, raw, call), msg: '' };
          },
        });
      }
    }
  }
}

const accountOf = (caller: Caller): string | undefined =>
  caller.user ? `u:${caller.user.id}` : caller.staff ? `s:${caller.staff.id}` : undefined;

function authorised(endpoint: Endpoint, call: Call): Call {
  if (endpoint.auth === 'public') return call;
  if (endpoint.auth === 'login') {
    if (!call.caller.user) throw new AppError('LOGIN_REQUIRED');
    if (call.caller.user.status === 2 && endpoint.method === 'POST') throw new AppError('USER_BANNED');
    return { ...call, user: call.caller.user } as UserCall;
  }
  if (!call.caller.staff) throw new AppError('LOGIN_REQUIRED');
  return { ...call, staff: call.caller.staff } as StaffCall;
}

function rawInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  if (endpoint.method === 'POST') {
    const { body } = request;
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
