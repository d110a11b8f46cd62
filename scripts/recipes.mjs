/** `node scripts/recipes.mjs [NAME …]`: follows the recipes of docs/HOWTO.md that scripts/recipes has, and checks what results. A stage of `npm run test:long`. */
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { main } from './lib/output.mjs';
import { runRecipes } from './recipes/run.mjs';

await main(async () => {
  process.chdir(root);
  await ensurePackages({ tests: true });
  const { failed } = await runRecipes(findNode(), { names: process.argv.slice(2) });
  return failed === 0 ? 0 : 1;
});
