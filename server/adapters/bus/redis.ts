import { EventEmitter } from 'node:events';
import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import { type Batch, deliverBatch, processName } from './batch.ts';

const CHANNEL = 'youshi_bus';
const BATCH_MS = 5;
const CONNECT_MS = 5_000;
const MAX_RETRY_MS = 2_000;
const PING_MS = 10_000;

function openClient(url: string) {
  const client = createClient({
    url,
    // Receivers recover lost messages through the gap event; a queue would only send them late.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), MAX_RETRY_MS),
    },
  });
  client.on('error', () => undefined);
  return client;
}

/**
 * The bus over Redis' publish and subscribe. Messages within this process are delivered immediately, even while Redis is unavailable. After a lost
 * connection the receivers of both sides are notified of a gap: those of this process automatically, others with its next batch.
 */
export function redisBus({ url, log }: { url: string; log: Logger }): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const own = processName();
  const pending: Batch['list'] = [];
  let flushing: NodeJS.Timeout | undefined;
  let hasLost = false;
  let isClosed = false;
  let sending: Promise<unknown> = Promise.resolve();

  const publisher = openClient(url);
  const subscriber = openClient(url);

  const send = async (list: Batch['list']): Promise<void> => {
    const gap = hasLost;
    try {
      await publisher.publish(CHANNEL, JSON.stringify({ from: own, list, ...(gap && { gap }) }));
      if (gap) hasLost = false;
    } catch (error) {
      if (!hasLost) log.warn({ error: String(error) }, 'bus lost, messages are made good later');
      hasLost = true;
    }
  };
  const flush = (): void => {
    flushing = undefined;
    if (pending.length === 0 && !hasLost) return;
    const list = pending.splice(0);
    sending = sending.then(() => send(list));
  };

  // Ready again: others are notified of the loss even if nothing new is published.
  publisher.on('ready', () => {
    if (hasLost) flush();
  });
  subscriber.on('ready', () => {
    if (!isClosed) emitter.emit(BUS_GAP, {});
  });
  subscriber.on('reconnecting', () => {
    if (!isClosed) emitter.emit(BUS_GAP, {});
  });
  const connected = Promise.all([
    publisher.connect(),
    subscriber.connect().then(() => subscriber.subscribe(CHANNEL, (text) => deliverBatch(emitter, own, text))),
  ]).catch((error: unknown) => {
    if (!isClosed) log.warn({ error: String(error) }, 'bus not connected yet');
  });

  return {
    name: 'redis',
    publish(channel, message) {
      emitter.emit(channel, message);
      pending.push({ c: channel, m: message });
      flushing ??= setTimeout(flush, BATCH_MS);
    },
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    async close() {
      clearTimeout(flushing);
      // A short-lived program may publish before it is connected; one that cannot connect does not wait.
      if (pending.length > 0)
        await Promise.race([connected, new Promise((resolve) => setTimeout(resolve, CONNECT_MS))]);
      isClosed = true;
      flush();
      await sending;
      for (const client of [publisher, subscriber]) if (client.isOpen) client.destroy();
    },
  };
}
