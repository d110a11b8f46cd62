/**
 * Acts on one order that are sent at the same moment end as if those that were done had been sent one after another in some order: the
 * same end of the order, the same money for everybody. What was refused because the order had moved on has done nothing.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder, confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

type Person = Awaited<ReturnType<TestApp['newUser']>>;

let t: TestApp;
let seller: Person;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser({});
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const ACTIONS = ['pay', 'cancel', 'ship', 'sellerCancel', 'confirm'] as const;
type Action = (typeof ACTIONS)[number];

/** One order of a fresh buyer, and what can be done with it. Each action returns its code. */
async function stage(): Promise<{ act: (name: Action) => Promise<number>; end: () => Promise<string> }> {
  const buyer = await t.newUser({ balanceFen: 20_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  return {
    async act(name) {
      const response =
        name === 'pay'
          ? buyer.client.call(balancePay, { orderId })
          : name === 'cancel'
            ? buyer.client.call(cancelOrder, { orderId })
            : name === 'ship'
              ? seller.client.call(offlineTranSub, { orderId })
              : name === 'sellerCancel'
                ? seller.client.call(cancelOrder, { orderId })
                : buyer.client.call(confirmRecGoods, { orderId });
      return (await response).code;
    },
    async end() {
      const { availableFen } = await loadBalances(t.ctx.db, buyer.id);
      const { rows } = await sql<{ end: string }>`
        select o.status || ' ' || g.status || ' ' || coalesce((select string_agg(code || ' ' || amount_fen, ', ' order by code) from ledger_transfer
          where order_id = o.id), '') || ' ' || (select string_agg(order_status::text, '>' order by id) from order_process where order_id = o.id) as end
        from orders o join goods g on g.id = o.goods_id where o.id = ${orderId}`.execute(t.ctx.db);
      return `${availableFen} ${rows[0]?.end}`;
    },
  };
}

function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => orders(items.filter((_, k) => k !== i)).map((rest) => [item, ...rest]));
}

/** Every way of taking some of the acts, one after another. */
const interleavings = (actions: readonly Action[]): Action[][] =>
  Array.from({ length: 2 ** actions.length }, (_, mask) => actions.filter((_action, i) => (mask >> i) & 1)).flatMap(
    orders,
  );

/** Describes a history: the actions carried out and the final state. Rejected actions have no effect. */
const describeRun = (actions: readonly Action[], codes: readonly number[], end: string): string =>
  `${actions
    .filter((_, i) => codes[i] === 0)
    .toSorted()
    .join(' ')} | ${end}`;

async function serially(actions: readonly Action[]): Promise<string> {
  const { act, end } = await stage();
  const codes: number[] = [];
  for (const name of actions) codes.push(await act(name));
  return describeRun(actions, codes, await end());
}

async function atOnce(actions: readonly Action[]): Promise<string> {
  const { act, end } = await stage();
  const codes = await Promise.all(actions.map((name) => act(name)));
  return describeRun(actions, codes, await end());
}

test.for<{ actions: Action[] }>([
  { actions: ['pay', 'cancel'] },
  { actions: ['pay', 'ship', 'cancel'] },
  { actions: ['pay', 'sellerCancel', 'cancel'] },
  { actions: ['pay', 'ship', 'confirm'] },
])('at once: $actions', { timeout: 120_000 }, async ({ actions }) => {
  const possible = new Set<string>();
  for (const order of interleavings(actions)) possible.add(await serially(order));
  expect(new Set([...possible].map((history) => history.split(' | ')[1])).size).toBeGreaterThan(1);
  for (let i = 0; i < 8; i++) expect(possible).toContain(await atOnce(actions));
});
