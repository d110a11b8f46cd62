/**
 * Whatever takes money takes plain yuan alone. The calls and their fields come from the contract, so that none is forgotten: each is
 * sent everything that is no amount, is refused in words that say what to do, and nothing has changed.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { amountRefusal } from '#contract/rules/amounts.ts';
import { amount } from '#contract/wire.ts';
import { BACKSTAGE_HOST, type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/build.ts';
import { goodInput } from '#tests/support/hostile.ts';

const BAD: readonly (readonly [typed: string, words: RegExp])[] = [
  ['NaN', /应为正数，最多两位小数$/],
  ['Infinity', /应为正数，最多两位小数$/],
  ['1e3', /应为正数，最多两位小数$/],
  ['0.001', /应为正数，最多两位小数$/],
  ['-5', /应为正数，最多两位小数$/],
  ['+5', /应为正数，最多两位小数$/],
  ['1,000', /应为正数，最多两位小数$/],
  ['0x10', /应为正数，最多两位小数$/],
  [' 5', /应为正数，最多两位小数$/],
  ['１２', /请用半角数字填写$/],
  ['99999999999', /不能超过 \d+\.\d\d 元$/],
  ['9'.repeat(40), /不能超过 \d+\.\d\d 元$/],
];

const unserved = new Set(readFileSync('tests/support/unserved.txt', 'utf8').split('\n'));

/** The parts of a schema that a value goes through. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = schema._zod;
  if ('innerType' in def) return [def.innerType as z.core.$ZodType];
  if (def.type === 'union') return [...(def as z.core.$ZodUnionDef).options];
  if (def.type === 'array') return [(def as z.core.$ZodArrayDef).element];
  if (def.type === 'pipe') return [(def as z.core.$ZodPipeDef).in, (def as z.core.$ZodPipeDef).out];
  if (def.type === 'object') return Object.values((def as z.core.$ZodObjectDef).shape);
  return [];
}

/** An amount says so itself: nothing else answers 1e3 in these words. */
function takesMoney(schema: z.core.$ZodType): boolean {
  const tried = z.safeParse(schema, '1e3');
  if (!tried.success && tried.error.issues.some((i) => issueWords(i).some((m) => m.endsWith('应为正数，最多两位小数'))))
    return true;
  return partsOf(schema).some(takesMoney);
}

function issueWords(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'invalid_union') return [issue.message];
  return [issue.message, ...issue.errors.flat().flatMap(issueWords)];
}

const shapeOf = (e: Endpoint): [string, z.core.$ZodType][] => {
  let schema: z.core.$ZodType = e.input;
  while (schema._zod.def.type !== 'object') {
    const [inner] = partsOf(schema);
    if (!inner) return [];
    schema = inner;
  }
  return Object.entries((schema._zod.def as z.core.$ZodObjectDef).shape);
};

const fields = endpoints
  .filter((e) => !unserved.has(`${e.method} ${e.path}`))
  .flatMap((e) =>
    shapeOf(e)
      .filter(([, schema]) => takesMoney(schema))
      .map(([field, schema]) => ({ name: `${e.path} ${field}`, e, field, schema })),
  );

/** Whether the money stands in the field itself, and not inside of a structure that the field carries as JSON. */
const isPlain = (schema: z.core.$ZodType): boolean =>
  !z.safeParse(schema, '1e3').success && BAD.every(([typed]) => !z.safeParse(schema, typed).success);

let t: TestApp;
let user: TestUser;
let staff: TestStaff;
beforeAll(async () => {
  t = await testApp({ env: { IP_LIMIT_FACTOR: '1000' } });
  user = await t.newUser({ balanceFen: 500_000, stepUp: true });
  staff = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

test('the calls that take money are found, the well-known ones among them', () => {
  const paths = fields.map((f) => f.name);
  for (const known of [
    '/api/pay/recPay amount',
    '/api/pay/cashAdvance amount',
    '/api/goods/releaseGoods price',
    '/api/goods/onlySetupGoodsPrice price',
    '/api/goods/bargaining price',
    '/api/backstage/ledger/freeze amount',
  ])
    expect(paths).toContain(known);
  expect(fields.length).toBeGreaterThan(20);
});

describe.each(fields)('$name', ({ e, field, schema }) => {
  test('refuses in words what is no amount', () => {
    for (const [typed, words] of BAD) {
      const tried = z.safeParse(schema, typed);
      if (!isPlain(schema)) continue;
      const said = tried.success ? [] : tried.error.issues.flatMap(issueWords);
      expect(said.join('；'), `${field}=${typed}`).toMatch(new RegExp(words.source.replace('$', '(；|$)')));
    }
  });

  test('changes nothing over HTTP', async () => {
    const isDesk = e.auth === 'staff';
    const client = isDesk ? staff.client : user.client;
    for (const [typed] of BAD) {
      const input = { ...goodInput(e, {}), [field]: typed };
      const body = new URLSearchParams(input).toString();
      const response = await client.raw({
        method: e.method,
        url: e.method === 'GET' ? `${e.path}?${body}` : e.path,
        headers: {
          ...(e.method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(isDesk && { host: BACKSTAGE_HOST }),
        },
        ...(e.method === 'POST' && { payload: body }),
      });
      const { code, msg } = response.json<{ code: number; msg: string }>();
      expect(code, `${typed}: ${msg}`).not.toBe(0);
      expect(msg).toMatch(/[\u4e00-\u9fff]/);
    }
  });
});

test.each(BAD)('forms and calls say the same of %j', (typed, words) => {
  expect(amountRefusal(typed, '价格')).toMatch(words);
  expect(z.safeParse(amount({ label: '价格' }), typed).error?.issues[0]?.message).toMatch(words);
});
