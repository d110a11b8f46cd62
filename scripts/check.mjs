/** `npm run check`: every gate that needs no running market, in under a minute. */
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { runChecks } from './lib/checks.mjs';
import { main } from './lib/output.mjs';

await main(async () => {
  process.chdir(root);
  await ensurePackages({ tests: true });
  const { failed } = await runChecks(findNode());
  return failed === 0 ? 0 : 1;
});
