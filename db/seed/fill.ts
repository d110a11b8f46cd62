/**
 * Fills the demo market as a process of its own, which `server/seed.ts` starts: the server imports nothing of the seed, and the memory
 * that filling takes goes with the process. What it needs comes as its first message, since arguments and the environment are read by
 * others; it ends with its parent.
 */
import { deriveKeys } from '#server/kernel/crypto.ts';
import { loadMarket } from './load/index.ts';

/** What the parent sends. `secret` is the installation's, base64. */
interface Order {
  databaseUrl: string;
  secret: string;
  goods: number;
}

process.once('disconnect', () => process.exit(1));
process.once('message', (message) => {
  const { databaseUrl, secret, goods } = message as Order;
  loadMarket({
    databaseUrl,
    keys: deriveKeys(Buffer.from(secret, 'base64')),
    goods,
    print: (text) => process.send?.(text),
  }).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
