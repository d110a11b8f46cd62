import { defineConfig } from 'vitest/config';

/** Starts one PostgreSQL for all projects that name it. The root must not name it: the root's setup runs for every project. */
const globalSetup = 'tests/support/database/cluster.ts';

/** The unit tests that need PostgreSQL or a built market. All others are in the quick tests, `npm run test:quick`. */
const SLOW_UNITS = [
  'builds/client-build',
  'builds/server-build',
  'contract/tables',
  'database/check-sql',
  'database/embedded',
  'database/function-files',
  'database/migrate',
  'database/named-statements',
  'database/table-owners',
].map((name) => `tests/unit/${name}.test.ts`);

/** Tests that replace a module by their own: each has a process to itself. */
const QUICK_MOCKS = [
  'subjects/chat/web/parts/chat-link/rong-sdk.test.ts',
  'subjects/chat/web/parts/chat-pictures/pictures.test.ts',
  'subjects/games/web/parts/games/catalogue.test.ts',
  'subjects/accounts/web/parts/login/silent-login.test.ts',
  'web/ui/overlays/modal-history.test.ts',
];
/** With those that read texts whose language a module of the server sets for the whole process. */
const QUICK_ALONE = [...QUICK_MOCKS, 'tests/unit/settings/environment.test.ts'];
const HTTP_MOCKS = ['tests/http/orders/number.test.ts'];

const QUICK = [
  'server/**/*.test.ts',
  'subjects/**/*.test.{ts,tsx}',
  'contract/**/*.test.ts',
  'web/**/*.test.{ts,tsx}',
  'db/**/*.test.ts',
  'tests/unit/**/*.test.{ts,tsx}',
  'tests/vendors/**/*.test.ts',
];

/** `npm run test:map` records what each HTTP test file touches. */
const TOUCHED = process.env.TEST_MAP === undefined ? [] : ['tests/support/tools/touched-setup.ts'];

export default defineConfig({
  test: {
    globals: false,
    env: { TZ: 'UTC', NODE_ENV: 'test' },
    pool: 'forks',
    maxWorkers: 2,
    // A limit for what hangs: on a loaded machine a test that starts six programs needs more than a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    projects: [
      // The files of a worker share its modules, here and in the HTTP tests: what a test changes outside itself it puts back.
      // A process for each of three hundred small files takes more than three times as long.
      {
        extends: true,
        test: { name: 'quick', include: QUICK, exclude: [...SLOW_UNITS, ...QUICK_ALONE], isolate: false },
      },
      { extends: true, test: { name: 'quick-alone', include: QUICK_ALONE } },
      { extends: true, test: { name: 'unit', globalSetup, include: SLOW_UNITS } },
      // Loading the server's modules for each file would cost a third of the whole.
      {
        extends: true,
        test: {
          name: 'http',
          globalSetup,
          setupFiles: TOUCHED,
          include: ['tests/http/**/*.test.ts'],
          exclude: HTTP_MOCKS,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'http-mocks', globalSetup, setupFiles: TOUCHED, include: HTTP_MOCKS } },
      {
        extends: true,
        test: {
          name: 'invariants',
          globalSetup,
          // Two at a time, as everywhere: each has a separate database and draws its ports, and those that kill servers wait while they start again.
          include: ['tests/invariants/**/*.test.ts'],
          testTimeout: 600_000,
        },
      },
      // `npm run cluster`, and a stage of `npm test` where its programs are: a bare machine does not have them.
      { extends: true, test: { name: 'cluster', include: ['tests/cluster/**/*.test.ts'], fileParallelism: false } },
    ],
  },
});
