/** `npm run restore-drill` in a separate process: a market is lost and restored to a moment, whole and silent. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const LIMIT_MS = 600_000;

test(
  'a lost market is restored to the moment with a consistent ledger, and sends nothing before the release',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/restore-drill.ts'], {
      timeout: LIMIT_MS,
      env: { ...process.env, DATABASE_URL: undefined },
    });
    const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
    console.log('restore drill', figures);
    expect(figures.events).toBeGreaterThan(0);
    expect(figures.due).toBeGreaterThan(0);
    expect(figures.restoreMs).toBeGreaterThan(0);
  },
  LIMIT_MS + 20_000,
);
