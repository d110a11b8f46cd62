/** Our own lint rules, each against planted violations and code that it must accept. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lint } from '#tests/support/tools/lint.ts';

/** How often oxlint names a rule in each source; every source is in a folder of the repository. */
function found(rule: string, planted: readonly [folder: string, source: string][]): number[] {
  const sources = planted.map(([folder, source], i) => [`${folder}/planted-${i}.ts`, source] as const);
  const named = lint(sources).filter(({ code }) => code.includes(rule));
  return sources.map(([path]) => named.filter(({ file }) => file.endsWith(path)).length);
}

test('a number compared with a status is an error; an HTTP status and a named state are not', () => {
  const wrong = `
export const a = (o: { status: number }): boolean => o.status === 2;
export const b = (status: number): boolean => status > 3;
export const c = (o?: { authStatus: number }): boolean => o?.authStatus !== 2;
export const d = (o: { status: number }): boolean => -1 === o.status;
export const e = (o: { typeId: number }): boolean => o.typeId === 60;
export const f = (distId: number): boolean => distId !== 1;
export const g = (status: number): boolean => [0, 1].includes(status);
`;
  const right = `
const Paid = 1;
export const a = (r: { status: number; statusCode: number }): boolean => r.status === 404 || r.statusCode >= 500;
export const b = (o: { status: number }): boolean => o.status === Paid;
export const c = (r: { status: number }): boolean => [0, 429].includes(r.status);
export const d = (o: { userId: number }): boolean => o.userId === 1;
`;
  const counts = found('named-status', [
    ['tests/unit', wrong],
    ['tests/unit', right],
    ['packages/client/src', wrong],
  ]);
  expect(counts).toEqual([7, 0, 0]);
});

test('a state or type as the value of a property or of a table of transitions is an error outside tests', () => {
  const wrong = `
export const tabs = [{ status: 2, label: '' }, { status: -1 as const, label: '' }];
export const order = { typeId: 60, distId: 1 };
export const transitions = { ship: { from: [1], to: 2 } };
`;
  const right = `
export const answers = [{ status: 404 }, { status: OrderStatus.Paid }];
export const hours = { from: 18, to: 24 };
export const transitions = { ship: { from: [OrderStatus.Paid], to: OrderStatus.Shipped } };
`;
  const counts = found('named-status-value', [
    ['subjects/orders/server', wrong],
    ['subjects/orders/server', right],
    ['tests/unit', wrong],
  ]);
  expect(counts).toEqual([6, 0, 0]);
});

test('a table by number without `satisfies` is an error; tables of HTTP statuses and empty ones are not', () => {
  const wrong = `
const a: Record<number, string> = { 1: 'one' };
const b: Readonly<Record<number, string>> = { [OrderStatus.Paid]: 'paid' };
export const c = [a, b];
`;
  const right = `
const a: Readonly<Record<number, string>> = { [OrderStatus.Paid]: 'paid' } satisfies Partial<Record<OrderStatus, string>>;
const b: Readonly<Record<number, string>> = { 404: 'not found' };
const c: Record<number, string> = {};
const d: Record<OrderStatus, string> = { 1: 'paid' };
export const e = [a, b, c, d];
`;
  expect(
    found('exhaustive-table', [
      ['subjects/orders/rules', wrong],
      ['subjects/orders/rules', right],
    ]),
  ).toEqual([2, 0]);
});

test('a state as a digit in a statement, or as a constant with the name of a state, is an error', () => {
  const wrong = `
export const a = sql\`select id from goods g where g.status = 2\`;
export const b = sql\`select id from goods where status not in (0, 8)\`;
export const c = sql\`select case o.status when 1 then o.ship_by end from orders o\`;
export const d = 'select id from app_user where auth_status <> 2';
export const e = sql\`select id from orders where coalesce(status, 0) = 1\`;
export const f = sql\`select id from orders where status is distinct from 1\`;
export const g = sql\`select id from orders where type_id in (60, 61)\`;
`;
  const right = `
export const a = sql\`select id from goods g where g.status = \${sql.lit(GoodsStatus.OnSale)}\`;
export const b = sql\`select id from goods where status in \${GOODS_ACTIVE} and stock = 2\`;
export const c = 'select id from provider where status = approved';
export const d = '/backstage/adverts?status=0';
`;
  expect(
    found('named-status-sql', [
      ['subjects/goods/server', wrong],
      ['subjects/goods/server', right],
      ['subjects/goods/web', wrong],
      ['db/seed/load', wrong],
    ]),
  ).toEqual([7, 0, 0, 7]);
  const own = 'const ON_SALE = 2;\nconst VERIFIED = 2;\nconst PLATFORM = 1;\nconst PENDING = 5000;\nconst MOST = 2;\n';
  expect(
    found('own-status', [
      ['subjects/goods/server', own],
      ['subjects/goods/web', own],
    ]),
  ).toEqual([3, 3]);
});

test('the text of a shared error is in the map of texts, unless it contains values', () => {
  const wrong = `
export const a = new AppError('NOT_FOUND', { text: '没有这个游戏' });
export const b = new AppError('ORDER_STATE', { field: 'act', text: '竞价已结束' });
`;
  const right = `
export const a = errorOf('NOT_FOUND', 'game');
export const b = new AppError('ORDER_STATE', { text: \`请先完成「\${title}」\` });
export const c = new AppError('BAD_INPUT', { text: '价格不正确', field: 'price' });
`;
  expect(
    found('text-in-map', [
      ['subjects/goods/server', wrong],
      ['subjects/goods/server', right],
    ]),
  ).toEqual([2, 0]);
});

test('a browser function newer than the floor, a bare :popover-open and a key read past the input method are errors in pages', () => {
  const wrong = `
export const a = (): AbortSignal => AbortSignal.any([]);
export const b = (set: Set<string>): Set<string> => set.union(set);
export const c = (): boolean => document.body.matches(':popover-open');
export const d = (event: KeyboardEvent): boolean => event.key === 'Enter' && !event.isComposing;
`;
  const right = `
import { pressedKey } from '#web/lib/forms/pressed-key.ts';
export const a = (): AbortSignal => AbortSignal.timeout(1000);
export const c = (): boolean => document.body.matches(':is(:popover-open)');
export const d = (event: KeyboardEvent): boolean => pressedKey(event) === 'Enter';
export const e = (item: { key: string }): string => item.key;
`;
  const planted: [string, string][] = [
    ['web/lib', wrong],
    ['web/lib', right],
    ['subjects/goods/server', wrong],
  ];
  expect(found('no-newer-api', planted)).toEqual([2, 0, 0]);
  expect(found('popover-open', planted)).toEqual([1, 0, 0]);
  expect(found('pressed-key', planted)).toEqual([2, 0, 0]);
});

test('a cache at module level of the server is an error; constants, kinds and locals of a function are not', () => {
  const wrong = `
export const a = new WeakMap<object, string>();
const b = new Map<string, number>();
export const c = new TtlCache<number>({ ttlMs: 1000, max: 5 });
let d: Promise<number> | undefined;
const e = new Set() as Set<string>;
`;
  const right = `
export const names = new Map([[1, 'one']]);
export const levels = new Set(['a', 'b']);
export const kind = cacheKind('a.b', () => new TtlCache<number>({ ttlMs: 1000, max: 5 }));
export function count(list: readonly string[]): number {
  const seen = new Set<string>();
  let n = 0;
  for (const one of list) if (!seen.has(one)) n += 1;
  return n;
}
`;
  const counts = found('of-context', [
    ['subjects/goods/server', wrong],
    ['web/lib', wrong],
    ['subjects/goods/server', right],
  ]);
  expect(counts).toEqual([5, 0, 0]);
});

test('a direct write of the effect tables is an error outside their module; reads and similar names are not', () => {
  const wrong = `
export const a = (db: Db) => sql\`insert into outbox (topic, payload) values ('order.paid', '{}')\`.execute(db);
export const b = 'update public.timer set due_at = now()';
export const c = (db: Db) => db.deleteFrom('dead_letter').execute();
export const d = (db: Db, at: string) => sql\`delete from "timer" where due_at < \${at}\`.execute(db);
`;
  const right = `
export const a = (db: Db) => sql\`select count(*) from outbox\`.execute(db);
export const b = (db: Db) => sql\`update timer_archive set kept = true\`.execute(db);
export const c = (db: Db) => db.selectFrom('timer').selectAll().execute();
`;
  const counts = found('one-writer', [
    ['subjects/orders/server', wrong],
    ['server/jobs', wrong],
    ['subjects/orders/server', right],
  ]);
  expect(counts).toEqual([4, 0, 0]);
});

test('the offset of China and a day of UTC are an error outside the module of China’s clock', () => {
  const wrong = `
export const a = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(11, 16);
export const b = (at: Date) => at.toISOString().slice(0, 10);
export const c = 3_600_000 * 8;
`;
  const right = `
export const a = (at: Date) => at.toISOString();
export const b = (at: Date) => at.toISOString().slice(0, 19);
export const c = 18 * 3_600_000;
`;
  const counts = found('one-clock', [
    ['subjects/goods/server', wrong],
    ['contract/rules', wrong],
    ['subjects/goods/server', right],
  ]);
  expect(counts).toEqual([3, 3, 0]);
});

test('kill, race and walk tests use the seed only', () => {
  const files = globSync(['tests/invariants/**/*.ts', 'tests/support/**/*.ts', 'tests/http/orders/races*.ts']);
  expect(files.length).toBeGreaterThan(30);
  // In TypeScript and in SQL: tests/support/time/chance.ts has a seed for both.
  const unseeded = files.filter((file) => /Math\.random\(|(?<![.\w])random\(\)/.test(readFileSync(file, 'utf8')));
  expect(unseeded).toEqual([]);
});
