import { sql } from 'kysely';
import { retentionList } from '#subjects/back-office/contract/retention.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Binding } from '#server/binding.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { IDEMPOTENCY_DAYS, sweepIdempotency } from '#server/db/idempotent.ts';
import { failureReason } from '#server/jobs/failure-reason.ts';
import { type RetentionRule, sweepRetention } from '#server/jobs/retention.ts';

const SWEEP_SECONDS = 3600;
const IMPORT_DAYS = 180;

const keys: RetentionRule = {
  table: 'idempotency',
  days: IDEMPOTENCY_DAYS,
  rule: '防重复提交的记录，30 天后删除',
  sweep: sweepIdempotency,
};

/** Rows of stock lists whose import ended long ago; the listings themselves stay. */
const importRows: RetentionRule = {
  table: 'import_row',
  days: IMPORT_DAYS,
  rule: '导入库存表的逐行结果，导入结束 180 天后删除（商品本身保留）',
  sweep: async (db, limit) => {
    const { rows } = await sql<{ n: number }>`
      with oldest as (select r.job_id, r.line from import_job j join import_row r on r.job_id = j.id
          where j.finished_at < now() - make_interval(days => ${IMPORT_DAYS}::int) order by r.job_id, r.line limit ${limit}),
        gone as (delete from import_row where (job_id, line) in (select job_id, line from oldest) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

/** Large tables that are never purged, and why. */
const KEPT: readonly (readonly [table: string, rule: string])[] = [
  ['orders', '订单与交易快照，永久保存'],
  ['order_process', '订单经过，永久保存'],
  ['ledger_transfer', '账目划转，永久保存，数据库不允许修改或删除'],
  ['ledger_entry', '账目分录，永久保存，数据库不允许修改或删除'],
  ['payment', '支付与充值，永久保存'],
  ['withdrawal', '提现，永久保存'],
  ['chat_message', '聊天记录是交易凭证，永久保存'],
  ['dispute_statement', '申诉陈述与凭证，永久保存'],
  ['audit_log', '后台操作记录，永久保存'],
  ['goods_event', '商品经过（账号履历），永久保存'],
  ['consent', '协议同意记录，永久保存'],
];

interface Size {
  table: string;
  rows: number;
  bytes: number;
}

interface Run {
  name: string;
  at: Date;
  deleted: number;
  total: number;
  deletedAt: Date | null;
  error: string | null;
}

/**
 * The retention rules, the tables without one, and the size of each. Numbers of rows are the database's estimate. Throws FORBIDDEN.
 */
async function listRetention(
  { ctx, staff }: StaffCall,
  rules: readonly RetentionRule[],
): Promise<HandlerResult<typeof retentionList>> {
  requirePlatform(staff, 'job.read');
  const names = [...rules.map(({ table }) => table), ...KEPT.map(([table]) => table)];
  const [sizes, runs] = await Promise.all([
    sql<Size>`select c.relname::text as table, greatest(c.reltuples, 0)::bigint as rows, pg_total_relation_size(c.oid) as bytes
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any(${names}::text[])`.execute(
      ctx.db,
    ),
    sql<Run>`select name, ran_at as at, deleted, deleted_total as total, deleted_at as "deletedAt", error from retention_run`.execute(
      ctx.db,
    ),
  ]);
  const oldest = await oldestRows(ctx.db);
  const of = (table: string) => {
    const size = sizes.rows.find((s) => s.table === table);
    return { table, rows: size?.rows ?? 0, bytes: size?.bytes ?? 0, oldestTime: oldest.get(table) ?? null };
  };
  return {
    deleted: rules.map(({ table, days, rule }) => {
      const run = runs.rows.find((r) => r.name === table);
      return {
        ...of(table),
        rule,
        days,
        runTime: run?.at ?? null,
        lastDeleted: run?.deleted ?? 0,
        lastDeletedTime: run?.deletedAt ?? null,
        totalDeleted: run?.total ?? 0,
        reason: run?.error ? failureReason(run.error) : null,
        error: run?.error ?? null,
      };
    }),
    kept: KEPT.map(([table, rule]) => ({ ...of(table), rule })),
  };
}

/** The oldest row of each table, by one index look-up each. */
async function oldestRows(db: StaffCall['ctx']['db']): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ table: string; at: Date | null }>`
    select 'idempotency' as table, (select created_at from idempotency order by created_at limit 1) as at
    union all select 'goods_view', (select viewed_at from goods_view order by viewed_at limit 1)
    union all select 'notice_delivery', (select due_at from notice_delivery order by id limit 1)
    union all select 'notice', (select created_at from notice order by id limit 1)
    union all select 'import_row', (select j.created_at from import_job j where exists (select from import_row r where r.job_id = j.id) order by j.id limit 1)
    union all select 'listing_import', (select created_at from listing_import order by created_at limit 1)
    union all select 'orders', (select created_at from orders order by id limit 1)
    union all select 'order_process', (select created_at from order_process order by id limit 1)
    union all select 'ledger_transfer', (select created_at from ledger_transfer order by id limit 1)
    union all select 'ledger_entry', (select created_at from ledger_transfer order by id limit 1)
    union all select 'payment', (select created_at from payment order by id limit 1)
    union all select 'withdrawal', (select created_at from withdrawal order by id limit 1)
    union all select 'audit_log', (select created_at from audit_log order by id limit 1)
    union all select 'goods_event', (select created_at from goods_event order by id limit 1)`.execute(db);
  return new Map(rows.flatMap(({ table, at }) => (at ? [[table, at] as const] : [])));
}

/** Binds the page 数据保留 and the hourly job that deletes expired rows. */
export function bindRetentionPage({ server, effects }: Pick<Binding, 'server' | 'effects'>): void {
  effects.retain(keys);
  effects.retain(importRows);
  effects.every('retention.sweep', async (ctx) => {
    await sweepRetention(ctx, effects.retention);
    return { seconds: SWEEP_SECONDS };
  });
  server.serve(retentionList, async (call) => await listRetention(call, effects.retention));
}
