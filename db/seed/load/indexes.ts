import type pg from 'pg';

/** From this number of goods on, building the search indexes at the end is faster than maintaining them row by row. */
export const MANY_GOODS = 100_000;

/** Drops the search table's secondary indexes and returns their definitions; the caller keeps those in the same transaction. */
export async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; def: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as def from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'goods_search'::regclass and not i.indisunique order by 1`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map((row) => row.def);
}

/** Makes the indexes again that were put aside. */
export async function makeIndexes(client: pg.ClientBase, definitions: readonly string[]): Promise<void> {
  await client.query("set local maintenance_work_mem = '512MB'");
  for (const definition of definitions) await client.query(definition);
}
