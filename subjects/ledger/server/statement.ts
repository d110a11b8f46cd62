import { type RawBuilder, sql } from 'kysely';
import type { BillGroup } from '../rules/bill.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { account, codesOf, type PostingCode, postings } from './rules.ts';

interface EntryRow {
  version: number;
  delta: number;
  balance_after: number;
  created_at: Date;
  id: number;
  code: PostingCode;
  order_sn: string | null;
  number: string | null;
}

export interface StatementLine {
  id: number;
  code: string;
  title: string;
  explain: string;
  amountFen: number;
  balanceAfterFen: number;
  orderSn: string | null;
  /** The number of the withdrawal, refund or channel payment that caused it. */
  number: string | null;
  time: Date;
}

/** Filters on the entries of an account: direction, purpose, a range of days in China (both inclusive), and the order. */
export interface StatementFilter {
  direction?: 'in' | 'out' | undefined;
  group?: BillGroup | undefined;
  fromDay?: string | undefined;
  toDay?: string | undefined;
  orderSn?: string | undefined;
}

/** An entry's time is the start of its transaction, so the order of versions and times may differ by this much. */
const SKEW = sql`interval '5 minutes'`;

const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'Asia/Shanghai')`;
const endOf = (day: string) => sql`((${day}::date + 1)::timestamp at time zone 'Asia/Shanghai')`;

/** The filter's period as a range of versions, found by bisection, and as times for the exact bounds. */
function stretch(of: string, { fromDay, toDay }: StatementFilter): RawBuilder<unknown> {
  const parts = [
    ...(fromDay === undefined
      ? []
      : [
          sql`and e.version > ledger_version_at(${of}, ${startOf(fromDay)} - ${SKEW}) and e.created_at >= ${startOf(fromDay)}`,
        ]),
    ...(toDay === undefined
      ? []
      : [sql`and e.version <= ledger_version_at(${of}, ${endOf(toDay)} + ${SKEW}) and e.created_at < ${endOf(toDay)}`]),
  ];
  return parts.length > 0 ? sql.join(parts, sql` `) : sql``;
}

function condition(of: string, filter: StatementFilter): RawBuilder<unknown> {
  const { direction, group, orderSn } = filter;
  const sign = direction === 'in' ? sql`and e.delta > 0` : direction === 'out' ? sql`and e.delta < 0` : sql``;
  const kind = group === undefined ? sql`` : sql`and t.code = any(${codesOf(group)}::text[])`;
  // An order has few transfers, so its index drives the query and the account's entries are only looked up.
  const order = orderSn === undefined ? sql`` : sql`and t.order_id = (select id from orders where sn = ${orderSn})`;
  return sql`e.account = ${of} ${sign} ${kind} ${order} ${stretch(of, filter)}`;
}

const FROM = sql`ledger_entry e join ledger_transfer t on t.id = e.transfer_id`;
const COUNTED = 1000;

/** The number of a movement without an order: that of its withdrawal, refund or payment. */
const NUMBER = sql`case split_part(t.ref, ':', 1)
  when 'withdrawal' then (select w.sn from withdrawal w where w.id = split_part(t.ref, ':', 2)::bigint)
  when 'refund' then (select r.refund_no from refund r where r.id = split_part(t.ref, ':', 2)::bigint)
  when 'payment' then (select p.inter_sn from payment p where p.id = split_part(t.ref, ':', 2)::bigint) end`;

const isFiltered = (f: StatementFilter): boolean => Object.values(f).some((value) => value !== undefined);

/** The number of lines as a column, capped at COUNTED; without a filter it is the account's version. */
const countOf = (of: string, filter: StatementFilter): RawBuilder<number> =>
  isFiltered(filter)
    ? sql`(select count(*) from (select from ${FROM} where ${condition(of, filter)} limit ${sql.lit(COUNTED)}) c)`
    : sql`least(a.version, ${sql.lit(COUNTED)})`;

/**
 * An account's entries, newest first, in the order of its gap-free version: one index scan per page whatever the account's length, in one
 * statement with the balance and the number of lines.
 */
export async function statement(
  db: Trx,
  query: StatementFilter & { account: string; cursor?: string | undefined; limit: number; offset: number },
): Promise<{ lines: StatementLine[]; next: string | null; balanceFen: number; total: number }> {
  const { account: of, cursor, limit, offset, ...filter } = query;
  const from = decodeId(cursor);
  // A literal, not a parameter: PostgreSQL caches the plan only when it knows the limit, and planning costs three times the query.
  const limitClause = sql`limit ${sql.lit(limit + 1)}`;
  const skipped = from === undefined && offset > 0 ? sql`offset ${offset}` : sql``;
  const { rows } = await sql<{ balance: number; total: number } & (EntryRow | { version: null })>`
    select a.balance, ${countOf(of, filter)} as total, l.*
    from ledger_account a left join lateral (
      select e.version, e.delta, e.balance_after, e.created_at, t.id, t.code, (select o.sn from orders o where o.id = t.order_id) as order_sn,
        ${NUMBER} as number
      from ${FROM} where ${condition(of, filter)} ${from === undefined ? sql`` : sql`and e.version < ${from}`}
      order by e.version desc ${limitClause} ${skipped}) l on true
    where a.key = ${of} order by l.version desc`.execute(db);
  const entries = rows.filter((row): row is (typeof rows)[number] & EntryRow => row.version !== null);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return {
    lines: page.map(lineOf),
    next: entries.length > limit && last ? encodeCursor([last.version]) : null,
    balanceFen: rows[0]?.balance ?? 0,
    total: rows[0]?.total ?? 0,
  };
}

function lineOf(row: EntryRow): StatementLine {
  const posting = postings[row.code];
  return {
    id: row.id,
    code: row.code,
    title: posting.title,
    explain: row.delta > 0 ? `来自${posting.from}` : `转入${posting.to}`,
    amountFen: row.delta,
    balanceAfterFen: row.balance_after,
    orderSn: row.order_sn,
    number: row.number,
    time: row.created_at,
  };
}

/** Income and expenses of an account, in fen, by day of China and posting. */
export async function movements(
  db: Trx,
  of: string,
  days: { fromDay: string; toDay: string },
): Promise<{ day: string; code: PostingCode; inFen: number; outFen: number }[]> {
  const { rows } = await sql<{ day: string; code: PostingCode; inFen: number; outFen: number }>`
    select (e.created_at at time zone 'Asia/Shanghai')::date::text as day, t.code, coalesce(sum(e.delta) filter (where e.delta > 0), 0)::bigint as "inFen",
      coalesce(-sum(e.delta) filter (where e.delta < 0), 0)::bigint as "outFen"
    from ${FROM} where ${condition(of, days)} group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** Income and expense of the available balance in the last 30 days, in fen. */
export async function turnover30(db: Trx, userId: number): Promise<{ incomeFen: number; expenseFen: number }> {
  const of = account.available(userId);
  const { rows } = await sql<{ incomeFen: number; expenseFen: number }>`
    select coalesce(sum(delta) filter (where delta > 0), 0)::bigint as "incomeFen", coalesce(-sum(delta) filter (where delta < 0), 0)::bigint as "expenseFen"
    from ledger_entry where account = ${of} and version > ledger_version_at(${of}, now() - interval '30 days' - ${SKEW})
      and created_at > now() - interval '30 days'`.execute(db);
  return rows[0] ?? { incomeFen: 0, expenseFen: 0 };
}
