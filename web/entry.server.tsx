import { PassThrough } from 'node:stream';
import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { marketContext } from './lib/context.ts';
import { NonceContext } from './lib/nonce.ts';
import { publicPaths } from './lib/url-map.ts';

/** The key under which the server puts the request's context: it must be the bundled module's own object. */
export { marketContext };

/** Paths that the sitemap of every distributor names. */
export { publicPaths };

/** A page whose deferred parts take longer is ended, so that no connection hangs. */
export const streamTimeout = 5_000;

/** Renders a page to a stream; crawlers wait for all of it, browsers get the shell at once. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> | Response {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { nonce } = loadContext.get(marketContext);
  const ready = isbot(request.headers.get('user-agent') ?? '') ? 'onAllReady' : 'onShellReady';
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </NonceContext>,
      {
        nonce,
        [ready]() {
          const body = new PassThrough({
            final(done) {
              clearTimeout(timer);
              done();
            },
          });
          pipe(body);
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        },
        onShellError: reject,
        onError(error) {
          if (!request.signal.aborted) reportError(error, request);
        },
      },
    );
    const timer = setTimeout(() => abort(new Error('page took too long')), streamTimeout + 1_000);
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true });
  });
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
