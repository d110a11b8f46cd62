import type { IncomingMessage, ServerResponse } from 'node:http';
import { codes } from '#contract/codes.ts';

const RETRY_SECONDS = '1';
const [code, status, text] = codes.BUSY;

// Texts, not bytes: head and body of an answer that is a text leave in one piece.
const ENVELOPE = JSON.stringify({ code, data: null, msg: text });

/** A page without anything of ours but its words. */
export const shortPage = (text: string): string =>
  `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${text}</title><body style="font:16px/1.8 sans-serif;margin:20vh auto;max-width:24em;padding:0 1em;text-align:center">` +
  `<h1 style="font-size:20px">${text}</h1><p>您要的页面还没有打开，请稍等几秒，<a href="">再打开一次</a>。</p></body></html>`;
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
 * Refuses before anything is parsed or looked up: bytes that were made once. Calls get the envelope of BUSY, pages a page; both say when to
 * come again. What of a body is still on its way is not read.
 */
export function rejectBusy(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const isCall = request.url?.startsWith('/api/') === true;
  if (!request.complete && request.headers['content-length'] !== undefined) response.setHeader('connection', 'close');
  response.writeHead(status, isCall ? AS_ENVELOPE : AS_PAGE).end(isCall ? ENVELOPE : PAGE);
}

/** Ends a request whose body does not come. */
export function rejectSlow(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) request.socket.destroy();
  else response.writeHead(408, { connection: 'close', 'content-length': 0 }).end(() => request.socket.destroy());
}
