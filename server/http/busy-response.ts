import type { IncomingMessage, ServerResponse } from 'node:http';
import { codes } from '#contract/codes.ts';

const RETRY_SECONDS = '1';
const [code, status, text] = codes.BUSY;

// Strings, not buffers: Node sends header and body of a string response in one chunk.
const ENVELOPE = JSON.stringify({ code, data: null, msg: text });

/** A minimal page that contains only a message, and the number of the request that failed. */
export const shortPage = (text: string, number?: string): string =>
  `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${text}</title><body style="font:16px/1.8 sans-serif;margin:20vh auto;max-width:24em;padding:0 1em;text-align:center">` +
  `<h1 style="font-size:20px">${text}</h1><p>您要的页面还没有打开，请稍等几秒，<a href="">再打开一次</a>。</p>${number === undefined ? '' : `<p>联系客服时请报编号 <code>${number}</code></p>`}</body></html>`;
const PAGE = shortPage(text);

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
const retry = { 'retry-after': RETRY_SECONDS };
const AS_ENVELOPE = {
  ...retry,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-length': Buffer.byteLength(ENVELOPE),
};
const AS_PAGE = { ...retry, ...PAGE_HEADERS, 'content-length': Buffer.byteLength(PAGE) };

/**
 * Rejects a request before anything is parsed or looked up, with a prebuilt body. Calls get the envelope of BUSY, pages a page; both
 * carry Retry-After. The rest of a request body is not read.
 */
export function rejectBusy(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const isCall = request.url?.startsWith('/api/') === true;
  if (!request.complete && request.headers['content-length'] !== undefined) response.setHeader('connection', 'close');
  response.writeHead(status, isCall ? AS_ENVELOPE : AS_PAGE).end(isCall ? ENVELOPE : PAGE);
}

const [manyCode, manyStatus, manyText] = codes.RATE_LIMITED;
const MANY = JSON.stringify({ code: manyCode, data: null, msg: manyText });

/** Rejects an upload because its network has too many in transfer. */
export function rejectMany(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(manyStatus, { ...AS_ENVELOPE, 'content-length': Buffer.byteLength(MANY) }).end(MANY);
}

/** Ends a request whose body does not arrive in time. */
export function rejectSlow(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.socket.destroy();
  else response.writeHead(408, { connection: 'close', 'content-length': 0 }).end(() => request.socket.destroy());
}
