/** `npm run test:change` chooses HTTP tests by the recorded map: what a change touches, the most relevant first. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Entry {
  ms: number;
  calls: string[];
  parts: Record<string, number>;
}
interface Project {
  tests: string[];
  sources: string[];
  owners: [string, string][];
  read: (file: string) => string;
  exists: (file: string) => boolean;
}
const { chooseTests, partOf } = (await import(
  pathToFileURL(join(process.cwd(), 'scripts/test/affected.mjs')).href
)) as {
  chooseTests: (changed: string[], map: Record<string, Entry>, project: Project) => string[];
  partOf: (file: string) => string | undefined;
};

const at = (name: string): string => `tests/http/${name}.test.ts`;
const MAP: Record<string, Entry> = {
  [at('offers')]: {
    ms: 9_000,
    calls: ['/api/offer/save'],
    parts: { 'subjects/offers/server': 30, 'contract/rules/fee': 2 },
  },
  [at('orders')]: {
    ms: 9_000,
    calls: ['/api/order/place', '/api/offer/save'],
    parts: { 'subjects/orders/server': 60, 'subjects/offers/server': 4 },
  },
  [at('chat')]: { ms: 9_000, calls: ['/api/im/send'], parts: { 'subjects/chat/server/transport': 50 } },
};
const FILES: Record<string, string> = {
  'subjects/chat/contract/im.ts': "export const send = post('/api/im/send');",
  'db/migrations/0200_offer.sql': 'alter table offer_line add column note text;',
  'subjects/orders/db/order_step.sql':
    'create or replace function public.order_step(order_id bigint) returns void language sql as $$ select 1 $$;',
  'subjects/orders/server/steps.ts': 'sql`select order_step(${id})`',
  'subjects/offers/server/save.ts': '',
  [at('new')]: "import { fake } from '#tests/support/fake-mail.ts';",
};
const project: Project = {
  tests: [...Object.keys(MAP), at('new')],
  sources: Object.keys(FILES).filter((file) => file.startsWith('subjects/')),
  owners: [['offer_line', 'offers']],
  read: (file) => FILES[file] ?? '',
  exists: () => true,
};
const choose = (...changed: string[]): string[] => chooseTests(changed, MAP, project);

test('a source belongs to its folder, a file of the contract to itself, a style and a test to nothing', () => {
  expect(partOf('subjects/chat/server/transport/send.ts')).toBe('subjects/chat/server/transport');
  expect(partOf('contract/rules/fee.ts')).toBe('contract/rules/fee');
  for (const file of [
    'web/styles/app.css',
    'subjects/chat/server/log.test.ts',
    'tests/http/chat.test.ts',
    'docs/CHAT.md',
  ])
    expect(partOf(file)).toBeUndefined();
});

describe('what is chosen', () => {
  test.each([
    ['a rule', ['contract/rules/fee.ts'], [at('offers')]],
    [
      'a subject, the test that is mostly about it first',
      ['subjects/offers/server/save.ts'],
      [at('offers'), at('orders')],
    ],
    ['the contract of endpoints', ['subjects/chat/contract/im.ts'], [at('chat')]],
    ['a migration: the owner of its tables', ['db/migrations/0200_offer.sql'], [at('offers'), at('orders')]],
    ['a function of the database: who calls it', ['subjects/orders/db/order_step.sql'], [at('orders')]],
    ['a test that is not in the map', [at('new')], [at('new')]],
    ['a helper: the tests that use it', ['tests/support/fake-mail.ts'], [at('new')]],
    ['a style', ['web/styles/app.css'], []],
  ])('%s', (_what, changed, expected) => {
    expect(choose(...changed)).toEqual(expected);
  });

  test('at most 25 files, and none that would take too long', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        at(`t${i}`),
        { ms: i === 0 ? 900_000 : 1_000, calls: [], parts: { 'subjects/offers/server': 60 - i } },
      ]),
    );
    const all = { ...project, tests: Object.keys(many) };
    const chosen = chooseTests(['subjects/offers/server/save.ts'], many, all);
    expect(chosen).toEqual(Array.from({ length: 25 }, (_, i) => at(`t${i + 1}`)));
  });

  test('a changed test is chosen whatever it takes', () => {
    const long = { [at('offers')]: { ms: 900_000, calls: [], parts: {} } };
    expect(chooseTests([at('offers')], long, project)).toEqual([at('offers')]);
  });
});
