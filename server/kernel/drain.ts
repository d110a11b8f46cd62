import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection that carried nothing for this long has no request on its way. */
const QUIET_MS = 500;
/** Whoever still asks after this is cut off: stopping has an end. */
const LIMIT_MS = 5_000;
const STEP_MS = 25;

/**
 * Lets a server stop without dropping a request. Closing idle connections at once races with requests that are already
 * on the wire: the client sees a reset and cannot tell whether its payment was taken. So the listener closes first, each
 * answer from then on ends its connection, and the caller goes on to close what is left when all of it has been quiet.
 * Resolves after 0 to `LIMIT_MS` ms; call it once, before the server's own `close`.
 */
export function drainOf(server: Server): () => Promise<void> {
  let isDraining = false;
  let active = 0;
  let last = 0;
  server.prependListener('request', (_request, response) => {
    active += 1;
    last = Date.now();
    if (isDraining) response.setHeader('connection', 'close');
    response.once('close', () => {
      active -= 1;
      last = Date.now();
    });
  });
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));

  return async () => {
    // Right after a round of accepting, so that no connection that the system took for us is left in its queue.
    await new Promise((resolve) => setImmediate(resolve));
    isDraining = true;
    const started = Date.now();
    last = started;
    // The listener alone: the close of an HTTP server would end idle connections too.
    Listener.prototype.close.call(server);
    const isOver = (): boolean => (active === 0 && Date.now() - last >= QUIET_MS) || Date.now() - started >= LIMIT_MS;
    while (!isOver() && (await connections()) > 0) await sleep(STEP_MS);
  };
}
