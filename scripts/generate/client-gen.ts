/** Writes the generated files of packages/client/src from the contract. Run after a change of subjects/open-api/contract/open-api.ts. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { clientSources } from '../lib/written/client-source.ts';

for (const [name, text] of Object.entries(clientSources())) {
  const file = `packages/client/src/${name}`;
  writeFileSync(file, text);
  execFileSync('node_modules/.bin/biome', ['format', '--write', file], { stdio: 'inherit' });
  console.log(`${file} updated`);
}
