import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { endpoints } from '#contract/registry.ts';
import type { Context } from '#server/context.ts';
import { openApiDocument, referencePage } from './openapi.ts';
import type { JsonObject } from './openapi-schema.ts';
import type { Server } from './serve.ts';

/** Serves the API reference as OpenAPI and as a page; only the calls that this server implements. */
export function registerDocs(http: FastifyInstance, ctx: Context, server: Server): void {
  const served = new Set(server.served());
  // Made when it is first read: a tenth of a start, and most processes are never asked for it.
  let made: { document: JsonObject; text: string } | undefined;
  const docs = (): { document: JsonObject; text: string } => {
    if (made) return made;
    const wanted = endpoints.filter((e) => served.has(`${e.method} ${e.path}`));
    const document = openApiDocument(wanted, { title: '游市接口', version: ctx.version, servers: ['/'] });
    made = { document, text: JSON.stringify(document) };
    return made;
  };
  http.get(
    '/api/openapi.json',
    async (_request, reply) => await reply.type('application/json; charset=utf-8').send(docs().text),
  );
  http.get('/api/docs', async (_request, reply) => {
    const nonce = randomBytes(18).toString('base64');
    return await reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'self'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`,
      )
      .send(referencePage(docs().document, { nonce }));
  });
}
