import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/board.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { siteName } from '#subjects/content/server/service.ts';
import { catalogue } from '#subjects/games/server/service.ts';

type Scope = Pick<Parsed<typeof c.boardTrade>, 'days' | 'distId' | 'gameId'>;

/** SQL: today's date in China. */
const TODAY = sql`(now() at time zone 'Asia/Shanghai')::date`;
const MAX_PARTS = 12;

/**
 * SQL: the visible rows `d` of a panel, without the filter on days. For an operator always the own site, regardless of
 * the requested filter.
 */
function seen(call: StaffCall, { distId, gameId }: Pick<Scope, 'distId' | 'gameId'>): RawBuilder<unknown> {
  return sql`true ${ownSite(call.staff, sql`d.dist_id`)} ${distId === undefined ? sql`` : sql`and d.dist_id = ${distId}`}
    ${gameId === undefined ? sql`` : sql`and d.game_id = ${gameId}`}`;
}

interface DayRow {
  day: string;
  orders: number;
  fen: number;
  income_fen: number;
  is_now: boolean;
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);

/** Paid orders by day with the days before. Throws FORBIDDEN. */
export async function loadTrade(
  call: StaffCall,
  input: Parsed<typeof c.boardTrade>,
): Promise<HandlerResult<typeof c.boardTrade>> {
  requirePermission(call.staff, 'order.read');
  const { ctx, staff } = call;
  const days = Number(input.days);
  const { rows } = await sql<DayRow>`
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(sum(d.paid), 0)::int as orders, coalesce(sum(d.paid_fen), 0)::bigint as fen,
      coalesce(sum(d.income_fen), 0)::bigint as income_fen, s.day > ${TODAY} - ${days}::int as is_now
    from generate_series(${TODAY} - ${2 * days - 1}::int, ${TODAY}, interval '1 day') s(day)
      left join trade_day d on d.day = s.day::date and ${seen(call, input)}
    group by s.day order by s.day`.execute(ctx.db);
  const counted = await sql<{ at: Date | null }>`
    select max(due_at) - interval '5 minutes' as at from timer where kind = 'order.days'`.execute(ctx.db);
  const [before, now] = [rows.filter((row) => !row.is_now), rows.filter((row) => row.is_now)];
  const sums = (of: readonly DayRow[]) => ({
    orders: sum(of, (row) => row.orders),
    paid: sum(of, (row) => row.fen),
    income: sum(of, (row) => row.income_fen),
  });
  const all = await catalogue(ctx);
  return {
    days: now.map((row, i) => ({
      day: row.day,
      orders: row.orders,
      paid: row.fen,
      orders0: before[i]?.orders ?? 0,
      paid0: before[i]?.fen ?? 0,
    })),
    now: sums(now),
    before: sums(before),
    countTime: counted.rows[0]?.at ?? null,
    brands: ctx.dir
      .all()
      .filter(({ id }) => staff.distId === null || id === staff.distId)
      .map(({ id }) => ({ distId: id, name: siteName(ctx, id) })),
    games: all.list().map(({ id, name }) => ({ gameId: id, name })),
  };
}

interface PartRow {
  id: number;
  orders: number;
  fen: number;
  fen0: number;
  disputed: number;
  views: number | null;
}

/** SQL: the first and the last day of a figure. */
function span({ days, day }: { days: string; day?: string | undefined }): [RawBuilder<unknown>, RawBuilder<unknown>] {
  return day === undefined ? [sql`${TODAY} - ${Number(days) - 1}::int`, TODAY] : [sql`${day}::date`, sql`${day}::date`];
}

/**
 * A day, or the range, divided into parts; the previous share is that of the same number of days before. Throws
 * FORBIDDEN.
 */
export async function loadParts(
  call: StaffCall,
  input: Parsed<typeof c.boardParts>,
): Promise<HandlerResult<typeof c.boardParts>> {
  requirePermission(call.staff, 'order.read');
  const { ctx } = call;
  const [from, to] = span(input);
  const back = input.day === undefined ? Number(input.days) : 7;
  const by = { game: sql`d.game_id`, dist: sql`d.dist_id`, type: sql`d.type_id::int` }[input.by];
  const withViews = input.by === 'game' && input.distId === undefined && call.staff.distId === null;
  const { rows } = await sql<PartRow>`
    select p.id, p.orders, p.fen, p.fen0, p.disputed, case when ${withViews}
      then (select coalesce(sum(v.views), 0)::int from goods_view_day v where v.game_id = p.id and v.day between ${from} and ${to}) end as views
    from (select ${by} as id, coalesce(sum(d.paid) filter (where d.day >= ${from}), 0)::int as orders,
        coalesce(sum(d.paid_fen) filter (where d.day >= ${from}), 0)::bigint as fen,
        coalesce(sum(d.paid_fen) filter (where d.day <= ${to} - ${back}::int), 0)::bigint as fen0,
        coalesce(sum(d.disputed) filter (where d.day >= ${from}), 0)::int as disputed
      from trade_day d where (d.day between ${from} and ${to} or d.day between ${from} - ${back}::int and ${to} - ${back}::int) and ${seen(call, input)}
      group by 1) p
    order by p.fen desc, p.orders desc limit ${MAX_PARTS}`.execute(ctx.db);
  const all = await catalogue(ctx);
  const nameOf = (id: number): string => {
    if (input.by === 'dist') return siteName(ctx, id);
    if (input.by === 'type') return orderTypeName(id);
    return all.known(id)?.name ?? '未归入游戏';
  };
  return {
    list: rows
      .filter(({ fen, fen0 }) => fen > 0 || fen0 > 0)
      .map((row) => ({
        id: row.id,
        name: nameOf(row.id),
        orders: row.orders,
        paid: row.fen,
        paid0: row.fen0,
        disputed: row.disputed,
        views: row.views,
      })),
  };
}

interface StepRow {
  is_now: boolean;
  placed: number;
  paid: number;
  shipped: number;
  done: number;
  unpaid: number;
  undone: number;
}

const NO_STEPS = { placed: 0, paid: 0, shipped: 0, done: 0, unpaid: 0, undone: 0 };

/** The outcomes of the orders placed in the range. Throws FORBIDDEN. */
export async function loadFunnel(
  call: StaffCall,
  input: Parsed<typeof c.boardFunnel>,
): Promise<HandlerResult<typeof c.boardFunnel>> {
  requirePermission(call.staff, 'order.read');
  const days = Number(input.days);
  const { rows } = await sql<StepRow>`
    select d.day > ${TODAY} - ${days}::int as is_now, sum(d.placed)::int as placed, sum(d.placed_paid)::int as paid,
      sum(d.placed_shipped)::int as shipped, sum(d.placed_done)::int as done, sum(d.placed_unpaid)::int as unpaid, sum(d.placed_undone)::int as undone
    from trade_day d where d.day > ${TODAY} - ${2 * days}::int and ${seen(call, input)} group by 1`.execute(
    call.ctx.db,
  );
  const seesViews = input.distId === undefined && call.staff.distId === null;
  const game = input.gameId === undefined ? sql`` : sql`and v.game_id = ${input.gameId}`;
  const views = seesViews
    ? await sql<{ is_now: boolean; views: number }>`
        select v.day > ${TODAY} - ${days}::int as is_now, sum(v.views)::int as views from goods_view_day v
        where v.day > ${TODAY} - ${2 * days}::int ${game} group by 1`.execute(call.ctx.db)
    : { rows: [] };
  const of = (isNow: boolean) => {
    const { placed, paid, shipped, done } = rows.find((row) => row.is_now === isNow) ?? NO_STEPS;
    return { views: views.rows.find((row) => row.is_now === isNow)?.views ?? 0, placed, paid, shipped, done };
  };
  const now = rows.find((row) => row.is_now) ?? NO_STEPS;
  return {
    now: of(true),
    before: of(false),
    unpaid: now.unpaid,
    undone: now.undone,
    seesViews,
    ...(await loadDays(call, days)),
    brands: seesViews ? await brandFunnels(call, input) : [],
  };
}

/** The first and the last day of the range, in China. */
async function loadDays(call: StaffCall, days: number): Promise<{ fromDay: string; toDay: string }> {
  const { rows } = await sql<{ fromDay: string; toDay: string }>`
    select to_char(${TODAY} - ${days - 1}::int, 'YYYY-MM-DD') as "fromDay", to_char(${TODAY}, 'YYYY-MM-DD') as "toDay"`.execute(
    call.ctx.db,
  );
  return rows[0] ?? { fromDay: '', toDay: '' };
}

interface BrandRow {
  id: number;
  placed: number;
  paid: number;
  shipped: number;
  done: number;
}

/** The outcomes of the orders of each brand. */
async function brandFunnels(
  call: StaffCall,
  input: Parsed<typeof c.boardFunnel>,
): Promise<HandlerResult<typeof c.boardFunnel>['brands']> {
  const { rows } = await sql<BrandRow>`
    select d.dist_id as id, sum(d.placed)::int as placed, sum(d.placed_paid)::int as paid, sum(d.placed_shipped)::int as shipped,
      sum(d.placed_done)::int as done
    from trade_day d where d.day > ${TODAY} - ${Number(input.days)}::int and ${seen(call, input)}
    group by 1 order by 2 desc limit ${MAX_PARTS}`.execute(call.ctx.db);
  return rows.map(({ id, ...now }) => ({ distId: id, name: siteName(call.ctx, id), now }));
}
