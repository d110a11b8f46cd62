import { readFileSync } from 'node:fs';
import { assert, expect, test } from 'vitest';
import { BROWSER_ARGS, PLAYWRIGHT_DISABLES } from '#tests/support/servers/browser-args.ts';

test('the browser tests turn off what Playwright turns off, in one argument', () => {
  const source = readFileSync('node_modules/playwright-core/lib/coreBundle.js', 'utf8');
  const list = /\bdisabledFeatures = \[([^\]]*)\]/.exec(source)?.[1];
  assert(list !== undefined, 'Playwright keeps its list elsewhere');
  // Lines without comments; features with a small letter first are those of another browser.
  const features = [...list.matchAll(/^\s*"([A-Z]\w+)"/gm)].map(([, name]) => name);
  expect(features.length).toBeGreaterThan(5);
  expect(PLAYWRIGHT_DISABLES).toEqual(features);
  expect(BROWSER_ARGS.filter((arg) => arg.startsWith('--disable-features='))).toHaveLength(1);
});
