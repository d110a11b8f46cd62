/**
 * `npm run test:empty`: finds HTTP tests that cannot fail. Each runs once against empty successes in place of the server
 * (tests/harness/empty-answers.ts); one that called and still passes is a defect, unless tests/harness/allowed.json gives its reason. An
 * entry there that no longer applies is a defect too. `npm run test:empty -- tests/http/payments/bill.test.ts …` runs single files.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode, root } from '../lib/prerequisites.mjs';
import { main, PlainError } from '../lib/output.mjs';
import { runUntilEnd } from '../lib/run.mjs';

const LIST = 'tests/harness/allowed.json';

/** A line of the log: a test that sent a call, or one that passed. */
type Line = { called?: string; passed?: string };

function linesOf(file: string): Line[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Line => JSON.parse(line));
  } catch {
    throw new PlainError('no result was written');
  }
}

const present = (values: readonly (string | undefined)[]): Set<string> =>
  new Set(values.filter((value) => value !== undefined));

await main(async () => {
  process.chdir(root);
  const files = process.argv.slice(2);
  const scratch = mkdtempSync(join(tmpdir(), 'youshi-empty-'));
  const log = join(scratch, 'log.jsonl');
  try {
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    // Its exit code says that tests failed, which is what they are for.
    await runUntilEnd(findNode(), [program, 'run', '--config', 'tests/harness/vitest.config.ts', ...files], {
      HARNESS_LOG: log,
    });
    const lines = linesOf(log);
    const called = present(lines.map((line) => line.called));
    const passed = present(lines.map((line) => line.passed));
    const found = [...called].filter((test) => passed.has(test)).toSorted();
    const allowed: Record<string, string> = JSON.parse(readFileSync(LIST, 'utf8'));
    const unlisted = found.filter((test) => !(test in allowed));
    const inRun = (test: string): boolean => files.length === 0 || files.some((file) => test.startsWith(`${file} › `));
    const stale = Object.keys(allowed).filter((test) => inRun(test) && !found.includes(test));
    for (const test of unlisted) console.log(`passes on an empty success: ${test}`);
    for (const test of stale) console.log(`listed, but no longer applies: ${test}`);
    console.log(
      `${called.size} tests send requests, ${unlisted.length} cannot fail, ${found.length - unlisted.length} are listed`,
    );
    return unlisted.length > 0 || stale.length > 0 || called.size === 0 ? 1 : 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
