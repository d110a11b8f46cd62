/** Nobody raises the platform's floor far by sales or covers among accomplices (decision 768). */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recycleFloor } from '#subjects/recycling/contract/account-recycling.ts';
import { dropModels } from '#subjects/valuation/server/models.ts';
import { refitModels } from '#subjects/valuation/server/nightly.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { openRecycling, type Recycling } from '#tests/support/services/recycling.ts';

let m: Recycling;
let db: Client;
beforeAll(async () => {
  m = await openRecycling();
  db = await superuserClient(databaseOf(m.t.ctx));
  // The tables are filled as by trades of months, without the rules of a single one.
  await db.query('set session_replication_role = replica');
});
afterAll(async () => {
  await db.end();
  await m.t.close();
});

const floor = async () => {
  const visitor = await m.t.newUser();
  const { floor: found } = await visitor.client.ok(recycleFloor, {
    gameId: 1,
    details: { skins: 100, clean: true } as never,
  });
  return { fen: fenOf(found?.floor ?? '0'), lines: found?.lines.map(({ label }) => label) ?? [] };
};
const people = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await m.t.newUser()).id);
  return ids;
};

let numbers = 0;
async function sale(sellerId: number, buyerId: number, skins: number, factor: number): Promise<number> {
  const fen = Math.round((200 * skins + 12_000) * factor);
  const attrs = { title: '账号', attrs: { skins, clean: true } };
  const { rows } = await db.query<{ id: string }>(
    `insert into orders (sn, dist_id, type_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, paid_at,
      shipped_at, completed_at) values ($1, 1, 1, 1, $2, $3, 3, $4, $4, $4, '[]', $5, now(), now(), now() - interval '1 hour') returning id`,
    [`PUMP${++numbers}`, buyerId, sellerId, fen, JSON.stringify(attrs)],
  );
  return Number(rows[0]?.id);
}

test('twenty sales of eight people at high prices raise it by fifteen percent at most, night after night', async () => {
  const before = await floor();
  const ids = await people(8);
  for (let seller = 0; seller < 4; seller++)
    for (let n = 0; n < 5; n++) await sale(ids[seller] ?? 0, ids[4 + ((seller + n) % 4)] ?? 0, 60 + 17 * n, 1.5);
  for (let night = 0; night < 3; night++) await refitModels(m.t.ctx);
  const after = await floor();
  expect(after.lines).toContain('涨得过快的部分');
  expect(after.fen).toBeGreaterThan(before.fen);
  // Rounded to whole yuan.
  expect(after.fen).toBeLessThanOrEqual(before.fen * 1.15 + 100);
});

test('covers of many sales between two people do not take the risk of recovery out of it', async () => {
  const covered = async (pairs: readonly (readonly [number, number])[], times: number) => {
    for (const [seller, buyer] of pairs)
      for (let n = 0; n < times; n++)
        await db.query(
          `insert into guarantee_cover (dist_id, tier_id, kind, order_id, holder_id, price_fen, premium_fen, payout_max_fen, terms)
            values (1, 11, 'fixEnsure', $1, $2, 10000, 1000, 10000, '{}')`,
          [await sale(seller, buyer, 100, 1), buyer],
        );
  };
  const risk = async (): Promise<string> => {
    // The rate is kept for an hour, or until models are fitted again.
    dropModels(m.t.ctx);
    const { floor: found } = await (await m.t.newUser()).client.ok(recycleFloor, {
      gameId: 1,
      details: { skins: 100, clean: true } as never,
    });
    return found?.lines.find(({ label }) => label === '找回风险')?.reason ?? '';
  };
  const [seller = 0, buyer = 0] = await people(2);
  await covered([[seller, buyer]], 60);
  expect(await risk()).toBe('按平台平均 5% 计');
  // Sales between different people count, with the platform's average as many times as the least number.
  const sellers = await people(25);
  const buyers = await people(25);
  await covered(
    sellers.map((id, i) => [id, buyers[i] ?? 0] as const),
    2,
  );
  expect(await risk()).toBe('按该游戏近一年的理赔和平台平均计，2.5%');
});
