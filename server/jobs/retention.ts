import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { textOf } from './failures.ts';

/** A retention rule of one table. The owner of the table registers it (`Effects.retain`). */
export interface RetentionRule {
  readonly table: string;
  /** Days that a row is kept after the moment named in `rule`. */
  readonly days: number;
  /** The data and its retention time, in Chinese, for the back office. */
  readonly rule: string;
  /** Deletes at most `limit` rows that are due, oldest first, in one short statement; returns how many. */
  readonly sweep: (db: Db, limit: number) => Promise<number>;
}

const BATCH = 1000;
/** How long one run works on one table; the rest is left for the next run. */
const RUN_MS = 10_000;

/** Deletes due rows in small batches, one rule after the other, and records each. A failing rule does not stop the others. */
export async function sweepRetention(ctx: Context, rules: readonly RetentionRule[]): Promise<void> {
  for (const rule of rules) {
    let deleted = 0;
    let failure: string | null = null;
    const end = performance.now() + RUN_MS;
    try {
      for (let n = BATCH; n === BATCH && performance.now() < end; deleted += n) n = await rule.sweep(ctx.db, BATCH);
    } catch (error) {
      failure = textOf(error).slice(0, 300);
      ctx.log.warn({ table: rule.table, error: failure }, 'retention failed');
    }
    await sql`
      insert into retention_run as r (name, deleted, deleted_total, deleted_at, error)
      values (${rule.table}, ${deleted}, ${deleted}, case when ${deleted}::bigint > 0 then now() end, ${failure})
      on conflict (name) do update set ran_at = now(), deleted = case when excluded.deleted > 0 then excluded.deleted else r.deleted end,
        deleted_total = r.deleted_total + excluded.deleted, deleted_at = coalesce(excluded.deleted_at, r.deleted_at), error = excluded.error`.execute(
      ctx.db,
    );
  }
}
