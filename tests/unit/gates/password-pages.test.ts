/** Section 12: every page with a field for a password is a strict page, which loads no script of others (decision 540). */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isStrictPage } from '#subjects/distributors/rules/statistics.ts';
import { sourceOf, urlMap } from '#web/lib/pages/url-map.ts';

const FIELD = /<(?:PasswordField|PinField|LoginForm|StaffLoginForm|JoinForm)\b|type="password"/;

test('pages with a password field are strict', () => {
  const files = globSync('{web/pages,subjects}/**/*.tsx').filter((file) => FIELD.test(readFileSync(file, 'utf8')));
  const pages = urlMap.filter(({ file }) => file !== undefined && files.includes(sourceOf(file)));
  expect(pages.length).toBeGreaterThanOrEqual(6);
  expect(pages.filter(({ path }) => !isStrictPage(path)).map(({ path }) => path)).toEqual([]);
});
