/**
 * The books of a market under attack, read by themselves: every rule of docs/LEDGER.md and a few of the history, in one read-only
 * snapshot. Prints one line per breach; exit 0 = all hold. Needs Node 24.
 *
 *   DATABASE_URL=postgres://… node tests/attacks/ledger-audit.mjs
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';

const SNAPSHOT = 'begin transaction isolation level serializable read only deferrable';

/** Rules that are not the ledger's own: history, effects, coupons. */
const history = sql`
  select 'A1 illegal history: order ' || order_id || ' ' || p || ' to ' || order_status as breach from (
      select order_id, order_status, lag(order_status) over (partition by order_id order by id) p from order_process) x
    where p is not null and p <> order_status
      and not exists (select from order_transition t where t.from_status = p and t.to_status = order_status)
  union all select 'A2 an event waits since ' || created_at from outbox where created_at < now() - interval '10 minutes'
  union all select 'A3 coupon used by several orders: ' || coupon_id from orders where coupon_id is not null and status not in (6, 7, 8, 9)
    group by coupon_id having count(*) > 1
  union all select 'A4 a notification undecided since ' || received_at from payment_notify
    where verdict is null and received_at < now() - interval '5 minutes'
  limit 100`;

/** The database of an embedded market, from what its supervisor left beside it. */
async function urlOf() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { readFileSync } = await import('node:fs');
  const { port, superPassword } = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? '.data'}/postgres.json`, 'utf8'));
  return `postgres://postgres:${superPassword}@127.0.0.1:${port}/youshi`;
}

pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: await urlOf(), max: 1 });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
await sql.raw(SNAPSHOT).execute(db);
const found = [...(await brokenInvariants(db)), ...(await history.execute(db)).rows.map((row) => row.breach)];
await sql.raw('commit').execute(db);
await db.destroy();
console.log(found.length === 0 ? 'ledger audit: all rules hold' : found.join('\n'));
process.exitCode = found.length === 0 ? 0 : 1;
