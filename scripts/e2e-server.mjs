/** The server for the browser tests: the real one, as in production, with a copy of a filled demo market that is removed afterwards. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePages, ensureServer, serverEntry } from './lib/built.mjs';
import { prepareDemoFolder } from './lib/browsers/demo-folder.mjs';
import { findNode, root } from './lib/prerequisites.mjs';
import { runUntilEnd } from './lib/run.mjs';
import { main } from './lib/output.mjs';

await main(async () => {
  process.chdir(root);
  const { E2E_PORT: port, E2E_DATA_DIR: dataDir } = process.env;
  rmSync(dataDir, { recursive: true, force: true });
  // Open to the user the database runs as when the tests run as root.
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const node = findNode();
  await ensurePages(node);
  await ensureServer(node);
  await prepareDemoFolder(dataDir);
  const code = await runUntilEnd(node, [serverEntry], {
    NODE_ENV: 'production',
    DEMO: '1',
    PORT: port,
    DATA_DIR: dataDir,
    DATABASE_URL: undefined,
    SMS_SINK: join(dataDir, 'sms.jsonl'),
    LOG_LEVEL: process.env.E2E_LOG_LEVEL ?? 'warn',
  });
  rmSync(dataDir, { recursive: true, force: true });
  return code;
});
