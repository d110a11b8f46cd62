/** `npm run bench -- trade`: runs one measurement of this folder; without a name it lists them. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

const files = readdirSync(new URL('.', import.meta.url), { recursive: true }).filter(
  (path) => /^([\w-]+\/)?[\w-]+\.(ts|mjs)$/.test(path) && path !== 'run.mjs' && !path.startsWith('lib/'),
);
const nameOf = (path) => basename(path).replace(/\.\w+$/, '');
const wanted = process.argv[2];
const file = files.find((path) => nameOf(path) === wanted);
if (file) await import(new URL(file, import.meta.url).href);
else console.log(`npm run bench -- ${files.map(nameOf).sort().join(' | ')}`);
