import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

/** A small tree in which every link breaks one rule, or none. */
const TREE: Record<string, string> = {
  'server/kernel/money.ts': `import type { C } from '../config.ts'; export type M = C;`,
  'server/kernel/errors.ts': `import '../../contract/codes.ts'; export const e = 1;`,
  'server/config.ts': `export type C = 1;`,
  'server/context.ts': `import './adapters/sms/local.ts'; export const c = 1;`,
  'server/app.ts': `import './adapters/sms/local.ts';`,
  'server/adapters/sms/local.ts': `export const l = 1;`,
  'subjects/accounts/server/service.ts': `import '../../orders/server/service.ts'; export const a = 1;`,
  'subjects/orders/server/service.ts': `import '../../goods/server/service.ts'; import './routes.ts'; export const o = 1;`,
  'subjects/orders/server/routes.ts': `import '../../goods/server/queries.ts';`,
  'subjects/goods/server/service.ts': `export const g = 1;`,
  'subjects/goods/server/queries.ts': `export const q = 1;`,
  'subjects/goods/server/rules.ts': `import 'node:fs';`,
  'subjects/unknown/server/service.ts': `import '../../goods/server/service.ts';`,
  'subjects/goods/attic/old.ts': `import '../server/service.ts';`,
  'subjects/goods/rules/fee.ts': `import '../../../server/config.ts'; export const f = 1;`,
  'subjects/goods/web/card.ts': `import '../staff/review.ts'; import '../rules/fee.ts';`,
  'subjects/goods/staff/review.ts': `import '../server/service.ts'; export const r = 1;`,
  'web/lib/view.ts': `import type { C } from '../../server/config.ts'; export type V = C;`,
  'contract/codes.ts': `import 'node:path'; export const codes = 1;`,
  'server/seed.ts': `import '../db/seed/fill.ts'; import '../db/catalogue/aliases.ts';`,
  'db/seed/fill.ts': `import '../../server/kernel/errors.ts';`,
  'db/catalogue/aliases.ts': `export const a = 1;`,
  'server/http/one.ts': `import './two.ts'; export const one = 1;`,
  'server/http/two.ts': `import './one.ts'; export const two = 1;`,
  'server/http/lost.ts': `import './nowhere.ts';`,
  'server/http/shop.ts': `import '../../subjects/goods/server/service.ts';`,
  'server/access/limits.ts': `import '../http/lost.ts';`,
  'subjects/goods/server/routes.ts': `import '../../../server/http/lost.ts';`,
  'subjects/goods/server/search/index.ts': `import '../selling/edit.ts'; import '../service.ts'; import './routes.ts';`,
  'subjects/goods/server/search/routes.ts': `export const r = 1;`,
  'subjects/goods/server/selling/edit.ts': `import '../queries.ts'; export const e = 1;`,
  'subjects/goods/server/attic/old.ts': `import '../queries.ts';`,
  'package.json': `{ "dependencies": { "tool": "1.0.0" }, "devDependencies": { "checker": "1.0.0" } }`,
  'node_modules/tool/package.json': `{ "name": "tool", "version": "1.0.0", "main": "index.js" }`,
  'node_modules/tool/index.js': `exports.t = 1;`,
  'node_modules/checker/package.json': `{ "name": "checker", "version": "1.0.0", "main": "index.js" }`,
  'node_modules/checker/index.js': `exports.c = 1;`,
  'server/checked.ts': `import 'checker'; import 'tool';`,
  'web/lib/types-a.ts': `import type { B } from './types-b.ts'; export type A = B;`,
  'web/lib/types-b.ts': `import type { A } from './types-a.ts'; export type B = A;`,
};

let baseDir: string;
const broken = new Set<string>();

beforeAll(async () => {
  baseDir = mkdtempSync(join(tmpdir(), 'youshi-direction-'));
  for (const [file, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(baseDir, file)), { recursive: true });
    writeFileSync(join(baseDir, file), text);
  }
  writeFileSync(join(baseDir, 'tsconfig.json'), '{}');
  const { cruise } = await import('dependency-cruiser');
  const configFile = join(process.cwd(), '.dependency-cruiser.mjs');
  const config: { default: { forbidden: IForbiddenRuleType[]; options: ICruiseOptions } } = await import(configFile);
  const { forbidden, options } = config.default;
  const { output } = await cruise(['server', 'subjects', 'web', 'contract'], {
    ...options,
    baseDir,
    ruleSet: { forbidden },
    validate: true,
  });
  if (typeof output === 'string') throw new Error(output);
  for (const { rule, from, to } of output.summary.violations) broken.add(`${rule.name}: ${from} → ${to}`);
});

afterAll(() => rmSync(baseDir, { recursive: true }));

test('every forbidden import is found, and no allowed one', () => {
  expect([...broken].toSorted()).toEqual([
    'access-imports-no-http: server/access/limits.ts → server/http/lost.ts',
    'adapters-are-chosen-in-context: server/app.ts → server/adapters/sms/local.ts',
    'contract-imports-zod-only: contract/codes.ts → path',
    'contract-imports-zod-only: subjects/goods/rules/fee.ts → server/config.ts',
    'folders-import-no-entry: subjects/goods/server/search/index.ts → subjects/goods/server/service.ts',
    'http-imports-no-subjects: server/http/shop.ts → subjects/goods/server/service.ts',
    'kernel-imports-nothing-of-ours: server/kernel/money.ts → server/config.ts',
    'no-cycles: server/http/one.ts → server/http/two.ts',
    'no-cycles: web/lib/types-a.ts → web/lib/types-b.ts',
    'only-what-npm-ci-brings: server/checked.ts → node_modules/checker/index.js',
    'routes-are-bound-only: subjects/goods/server/search/index.ts → subjects/goods/server/search/routes.ts',
    'routes-are-bound-only: subjects/orders/server/service.ts → subjects/orders/server/routes.ts',
    'rules-are-pure: subjects/goods/server/rules.ts → fs',
    'server-imports-no-seed: server/seed.ts → db/seed/fill.ts',
    'service-imports-lower-only: subjects/orders/server/service.ts → subjects/orders/server/routes.ts',
    'subject-accounts-imports-lower-only: subjects/accounts/server/service.ts → subjects/orders/server/service.ts',
    'subject-goods-search-imports-lower-only: subjects/goods/server/search/index.ts → subjects/goods/server/selling/edit.ts',
    'subject-goods-unlisted-folder: subjects/goods/server/attic/old.ts → subjects/goods/server/queries.ts',
    'subject-orders-sees-services-only: subjects/orders/server/routes.ts → subjects/goods/server/queries.ts',
    'subjects-import-no-http: subjects/goods/server/routes.ts → server/http/lost.ts',
    'unlisted-role: subjects/goods/attic/old.ts → subjects/goods/server/service.ts',
    'unlisted-subject: subjects/unknown/server/service.ts → subjects/goods/server/service.ts',
    'unresolvable: server/http/lost.ts → ./nowhere.ts',
    'visitors-load-no-centre: subjects/goods/web/card.ts → subjects/goods/staff/review.ts',
    'web-imports-no-server: subjects/goods/staff/review.ts → subjects/goods/server/service.ts',
    'web-imports-no-server: web/lib/view.ts → server/config.ts',
  ]);
});
