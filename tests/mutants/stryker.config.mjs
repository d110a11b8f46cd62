import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Set by scripts/test/test-mutants.ts, which is the way to run this. */
const cache = process.env.MUTANT_CACHE ?? 'node_modules/.cache/mutants';

export default {
  testRunner: process.env.MUTANT_RUNNER ?? 'node',
  plugins: ['@stryker-mutator/vitest-runner', './tests/mutants/node-runner.ts'],
  vitest: { configFile: 'tests/mutants/vitest.config.ts', related: true },
  // A name that does not exist: Stryker would rewrite tsconfig.json by a programming interface that TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // A text or a code that became '' and an object that became {} are found by the type checker or by reading the page; they are two fifths
  // of all mutants, and most of them are in tables of texts.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  // No checker of types runs here, and the preparation of every file for one takes a minute.
  disableTypeChecks: false,
  // Only what unit tests of rules import or read is copied.
  ignorePatterns: [
    '**',
    '!package.json',
    '!{contract,server,subjects,web}/**',
    '!db/**/*.ts',
    '!tests/{unit,support,mutants,data}/**',
    '!tests/sizes.ts',
    '!docs/*.md',
  ],
  incremental: true,
  incrementalFile: `${cache}/incremental.json`,
  // Outside node_modules, where Vitest would not transform the sources.
  tempDirName: join(tmpdir(), 'youshi-mutants'),
  cleanTempDir: 'always',
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `${cache}/report.json` },
  concurrency: 2,
  timeoutMS: 5_000,
  timeoutFactor: 3,
  // scripts/test/test-mutants.ts applies the threshold of 90 %: only to whole runs.
  thresholds: { high: 95, low: 90, break: null },
};
