/** Checks the direction of imports (.dependency-cruiser.mjs), and that the tool read the sources: without sources it would find nothing. */
import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';
import config from '../../.dependency-cruiser.mjs';

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

/** With more files than this in one folder of a subject, a newcomer no longer sees what belongs together. */
const FILES_IN_A_FOLDER = 20;
const sizes = Map.groupBy(globSync('subjects/**/*.{ts,tsx}'), (file) => dirname(file));
for (const [folder, files] of sizes) {
  if (files.length <= FILES_IN_A_FOLDER) continue;
  console.error(
    `${folder}: ${files.length} files; move them into folders by subject (of the server: subjectFolders in subjects/order.ts)`,
  );
  process.exitCode = 1;
}
