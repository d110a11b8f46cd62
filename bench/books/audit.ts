/**
 * Cost of sealing the staff's record: actions per second with and without the seal's trigger, alternating on one database with
 * concurrent writers; then the time to verify a long chain. `npm run bench -- audit`; ROUNDS=8 of ROUND_SECONDS=2 each, CHAIN=1000000
 * rows.
 */
import { sql } from 'kysely';
import pg from 'pg';
import { audit } from '#server/audit/audit.ts';
import { verifyAudit } from '#server/audit/audit-chain.ts';
import { readState } from '#server/db/embedded-cluster.ts';
import { inTransaction } from '#server/db/client.ts';
import { type BenchMarket, benchMarket } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const SECONDS = Number(process.env.ROUND_SECONDS ?? 2);
const CHAIN = Number(process.env.CHAIN ?? 1_000_000);
const AT_ONCE = [1, 4, 16];
const USERS = 64;

/** A connection of the cluster's superuser, who may switch triggers. */
async function superuser(market: BenchMarket): Promise<pg.Client> {
  const state = readState(market.env.DATA_DIR ?? '');
  if (!state) throw new Error('no cluster');
  const url = new URL(market.env.DATABASE_URL ?? '');
  url.username = 'postgres';
  url.password = state.superPassword;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

interface Round {
  perSecond: number;
  times: number[];
}

/** An act as the back office does it: a row is changed on a condition, and the act written down, in one durable transaction. */
async function round(market: BenchMarket, atOnce: number): Promise<Round> {
  const until = performance.now() + SECONDS * 1000;
  const times: number[] = [];
  const one = async (worker: number): Promise<void> => {
    for (let n = worker; performance.now() < until; n += atOnce) {
      const userId = market.buyers[n % USERS]?.id ?? 0;
      const begun = performance.now();
      await inTransaction(market.ctx.db, async (trx) => {
        await sql`update app_user set last_seen_at = now() where id = ${userId} and status = 1`.execute(trx);
        await audit(trx, { id: 1 }, 'user.freeze', `user:${userId}`, { reason: '核实中', userId }, '127.0.0.1');
      });
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => one(worker)));
  return { perSecond: times.length / SECONDS, times };
}

async function compare(market: BenchMarket, admin: pg.Client, atOnce: number): Promise<void> {
  const kinds = { withSeal: [] as Round[], withoutSeal: [] as Round[] };
  for (let i = 0; i < ROUNDS * 2; i++) {
    // Each pair begins with the other one.
    const kind = (i % 2 === 0) === (Math.floor(i / 2) % 2 === 0) ? 'withSeal' : 'withoutSeal';
    await admin.query(`alter table audit_log ${kind === 'withSeal' ? 'enable' : 'disable'} trigger audit_log_sealed`);
    kinds[kind].push(await round(market, atOnce));
  }
  const of = (rounds: Round[]) => ({
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p95: quantile(
      rounds.flatMap(({ times }) => times),
      0.95,
    ),
  });
  const [withSeal, withoutSeal] = [of(kinds.withSeal), of(kinds.withoutSeal)];
  console.log(
    `${atOnce} at once: ${withSeal.perSecond.toFixed(0)} acts a second sealed, ${withoutSeal.perSecond.toFixed(0)} bare, ratio ${(withSeal.perSecond / withoutSeal.perSecond).toFixed(2)}; p95 ${withSeal.p95.toFixed(1)} and ${withoutSeal.p95.toFixed(1)} ms`,
  );
}

/** A long chain, filled past the trigger and sealed as the migration seals what is there. */
async function chain(market: BenchMarket, admin: pg.Client): Promise<void> {
  await admin.query('set session_replication_role = replica');
  await admin.query('truncate audit_log, audit_seal, audit_head');
  await admin.query(`insert into audit_log (staff_id, act, target, detail, ip)
    select i % 20, 'user.freeze', 'user:' || i % 5000, jsonb_build_object('userId', i % 5000, 'reason', '核实中'), '127.0.0.1' from generate_series(1, ${CHAIN}) i`);
  const begun = performance.now();
  await admin.query(`do $$
    declare a audit_log; v_seq bigint := 0; v_hash bytea := decode(repeat('00', 32), 'hex'); v_at timestamptz;
    begin
      for a in select * from audit_log order by id loop
        v_seq := v_seq + 1; v_at := clock_timestamp();
        v_hash := sha256(v_hash || convert_to(audit_content(v_seq, v_at, a), 'UTF8'));
        insert into audit_seal (seq, audit_id, sealed_at, hash) values (v_seq, a.id, v_at, v_hash);
      end loop;
      insert into audit_head (seq, hash) values (v_seq, v_hash);
    end $$`);
  await admin.query('vacuum analyze audit_log, audit_seal');
  console.log(`${CHAIN} rows sealed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const from = performance.now();
  const { seq, breaks } = await verifyAudit(market.ctx.db, []);
  console.log(`${seq} rows read and compared in ${((performance.now() - from) / 1000).toFixed(1)} s, breaks`, breaks);
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: USERS });
  const admin = await superuser(market);
  try {
    await round(market, 4);
    for (const atOnce of AT_ONCE) await compare(market, admin, atOnce);
    await chain(market, admin);
  } finally {
    await admin.end();
    await market.close();
  }
}

await main();
