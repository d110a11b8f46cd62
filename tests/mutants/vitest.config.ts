import { defineConfig } from 'vitest/config';

/** The test files of this run, which scripts/test/test-mutants.ts chooses: those that import a mutated file. */
const testsByFile: Record<string, string[]> = JSON.parse(process.env.MUTANT_TESTS ?? '{}');
const include = [...new Set(Object.values(testsByFile).flat())];

export default defineConfig({
  test: { globals: false, env: { TZ: 'UTC', NODE_ENV: 'test' }, include, testTimeout: 10_000 },
});
