/**
 * A test runner of Stryker that imports the test files once and runs the tests of each mutant in the same process: about a hundredth of the time
 * that Vitest needs, which starts again for each mutant. A mutant that acts while modules load (a table, a pattern) gets new instances of the
 * project's modules.
 */
import { registerHooks } from 'node:module';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type CollectedTest, collectTests } from './small-vitest.ts';

/** A test with the identity that Stryker knows it by. */
interface NamedTest extends CollectedTest {
  id: string;
  file: string;
}

type Coverage = Record<string, number>;

/** The variables through which instrumented code and this runner speak. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Coverage; perTest: Record<string, Coverage> };
}

/** Stryker's options of a run with one mutant. */
interface MutantRun {
  testFilter?: string[];
  hitLimit?: number;
  activeMutant: { id: string };
  sandboxFileName: string;
  mutantActivation: 'runtime' | 'static';
}

/** Stryker's numbers of a test's result. */
const [SUCCESS, FAILED] = [0, 1];

const instrumentation: Instrumentation = ((globalThis as { __stryker__?: Instrumentation }).__stryker__ ??= {});
/** Test files by the mutated file that they import. */
const testsByFile: Record<string, string[]> = JSON.parse(process.env.MUTANT_TESTS ?? '{}');

let generation = 0;

/** Sends the sandbox's `vitest` to the small one, and gives its modules the number of their generation. */
function hookImports(sandbox: string): void {
  const small = new URL('small-vitest.ts', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL?.startsWith(sandbox) !== true) return next(specifier, context);
      if (specifier === 'vitest') return { url: small, shortCircuit: true };
      const found = next(specifier, context);
      const isOwn = found.url.startsWith(sandbox) && !found.url.includes('/node_modules/');
      return isOwn && generation > 0 ? { ...found, url: `${found.url}?generation=${generation}` } : found;
    },
  });
}

/** Imports test files anew and returns their tests. */
async function loadTests(files: readonly string[]): Promise<NamedTest[]> {
  const tests: NamedTest[] = [];
  for (const file of files) {
    const url = `${pathToFileURL(resolve(file)).href}${generation > 0 ? `?generation=${generation}` : ''}`;
    const found = await collectTests(async () => await import(url));
    tests.push(...found.map((one, index) => ({ ...one, file, id: `${file}#${index} ${one.name}` })));
  }
  return tests;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs one test; the message of its failure, or undefined. */
async function failureOf(test: NamedTest): Promise<string | undefined> {
  try {
    await test.run();
    return undefined;
  } catch (error) {
    return messageOf(error) || 'failed';
  }
}

/** The first failure among tests, as Stryker expects the result of a mutant. */
async function firstFailure(tests: readonly NamedTest[]) {
  const { hitLimit } = instrumentation;
  for (const [index, test] of tests.entries()) {
    const failureMessage = await failureOf(test);
    if (hitLimit !== undefined && (instrumentation.hitCount ?? 0) > hitLimit) return { status: 'timeout' };
    if (failureMessage !== undefined)
      return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: index + 1 };
  }
  return { status: 'survived', nrOfTests: tests.length };
}

class NodeRunner {
  #loaded: Promise<NamedTest[]> | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    hookImports(pathToFileURL(process.cwd()).href);
    // The same cases for each mutant and each run; how a counterexample becomes smaller is of no interest here.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
    return Promise.resolve();
  }

  /** All tests, imported once. Stryker asks only one of its processes for the dry run; the others begin with a mutant. */
  #tests(): Promise<NamedTest[]> {
    return (this.#loaded ??= loadTests([...new Set(Object.values(testsByFile).flat())]));
  }

  /** Runs every test once and records which mutants each one reaches. */
  async dryRun() {
    const tests = [];
    for (const test of await this.#tests()) {
      instrumentation.currentTestId = test.id;
      const begin = performance.now();
      const failureMessage = await failureOf(test);
      const result = {
        id: test.id,
        name: test.name,
        fileName: resolve(test.file),
        timeSpentMs: performance.now() - begin,
      };
      tests.push(
        failureMessage === undefined ? { ...result, status: SUCCESS } : { ...result, status: FAILED, failureMessage },
      );
    }
    instrumentation.currentTestId = undefined;
    return { status: 'complete', tests, mutantCoverage: instrumentation.mutantCoverage };
  }

  async mutantRun({ testFilter, hitLimit, activeMutant, sandboxFileName, mutantActivation }: MutantRun) {
    const wanted = new Set(testFilter);
    const tests = (await this.#tests()).filter(({ id }) => testFilter === undefined || wanted.has(id));
    // Without a test every mutant would survive.
    if (tests.length === 0 && mutantActivation !== 'static')
      return { status: 'error', errorMessage: `no test of mutant ${activeMutant.id} is loaded` };
    instrumentation.hitCount = 0;
    instrumentation.hitLimit = hitLimit;
    instrumentation.activeMutant = activeMutant.id;
    try {
      if (mutantActivation === 'static') {
        generation += 1;
        const files = testsByFile[relative(process.cwd(), sandboxFileName)] ?? [];
        return await firstFailure(await loadTests(files));
      }
      return await firstFailure(tests);
    } catch (error) {
      // Only loading throws here: a mutant with which the modules do not load is found.
      return { status: 'killed', killedBy: [], failureMessage: messageOf(error), nrOfTests: 0 };
    } finally {
      instrumentation.activeMutant = undefined;
    }
  }
}

const createRunner = Object.assign(() => new NodeRunner(), { inject: [] });

export const strykerPlugins = [{ kind: 'TestRunner', name: 'node', factory: createRunner }];
