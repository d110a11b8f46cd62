import type { ReactElement } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';

/** A page to be rendered; `wrap` puts our own contexts around the router. */
export interface Rendering {
  context: EntryContext;
  url: string;
  nonce: string;
  wrap: (router: ReactElement) => ReactElement;
}

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

/** The manifest with the page's own routes: the router builds its table from it again for each page. */
function ownRoutes({ manifest, staticHandlerContext }: EntryContext): EntryContext['manifest'] {
  const routes: EntryContext['manifest']['routes'] = {};
  for (const { route } of staticHandlerContext.matches) {
    const own = manifest.routes[route.id];
    if (own) routes[route.id] = own;
  }
  return { ...manifest, routes };
}

/**
 * A page with all its data, rendered to a string, with the loaders' data put behind it by hand: what React and the router need for
 * streaming costs as much as the page, and pages wait for all their data.
 */
export async function renderWhole({ context: routerContext, url, nonce, wrap }: Rendering): Promise<string> {
  const { serverHandoffStream, ...context } = routerContext;
  const data = await textOf(serverHandoffStream);
  const router = <ServerRouter context={{ ...context, manifest: ownRoutes(routerContext) }} url={url} nonce={nonce} />;
  const html = renderToString(wrap(router));
  const scripts = context.renderMeta?.didRenderScripts ? handOff(data, nonce) : '';
  const end = html.lastIndexOf('</body>');
  return `<!DOCTYPE html>${html.slice(0, end)}${scripts}${html.slice(end)}`;
}

/** The same page as React and the router make it, read to its end. */
export async function renderStock({ context, url, nonce, wrap }: Rendering): Promise<string> {
  const stream = await renderToReadableStream(wrap(<ServerRouter context={context} url={url} nonce={nonce} />), {
    nonce,
  });
  await stream.allReady;
  return await textOf(stream);
}
