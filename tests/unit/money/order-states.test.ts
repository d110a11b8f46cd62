import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { expect, test } from 'vitest';
import { isCancelled, isEnded, isInProgress, isPaidFor, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import {
  ORDERS_CANCELLED,
  ORDERS_ENDED,
  ORDERS_IN_PROGRESS,
  ORDERS_OPEN,
  ORDERS_PAID_FOR,
  ORDERS_VALID,
} from '#server/states/order-states.ts';

const offline = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const groups: [string, RawBuilder<unknown>, (status: number) => boolean][] = [
  ['open', ORDERS_OPEN, (status) => !isEnded(status)],
  ['in progress', ORDERS_IN_PROGRESS, isInProgress],
  ['paid for', ORDERS_PAID_FOR, isPaidFor],
  ['valid', ORDERS_VALID, (status) => !isCancelled(status)],
  ['ended', ORDERS_ENDED, isEnded],
  ['cancelled', ORDERS_CANCELLED, isCancelled],
];

test.each(groups)('the list of orders %s has the states of its constant', (_name, list, belongs) => {
  const { sql: text } = sql`${list}`.compile(offline);
  expect(text).toBe(`(${Object.values(OrderStatus).filter(belongs).join(', ')})`);
});
