/** HTTP tests share a process with others: one that puts a module of its own in the place of another needs a process to itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every HTTP test that replaces a module is in the list of those with a process to themselves', () => {
  const listed = /const MOCKS = \[([^\]]*)\]/.exec(readFileSync('vitest.config.ts', 'utf8'))?.[1] ?? '';
  const files = readdirSync('tests/http', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const replacing = files.filter((name) => /\bvi\.(?:mock|doMock)\(/.test(readFileSync(`tests/http/${name}`, 'utf8')));
  expect(replacing.length).toBeGreaterThan(0);
  for (const name of replacing) expect(listed).toContain(`'tests/http/${name}'`);
});
