import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import { deliverBatch, processName } from './batch.ts';

const CHANNEL = 'youshi_bus';
const BATCH_MS = 5;
/** NOTIFY rejects payloads of 8000 bytes or more. */
const MAX_BYTES = 7500;

/** How many of the texts fit into one NOTIFY; at least one. */
function fitting(texts: readonly string[]): number {
  let size = 0;
  let count = 0;
  while (count < texts.length && size + (texts[count]?.length ?? 0) * 3 < MAX_BYTES)
    size += (texts[count++]?.length ?? 0) * 3;
  return Math.max(1, count);
}

/**
 * The bus over LISTEN and NOTIFY. A separate connection sends batches after the commit, because a NOTIFY inside a business
 * transaction takes a global commit lock. Messages within this process are delivered immediately, without the
 * database.
 */
export function localBus(options: { databaseUrl: string; log: Logger }): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const own = processName();
  const pending: string[] = [];
  let client: pg.Client | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let closed = false;
  /** Messages of this process were not sent: receivers in other processes cannot detect that. */
  let hasLost = false;
  /** Serialises statements on the connection. */
  let sending: Promise<unknown> = Promise.resolve();

  const connect = async (): Promise<void> => {
    // A NOTIFY commits like any statement; messages that may be lost need not wait for the disk.
    const next = new pg.Client({ connectionString: options.databaseUrl, options: '-c synchronous_commit=off' });
    next.on('error', () => undefined);
    next.on('notification', (n) => deliverBatch(emitter, own, n.payload ?? '{}'));
    next.on('end', () => {
      client = undefined;
      // Messages missed from here on have no listener, and what a listener would read from is being closed.
      if (closed) return;
      emitter.emit(BUS_GAP, {});
      setTimeout(() => void connect().catch(() => undefined), 1000).unref();
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
    emitter.emit(BUS_GAP, {});
    if (hasLost) flush();
  };
  const connected = connect().catch((error: unknown) => {
    options.log.warn({ error: String(error) }, 'bus not connected yet');
  });

  const send = async (list: readonly string[]): Promise<void> => {
    const gap = hasLost ? '"gap":true,' : '';
    try {
      if (!client) throw new Error('not connected');
      await client.query('select pg_notify($1, $2)', [CHANNEL, `{"from":"${own}",${gap}"list":[${list.join(',')}]}`]);
      if (gap !== '') hasLost = false;
    } catch {
      hasLost = true;
    }
  };

  function flush(): void {
    flushing = undefined;
    if (pending.length === 0 && hasLost) sending = sending.then(() => send([]));
    while (pending.length > 0) {
      const list = pending.splice(0, fitting(pending));
      sending = sending.then(() => send(list));
    }
  }

  return {
    name: 'local',
    publish(channel, message) {
      emitter.emit(channel, message);
      const text = JSON.stringify({ c: channel, m: message });
      if (text.length * 3 < MAX_BYTES) pending.push(text);
      flushing ??= setTimeout(flush, BATCH_MS);
    },
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    async close() {
      closed = true;
      clearTimeout(flushing);
      // A short-lived program may publish before it is connected.
      if (pending.length > 0) await connected;
      flush();
      await sending;
      await client?.end().catch(() => undefined);
    },
  };
}
