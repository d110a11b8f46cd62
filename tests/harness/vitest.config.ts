import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** Notes each passed test in the file HARNESS_LOG, next to the calls that empty-answers.ts notes. */
const passedTests: Reporter = {
  onTestCaseResult(test) {
    const log = process.env.HARNESS_LOG;
    if (log === undefined || test.result().state !== 'passed') return;
    const file = relative(process.cwd(), test.module.moduleId);
    appendFileSync(log, `${JSON.stringify({ passed: `${file} › ${test.fullName}` })}\n`);
  },
};

/** The HTTP tests against answers that say nothing: see empty-answers.ts. `npm run test:empty` runs it. */
export default defineConfig({
  test: {
    globals: false,
    env: { TZ: 'UTC', NODE_ENV: 'test', RACE_CALLERS: '3', SLOPE_SMALL: '10', SLOPE_LARGE: '20' },
    pool: 'forks',
    maxWorkers: Number(process.env.HARNESS_WORKERS ?? '2'),
    include: ['tests/http/**/*.test.ts'],
    globalSetup: 'tests/support/database/cluster.ts',
    setupFiles: ['tests/harness/empty-answers.ts'],
    isolate: false,
    reporters: ['dot', passedTests],
    silent: true,
    // Nothing that a test waits for can happen.
    testTimeout: 4_000,
    hookTimeout: 120_000,
  },
});
