import { staffInfo } from '#contract/backstage.ts';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { userInfo } from '#contract/user.ts';
import type { App, pageCall } from './app.ts';
import type { Context } from './context.ts';
import { registerCrawlers } from './crawlers.ts';
import { hostsOf } from './access/tenant.ts';
import { asAppError } from './kernel/errors.ts';
import { ROOT } from './root.ts';
import { registerPages } from './ssr.ts';

/** An error in the form that pages expect: code, text, HTTP status. */
function pageFailure(error: unknown): unknown {
  const known = asAppError(error);
  return known
    ? Object.assign(new Error(known.error), {
        name: 'ApiFailure',
        code: known.code,
        msg: known.text,
        field: known.field,
        status: known.status,
      })
    : error;
}

/** Mounts the pages over the app: their loaders call the endpoints in process, as the request's user. */
export async function startPages(app: App, ctx: Context, callOf: typeof pageCall): Promise<void> {
  const hosts = hostsOf(ctx);
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
          throw pageFailure(error);
        }
      };
      return {
        call: run,
        brand: call.dist.conf,
        user: call.caller.user ? await run(userInfo, {}) : null,
        demo: ctx.config.demo,
        staff: call.caller.staff ? await run(staffInfo, {}) : null,
        host: request.headers.host ?? '',
        isBackstage: hosts.isBackstage(request),
        device: /Mobile|Android|iPhone/.test(request.headers['user-agent'] ?? '') ? 'phone' : 'pc',
      };
    },
  });
  registerCrawlers(app.http, ctx, { ...hosts, ...pages });
}
