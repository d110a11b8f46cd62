import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { pageCaller } from '#server/access/session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openApiDocument, referencePage } from './openapi.ts';
import type { JsonObject } from './openapi-schema.ts';
import type { Server } from './serve.ts';

/** Calls that only the back office's host serves; no public document names them. */
const isOfStaff = ({ auth, path }: Endpoint): boolean => auth === 'staff' || path.startsWith('/api/backstage/');

/** Serves the API reference as OpenAPI and as a page; only the calls that this server implements. */
export function registerDocs(http: FastifyInstance, ctx: Context, server: Server): void {
  const served = new Set(server.served());
  // Made when it is first read: a tenth of a start, and most processes are never asked for it.
  const made = new Map<boolean, { document: JsonObject; text: string }>();
  const docs = (ofStaff: boolean): { document: JsonObject; text: string } => {
    const cached = made.get(ofStaff);
    if (cached) return cached;
    const wanted = endpoints.filter((e) => served.has(`${e.method} ${e.path}`) && isOfStaff(e) === ofStaff);
    const title = ofStaff ? '游市后台接口' : '游市接口';
    const document = openApiDocument(wanted, { title, version: ctx.version, servers: ['/'] });
    const one = { document, text: JSON.stringify(document) };
    made.set(ofStaff, one);
    return one;
  };
  const hosts = hostsOf(ctx);
  /** The document that a request may read: on the back office's host the one of its calls, for staff with a session only. */
  const docsFor = async (request: FastifyRequest): Promise<{ document: JsonObject; text: string }> => {
    if (!hosts.isBackstage(request)) return docs(false);
    const caller = await pageCaller(ctx, request, true);
    if (!caller.staff) throw new AppError('NOT_FOUND');
    return docs(true);
  };
  http.get(
    '/api/openapi.json',
    async (request, reply) => await reply.type('application/json; charset=utf-8').send((await docsFor(request)).text),
  );
  http.get('/api/docs', async (request, reply) => {
    const { document } = await docsFor(request);
    const nonce = randomBytes(18).toString('base64');
    return await reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'self'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`,
      )
      .send(referencePage(document, { nonce }));
  });
}
