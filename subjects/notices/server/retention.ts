import { sql } from 'kysely';
import type { RetentionRule } from '#server/jobs/retention.ts';

const DELIVERY_DAYS = 180;
const NOTICE_DAYS = 365;

/** Deliveries of notices. Ids increase over time, so the oldest have the lowest ids. */
const deliveries: RetentionRule = {
  table: 'notice_delivery',
  days: DELIVERY_DAYS,
  rule: '通知的发送记录，发送结束 180 天后删除',
  sweep: async (db, limit) => {
    const { rows } = await sql<{ n: number }>`
      with oldest as (select id, coalesce(done_at, due_at) as at from notice_delivery order by id limit ${limit}),
        gone as (delete from notice_delivery where id in (select id from oldest where at < now() - make_interval(days => ${DELIVERY_DAYS}::int)) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

/** Notices to users, once all their deliveries have been removed. */
const notices: RetentionRule = {
  table: 'notice',
  days: NOTICE_DAYS,
  rule: '站内通知，发出 365 天后删除',
  sweep: async (db, limit) => {
    const { rows } = await sql<{ n: number }>`
      with oldest as (select id, created_at as at from notice order by id limit ${limit}),
        gone as (delete from notice n where n.id in (select id from oldest where at < now() - make_interval(days => ${NOTICE_DAYS}::int))
          and not exists (select from notice_delivery d where d.notice_id = n.id) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

export const noticeRetention: readonly RetentionRule[] = [deliveries, notices];
