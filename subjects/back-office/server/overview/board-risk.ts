import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/board.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { statusName } from '#subjects/disputes/server/service.ts';

const OPEN = sql`d.status in ('open', 'answering', 'evidence', 'ruled', 'appealed')`;

/** Open disputes by state and by reason. Throws FORBIDDEN. */
export async function disputesBoard(
  call: StaffCall,
  { distId }: Parsed<typeof c.boardDisputes>,
): Promise<HandlerResult<typeof c.boardDisputes>> {
  requirePermission(call.staff, 'dispute.read');
  const where = sql`${OPEN} ${ownSite(call.staff, sql`d.dist_id`)} ${distId === undefined ? sql`` : sql`and d.dist_id = ${distId}`}`;
  const states = await sql<{ key: string; n: number; late: number }>`
    select d.status as key, count(*)::int as n, count(*) filter (where
      case d.status when 'open' then d.first_look_by when 'answering' then d.answer_by when 'ruled' then null else d.rule_by end < now())::int as late
    from dispute d where ${where} group by d.status
    order by array_position(array['open', 'answering', 'evidence', 'ruled', 'appealed'], d.status)`.execute(
    call.ctx.db,
  );
  const reasons = await sql<{ key: string; name: string; n: number }>`
    select d.reason_code as key, max(v.name) as name, count(*)::int as n from dispute d
      join dispute_reason_version v on v.code = d.reason_code and v.version = d.reason_version
    where ${where} group by d.reason_code order by 3 desc limit 6`.execute(call.ctx.db);
  return {
    open: states.rows.reduce((all, { n }) => all + n, 0),
    late: states.rows.reduce((all, { late }) => all + late, 0),
    states: states.rows.map(({ key, n }) => ({
      key,
      name: statusName(key as Parameters<typeof statusName>[0]),
      count: n,
    })),
    reasons: reasons.rows.map(({ key, name, n }) => ({ key, name, count: n })),
  };
}

interface FundDay {
  day: string;
  delta: number;
  paid_fen: number;
}

const FUND_DAYS = 90;

/**
 * The fund's balance at the end of each of the last 90 days, computed from its current balance and the movements of
 * each day.
 */
function fundDays(balance: number, rows: readonly FundDay[]): { day: string; balance: number; paid: number }[] {
  let at = balance;
  return rows
    .toReversed()
    .map(({ day, delta, paid_fen: paid }) => {
      const end = { day, balance: at, paid };
      at -= delta;
      return end;
    })
    .reverse();
}

/** The fund's highest payout in any seven consecutive days. */
function worstWeek(rows: readonly FundDay[]): number {
  return Math.max(0, ...rows.map((_, i) => rows.slice(i, i + 7).reduce((all, { paid_fen: fen }) => all + fen, 0)));
}

const HOLD_NAMES: Readonly<Record<string, string>> = {
  sale_protection: '交付后保护期',
  withdrawal: '提现处理中',
  refund: '原路退回中',
  staff_freeze: '平台冻结',
};

/** The fund and the frozen money. Throws FORBIDDEN for staff of a distributor. */
export async function moneyBoard(call: StaffCall): Promise<HandlerResult<typeof c.boardMoney>> {
  requirePlatform(call.staff, 'ledger.read');
  const { db } = call.ctx;
  const sums = await sql<{ fund: number; covers: number; insured: number; frozen: number; holds: number }>`
    select (select coalesce(sum(a.balance), 0)::bigint from ledger_account a where a.key >= 'platform:guarantee_fund:' and a.key < 'platform:guarantee_fund;') as fund,
      (select count(*)::int from guarantee_cover g where g.status in ('active', 'claimed')) as covers,
      (select coalesce(sum(g.payout_max_fen), 0)::bigint from guarantee_cover g where g.status in ('active', 'claimed')) as insured,
      (select coalesce(sum(h.amount_fen), 0)::bigint from hold h where h.released_at is null) as frozen,
      (select count(*)::int from hold h where h.released_at is null) as holds`.execute(db);
  const days = await sql<FundDay>`
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(sum(e.delta), 0)::bigint as delta, coalesce(-sum(e.delta) filter (where e.delta < 0), 0)::bigint as paid_fen
    from generate_series((now() at time zone 'Asia/Shanghai')::date - ${FUND_DAYS - 1}::int, (now() at time zone 'Asia/Shanghai')::date, interval '1 day') s(day)
      left join (select a.key, ledger_version_at(a.key, now() - make_interval(days => ${FUND_DAYS + 1})) as since from ledger_account a
        where a.key >= 'platform:guarantee_fund:' and a.key < 'platform:guarantee_fund;') a on true
      left join ledger_entry e on e.account = a.key and e.version > a.since and (e.created_at at time zone 'Asia/Shanghai')::date = s.day::date
    group by s.day order by s.day`.execute(db);
  const releases = await sql<{ day: string; fen: number }>`
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(sum(h.amount_fen), 0)::bigint as fen
    from generate_series((now() at time zone 'Asia/Shanghai')::date, (now() at time zone 'Asia/Shanghai')::date + 6, interval '1 day') s(day)
      left join hold h on h.released_at is null and greatest((h.release_at at time zone 'Asia/Shanghai')::date, (now() at time zone 'Asia/Shanghai')::date) = s.day::date
    group by s.day order by s.day`.execute(db);
  const reasons = await sql<{ code: string; n: number; fen: number }>`
    select h.code, count(*)::int as n, sum(h.amount_fen)::bigint as fen from hold h where h.released_at is null group by h.code order by 3 desc`.execute(
    db,
  );
  const named = Map.groupBy(reasons.rows, ({ code }) => HOLD_NAMES[code] ?? '其他');
  const s = sums.rows[0] ?? { fund: 0, covers: 0, insured: 0, frozen: 0, holds: 0 };
  const worst = worstWeek(days.rows);
  return {
    fund: s.fund,
    fundDays: fundDays(s.fund, days.rows).slice(-30),
    covers: s.covers,
    insured: s.insured,
    worstWeek: worst,
    lasts: worst === 0 ? null : Math.floor((s.fund / worst) * 10) / 10,
    frozen: s.frozen,
    holds: s.holds,
    releases: releases.rows.map(({ day, fen }) => ({ day, amount: fen })),
    reasons: [...named].map(([name, rows]) => ({
      codes: rows.map(({ code }) => code).join(','),
      name,
      count: rows.reduce((all, { n }) => all + n, 0),
      amount: rows.reduce((all, { fen }) => all + fen, 0),
    })),
  };
}
