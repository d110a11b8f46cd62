import type { IncomingMessage } from 'node:http';

/** Bodies above this size are not read to the end. */
const MAX_BYTES = 24 * 1024 * 1024;

/**
 * Reads the rest of a request body and discards it. A response that ends the connection before the body arrived would reach the client as
 * a connection reset. Resolves at the end of the body, when the connection closes, after `limitMs`, or at once for a body above the limit.
 */
export function discardBody(request: IncomingMessage, limitMs: number): Promise<void> {
  if (request.complete || request.destroyed || Number(request.headers['content-length'] ?? 0) > MAX_BYTES)
    return Promise.resolve();
  return new Promise((resolve) => {
    let left = MAX_BYTES;
    const end = (): void => {
      clearTimeout(timer);
      request.off('data', count).off('end', end).off('close', end);
      resolve();
    };
    const count = (part: Buffer): void => {
      left -= part.length;
      if (left < 0) end();
    };
    const timer = setTimeout(end, limitMs).unref();
    request.unpipe();
    request.on('data', count).once('end', end).once('close', end).resume();
  });
}
