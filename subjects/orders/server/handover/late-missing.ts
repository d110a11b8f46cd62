/** Schedules the timer of late orders that lack it: during an upgrade an earlier build changes orders without scheduling it. */
import { sql } from 'kysely';
import { OrderStatus } from '../../rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { lateSeconds } from './late-times.ts';

const EVERY_SECONDS = 3600;
/** Orders per run and kind. */
const BATCH = 500;

/** Orders without the timer. One whose timer became a dead letter is left out, since staff decide about it. */
const WITHOUT_TIMER = sql`not exists (select from timer t where t.kind = 'order.late' and t.ref = o.id::text)
  and not exists (select from dead_letter l where l.what = 'job' and l.name = 'order.late' and l.ref = o.id::text and l.status = 'open')`;

/** One run for paid orders. Parties who were warned of the end are warned again, a whole day before it: the order may have been stopped meanwhile. */
async function schedulePaid(trx: Trx): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update orders set late_warned_at = null where id in (
      select o.id from orders o where o.status = ${OrderStatus.Paid} and o.ship_by is not null and not o.disputed
        and o.snapshot->>'service' is null and coalesce((o.snapshot->>'handoverType')::int, 0) <> ${RECYCLED_ACCOUNT} and ${WITHOUT_TIMER}
      order by o.ship_by limit ${BATCH} for update skip locked) returning id`.execute(trx);
  const at = { key: sql`o.id::text`, at: sql`greatest(o.ship_by, now())` };
  const ids = rows.map(({ id }) => id);
  await scheduleFrom(trx, 'order.late', { ...at, from: sql`from orders o where o.id = any(${ids}::bigint[])` }, 'keep');
}

/** One run for shipped orders whose clock is stopped until a missing step is done. */
async function scheduleStopped(trx: Trx): Promise<void> {
  await scheduleFrom(
    trx,
    'order.late',
    {
      key: sql`o.id::text`,
      at: sql`greatest(o.confirm_stopped_at + make_interval(secs => ${lateSeconds}), now())`,
      from: sql`from (select o.* from orders o where o.status = ${OrderStatus.Shipped} and o.confirm_stopped_at is not null and not o.disputed
        and ${WITHOUT_TIMER} order by o.confirm_stopped_at limit ${BATCH}) o`,
    },
    'keep',
  );
}

/** One run over both. */
export async function scheduleMissingLateTimers({ db }: Pick<Context, 'db'>): Promise<{ seconds: number }> {
  await inTransaction(db, async (trx) => await schedulePaid(trx));
  await inTransaction(db, async (trx) => await scheduleStopped(trx));
  return { seconds: EVERY_SECONDS };
}
