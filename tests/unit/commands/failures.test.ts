import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Failures = { name: string; message: string }[];
const { failureLines, playwrightFailures, vitestFailures } = (await import(
  pathToFileURL(join(process.cwd(), 'scripts/lib/failures.mjs')).href
)) as {
  failureLines: (failures: Failures) => string[];
  playwrightFailures: (report: object) => Failures;
  vitestFailures: (report: object) => Failures;
};

test('failed tests of Vitest are named with their message, passed ones are not', () => {
  const failures = vitestFailures({
    testResults: [
      {
        name: '/somewhere/tests/http/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'two',
            failureMessages: ['\u001B[31mError: 1 is not 2\u001B[0m\n  at /x/tests/http/a.test.ts:3:1'],
          },
        ],
      },
      { name: '/somewhere/tests/unit/b.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ],
  });
  expect(failures).toEqual([
    {
      name: 'tests/http/a.test.ts › two',
      message: 'Error: 1 is not 2\n      at /x/tests/http/a.test.ts:3:1',
    },
    { name: 'tests/unit/b.test.ts', message: 'SyntaxError' },
  ]);
});

test('failed and flaky journeys are found in nested groups, errors outside a test too', () => {
  const spec = (title: string, status: string) => ({
    file: 'trade.spec.ts',
    line: 7,
    title,
    tests: [{ status, projectName: 'phone', results: [{ errors: [{ message: 'Timeout' }] }] }],
  });
  const failures = playwrightFailures({
    suites: [{ specs: [spec('a', 'expected')], suites: [{ specs: [spec('b', 'unexpected'), spec('c', 'flaky')] }] }],
    errors: [{ message: 'no market' }],
  });
  expect(failures.map(({ name }) => name)).toEqual([
    'Playwright',
    'trade.spec.ts:7 › b [phone]',
    'trade.spec.ts:7 › c [phone]',
  ]);
});

test('nothing is listed when nothing failed', () => {
  expect(failureLines([])).toEqual([]);
  expect(failureLines([{ name: 'a', message: 'b' }])).toContain('Failed tests');
});
