/** The cover of an account in recycling is drawn from what its seller stated: it opens for the parties, not for whoever knows its number. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestStaff, TestUser } from '#tests/support/servers/build.ts';
import { openRecycling, type Recycling } from '#tests/support/services/recycling.ts';

/** Values that appear nowhere else. */
const STATED = { skins: 217, clean: true };

let m: Recycling;
beforeAll(async () => {
  m = await openRecycling();
});
afterAll(() => m.close());

/** What a person, or a visitor, gets at the address of a request's cover. */
async function cover(sn: string, who?: TestUser | TestStaff): Promise<'drawn' | 'game'> {
  const client = who?.client ?? m.t.client();
  const answer = await client.raw({ method: 'GET', url: `/cover/${sn}/560x315.svg?v=` });
  const caching = String(answer.headers['cache-control']);
  if (answer.statusCode === 200) {
    expect(caching).toBe('private, max-age=300');
    expect(answer.body).toContain('217');
    return 'drawn';
  }
  expect([answer.statusCode, caching]).toEqual([302, 'no-store']);
  expect(answer.headers.location).toMatch(/^\/art\/goods\//);
  return 'game';
}

test('while bids are open: its seller and the recyclers who may bid', async () => {
  const asked = await m.ask(undefined, STATED);
  const recycler = await m.recycler();
  const elsewhere = await m.recycler();
  await sql`update recycler set games = '{2}' where user_id = ${elsewhere.id}`.execute(m.t.ctx.db);
  const closed = await m.recycler();
  await sql`update recycler set status = 2 where user_id = ${closed.id}`.execute(m.t.ctx.db);
  for (const user of [asked.seller, recycler]) expect(await cover(asked.sn, user)).toBe('drawn');
  for (const who of [undefined, await m.t.newUser(), elsewhere, closed, m.kefu, await m.t.newStaff({ role: 'admin' })])
    expect(await cover(asked.sn, who)).toBe('game');
});

test('afterwards: whoever has bid, and staff of its brand who read orders once it is read', async () => {
  const request = await m.soldToPlatform(STATED);
  const stranger = await m.recycler();
  const bidder = await m.recycler();
  await sql`insert into recycle_quote (request_id, recycler_id, amount_fen, status)
    select id, ${bidder.id}, 100, 'returned' from recycle_request where sn = ${request.sn}`.execute(m.t.ctx.db);
  expect(await cover(request.sn, m.kefu)).toBe('game');
  for (const [user, seen] of [
    [request.seller, 'drawn'],
    [bidder, 'drawn'],
    [stranger, 'game'],
  ] as const)
    expect(await cover(request.sn, user)).toBe(seen);
  expect((await m.inspect(request.sn, { skins: 217, clean: true })).code).toBe(0);
  expect(await cover(request.sn, m.kefu)).toBe('drawn');
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf) values ('moon', '月光', '{}') returning id`.execute(m.t.ctx.db);
  expect(await cover(request.sn, await m.t.newStaff({ role: 'service', distId: rows[0]?.id ?? 0 }))).toBe('game');
  expect(await cover(request.sn, await m.t.newStaff({ role: 'content' }))).toBe('game');
  expect(await cover(request.sn)).toBe('game');
});
