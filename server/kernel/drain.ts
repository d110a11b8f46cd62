import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** After this much silence a connection has no request in flight. */
const QUIET_MS = 500;
/** Remaining clients are cut off after this. */
const LIMIT_MS = 5_000;
const STEP_MS = 25;

/**
 * Lets a server stop without dropping a request. Closing idle connections immediately would race with requests already on the wire: the
 * client sees a reset and cannot tell whether its payment was taken. So the listener is closed first, each later response ends its
 * connection, and the caller closes the rest once there is no more traffic. Resolves after 0 to `LIMIT_MS` ms; call it once, before
 * the server's own `close`.
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
    // After a round of accepting, so that no accepted connection is left in the system's queue.
    await new Promise((resolve) => setImmediate(resolve));
    isDraining = true;
    const started = Date.now();
    last = started;
    // Closes only the listener: closing an HTTP server would also end idle connections.
    Listener.prototype.close.call(server);
    const isOver = (): boolean => (active === 0 && Date.now() - last >= QUIET_MS) || Date.now() - started >= LIMIT_MS;
    while (!isOver() && (await connections()) > 0) await sleep(STEP_MS);
  };
}
