/**
 * Checks the direction of imports (.dependency-cruiser.mjs), that the tool read the sources (without sources it would find nothing), and how
 * many files each folder has.
 */
import { existsSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import config from '../../.dependency-cruiser.mjs';
import { crowdedFolders, sourcesIn } from './folders.mjs';

const ROOTS = ['contract', 'server', 'subjects', 'web', 'db', 'tests'].filter((folder) => existsSync(folder));

const { forbidden, options } = config;
const { output } = await cruise(ROOTS, { ...options, ruleSet: { forbidden }, validate: true });

for (const folder of ROOTS) {
  const seen = output.modules.filter(({ source }) => /\.tsx?$/.test(source) && source.startsWith(`${folder}/`));
  const links = seen.flatMap(({ dependencies }) => dependencies);
  const needed = folder === 'db' ? 0 : 1;
  if (seen.length >= needed && links.length >= needed) continue;
  console.error(`${folder}/: the check of imports saw no module`);
  process.exitCode = 1;
}

const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]));
for (const { rule, from, to, cycle, via } of output.summary.violations) {
  const way = (cycle ?? via ?? []).map(({ name }) => name);
  const path = way.length > 0 ? [from, ...way] : [from, to];
  console.error(`${rule.name}: ${path.join(' → ')}`);
  if (comments.get(rule.name) !== undefined) console.error(`    ${comments.get(rule.name)}`);
  process.exitCode = 1;
}

for (const folder of crowdedFolders(sourcesIn('.'))) {
  console.error(
    `${folder}; move them into folders by subject (of a subject's server: subjectFolders in subjects/order.ts)`,
  );
  process.exitCode = 1;
}
