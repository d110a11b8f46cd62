import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globals: false,
    env: { TZ: 'UTC', NODE_ENV: 'test' },
    globalSetup: 'tests/support/cluster.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'server/**/*.test.ts',
            'contract/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'db/**/*.test.ts',
            'tests/unit/**/*.test.{ts,tsx}',
          ],
        },
      },
      { extends: true, test: { name: 'http', include: ['tests/http/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'invariants',
          include: ['tests/invariants/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 600_000,
        },
      },
    ],
  },
});
