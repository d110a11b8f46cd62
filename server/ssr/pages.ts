import { staffInfo } from '#subjects/back-office/contract/sign-in.ts';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import type { FastifyRequest } from 'fastify';
import type { App, pageCall } from '../app.ts';
import type { Context } from '../context.ts';
import { registerCrawlers } from '../site-files/crawlers.ts';
import { registerFeeds } from '../site-files/feeds.ts';
import { lostToken } from '../access/session.ts';
import { hostsOf } from '../access/tenant.ts';
import { AppError, asAppError } from '../kernel/errors.ts';
import { ROOT } from '../root.ts';
import { registerPages } from './ssr.ts';
import { registerWebApp } from '../site-files/web-app.ts';

/** An error in the form that pages expect: code, text, HTTP status. An unexpected one is logged in full, as for a call. */
function pageFailure(ctx: Context, request: FastifyRequest, error: unknown): Error {
  const expected = asAppError(error);
  if (!expected) ctx.log.error({ err: error, url: request.url.split('?')[0], id: request.id }, 'fault');
  const { code, text, field, status, error: name } = expected ?? new AppError('INTERNAL');
  return Object.assign(new Error(name), { name: 'ApiFailure', code, msg: text, field, status });
}

/** Mounts the pages over the app: their loaders call the endpoints in process, as the request's user. */
export async function startPages(app: App, ctx: Context, callOf: typeof pageCall): Promise<void> {
  const hosts = hostsOf(ctx);
  const backstageOrigin = (request: FastifyRequest): string =>
    `${request.protocol}://${ctx.config.backstageHost}${/:\d+$/.exec(request.headers.host ?? '')?.[0] ?? ''}`;
  const framesOf = (request: FastifyRequest) =>
    hosts.isBackstage(request)
      ? { sources: [...new Set(ctx.dir.all().map(({ id }) => ctx.dir.originOf(id)))], ancestor: undefined }
      : { sources: [], ancestor: backstageOrigin(request) };
  const pages = await registerPages(app.http, {
    root: ROOT,
    dev: ctx.config.dev,
    chatConnect: ctx.config.rongCloud?.connect,
    async loadContext(request) {
      const call = await callOf(ctx, request);
      const { user, staff } = call.caller;
      const account = user ? `u:${user.id}` : staff ? `s:${staff.id}` : undefined;
      app.limiter.take(request.url.startsWith('/__manifest') ? 'manifest' : 'page', { account, address: request.ip });
      const run = async <E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Data<E>> => {
        try {
          return await app.server.runForPage(endpoint, input, call);
        } catch (error) {
          throw pageFailure(ctx, request, error);
        }
      };
      return {
        requestId: request.id,
        call: run,
        brand: { ...call.dist.conf, adverPosMap: ctx.dir.adverts(call.dist.id) },
        previewUntil: call.preview?.until.getTime(),
        previewToken: call.preview?.token,
        frames: framesOf(request),
        lostToken: call.caller.user ? lostToken(ctx, request, call.caller) : undefined,
        user: call.caller.user ? await run(userInfo, {}) : null,
        demo: ctx.config.demo,
        trial: ctx.config.trial,
        services: {
          mail: ctx.mail !== undefined,
          wechatLogin: ctx.wechatLogin !== undefined,
          officialAccount: ctx.officialAccount !== undefined,
        },
        staff: call.caller.staff ? await run(staffInfo, {}) : null,
        host: request.headers.host ?? '',
        isBackstage: hosts.isBackstage(request),
        device: /Mobile|Android|iPhone/.test(request.headers['user-agent'] ?? '') ? 'phone' : 'pc',
        isDocument: !/^[^?]*\.data(\?|$)/.test(request.url),
      };
    },
  });
  registerCrawlers(app.http, ctx, { ...hosts, ...pages });
  registerFeeds(app.http, ctx, hosts, app.limiter);
  registerWebApp(app.http, ctx, hosts);
}
