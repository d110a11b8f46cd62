/** Eight clicks sent concurrently, and the expected results. */
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { codes, type ErrorName } from '#contract/codes.ts';
import type { Context } from '#server/context.ts';

export const AT_ONCE = 8;

/** One act: how it is clicked, how many clicks are answered as done, what late ones hear, and how often its trace is there. */
export interface Race {
  click(n: number): Promise<{ code: number; msg: string }>;
  /** 'some' where a late click is answered as done when it finds the first, which it need not. */
  done: number | 'some';
  loserError?: ErrorName;
  trace: () => Promise<number>;
  /** 1 unless said otherwise. */
  traces?: number;
}

/** How many rows a query finds. */
export async function countRows(ctx: Context, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${query}) q`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** A test of each race: no response is a fault, those who are too late get the reason, and the action takes effect once. */
export function testRaces(races: Readonly<Record<string, () => Promise<Race>>>): void {
  test.each(Object.keys(races))('%s', async (name) => {
    const race = await races[name]?.();
    if (!race) throw new Error('no such race');
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => race.click(n)));
    const losers = responses.filter(({ code }) => code !== 0);
    const messages = losers.map(({ msg }) => msg);
    expect(losers.filter(({ code }) => code === codes.INTERNAL[0])).toEqual([]);
    if (race.done === 'some') expect(losers.length).toBeLessThan(AT_ONCE);
    else expect([messages, AT_ONCE - losers.length]).toEqual([messages, race.done]);
    if (race.loserError) expect(new Set(losers.map(({ code }) => code))).toEqual(new Set([codes[race.loserError][0]]));
    expect(await race.trace()).toBe(race.traces ?? 1);
  });
}
