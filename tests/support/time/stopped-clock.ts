/**
 * A clock that stands still: for the database of one test app and for the Node process together, so that a rule can be tried at the very
 * instant of its limit. (tests/support/time/clock.ts moves single rows into the past instead, while the clock runs.)
 */
import { vi } from 'vitest';
import type { TestApp } from '../servers/build.ts';
import { atBoundary } from './boundary.ts';
import { asSuperuser, databaseOf } from '../database/database.ts';

/**
 * PostgreSQL executes its own now() without reading its catalogue entry, but the planner inlines SQL functions by that entry. Every
 * statement and column default of this database that is planned from here on therefore reads the table.
 */
const INSTALL = `
  create schema test_clock;
  create table test_clock.stopped (at timestamptz not null);
  create function test_clock.read(running timestamptz) returns timestamptz language plpgsql stable security definer as
    $$ begin return coalesce((select at from test_clock.stopped), running); end $$;
  grant usage on schema test_clock to public;
  set allow_system_table_mods = on;
  create or replace function pg_catalog.now() returns timestamptz language sql stable as
    $$ select test_clock.read(transaction_timestamp()) $$;
  create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile as
    $$ select test_clock.read(timeofday()::timestamptz) $$;`;

/** A clock under the control of a test. Moments in ms. */
export interface StoppedClock {
  /** Stops the clock at a moment. */
  stopAt(ms: number): Promise<void>;
  /** Lets the clock run again; call it in afterAll, because the files of a worker share the process. */
  run(): Promise<void>;
}

/** Takes control of the clock of an app's database and of the process. Call it directly after `testApp`. */
export async function stoppedClock({ ctx }: Pick<TestApp, 'ctx'>): Promise<StoppedClock> {
  const database = databaseOf(ctx);
  await asSuperuser(database, INSTALL);
  const write = async (ms: number | null): Promise<void> => {
    await asSuperuser(
      database,
      `with gone as (delete from test_clock.stopped) insert into test_clock.stopped select to_timestamp($1::float8 / 1000) where $1 is not null`,
      [ms],
    );
  };
  return {
    async stopAt(ms) {
      vi.useFakeTimers({ toFake: ['Date'], now: ms });
      await write(ms);
    },
    async run() {
      vi.useRealTimers();
      await write(null);
    },
  };
}

/** Returns the state a second before a limit, at it and a second after it, each time once the due jobs have run and their events are worked on. */
export async function seenAround<T>(
  { t, clock }: { t: TestApp; clock: StoppedClock },
  limitMs: number,
  see: () => Promise<T>,
): Promise<T[]> {
  const seen: T[] = [];
  for (const [, ms] of atBoundary(limitMs)) {
    await clock.stopAt(ms);
    await t.timers();
    await t.relay();
    seen.push(await see());
  }
  return seen;
}
