/**
 * Fills the demo market in a separate process, which `server/seed.ts` starts: the server imports nothing of the seed, and the memory
 * that filling takes goes with the process. What it needs comes as its first message, since arguments and the environment are read by
 * others; it ends with its parent.
 */
import pino from 'pino';
import { openDatabase } from '#server/db/client.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { openKeys } from '#server/secrets/keyring.ts';
import { loadMarket } from './load/index.ts';

/** Message of the parent process. `secret` is the installation's, `previous` those before it, base64. */
interface Order {
  databaseUrl: string;
  secret: string;
  previous: string[];
  goods: number;
}

process.once('disconnect', () => process.exit(1));
/** The market's keys, stored now if this is its first start. */
async function keysFor({ databaseUrl, secret, previous }: Order): Promise<Keys> {
  const { db } = openDatabase({ url: databaseUrl, max: 1, log: pino({ level: 'silent' }) });
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  try {
    return (await openKeys(db, { secret: bytes(secret), previous: previous.map(bytes) }, { derived: true })).keys;
  } finally {
    await db.destroy();
  }
}

async function fill(order: Order): Promise<void> {
  const { databaseUrl, goods } = order;
  await loadMarket({ databaseUrl, keys: await keysFor(order), goods, print: (text) => process.send?.(text) });
}

process.once('message', (message) => {
  fill(message as Order).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
