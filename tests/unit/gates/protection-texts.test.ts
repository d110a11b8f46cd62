/** One sentence says how long a buyer is protected: subjects/orders/rules/protection.ts. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Matches a hand-written sentence about the protection. */
const HAND_WRITTEN =
  /验收最长|确认后再保护|(?:\d+|\}) ?(?:小时|天)内(?:都|均|仍)?可以?(?:随时)?申诉|保护期内(?:都|均)可以?申诉|(?:继续|还会)冻结一段|(?:小时|天)验收保护/;

test('no other text says how long a buyer is protected', () => {
  const files = globSync([
    'contract/**/*.ts',
    'server/**/*.ts',
    'subjects/**/*.{ts,tsx}',
    'web/**/*.{ts,tsx}',
    'db/catalogue/**/*.ts',
    'db/seed/**/*.ts',
  ]);
  expect(files.length).toBeGreaterThan(1_000);
  const found = files
    .filter((file) => !/protection(?:\.test)?\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => HAND_WRITTEN.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
