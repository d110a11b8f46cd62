/** The lint rule about states: a number beside a status is found, whichever way it is written, and a status of HTTP is not one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** How often oxlint names the rule in a source. */
function found(source: string): number {
  const folder = mkdtempSync(join(process.cwd(), 'tests/unit/planted-'));
  try {
    const file = join(folder, 'planted.ts');
    writeFileSync(file, source);
    const { stdout } = spawnSync(process.execPath, ['node_modules/oxlint/bin/oxlint', '--format=json', file], {
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string }[] };
    return diagnostics.filter(({ code }) => code?.includes('named-status') === true).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a number beside a status is an error', () => {
  const source = `
export const a = (o: { status: number }): boolean => o.status === 2;
export const b = (status: number): boolean => status > 3;
export const c = (o?: { authStatus: number }): boolean => o?.authStatus !== 2;
export const d = (o: { status: number }): boolean => -1 === o.status;
`;
  expect(found(source)).toBe(4);
});

test('a status of HTTP and a named state are none', () => {
  const source = `
const Paid = 1;
export const a = (r: { status: number; statusCode: number }): boolean => r.status === 404 || r.statusCode >= 500;
export const b = (o: { status: number }): boolean => o.status === Paid;
`;
  expect(found(source)).toBe(0);
});
