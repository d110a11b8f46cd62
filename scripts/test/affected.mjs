/**
 * The HTTP test files affected by a change, from the recorded map tests/touched.json. `npm test` runs all of them and catches wrong choices.
 * Runs on Node 20.
 */

/** Maximum number of files, and of their total recorded time: two workers need half of it. */
const MAX_FILES = 25;
const BUDGET_MS = 240_000;
/** A call of an endpoint whose contract changed is more relevant than functions shared with others. */
const CALL_WEIGHT = 3;

/** The contract, and that of a subject: each file is a separate part. */
export const CONTRACT = /^(contract|subjects\/[^/]+\/(contract|rules))\//;

const isTest = (file) => /^tests\/http\/.*\.test\.ts$/.test(file);

/** The part of the project that a source file belongs to: its folder, or in the contract the file itself. undefined for what HTTP tests cannot enter. */
export function partOf(file) {
  if (!/^(server|contract|subjects|web|db\/(catalogue|seed))\/.*\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file))
    return undefined;
  return CONTRACT.test(file) ? file.replace(/\.ts$/, '') : file.slice(0, file.lastIndexOf('/'));
}

const wordsOf = (text) => new Set(text.match(/\b[a-z_][a-z0-9_]+\b/g) ?? []);

/** The parts that a migration or a function of the database concerns: those of the owners of its tables, and those that call its functions. */
function partsOfSql(files, { read, owners, sources }) {
  const words = new Set(files.flatMap((file) => [...wordsOf(read(file))]));
  const subjects = new Set([...owners].filter(([table]) => words.has(table)).map(([, owner]) => owner));
  const functions = files.flatMap((file) =>
    [...read(file).matchAll(/function\s+(?:public\.)?(\w+)\s*\(/gi)].map(([, name]) => name),
  );
  const calls = functions.map((name) => new RegExp(`\\b${name}\\b`));
  const isConcerned = (file) => {
    const part = partOf(file);
    if (part === undefined) return false;
    if ([...subjects].some((owner) => part === `server/${owner}` || part.startsWith(`subjects/${owner}/server`)))
      return true;
    return calls.some((call) => call.test(read(file)));
  };
  return sources.filter(isConcerned).map(partOf);
}

/** Returns the subject of a change: parts of the project and paths of endpoints. */
function subjectOf(changed, project) {
  const sql = changed.filter(
    (file) => /^(db\/(migrations|functions)|subjects\/[^/]+\/db)\/.*\.sql$/.test(file) && project.exists(file),
  );
  const parts = [...changed.map(partOf), ...(sql.length > 0 ? partsOfSql(sql, project) : [])];
  const contracts = changed.filter(
    (file) => /^(contract|subjects\/[^/]+\/contract)\/[^/]+\.ts$/.test(file) && project.exists(file),
  );
  const calls = contracts.flatMap((file) => project.read(file).match(/\/api\/[\w/-]+/g) ?? []);
  return { parts: new Set(parts.filter((part) => part !== undefined)), calls: new Set(calls) };
}

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

/** How relevant a test file is to a subject: high if it enters many functions of it and few others. */
function relevance({ calls, parts }, subject) {
  const entered = sum(Object.entries(parts).map(([part, count]) => (subject.parts.has(part) ? count : 0)));
  const called = calls.filter((path) => subject.calls.has(path)).length;
  const all = sum(Object.values(parts));
  return entered / Math.sqrt(all + 1) + (CALL_WEIGHT * called) / Math.sqrt(calls.length + 1);
}

/**
 * Chooses test files for changed files: those that were changed themselves or use a changed helper and are not in the map, then the most relevant.
 * `map` is `{ file: { ms, calls: [path], parts: { part: count } } }`; `project` is `{ tests, sources, owners, read, exists }`, where `owners`
 * are pairs of table and subject. Answers the files, the most relevant first.
 */
export function chooseTests(changed, map, project) {
  const own = changed.filter((file) => isTest(file) && project.exists(file));
  const helpers = changed
    .filter((file) => /^tests\/support\/.*\.ts$/.test(file))
    .map((file) => file.slice('tests/'.length));
  const usesHelper = (file) => helpers.some((helper) => project.read(file).includes(helper));
  const subject = subjectOf(changed, project);
  const weighed = project.tests
    .filter((file) => !own.includes(file))
    .map((file) => {
      const known = map[file];
      const weight = known === undefined ? 0 : relevance(known, subject);
      return { file, ms: known?.ms ?? 0, weight: weight + (helpers.length > 0 && usesHelper(file) ? 1 : 0) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.ms - b.ms || a.file.localeCompare(b.file));
  let left = BUDGET_MS - sum(own.map((file) => map[file]?.ms ?? 0));
  const chosen = [...own];
  for (const { file, ms } of weighed) {
    if (chosen.length >= MAX_FILES) break;
    if (ms > left) continue;
    left -= ms;
    chosen.push(file);
  }
  return chosen;
}
