/** Where failures are shown: by the kit's field error, and in the back office next to the clicked button. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const STAFF = 'subjects/*/staff/**/*.{ts,tsx}';

const filesWith = (pattern: RegExp, ...folders: string[]): string[] =>
  globSync(folders).filter((file) => !file.includes('.test.') && pattern.test(readFileSync(file, 'utf8')));

test('the message of a field or a form is the kit’s, with its icon and its role', () => {
  expect(filesWith(/field-error['" ]/, 'web/**/*.{ts,tsx}', 'subjects/**/*.{ts,tsx}')).toEqual([
    'web/ui/forms/field.tsx',
  ]);
});

test('a button of a row, a drawer or a panel says its failure beside itself', () => {
  // Bars and heads of one line without a place for a message.
  const bars = [
    'back-office/staff/list/list-page.tsx',
    'back-office/staff/list/views-bar.tsx',
    'chat/staff/conversations.tsx',
    'chat/staff/support/duty-bar.tsx',
    'distributors/staff/brand/use-brand-form.ts',
    'games/staff/game.tsx',
    'games/staff/games.tsx',
    'games/staff/games/use-game-form.ts',
    'orders/staff/order/chat-panel.tsx',
  ].map((name) => `subjects/${name}`);
  expect(filesWith(/\btoasts: true\b/, STAFF).toSorted()).toEqual(bars.toSorted());
});

test('a failure that a call reports in its data is not a toast either', () => {
  expect(filesWith(/toast\((refused|failed)\[0\]/, STAFF)).toEqual([]);
});
