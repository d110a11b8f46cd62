/** Verification of the ledger in blocks: each transfer is verified once, a verified block must stay as it is, and open transactions are left for later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { account, brokenInvariants, forgetBreaches, post, proveAll } from '#subjects/ledger/server/service.ts';
import { proveBooks } from '#subjects/ledger/server/proof.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { EVENTUALLY } from '#tests/support/time/eventually.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';

let t: TestApp;
let ids: [number, number];

beforeAll(async () => {
  t = await testApp();
  ids = [(await t.newUser({ balanceFen: 50_000 })).id, (await t.newUser({ balanceFen: 70_000 })).id];
  await move('begin');
});
afterAll(async () => await t.close());
beforeEach(async () => {
  // Proves the rest of the previous test.
  await proved(true);
});

const transfer = (ref: string, fen = 100) => ({
  code: 'topup' as const,
  ref: `proof:${ref}`,
  debit: account.clearing('sandbox', 1),
  credit: account.available(ids[0]),
  fen,
  dist: 1,
});
const move = async (ref: string): Promise<void> => void (await post(t.ctx.db, [transfer(ref)]));
/** Waits until every transaction of the cluster has ended that had begun when the last snapshot was taken, also those of other tests. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2_400; i++) {
    const { rows } = await sql<{ isSettled: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > seen_xid as "isSettled" from books_progress`.execute(
      t.ctx.db,
    );
    if (rows[0]?.isSettled === true) return;
    await sleep(50);
  }
  throw new Error('a transaction of the cluster does not end');
}
/** Takes a snapshot, then verifies what was there. */
async function proved(isAgain = false): Promise<string[]> {
  await settled();
  await proveAll(t.ctx, { settleSeconds: 0 });
  await settled();
  const found = await proveAll(t.ctx, { settleSeconds: 0, isAgain });
  await forgetBreaches(t.ctx.db, found);
  return found;
}
const provedTo = async (): Promise<number> =>
  (await sql<{ n: number }>`select coalesce(max(to_id), 0)::bigint as n from books_block`.execute(t.ctx.db)).rows[0]
    ?.n ?? 0;
const newest = async (): Promise<number> =>
  (await sql<{ n: number }>`select max(id) as n from ledger_transfer`.execute(t.ctx.db)).rows[0]?.n ?? 0;
/** Past the guards, as a superuser of the database could. */
const forge = async (statement: string): Promise<void> =>
  await asSuperuser(databaseOf(t.ctx), `set session_replication_role = replica; ${statement}`);

test('blocks cover every transfer once, and an intact ledger has no breach', async () => {
  for (let i = 0; i < 5; i++) await move(`whole${i}`);
  expect(await proved(true)).toEqual([]);
  expect(await provedTo()).toBe(await newest());
  const { rows } = await sql<{ blocks: number; transfers: number; there: number; gaps: number }>`
    select sum(transfers)::int as transfers, (select count(*)::int from ledger_transfer) as there,
      (select count(*)::int from books_block b where b.after_id > 0 and not exists (select from books_block p where p.to_id = b.after_id)) as gaps
    from books_block`.execute(t.ctx.db);
  expect(rows[0]).toMatchObject({ transfers: rows[0]?.there, gaps: 0 });
});

test('a transfer under way holds the proof back, however many come after it', async () => {
  await proved();
  const before = await provedTo();
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = t.ctx.db.transaction().execute(async (trx) => {
    await post(
      trx,
      [transfer('late')].map((one) => ({
        ...one,
        credit: account.available(ids[1]),
        debit: account.clearing('sandbox', 2),
      })),
    );
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await move('overtakes');
  for (let i = 0; i < 3; i++) await proveAll(t.ctx, { settleSeconds: 0 });
  expect(await provedTo()).toBe(before);
  end.resolve();
  await late;
  expect(await proved()).toEqual([]);
  expect(await provedTo()).toBe(await newest());
});

test.each([
  [
    'L2',
    'a balance',
    'update ledger_account set balance = balance + 7 where key = KEY',
    'update ledger_account set balance = balance - 7 where key = KEY',
  ],
  [
    'L3',
    'the entry before',
    'update ledger_entry set balance_after = balance_after + 7 where account = KEY and version = 1',
    'update ledger_entry set balance_after = balance_after - 7 where account = KEY and version = 1',
  ],
  [
    'L4',
    'an amount',
    'update ledger_transfer set amount_fen = amount_fen + 7 where id = NEWEST',
    'update ledger_transfer set amount_fen = amount_fen - 7 where id = NEWEST',
  ],
])('%s: %s that was changed past the guards is found', async (code, _, change, back) => {
  await move(code);
  await proved();
  const fill = async (text: string): Promise<string> =>
    text.replaceAll('KEY', `'user:${ids[0]}:available'`).replaceAll('NEWEST', String(await newest()));
  const [forged, restored] = [await fill(change), await fill(back)];
  await forge(forged);
  const found = await proved(true);
  expect(found.some((breach) => breach.startsWith(code))).toBe(true);
  await forge(restored);
  expect(await proved(true)).toEqual([]);
});

test('a consistent change of proved rows is found by the hash', async () => {
  await move('quiet');
  expect(await proved()).toEqual([]);
  const id = await newest();
  await forge(`update ledger_transfer set ref = 'proof:other' where id = ${id}`);
  expect(await proved()).toEqual([]);
  const found = await proved(true);
  // It is reported each night again, until the block is intact.
  expect(await proved()).toEqual(found);
  expect(found).toEqual([expect.stringMatching(/^L6 transfers \d+ to \d+ are not what was proved$/)]);
  await forge(`update ledger_transfer set ref = 'proof:quiet' where id = ${id}`);
  expect(await proved(true)).toEqual([]);
});

test.each([
  ['beyond the newest transfer', 0, 4000],
  ['behind a gap', 1000, 1001],
])('a forged block %s, after which transfers would not be proved, is found', async (place, after, to) => {
  await move(place);
  expect(await proved()).toEqual([]);
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  const end = await provedTo();
  await forge(
    `insert into books_block (after_id, to_id, transfers, fen, hash) values (${end + after}, ${end + to}, 0, 0, '\\x00')`,
  );
  expect((await brokenInvariants(t.ctx.db)).some((breach) => breach.startsWith('L7'))).toBe(true);
  await forge('delete from books_block where transfers = 0');
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
});

test('a process that is killed between a block and its report leaves neither', async () => {
  await move('killed');
  expect(await proved()).toEqual([]);
  await move('killed after');
  await settled();
  // Looks, and proves nothing yet.
  await proveAll(t.ctx, { settleSeconds: 0 });
  await settled();
  const [before, id] = [await provedTo(), await newest()];
  await forge(`update ledger_transfer set amount_fen = amount_fen + 7 where id = ${id}`);
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = t.ctx.db.transaction().execute(async (trx) => {
    await sql`select from books_progress for update`.execute(trx);
    locked.resolve();
    await end.promise;
  });
  await locked.promise;
  const run = expect(proveAll(t.ctx, { settleSeconds: 0 })).rejects.toThrow();
  // The block is written, and the report waits for the lock: that is where the process dies.
  await vi.waitFor(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update books_progress set breaches%'`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(1);
  }, EVENTUALLY);
  await run;
  end.resolve();
  await lock;
  expect(await provedTo()).toBe(before);
  const found = await proved();
  expect(found.some((breach) => breach.startsWith('L4'))).toBe(true);
  await forge(`update ledger_transfer set amount_fen = amount_fen - 7 where id = ${id}`);
  expect(await proved(true)).toEqual([]);
});

test('the server’s own role can neither block the proof nor skip a part of it', async () => {
  const { db } = t.ctx;
  // As the statement of an earlier build: it passes, and changes nothing.
  for (const [column, value] of [
    ['seen_xid', '9223372036854775807'],
    ['seen_id', '0'],
    ['seen_at', "'infinity'"],
    ['seen_xid', '0'],
  ])
    expect(
      (
        await sql
          .raw(`update books_progress set ${column} = ${value} returning ${column} = ${value} as changed`)
          .execute(db)
      ).rows,
    ).toEqual([{ changed: false }]);
  await expect(sql`delete from books_progress`.execute(db)).rejects.toThrow(/permission/);
  await proved();
  await move('held up');
  const look = async (): Promise<void> => void (await sql`select books_look(0)`.execute(db));
  const seen = async () =>
    (await sql<{ id: number; xid: number }>`select seen_id as id, seen_xid as xid from books_progress`.execute(db))
      .rows[0];
  await settled();
  await look();
  const first = await seen();
  expect(first?.id).toBe(await newest());
  // Looking again and again changes nothing until what was seen is proved.
  for (let n = 0; n < 5; n++) {
    await move(`held up ${n}`);
    await settled();
    await look();
    expect(await seen()).toEqual(first);
  }
  await proveAll(t.ctx, { settleSeconds: 0 });
  expect(await provedTo()).toBeGreaterThanOrEqual(first?.id ?? 0);
  expect(await proved()).toEqual([]);
});

test('a snapshot of another cluster, as after a restore, is forgotten', async () => {
  await proved();
  await move('restored');
  await asSuperuser(
    databaseOf(t.ctx),
    'update books_progress set seen_xid = 9000000000000000000, seen_id = 0, seen_at = now()',
  );
  await proveAll(t.ctx, { settleSeconds: 0 });
  expect(await proved()).toEqual([]);
  expect(await provedTo()).toBe(await newest());
});

test('the job proves full blocks only, and comes again', async () => {
  await proved();
  const before = await provedTo();
  // So many numbers were given, as after rolled-back postings; none of them holds anything up.
  await asSuperuser(databaseOf(t.ctx), "select setval('ledger_transfer_id_seq', 12000)");
  await move('far');
  for (let run = 0; run < 2; run++) {
    // As a minute later.
    await settled();
    await asSuperuser(databaseOf(t.ctx), "update books_progress set seen_at = '-infinity'");
    expect(await proveBooks(t.ctx)).toEqual({ seconds: 60 });
  }
  expect(await provedTo()).toBe(before + 10_000);
});
