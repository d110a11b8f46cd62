/** Console messages for a server that ended unexpectedly (operator 23). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const { unexpectedEnd } = (await import(pathToFileURL(join(process.cwd(), 'scripts/lib/run.mjs')).href)) as {
  unexpectedEnd: (code: number | null, signal: string | null) => string | undefined;
};

test('a kill is explained with its exit code, an error that the server printed is not repeated', () => {
  expect(unexpectedEnd(null, 'SIGKILL')).toMatch(/SIGKILL，退出码 137.*内存不足/);
  expect(unexpectedEnd(null, 'SIGSEGV')).toMatch(/SIGSEGV.*退出码 139/);
  expect(unexpectedEnd(134, null)).toMatch(/退出码 134/);
  expect([unexpectedEnd(0, null), unexpectedEnd(1, null)]).toEqual([undefined, undefined]);
});
