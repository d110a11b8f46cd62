import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'youshi-decisions-'));
const decisions = join(folder, 'docs/decisions');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'docs'), { recursive: true });
  cpSync('scripts', join(folder, 'scripts'), { recursive: true });
  cpSync('docs/decisions', decisions, { recursive: true });
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(process.cwd(), name), join(folder, name));
});

/** Runs the script over the copy. Resolves to its exit code and output. */
const run = (...flags: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'scripts/generate/decisions.mjs'), ...flags], (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: stdout + stderr });
    });
  });

const add = (name: string, text: string) => writeFileSync(join(decisions, name), text);
const HEAD = 'Date: 2026-11-29. Area: money. Status: accepted.';

test('a decision that is not in the index fails the gate, and the script adds it', async () => {
  add('990-coins-are-square.md', `# 990 Coins are square\n\n${HEAD}\n`);
  add('991-coins-are-flat.md', `# 991 Coins are flat\n\n${HEAD}\n`);
  add('992-coins-have-sides.md', `# 992 Coins have sides\n\n${HEAD}\n`);
  add(
    '998-coins-are-round.md',
    `# 998 Coins are round\n\n${HEAD} Extends: 992. Supersedes: 990, 991 in part.\n\nText.\n`,
  );
  const missing = await run('--check');
  expect(missing.code).toBe(1);
  expect(missing.output).toContain('differs from the decisions');
  expect((await run()).code).toBe(0);
  expect((await run('--check')).code).toBe(0);
  const index = readFileSync(join(decisions, 'README.md'), 'utf8').split('\n');
  const row = (number: string) => index.find((line) => line.startsWith(`| ${number} `));
  expect(row('998')).toContain('[Coins are round](998-coins-are-round.md) | 2026-11-29 | accepted');
  expect(row('992')).toContain('extended by 998');
  expect(row('990')).toContain('superseded by 998');
  expect(row('991')).toContain('accepted; in part superseded by 998');
});

test.each([
  ['no head', '998-coins-are-round.md', '# 998 Coins are round\n\nText.\n', /the first lines/],
  [
    'an unknown area',
    '998-coins-are-round.md',
    '# 998 Coins are round\n\nDate: 2026-11-29. Area: coin. Status: accepted.\n',
    /no area/,
  ],
  ['another file name', '998-coins.md', `# 998 Coins are round\n\n${HEAD}\n`, /998-coins-are-round\.md/],
  [
    'a number that is taken',
    '045-coins-are-round.md',
    `# 045 Coins are round\n\n${HEAD}\n`,
    /045 is the number of two/,
  ],
  [
    'a reference to nothing',
    '998-coins-are-round.md',
    `# 998 Coins are round\n\n${HEAD} Extends: 997.\n`,
    /no decision 997/,
  ],
])('%s is refused by name', async (_, name, text, message) => {
  add(name, text);
  const { code, output } = await run('--check');
  expect(code).toBe(1);
  expect(output).toMatch(message);
});
