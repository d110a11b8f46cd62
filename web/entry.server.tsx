import { renderToString } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { marketContext } from './lib/context.ts';
import { NonceContext } from './lib/nonce.ts';
import { startLater } from './lib/defer-scripts.ts';
import { STYLE_PLACEHOLDER } from './lib/style-mark.ts';
import { publicPaths } from './lib/url-map.ts';
import css from './styles/app.css?inline';

/** The key under which the server puts the request's context: it must be the bundled module's own object. */
export { marketContext };

/** Paths that the sitemap of every distributor names. */
export { publicPaths };

/** A page's loaders are given up after this, so that no connection hangs. */
export const streamTimeout = 5_000;

/** The style sheet of every page, which goes between the two halves of a page's text. */
export { css as pageStyle };

/**
 * The text of a page beside its response, before and behind the style sheet. Pages are small and wait for all their data, so
 * they are rendered in one go: as a string a page costs half of what it costs as a stream, and the server can send it without
 * wrapping it in more streams.
 */
export const pageText = new WeakMap<Response, { before: string; after: string }>();

const UNSAFE_IN_SCRIPT: Readonly<Record<string, string>> = {
  '&': '\\u0026',
  '<': '\\u003c',
  '>': '\\u003e',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function inScript(value: string): string {
  return JSON.stringify(value).replace(/[&<>\u2028\u2029]/g, (sign) => UNSAFE_IN_SCRIPT[sign] ?? '');
}

async function textOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (stream)
    for await (const part of stream as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(part, { stream: true });
  return text;
}

/** The loaders' data as the router's own streaming puts it into the page, behind everything that is rendered. */
function handOff(data: string, nonce: string): string {
  const controller = 'window.__reactRouterContext.streamController';
  const script = (code: string) => `<script nonce="${nonce}">${code}</script>`;
  return script(`${controller}.enqueue(${inScript(data)});`) + script(`${controller}.close();`);
}

/** The manifest with the page's own routes: the router builds its table from it anew for each page. */
function ownRoutes({ manifest, staticHandlerContext }: EntryContext): EntryContext['manifest'] {
  const routes: EntryContext['manifest']['routes'] = {};
  for (const { route } of staticHandlerContext.matches) {
    const own = manifest.routes[route.id];
    if (own) routes[route.id] = own;
  }
  return { ...manifest, routes };
}

/** Renders a page with all its data. A loader's promise is waited for; there is nothing to stream. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { nonce } = loadContext.get(marketContext);
  const { serverHandoffStream, ...context } = routerContext;
  const data = await textOf(serverHandoffStream);
  const rendered = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={{ ...context, manifest: ownRoutes(routerContext) }} url={request.url} nonce={nonce} />
    </NonceContext>,
  );
  // In development the compiler brings modules of its own, which would not wait.
  const html = import.meta.env.PROD ? startLater(rendered) : rendered;
  const scripts = context.renderMeta?.didRenderScripts ? handOff(data, nonce) : '';
  const style = html.indexOf(STYLE_PLACEHOLDER);
  const end = html.lastIndexOf('</body>');
  const response = new Response(null, { status, headers });
  pageText.set(response, {
    before: `<!DOCTYPE html>${html.slice(0, style)}`,
    after: html.slice(style + STYLE_PLACEHOLDER.length, end) + scripts + html.slice(end),
  });
  return response;
}

function reportError(error: unknown, request: Request): void {
  if (isRouteErrorResponse(error)) return;
  const { pathname } = new URL(request.url);
  process.stderr.write(
    `${JSON.stringify({ level: 50, msg: 'page failed', path: pathname, err: String(error instanceof Error ? error.stack : error) })}\n`,
  );
}

/** Writes what a loader or a render threw to the log; the visitor sees only a number and a sentence. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted) reportError(error, request);
}
