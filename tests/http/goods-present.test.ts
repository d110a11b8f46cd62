/** Only goods of sellers who are there: a few of them are found by their sellers, not by reading the shelf. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as g from '#contract/goods.ts';
import { openShelf, type Shelf } from '#tests/support/listings.ts';
import { recordStatements } from '../../bench/lib/statements.ts';

/** More than the short walk along an order looks at. */
const MANY = 3000;

let shelf: Shelf;

/** Puts newer goods of somebody who is away in front of the whole shelf. */
async function fillAway(): Promise<void> {
  const away = await shelf.t.newUser();
  const { db } = shelf.t.ctx;
  await sql`update app_user set last_seen_at = now() - interval '3 days' where id = ${away.id}`.execute(db);
  await sql`
    with x as (select * from goods where sn = ${shelf.made[0]}),
      made as (insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, price_fen, attrs, status)
        select dist_id, ${away.id}::bigint, game_id, type_id, area_id, server_id, title, price_fen, attrs, 2 from x, generate_series(1, ${MANY}::int) returning id)
    insert into goods_search select (jsonb_populate_record(s, jsonb_build_object('goods_id', made.id, 'seller_id', ${away.id}::bigint,
      'refreshed_at', now() + interval '1 hour', 'score', s.score + 10))).* from goods_search s join x on x.id = s.goods_id, made`.execute(
    db,
  );
  await sql`analyze goods_search`.execute(db).catch(() => undefined);
}

beforeAll(async () => {
  shelf = await openShelf();
  await fillAway();
});
afterAll(async () => await shelf.t.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Rows of goods_search that a plan looks at, and the indexes it comes by. */
function looked(plan: Plan): { rows: number; ways: string[] } {
  const inner = (plan.Plans ?? []).map(looked);
  const isShelf = plan['Relation Name'] === 'goods_search';
  return {
    rows:
      (isShelf ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) +
      inner.reduce((n, p) => n + p.rows, 0),
    ways: [...(plan['Index Name'] ? [plan['Index Name']] : []), ...inner.flatMap((p) => p.ways)],
  };
}

test.each(['default', 'newest', 'priceAsc'] as const)(
  'by %s, the gathering reads no more than what is there',
  async (sort) => {
    const recorder = recordStatements();
    const found = await shelf.walk({ sellerOnline: '1', sort, pageSize: 50 });
    const sent = recorder.take().filter(({ text }) => text.includes('materialized'));
    recorder.stop();
    expect(found.toSorted()).toEqual(expect.arrayContaining(shelf.made.toSorted()));
    expect(found).toHaveLength(47);
    expect(sent.length).toBeGreaterThan(0);
    for (const { text, values } of sent) {
      const { rows } = await shelf.t.ctx.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx);
        const plain = { sql: `explain (analyze, format json) ${text}`, parameters: values, query: { kind: 'RawNode' } };
        return await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(plain as never);
      });
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      const { rows: read, ways } = plan ? looked(plan) : { rows: MANY, ways: [] };
      expect(ways).toContain('gs_seller');
      expect(read).toBeLessThan(200);
    }
  },
);

test('the count of a few is exact, and many who are there are walked to', async () => {
  // Another least price is another question: counts are kept for seconds.
  const ask = async (minPrice: string) => await shelf.t.client().ok(g.getGoodsList, { sellerOnline: '1', minPrice });
  expect(await ask('1')).toMatchObject({ total: 47, more: false });
  await sql`update app_user set last_seen_at = now()`.execute(shelf.t.ctx.db);
  expect(await ask('2')).toMatchObject({ total: 1000, more: true });
});
