/** tests/touched.json: which endpoints each HTTP test file calls and how many functions of each part of the project it enters. Runs on Node 20. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/prerequisites.mjs';
import { CONTRACT, partOf } from './affected.mjs';

const FILE = join(root, 'tests/touched.json');
/** A function entered by more than this share of the files is not significant: starting the server enters it. */
const COMMON_SHARE = 0.6;
/** With fewer files the common functions cannot be determined. */
const FEWEST_FILES = 20;
const MAX_PARTS = 16;

/** The map as `{ file: { ms, calls, parts } }`; empty when none is recorded. */
export function readMap() {
  if (!existsSync(FILE)) return {};
  const { calls: paths, parts: names, files } = JSON.parse(readFileSync(FILE, 'utf8'));
  return Object.fromEntries(
    Object.entries(files).map(([file, [seconds, calls, parts]]) => [
      `tests/http/${file}.test.ts`,
      {
        ms: seconds * 1000,
        calls: calls.map((i) => paths[i]),
        parts: Object.fromEntries(parts.map(([i, count]) => [names[i], count])),
      },
    ]),
  );
}

/** Functions by part, without the common ones; the largest folders and the largest files of the contract only. */
function partsOfFile(entered, isCommon) {
  const counts = {};
  for (const name of entered) {
    const part = isCommon(name) ? undefined : partOf(name.slice(0, name.indexOf(':')));
    if (part !== undefined) counts[part] = (counts[part] ?? 0) + 1;
  }
  const largest = Object.entries(counts).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
  // A file of the contract has few functions, so it would never be among the largest.
  const isRule = ([part]) => CONTRACT.test(part);
  return Object.fromEntries([
    ...largest.filter((entry) => !isRule(entry)).slice(0, MAX_PARTS),
    ...largest.filter(isRule).slice(0, MAX_PARTS),
  ]);
}

const sorted = (names) => [...new Set(names)].sort((a, b) => (a < b ? -1 : 1));

/** The map as text, one line for each file, so that a change of one file is a change of one line. */
function textOf(map) {
  const entries = Object.entries(map).sort(([a], [b]) => a.localeCompare(b));
  const paths = sorted(entries.flatMap(([, { calls }]) => calls));
  const names = sorted(entries.flatMap(([, { parts }]) => Object.keys(parts)));
  const lines = entries.map(([file, { ms, calls, parts }]) => {
    const shown = [
      Math.max(1, Math.round(ms / 1000)),
      calls.map((path) => paths.indexOf(path)).sort((a, b) => a - b),
      Object.entries(parts).map(([name, count]) => [names.indexOf(name), count]),
    ];
    return `${JSON.stringify(file.replace(/^tests\/http\/|\.test\.ts$/g, ''))}:${JSON.stringify(shown)}`;
  });
  return `{"calls":${JSON.stringify(paths)},\n"parts":${JSON.stringify(names)},\n"files":{\n${lines.join(',\n')}\n}}\n`;
}

/**
 * Takes what tests/support/tools/touched-setup.ts left in a folder into the map. Files that are not in the folder keep their entry while they exist.
 * Returns how many were taken.
 * @throws Error when there are too few to tell what all have in common
 */
export function recordMap(folder, durations) {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  if (found.length < FEWEST_FILES)
    throw new Error(`the map needs at least ${FEWEST_FILES} test files, ${found.length} ran`);
  const times = new Map();
  for (const { entered } of found) for (const name of entered) times.set(name, (times.get(name) ?? 0) + 1);
  const isCommon = (name) => times.get(name) > found.length * COMMON_SHARE;
  const map = Object.fromEntries(Object.entries(readMap()).filter(([file]) => existsSync(join(root, file))));
  for (const { file, calls, entered } of found)
    map[file] = { ms: durations.get(file) ?? 0, calls: sorted(calls), parts: partsOfFile(entered, isCommon) };
  writeFileSync(FILE, textOf(map));
  return found.length;
}
