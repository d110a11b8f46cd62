/** The names that users read: one for each thing (docs/GLOSSARY.md), the same in menus, titles and the map of pages. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { staffPermissionNames } from '#subjects/back-office/rules/staff.ts';
import { adminMenu } from '#web/layouts/shell/admin-menu.ts';
import { centerMenu } from '#web/layouts/shell/center-menu.ts';
import { entryOf, sourceOf, urlMap } from '#web/lib/pages/url-map.ts';

/** Where a text for people may stand. */
const SOURCES = globSync([
  'web/**/*.{ts,tsx}',
  'contract/**/*.ts',
  'server/**/*.ts',
  'subjects/**/*.{ts,tsx}',
  'db/seed/**/*.ts',
  '{db/functions,subjects/*/db}/*.sql',
]);

/** Messages between people of the demo market, and the patterns that read it, are not texts of the interface. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  你: ['contract/rules/contacts/contact-patterns.ts', 'db/seed/load/content/chats.ts', 'db/seed/generate/texts.ts'],
};

/** The names that the glossary replaces, from the last column of its table. */
function replacedNames(glossary: string): string[] {
  const [, section = ''] = glossary.split('## Names that users read');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).flatMap((line) => line.split('|')[3]?.trim().split('、') ?? []);
}

/** The lines of a text that use one of the names. */
function usesOf(names: readonly string[], file: string, text: string): string[] {
  const found = names.filter((name) => !EXCEPT[name]?.includes(file) && text.includes(name));
  if (found.length === 0) return [];
  return text.split('\n').flatMap((line, i) => {
    const name = found.find((one) => line.includes(one));
    return name === undefined ? [] : [`${file}:${i + 1} ${name}: ${line.trim()}`];
  });
}

test('the check finds a replaced name, and ignores the current one', () => {
  const names = replacedNames(readFileSync('docs/GLOSSARY.md', 'utf8'));
  expect(names.length).toBeGreaterThan(15);
  expect(usesOf(names, 'web/a.tsx', '<h1>投诉维权</h1>\n<p>付款二维码</p>\n<p>请你确认</p>')).toEqual([
    'web/a.tsx:1 投诉维权: <h1>投诉维权</h1>',
    'web/a.tsx:3 你: <p>请你确认</p>',
  ]);
});

test('one thing has one name in every text', () => {
  const names = replacedNames(readFileSync('docs/GLOSSARY.md', 'utf8'));
  const files = SOURCES.filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => usesOf(names, file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('the centre’s menu names every page by its title', () => {
  const items = centerMenu.flatMap((group) => group.items);
  const named = items.map(({ label, to }) => `${to} ${label}`);
  expect(named).toEqual(items.map(({ to }) => `${to} ${entryOf(to.split('?')[0] ?? '')?.name}`));
});

/** Pages of the back office that are reached from another page of its menu. */
const WITHIN = ['/backstage/commission/days', '/backstage/trial'];

test('the menu of the back office has every page, but those reached from another', () => {
  const every = adminMenu({ permissions: Object.keys(staffPermissionNames) }).flatMap(({ items }) =>
    items.map(({ to }) => to),
  );
  const pages = urlMap.filter(({ layout, path }) => layout === 'backstage' && !path.includes(':'));
  expect([...every, ...WITHIN].toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
});

test('a page has the title of its entry in the map', () => {
  const differing = urlMap.flatMap(({ path, name, file }) => {
    if (!file) return [];
    const source = readFileSync(sourceOf(file), 'utf8');
    const title = /pageMeta\(args, \{\s*title: '([^']+)'/.exec(source)?.[1];
    return title === undefined || title === name ? [] : [`${path} ${name}: ${title}`];
  });
  expect(differing).toEqual([]);
});
