import { sql } from 'kysely';
import client from 'prom-client';
import { showFigure } from './gauges.ts';
import type { Context } from '#server/context.ts';

/** Hex digits that are enough to identify a head. */
const HEAD_DIGITS = 16;

interface Figures {
  now: number | null;
  day: string | null;
  seq: number | null;
  head: string | null;
  age: number | null;
  isIntact: boolean | null;
}

/** The current head, the newest verified daily head, and whether the newest completed run found the chain intact. */
const FIGURES = sql<Figures>`
  select (select seq from audit_head) as now, to_char(w.day, 'YYYY-MM-DD') as day, w.seq, left(encode(w.hash, 'hex'), ${HEAD_DIGITS}) as head,
    extract(epoch from now() - w.ended_at)::float8 as age,
    (select breaks = '[]' from audit_check where ended_at is not null order by day desc limit 1) as "isIntact"
  from (select 1) one left join lateral
    (select * from audit_check where breaks = '[]' and seq > 0 order by day desc limit 1) w on true`;

/**
 * Exports the audit's head in `/metrics`, so that the scraper stores it on another machine (docs/OPERATIONS.md, "The record of
 * staff"). Returns a function that refreshes the metrics before a scrape; when the database is unavailable the previous values stay.
 */
export function registerAuditMetrics(registry: client.Registry, ctx: Pick<Context, 'db' | 'log'>): () => Promise<void> {
  const gauge = <T extends string>(name: string, help: string, labelNames: T[] = []): client.Gauge<T> =>
    new client.Gauge({ name, help, labelNames, registers: [registry] });
  const length = gauge('audit_seals', 'acts of staff sealed so far; never falls');
  const intact = gauge(
    'audit_chain_whole',
    '1 when the newest verification found the chain whole, else 0; absent before the first one',
  );
  for (const one of [length, intact]) showFigure(one, null);
  const age = gauge('audit_head_age_seconds', 'since the newest verified head of a day', ['day']);
  const head = gauge('audit_head_seq', 'number of the newest verified head', ['day', 'head']);
  return async () => {
    const result = await FIGURES.execute(ctx.db).catch((error: unknown) => {
      ctx.log.warn({ error: String(error) }, 'the head of the audit could not be read');
      return undefined;
    });
    const f = result?.rows[0];
    if (!f) return;
    length.set(f.now ?? 0);
    showFigure(intact, f.isIntact === null ? null : Number(f.isIntact));
    head.reset();
    age.reset();
    if (f.day === null || f.head === null || f.seq === null || f.age === null) return;
    head.set({ day: f.day, head: f.head }, f.seq);
    age.set({ day: f.day }, f.age);
  };
}
