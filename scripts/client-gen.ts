/** Writes packages/client/src/calls.gen.ts from the contract. Run after a change of contract/open-api.ts. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { clientSource } from './lib/client-source.ts';

const FILE = 'packages/client/src/calls.gen.ts';

writeFileSync(FILE, clientSource());
execFileSync('node_modules/.bin/biome', ['format', '--write', FILE], { stdio: 'inherit' });
console.log(`${FILE} 已更新`);
