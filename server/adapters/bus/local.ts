import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';

const CHANNEL = 'youshi_bus';
const BATCH_MS = 5;
/** NOTIFY refuses 8000 bytes and more. */
const MAX_BYTES = 7500;

/**
 * The bus over LISTEN and NOTIFY. A connection of its own sends batches after the commit, because a NOTIFY inside a business
 * transaction takes a global commit lock (facts/stack.md 6). Messages within this process are delivered immediately, without the
 * database.
 */
export function localBus(options: { databaseUrl: string; log: Logger }): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const own = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const pending: string[] = [];
  let client: pg.Client | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let closed = false;
  /** Serialises statements on the connection. */
  let sending: Promise<unknown> = Promise.resolve();

  const receive = (text: string | undefined): void => {
    const batch = JSON.parse(text ?? '{}') as { from?: string; list?: { c: string; m: Record<string, unknown> }[] };
    if (batch.from === own) return;
    for (const { c, m } of batch.list ?? []) emitter.emit(c, m);
  };

  const connect = async (): Promise<void> => {
    // A NOTIFY commits like any statement; nothing that could be lost is worth waiting for the disk.
    const next = new pg.Client({ connectionString: options.databaseUrl, options: '-c synchronous_commit=off' });
    next.on('error', () => undefined);
    next.on('notification', (n) => receive(n.payload));
    next.on('end', () => {
      client = undefined;
      // Nobody listens for what is missed from here on, and what they would read it with is being closed.
      if (closed) return;
      emitter.emit(BUS_GAP, {});
      setTimeout(() => void connect().catch(() => undefined), 1000).unref();
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
    emitter.emit(BUS_GAP, {});
  };
  const connected = connect().catch((error: unknown) => {
    options.log.warn({ error: String(error) }, 'bus not connected yet');
  });

  const flush = (): void => {
    flushing = undefined;
    while (pending.length > 0) {
      let size = 0;
      let count = 0;
      while (count < pending.length && size + (pending[count]?.length ?? 0) * 3 < MAX_BYTES)
        size += (pending[count++]?.length ?? 0) * 3;
      const list = pending.splice(0, Math.max(1, count));
      const text = `{"from":"${own}","list":[${list.join(',')}]}`;
      sending = sending.then(() => client?.query('select pg_notify($1, $2)', [CHANNEL, text]).catch(() => undefined));
    }
  };

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
      // A short-lived program may publish before the connection is there.
      if (pending.length > 0) await connected;
      flush();
      await sending;
      await client?.end().catch(() => undefined);
    },
  };
}
