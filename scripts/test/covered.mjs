/** Stages that `npm test` runs only when the files that they cover differ from those of the last passed long run (decision 490). Runs on Node 20. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from '../lib/git.mjs';
import { root } from '../lib/prerequisites.mjs';

/** The committed record: `{ stage: { hash, date } }`. */
export const RECORD = 'tests/covered.json';

const readRecord = (cwd) => {
  const file = join(cwd, RECORD);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};

/** Why a stage need not run; undefined if it must: its files changed, it never passed, or this is not a repository. */
export function unchangedSince({ name, covered }, cwd = root) {
  if (covered === undefined) return undefined;
  const known = readRecord(cwd)[name];
  if (known === undefined || hashOfFiles(covered, cwd) !== known.hash) return undefined;
  return `the files that it covers are those of the long run that passed on ${known.date}`;
}

/** Records that stages have passed on the files as they are. Stages that cover everything are not recorded. */
export function recordPassed(stages, cwd = root) {
  const record = readRecord(cwd);
  for (const { name, covered } of stages) {
    const hash = covered && hashOfFiles(covered, cwd);
    if (hash === undefined || record[name]?.hash === hash) continue;
    record[name] = { hash, date: new Date().toISOString().slice(0, 10) };
  }
  const sorted = Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)));
  if (Object.keys(sorted).length > 0) writeFileSync(join(cwd, RECORD), `${JSON.stringify(sorted, null, 2)}\n`);
}
