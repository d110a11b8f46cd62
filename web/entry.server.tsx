import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { marketContext } from './lib/pages/context.ts';
import { NonceContext } from './lib/loading/nonce.ts';
import { RequestIdContext } from './lib/api/request-number.ts';
import { partsLoaded } from './lib/loading/hydrated-later.tsx';
import { pageStyleFile, STYLE_PLACEHOLDER } from './lib/loading/page-style.ts';
import { publicPaths } from './lib/pages/url-map.ts';
import { startLater } from './router-internals/defer-scripts.ts';
import { isStock } from './router-internals/stock.ts';
import css from './styles/app.css?inline';

/** The key under which the server stores the request's context: it must be the bundled module's own object. */
export { marketContext };

/** Paths in the sitemap of every distributor. */
export { publicPaths };

/** A page's loaders are aborted after this time (ms), so that no connection hangs. */
export const streamTimeout = 5_000;

/** The style sheet of all pages; what a page needs of it is inserted between the two halves of the page's HTML. */
export { css as pageStyle };
export { pageStyleFile };

/**
 * The HTML of a page, by its response, before and after the style sheet, the page's route, and whether it runs scripts. Pages are small
 * and wait for all their data, so the server can send them without wrapping them in more streams.
 */
export const pageText = new WeakMap<Response, { before: string; after: string; route: string; runsScripts: boolean }>();

/** Renders a page with all its data. Promises of a loader are awaited; nothing is streamed. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { nonce, requestId } = loadContext.get(marketContext);
  await partsLoaded();
  const stream = await renderToReadableStream(
    <NonceContext value={nonce}>
      <RequestIdContext value={requestId}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </RequestIdContext>
    </NonceContext>,
    // In one piece: otherwise React sends large parts hidden at the end of the page, for a script to move into place.
    { nonce, progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  await stream.allReady;
  const rendered = await new Response(stream).text();
  // In development the bundler adds its own modules, which do not wait.
  const html = import.meta.env.PROD && !isStock('defer') ? startLater(rendered) : rendered;
  const style = html.indexOf(STYLE_PLACEHOLDER);
  const response = new Response(null, { status, headers });
  pageText.set(response, {
    before: html.slice(0, style),
    after: html.slice(style + STYLE_PLACEHOLDER.length),
    route: routerContext.staticHandlerContext.matches.at(-1)?.route.id ?? '',
    runsScripts: routerContext.renderMeta?.didRenderScripts === true,
  });
  return response;
}

function reportError(error: unknown, request: Request, id: string): void {
  if (isRouteErrorResponse(error)) return;
  const { pathname } = new URL(request.url);
  process.stderr.write(
    `${JSON.stringify({ level: 50, msg: 'page failed', id, path: pathname, err: String(error instanceof Error ? error.stack : error) })}\n`,
  );
}

/** Logs errors of a loader or a render; the visitor sees only a number and a message. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (!request.signal.aborted) reportError(error, request, context.get(marketContext).requestId);
}
