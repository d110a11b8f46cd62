/**
 * The part of Vitest's interface that unit tests of pure rules use, without Vitest's own process: it collects tests, so that node-runner.ts can
 * run the same ones thousands of times in one process. `expect` and `vi` are Vitest's own. A file that replaces modules or needs a component is
 * run by Vitest.
 */
import { vi as vitest } from 'vitest';

export { expect } from 'vitest';

/** What `vi` asks of a process of Vitest: the settings of its clock. */
Object.assign(globalThis, {
  __vitest_worker__: { config: { fakeTimers: { loopLimit: 10_000, shouldClearNativeTimers: true } } },
});

/** As in Vitest, which would wait here by the clock that a test has stopped, without an end. */
async function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await check();
    } catch (error) {
      if (attempts === 20) throw error;
    }
    if (vitest.isFakeTimers()) await vitest.advanceTimersByTimeAsync(50);
    else await new Promise((resume) => setTimeout(resume, 50));
  }
}

export const vi = { ...vitest, waitFor };

type Work = () => unknown;

interface Suite {
  name: string;
  before: Work[];
  after: Work[];
  parent: Suite | undefined;
}

/** A collected test with everything that runs around it. */
export interface CollectedTest {
  name: string;
  run(): Promise<void>;
}

const newSuite = (name: string, parent?: Suite): Suite => ({ name, before: [], after: [], parent });

let current = newSuite('');
let collected: CollectedTest[] = [];

/** The suites around a test, outermost first. */
function chainOf(suite: Suite): Suite[] {
  return suite.parent === undefined ? [suite] : [...chainOf(suite.parent), suite];
}

async function runWithHooks(chain: readonly Suite[], work: Work): Promise<void> {
  /** What the hooks before the test returned, to undo them. */
  const undo: Work[] = [];
  try {
    for (const hook of chain.flatMap(({ before }) => before)) {
      const result = await hook();
      if (typeof result === 'function') undo.push(result as Work);
    }
    await work();
  } finally {
    for (const hook of chain.toReversed().flatMap(({ after }) => after)) await hook();
    for (const hook of undo.toReversed()) await hook();
  }
}

/** Runs `load`, which imports a test file, and returns the tests that the file declared. */
export async function collectTests(load: () => Promise<unknown>): Promise<CollectedTest[]> {
  current = newSuite('');
  collected = [];
  await load();
  return collected;
}

function addTest(title: string, work: Work): void {
  const chain = chainOf(current);
  const names = [...chain.map(({ name }) => name), title].filter((name) => name !== '');
  collected.push({ name: names.join(' > '), run: async () => await runWithHooks(chain, work) });
}

function addSuite(title: string, declare: Work): void {
  const outer = current;
  current = newSuite(title, outer);
  declare();
  current = outer;
}

/** One call for each row of a table, numbered because titles need not differ. */
function eachOf(add: (title: string, work: Work) => void) {
  return (rows: readonly unknown[]) => (title: string, work: (...values: unknown[]) => unknown) => {
    for (const [index, row] of rows.entries())
      add(`${title} #${index}`, () => (Array.isArray(row) ? work(...row) : work(row)));
  };
}

export const test = Object.assign(addTest, { each: eachOf(addTest) });
export const it = test;
export const describe = Object.assign(addSuite, { each: eachOf(addSuite) });
export const beforeEach = (work: Work): void => void current.before.push(work);
export const afterEach = (work: Work): void => void current.after.push(work);
// Around each test too: tests of rules have nothing to set up that is expensive or shared.
export const beforeAll = beforeEach;
export const afterAll = afterEach;
