/** The quarantine of a restored market: what it holds back, and its release (docs/OPERATIONS.md, "After a restore"). */
import { sql } from 'kysely';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { effectName } from '#server/jobs/names.ts';
import { errorOf } from '#server/kernel/error-of.ts';

export interface Quarantine {
  readonly id: number;
  /** The moment that was restored. */
  readonly restoredTo: Date;
  readonly restoredAt: Date;
  readonly source: string;
}

/** The open quarantine; undefined when the market runs as usual. */
export async function openQuarantine(db: Trx): Promise<Quarantine | undefined> {
  const { rows } = await sql<Quarantine>`
    select id, restored_to as "restoredTo", restored_at as "restoredAt", source from quarantine where released_at is null`.execute(
    db,
  );
  return rows[0];
}

interface HeldWork {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  /** When the first of them was due or written. */
  readonly since: Date;
}

/** Counts the work that would run immediately: due jobs by kind and events by topic, most frequent first. */
export async function heldBack(db: Trx): Promise<{ jobs: HeldWork[]; events: HeldWork[] }> {
  const [jobs, events] = await Promise.all([
    sql<Omit<HeldWork, 'title'>>`
      select case when kind = 'event' then payload->>'topic' else kind end as name, count(*)::int as count, min(due_at) as since
      from timer where due_at <= now() group by 1 order by 2 desc, 1`.execute(db),
    sql<Omit<HeldWork, 'title'>>`
      select topic as name, count(*)::int as count, min(created_at) as since from outbox group by 1 order by 2 desc, 1`.execute(
      db,
    ),
  ]);
  const named = (row: Omit<HeldWork, 'title'>): HeldWork => ({ ...row, title: effectName(row.name) });
  return { jobs: jobs.rows.map(named), events: events.rows.map(named) };
}

interface Money {
  readonly count: number;
  readonly fen: number;
}

/** Withdrawals and refunds due to be sent to a channel, with their sums in fen. */
export async function heldMoney(db: Trx): Promise<{ withdrawals: Money; refunds: Money }> {
  const { rows } = await sql<{ what: 'withdrawals' | 'refunds'; count: number; fen: number }>`
    select 'withdrawals' as what, count(*)::int as count, coalesce(sum(w.amount_fen), 0)::bigint as fen
      from timer t join withdrawal w on w.id::text = t.ref where t.kind = 'withdraw.pay' and t.due_at <= now()
    union all select 'refunds', count(*)::int, coalesce(sum(r.amount_fen), 0)::bigint
      from timer t join refund r on r.id::text = t.ref where t.kind = 'refund.send' and t.due_at <= now()`.execute(db);
  const of = (what: string): Money => {
    const row = rows.find((one) => one.what === what);
    return { count: row?.count ?? 0, fen: row?.fen ?? 0 };
  };
  return { withdrawals: of('withdrawals'), refunds: of('refunds') };
}

export interface PastQuarantine extends Quarantine {
  readonly releasedAt: Date;
  /** null = the command line. */
  readonly staffName: string | null;
  readonly reason: string;
}

/** The last ten that have ended, newest first. */
export async function pastQuarantines(db: Trx): Promise<PastQuarantine[]> {
  const { rows } = await sql<PastQuarantine>`
    select q.id, q.restored_to as "restoredTo", q.restored_at as "restoredAt", q.source, q.released_at as "releasedAt",
      s.name as "staffName", coalesce(q.reason, '') as reason
    from quarantine q left join staff s on s.id = q.staff_id where q.released_at is not null order by q.id desc limit 10`.execute(
    db,
  );
  return rows;
}

/**
 * Releases the market and writes an audit entry: everything due runs immediately. Only one of several concurrent calls succeeds. `staff` is
 * null for the command line. Throws NOT_FOUND when there is no quarantine.
 */
export async function releaseQuarantine(
  ctx: Pick<Context, 'db' | 'log'>,
  { staff, reason, ip }: { staff: { id: number } | null; reason: string; ip?: string },
): Promise<Quarantine> {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<Quarantine>`
      update quarantine set released_at = now(), staff_id = ${staff?.id ?? null}, reason = ${reason} where released_at is null
      returning id, restored_to as "restoredTo", restored_at as "restoredAt", source`.execute(trx);
    const [released] = rows;
    if (!released) throw errorOf('NOT_FOUND', 'quarantine');
    const detail = { restoredTo: released.restoredTo, source: released.source, reason };
    await audit(trx, staff, 'quarantine.release', `quarantine:${released.id}`, detail, ip);
    ctx.log.warn(detail, 'the quarantine was released');
    return released;
  });
}
