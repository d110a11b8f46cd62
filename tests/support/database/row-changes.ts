/** Which tables a request has changed, as the database itself saw it. */
import { sql } from 'kysely';
import pg from 'pg';
import { assert, inject } from 'vitest';
import type { Context } from '#server/context.ts';

export interface ChangeWatch {
  /** Returns the tables changed by committed transactions since the last call, as 'INSERT orders'. */
  take(): Promise<string[]>;
}

/** That a session was used is written down once a minute, with whatever request comes then: no change of that request. */
const NOTES = `
  create table test_change (what text not null);
  grant all on test_change to public;
  create function test_note() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'session' and tg_op = 'UPDATE' and to_jsonb(new) - 'last_seen_at' = to_jsonb(old) - 'last_seen_at'
        then return null; end if;
      insert into test_change values (tg_op || ' ' || tg_table_name); return null; end $$;
  do $$ declare t record; begin
    for t in select c.oid::regclass as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'test_change'
    loop execute format('create trigger zz_test_note after insert or update or delete on %s for each row execute function test_note()', t.name);
    end loop; end $$;`;

/** Puts a note-taking trigger on every table of a test's database. A refused transaction takes its notes back with it. */
export async function watchChanges(ctx: Context): Promise<ChangeWatch> {
  assert(ctx.config.databaseUrl !== undefined);
  const admin = new URL(inject('testCluster').adminUrl);
  admin.pathname = new URL(ctx.config.databaseUrl).pathname;
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(NOTES).finally(() => client.end());
  return {
    async take() {
      const { rows } = await sql<{ what: string }>`delete from test_change returning what`.execute(ctx.db);
      return [...new Set(rows.map((r) => r.what))].toSorted();
    },
  };
}
