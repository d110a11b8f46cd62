/** `node --import` of this file changes sources as they are loaded, by the mutant that `CHEAT_MUTANT` names. Only the search for cheats does. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { changed, mutantOf } from './mutants.ts';

const { changes } = mutantOf(process.env.CHEAT_MUTANT ?? '');
const sources = changes.filter((change) => 'file' in change);

registerHooks({
  load(url, context, next) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const mine = sources.filter(({ file }) => path.endsWith(`/${file}`));
    if (mine.length === 0) return next(url, context);
    const source = mine.reduce((text, change) => changed(text, change, change.file), readFileSync(path, 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
