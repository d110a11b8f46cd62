/**
 * Writes the index of the design decisions, `docs/decisions/README.md`; with `--check` it only reports whether the index is up to date. Runs
 * on Node 20.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX, indexOf, readDecisions } from '../lib/written/decisions.mjs';
import { main, PlainError } from '../lib/output.mjs';
import { root } from '../lib/prerequisites.mjs';

await main(async () => {
  const folder = join(root, 'docs/decisions');
  const file = join(folder, INDEX);
  const text = indexOf(readDecisions(folder));
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text)
    throw new PlainError(
      'docs/decisions/README.md differs from the decisions; run node scripts/generate/decisions.mjs',
    );
  return 0;
});
