/** The plan of an order and the function that reads it have the same fields. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { orderPlan } from '#subjects/orders/server/placing/plan.ts';

const source = readFileSync('subjects/orders/db/order_place.sql', 'utf8');

/** The keys that the function reads from a variable. */
const keysOf = (variable: string): string[] =>
  [
    ...new Set(
      [...source.matchAll(new RegExp(`\\b${variable}\\s*(?:->>?|\\?)\\s*'(\\w+)'`, 'g'))].map(([, key = '']) => key),
    ),
  ].toSorted();

test('order_place reads exactly the fields of the plan', () => {
  expect(keysOf('p')).toEqual(Object.keys(orderPlan.shape).toSorted());
  expect(keysOf('r')).toEqual(Object.keys(orderPlan.shape.order.shape).toSorted());
});

test('a plan with a misspelt column is rejected', () => {
  const { error } = orderPlan.shape.order.safeParse({ goods_feen: 1 });
  expect(error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
});
