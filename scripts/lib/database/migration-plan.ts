/** Plan of `npm run migrate -- --plan`: the migrations that would run, the locks that each takes, and how large those tables are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pendingMigrations } from '../../../server/db/migrate.ts';
import { createdTable, type Effect, effectsOf, type LockKind, statementsOf } from './migration-sql.ts';

const LOCK_TEXTS: Readonly<Record<LockKind, string>> = {
  exclusive: '读写都要等',
  writes: '写入要等',
  brief: '瞬间独占（等不到锁就让路重试）',
  none: '不阻塞读写',
};

interface TableSize {
  table: string;
  rows: number;
  size: string;
}

/** Estimated rows and size of each table, as the statistics have them; a table that was never analysed has no estimate. */
async function tableSizes(url: string): Promise<Map<string, TableSize>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<TableSize>(
      `select relname::text as table, reltuples::float8 as rows, pg_size_pretty(pg_total_relation_size(oid)) as size
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    return new Map(rows.map((row) => [row.table, row]));
  } finally {
    await client.end().catch(() => undefined);
  }
}

function lineOf({ table, lock, isWhole }: Effect, sizes: ReadonlyMap<string, TableSize>): string {
  const size = sizes.get(table);
  if (size === undefined) return `    ${table}：${LOCK_TEXTS[lock]}`;
  const rows = size.rows < 0 ? '行数未知' : `约 ${Math.round(size.rows)} 行`;
  return `    ${table}（${rows}，${size.size}）：${LOCK_TEXTS[lock]}${isWhole ? '，读整张表' : ''}`;
}

/** The plan as lines of text. Changes nothing. Throws MigrationError when files and database disagree. */
export async function migrationPlan(url: string, dir: string): Promise<string[]> {
  const pending = await pendingMigrations({ database: url, dir });
  if (pending.length === 0) return ['数据库已是最新，没有要执行的迁移'];
  const sizes = await tableSizes(url);
  const lines = [`将执行 ${pending.length} 个迁移：`];
  for (const name of pending) {
    const sql = readFileSync(join(dir, name), 'utf8');
    const statements = statementsOf(sql);
    const created = new Set(statements.flatMap((statement) => createdTable(statement) ?? []));
    const effects = statements.flatMap(effectsOf).filter(({ table }) => !created.has(table));
    lines.push(`  ${name}（${statements.length} 条语句${/^--\s*no-transaction\b/.test(sql) ? '，不在事务里' : ''}）`);
    if (created.size > 0) lines.push(`    新建 ${[...created].join('、')}`);
    lines.push(...new Set(effects.map((effect) => lineOf(effect, sizes))));
  }
  return lines;
}
