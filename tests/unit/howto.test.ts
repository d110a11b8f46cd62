/** docs/HOWTO.md names the files of each usual change; a recipe whose file has moved misleads. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = readFileSync('docs/HOWTO.md', 'utf8');
/** The recorded diffs name files of thrown-away branches. */
const prose = text.replace(/^```$[\s\S]*?^```$/gm, '');
const ROOT = /^(contract|db|docs|scripts|server|tests|web)\//;
const named = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name ?? '').filter((name) => ROOT.test(name));

test('every path that the recipes name exists', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});
