/**
 * Every call that takes money accepts plain yuan only. The calls and their fields come from the contract, also those inside lists and objects,
 * so that none is forgotten: each is sent everything that is no amount, is rejected with a message that says what to do, and changes nothing.
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/registry.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { typedAmount } from '#contract/rules/texts/typed.ts';
import { amount } from '#contract/wire.ts';
import { BACKSTAGE_HOST, type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { goodInput } from '#tests/support/calls/hostile.ts';

const PLAIN = /应为正数，最多两位小数$/;
const MOST = /不能超过 [\d,]+\.\d\d 元$/;

const BAD: readonly (readonly [typed: string, words: RegExp])[] = [
  ...'NaN|Infinity|-Infinity|∞|1e3|1e-2|1E5|0.001|1.|.5|01|00.5|-5|-0|--1|+5|1_000|0x10|0b1|1/2|5元5|1,00|1 00|1,0000|abc|null|[]|{}|١٢|५'
    .split('|')
    .map((typed) => [typed, PLAIN] as const),
  ['１２．', PLAIN],
  ['1，00', PLAIN],
  ['99999999999', MOST],
  ['9'.repeat(40), MOST],
  ['9'.repeat(5000), MOST],
  [`0.${'0'.repeat(5000)}1`, PLAIN],
];

/** JSON values that are not a valid amount. */
const BAD_VALUES: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  0.001,
  1e15,
  1e308,
  2 ** 53,
  true,
  null,
  [],
  ['5'],
  [5],
  {},
  { valueOf: 5 },
];

/** The parser is one for all calls, so that one of each kind shows how a call answers. */
const OVER_HTTP = ['NaN', '1e3', '0.001', '-5', '1,00', '5 5', '+1', '99999999999'] as const;

const unserved = new Set(readFileSync('tests/support/calls/unserved.txt', 'utf8').split('\n'));

/** The parts of a schema that a value goes through, each with what it adds to the path. */
function partsOf(schema: z.core.$ZodType): (readonly [step: string, part: z.core.$ZodType])[] {
  const { def } = schema._zod;
  if ('innerType' in def) return [['', def.innerType as z.core.$ZodType]];
  if (def.type === 'union') return (def as z.core.$ZodUnionDef).options.map((part) => ['', part] as const);
  if (def.type === 'array') return [['[]', (def as z.core.$ZodArrayDef).element]];
  if (def.type === 'record') return [['{}', (def as z.core.$ZodRecordDef).valueType]];
  if (def.type === 'pipe') {
    const { in: input, out } = def as z.core.$ZodPipeDef;
    // A transform expects what the part before it made, and checks nothing itself.
    return [input, out].filter((part) => part._zod.def.type !== 'transform').map((part) => ['', part] as const);
  }
  if (def.type === 'object')
    return Object.entries((def as z.core.$ZodObjectDef).shape).map(([name, part]) => [`.${name}`, part] as const);
  return [];
}

function issueMessages(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'invalid_union') return [issue.message];
  return [issue.message, ...issue.errors.flat().flatMap(issueMessages)];
}

const messagesOf = (schema: z.core.$ZodType, value: unknown): string[] =>
  z.safeParse(schema, value).error?.issues.flatMap(issueMessages) ?? [];

/** An amount says so itself: nothing else answers 1e3 in these words. */
const isMoney = (schema: z.core.$ZodType): boolean => messagesOf(schema, '1e3').some((words) => PLAIN.test(words));

/** Every amount below a schema, by its path. */
function* moneyIn(schema: z.core.$ZodType, path = ''): Generator<{ path: string; schema: z.core.$ZodType }> {
  if (isMoney(schema)) yield { path, schema };
  else for (const [step, part] of partsOf(schema)) yield* moneyIn(part, path + step);
}

/** Every field below a schema, by its path. */
function* namesIn(schema: z.core.$ZodType, path = ''): Generator<string> {
  for (const [step, part] of partsOf(schema)) {
    if (step.startsWith('.')) yield path + step;
    yield* namesIn(part, path + step);
  }
}

const uniqueBy = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

const fields = uniqueBy(
  endpoints.flatMap((e) =>
    [...moneyIn(e.input)].map(({ path, schema }) => ({ name: `${e.path} ${path.slice(1)}`, e, path, schema })),
  ),
  ({ name }) => name,
);

let t: TestApp;
let user: TestUser;
let staff: TestStaff;
beforeAll(async () => {
  t = await testApp({ env: { IP_LIMIT_FACTOR: '1000', LIMIT_FACTOR: '1000' } });
  user = await t.newUser({ balanceFen: 500_000, stepUp: true });
  staff = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

/** Named like money, and none: shares, kinds, levels, counts, and whole yuan of a filter that moves nothing. */
const NO_MONEY =
  /(percent|Percent|Bp|Sn|Type|Side|Level|total|minYuan|maxYuan|keepPrice|rateNum|evalRate|score|sort|Sort|Count|Num|Num\w*|Rand)$/;
const NAMED_LIKE_MONEY =
  /(amount|price|yuan|fee|deposit|budget|minimum|maximum|refund|salary|coin|cost|money|balance|reward|premium|total|penalty|limit)$/i;

test('calls with amounts are found by name, and no such field accepts anything else', () => {
  const paths = fields.map((f) => f.name);
  for (const known of [
    '/api/pay/recPay amount',
    '/api/pay/cashAdvance amount',
    '/api/goods/releaseGoods price',
    '/api/goods/onlySetupGoodsPrice price',
    '/api/goods/bargaining price',
    '/api/booster/updateBooster packages[].price',
    '/api/backstage/ledger/freeze amount',
  ])
    expect(paths).toContain(known);
  expect(fields.length).toBeGreaterThan(35);
  const others = endpoints.flatMap((e) =>
    [...new Set(namesIn(e.input))]
      .filter((path) => NAMED_LIKE_MONEY.test(path) && !NO_MONEY.test(path))
      .map((path) => `${e.path} ${path.slice(1)}`)
      .filter((name) => !paths.includes(name)),
  );
  expect(others.toSorted()).toEqual(EXPLAINED.toSorted());
});

/** Fields that are named like money and hold none. */
const EXPLAINED: readonly string[] = [
  // Yes or no: the balance first, a refund that stays there, and the deposit of the one at fault.
  '/api/pay/recPay useBalance',
  '/api/pay/refundTarget toBalance',
  '/api/backstage/dispute/rule penalty',
  // Bounds of a filter of a staff list ("100~200"), which moves nothing.
  '/api/backstage/goods/list price',
  '/api/backstage/order/list totalPrice',
  '/api/backstage/dispute/list goodsPrice',
  '/api/backstage/service/list totalPrice',
  '/api/backstage/withdraw/list amount',
  '/api/backstage/ledger/holds amount',
  '/api/backstage/ledger/transfers amount',
  '/api/backstage/ledger/topups amount',
  '/api/backstage/commission/settlements amount',
];

test.each(fields)('$name rejects invalid amounts with a message', ({ schema }) => {
  for (const [typed, words] of BAD) {
    const textMessage = messagesOf(schema, typed).join('；');
    expect(textMessage, typed.slice(0, 50)).toMatch(new RegExp(words.source.replace('$', '(；|$)')));
    expect(textMessage.length).toBeLessThan(200);
  }
  for (const value of BAD_VALUES) expect(z.safeParse(schema, value).success, JSON.stringify(value)).toBe(false);
  // An optional field may take the empty text for absent; nothing else does.
  const empty = z.safeParse(schema, '');
  if (empty.success) expect(empty.data).toBeUndefined();
  else expect(messagesOf(schema, '').join('；')).toMatch(/[\u4e00-\u9fff]/);
});

/** Everything that a refused amount could have changed, as one text. */
async function moneyAndRows(): Promise<string> {
  const { rows } =
    await sql`select (select count(*) from ledger_transfer) t, (select count(*) from payment) p, (select count(*) from withdrawal) w,
    (select count(*) from goods) g, (select count(*) from want) q, (select count(*) from hold) h, (select count(*) from coupon_campaign) k,
    (select count(*) from middleman_deal) m, (select count(*) from orders) o, (select count(*) from approval) a`.execute(
      t.ctx.db,
    );
  return JSON.stringify(rows);
}

/** A value at the place that a path names, inside of what a field carries as JSON. */
function enclosed(path: string, value: unknown): unknown {
  const [, step = '', rest = ''] = /^(\[\]|\{\}|\.[^.[{]+)(.*)$/.exec(path) ?? [];
  if (step === '') return value;
  const inner = enclosed(rest, value);
  return step === '[]' ? [inner] : { [step === '{}' ? 'a' : step.slice(1)]: inner };
}

test('forms and JSON calls over HTTP reject each with a message, and change nothing', async () => {
  const before = await moneyAndRows();
  for (const { e, path, name } of fields.filter(({ e: { method, path: p } }) => !unserved.has(`${method} ${p}`))) {
    const client = e.auth === 'staff' ? staff.client : user.client;
    const [, field = '', rest = ''] = /^\.([^.[{]+)(.*)$/.exec(path) ?? [];
    const host = e.auth === 'staff' ? { host: BACKSTAGE_HOST } : {};
    const send = async (typed: unknown, json: boolean) => {
      const inner = enclosed(rest, typed);
      const text = rest === '' ? String(inner) : JSON.stringify(inner);
      const input = { ...goodInput(e, {}), [field]: json ? inner : text };
      if (e.method === 'GET')
        return await client.raw({
          method: 'GET',
          url: `${e.path}?${new URLSearchParams(input as Record<string, string>)}`,
          headers: host,
        });
      const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
      const payload = json ? JSON.stringify(input) : new URLSearchParams(input as Record<string, string>).toString();
      return await client.raw({ method: 'POST', url: e.path, headers: { 'content-type': type, ...host }, payload });
    };
    for (const typed of OVER_HTTP) {
      const { code, msg } = (await send(typed, false)).json<{ code: number; msg: string }>();
      expect(code, `${name}=${typed}: ${msg}`).not.toBe(0);
      expect(msg, `${name}=${typed}`).toMatch(/[\u4e00-\u9fff]/);
    }
    if (e.method === 'POST')
      for (const value of [-1, 1e308, ['5']]) {
        const { code, msg } = (await send(value, true)).json<{ code: number; msg: string }>();
        expect(code, `${name}=${JSON.stringify(value)}`).not.toBe(0);
        expect(msg).toMatch(/[\u4e00-\u9fff]/);
      }
  }
  expect(await moneyAndRows()).toBe(before);
});

test('forms and calls give the same message', () => {
  for (const [typed, words] of BAD) {
    // A field of a form brings what is typed into its plain form first.
    expect(amountError(typedAmount(typed), '价格'), typed.slice(0, 50)).toMatch(words);
    expect(z.safeParse(amount({ label: '价格' }), typed).error?.issues[0]?.message).toMatch(words);
  }
});
