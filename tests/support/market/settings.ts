import { sql } from 'kysely';
import type { TestApp } from '../servers/build.ts';

/** Adds a version of a setting that takes effect immediately, with these fields changed, and has the server read it. */
export async function putSetting(t: Pick<TestApp, 'ctx'>, key: string, patch: Record<string, unknown>): Promise<void> {
  await sql`insert into setting (key, version, value)
    select key, version + 1, value || ${JSON.stringify(patch)}::jsonb from setting where key = ${key} order by version desc limit 1`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
}
