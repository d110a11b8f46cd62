/** A page of React Router and nothing else, rendered by the server and hydrated by one compressed script: what the same browser needs at least. */
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { rolldown } from 'rolldown';
import { routes } from './bare-routes.ts';

/** The script of the page, built as for production. */
async function script(): Promise<string> {
  const bundle = await rolldown({
    input: new URL('bare-client.ts', import.meta.url).pathname,
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output[0].code;
}

async function html(url: string): Promise<string> {
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(url));
  if (context instanceof Response) throw new Error(`the page answered ${context.status}`);
  const page = renderToString(
    h(StaticRouterProvider, { router: createStaticRouter(handler.dataRoutes, context), context }),
  );
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="description" content="账号"><title>账号</title>';
  return `<!DOCTYPE html><html lang="zh-CN"><head>${head}<script type="module" src="/app.js"></script></head><body><div id="root">${page}</div></body></html>`;
}

/** Serves the page on a free port of loopback; returns its address and how to end it. */
export async function startBareRouter(): Promise<{ url: string; bytes: number; stop: () => void }> {
  const code = brotliCompressSync(await script());
  const server: Server = http.createServer((request, response) => {
    if (request.url === '/app.js') {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'content-encoding': 'br',
        'cache-control': 'max-age=3600',
      });
      response.end(code);
      return;
    }
    if (request.url !== '/') {
      response.writeHead(404).end();
      return;
    }
    html('http://localhost/').then(
      (text) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' });
        response.end(brotliCompressSync(text));
      },
      (error: unknown) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, bytes: code.length, stop: () => server.close() };
}
