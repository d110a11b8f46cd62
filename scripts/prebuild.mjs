/** Builds pages and server for an image or a package: what `npm start` does before it starts. Runs on the Node that runs the server. */
import { ensurePages, ensureServer } from './lib/built.mjs';
import { findNode, root } from './lib/prerequisites.mjs';
import { main, speakToOperators } from './lib/output.mjs';

await main(async () => {
  speakToOperators();
  process.chdir(root);
  const node = findNode();
  await ensurePages(node);
  await ensureServer(node);
});
