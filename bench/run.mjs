/** `npm run bench -- trade`: runs one measurement of this folder; without a name it lists them. */
import { readdirSync } from 'node:fs';

const files = readdirSync(new URL('.', import.meta.url)).filter(
  (name) => /^[\w-]+\.(ts|mjs)$/.test(name) && name !== 'run.mjs',
);
const wanted = process.argv[2];
const file = files.find((name) => name.replace(/\.\w+$/, '') === wanted);
if (file) await import(new URL(file, import.meta.url).href);
else console.log(`npm run bench -- ${files.map((name) => name.replace(/\.\w+$/, '')).join(' | ')}`);
