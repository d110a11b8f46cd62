/** Where failures are shown: by the kit's field error, and in the back office beside the button that was pressed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => join(folder, name));

const filesWith = (folder: string, pattern: RegExp): string[] =>
  files(folder).filter((file) => pattern.test(readFileSync(file, 'utf8')));

test('the message of a field or a form is the kit’s, with its icon and its role', () => {
  expect(filesWith('web', /field-error['" ]/)).toEqual(['web/ui/field.tsx']);
});

test('a button of a row, a drawer or a panel says its failure beside itself', () => {
  // Bars and heads of one line without a place for a message.
  const bars = [
    'brand/use-brand-form.ts',
    'chat.tsx',
    'game.tsx',
    'games.tsx',
    'games/use-game-form.ts',
    'list/list-page.tsx',
    'list/views-bar.tsx',
    'order/chat-panel.tsx',
    'support/duty-bar.tsx',
  ].map((name) => `web/pages/backstage/${name}`);
  expect(filesWith('web/pages/backstage', /\btoasts: true\b/).toSorted()).toEqual(bars.toSorted());
});

test('a failure that a call reports in its data is not a toast either', () => {
  expect(filesWith('web/pages/backstage', /toast\((refused|failed)\[0\]/)).toEqual([]);
});
