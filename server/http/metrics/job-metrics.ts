import { sql } from 'kysely';
import client from 'prom-client';
import { showFigure } from './gauges.ts';
import type { Context } from '#server/context.ts';
import { openLetters } from '#server/jobs/dead-letters.ts';

/**
 * Exports the state of events and jobs in `/metrics`. Returns a function that reads the values before a scrape; while the database is
 * unavailable the previous values stay.
 */
export function registerJobMetrics(registry: client.Registry, ctx: Pick<Context, 'db' | 'log'>): () => Promise<void> {
  const gauge = (name: string, help: string): client.Gauge => new client.Gauge({ name, help, registers: [registry] });
  const letters = gauge('dead_letters', 'jobs and events that were given up and wait for staff');
  const events = gauge('outbox_rows', 'events that wait to be heard');
  const overdue = gauge('jobs_overdue_seconds', 'how long the most overdue job has been due');
  for (const one of [letters, events, overdue]) showFigure(one, null);
  return async () => {
    try {
      letters.set(await openLetters(ctx.db));
      const { rows } = await sql<{ events: number; overdue: number }>`
        select (select count(*)::int from outbox) as events,
          coalesce((select greatest(0, extract(epoch from now() - min(due_at)))::float8 from timer), 0) as overdue`.execute(
        ctx.db,
      );
      events.set(rows[0]?.events ?? 0);
      overdue.set(rows[0]?.overdue ?? 0);
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'the figures of the jobs could not be read');
    }
  };
}
