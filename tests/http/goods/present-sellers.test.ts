/** Only goods of sellers who are there: a few of them are found by their sellers, not by reading the shelf. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as g from '#subjects/goods/contract/goods.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { openListingMarket, type ListingMarket } from '#tests/support/goods/listings.ts';
import { recordStatements } from '../../../bench/lib/statements.ts';

/** More than the short walk along an order looks at. */
const MANY = 3000;

let market: ListingMarket;

/** Puts newer goods of an absent seller before all others in the list. */
async function fillAway(): Promise<void> {
  const away = await market.t.newUser();
  const { db } = market.t.ctx;
  await passTime(db, 'app_user', { id: away.id }, { days: 3 });
  await sql`
    with x as (select * from goods where sn = ${market.created[0]}),
      made as (insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, price_fen, attrs, status)
        select dist_id, ${away.id}::bigint, game_id, type_id, area_id, server_id, title, price_fen, attrs, 2 from x, generate_series(1, ${MANY}::int) returning id)
    insert into goods_search select (jsonb_populate_record(s, jsonb_build_object('goods_id', made.id, 'seller_id', ${away.id}::bigint,
      'refreshed_at', now() + interval '1 hour', 'score', s.score + 10))).* from goods_search s join x on x.id = s.goods_id, made`.execute(
    db,
  );
  await sql`analyze goods_search`.execute(db).catch(() => undefined);
}

beforeAll(async () => {
  market = await openListingMarket();
  await fillAway();
});
afterAll(async () => await market.t.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Rows of goods_search that a plan looks at, and the indexes it comes by. */
function readPlan(plan: Plan): { rows: number; methods: string[] } {
  const inner = (plan.Plans ?? []).map(readPlan);
  const isSearchTable = plan['Relation Name'] === 'goods_search';
  return {
    rows:
      (isSearchTable ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) +
      inner.reduce((n, p) => n + p.rows, 0),
    methods: [...(plan['Index Name'] ? [plan['Index Name']] : []), ...inner.flatMap((p) => p.methods)],
  };
}

test.each(['default', 'newest', 'priceAsc'] as const)(
  'by %s, collecting reads no more than what exists',
  async (sort) => {
    const recorder = recordStatements();
    const found = await market.walk({ sellerOnline: '1', sort, pageSize: 50 });
    const sent = recorder.take().filter(({ text }) => text.includes('materialized'));
    recorder.stop();
    expect(found.toSorted()).toEqual(expect.arrayContaining(market.created.toSorted()));
    expect(found).toHaveLength(47);
    expect(sent.length).toBeGreaterThan(0);
    for (const { text, values } of sent) {
      const { rows } = await market.t.ctx.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        const plain = { sql: `explain (analyze, format json) ${text}`, parameters: values, query: { kind: 'RawNode' } };
        return await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(plain as never);
      });
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      const { rows: read, methods } = plan ? readPlan(plan) : { rows: MANY, methods: [] };
      expect(methods).toContain('gs_seller');
      expect(read).toBeLessThan(200);
    }
  },
);

test('present sellers’ listings are counted exactly when few, and reached by paging when many', async () => {
  // Another least price is another question: counts are kept for seconds.
  const send = async (minPrice: string) => await market.t.client().ok(g.getGoodsList, { sellerOnline: '1', minPrice });
  expect(await send('1')).toMatchObject({ total: 47, totalCapped: false });
  await sql`update app_user set last_seen_at = now()`.execute(market.t.ctx.db);
  expect(await send('2')).toMatchObject({ total: 1000, totalCapped: true });
});
