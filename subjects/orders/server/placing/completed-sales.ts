import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { OrderStatus } from '../../rules/order-status.ts';
import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { StaleWhileRevalidate } from '#server/kernel/cache.ts';
import { decodeMoment, encodeCursor } from '#server/kernel/cursor.ts';
import { marketFigures } from '../figures/daily-sums.ts';

interface SaleRow {
  id: number;
  game_id: number;
  game_name: string;
  type_id: number;
  title: string;
  area: string;
  unit_price_fen: number;
  buyer: string;
  completed_at: Date;
}

/** First and last character of a nickname; a short one shows its first only. */
const maskName = (name: string): string =>
  name.length > 2 ? `${name.charAt(0)}**${name.charAt(name.length - 1)}` : `${name.charAt(0)}**`;

/** Rounds down to ten minutes, so that a sale cannot be matched to a person by its exact time (reliability.md b.46). */
const rounded = (at: Date): Date => new Date(Math.floor(at.getTime() / 600_000) * 600_000);

/** Private deals and purchases by the platform are not public. */
const PUBLIC_SALES = sql`o.type_id not in (${sql.lit(OrderType.Middleman)}, ${sql.lit(OrderType.Recycling)})`;

const onDay = (day: string) =>
  sql`and o.completed_at >= (${day}::date)::timestamp at time zone 'Asia/Shanghai'
    and o.completed_at < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'`;

/** Completed sales of the games that a site shows, newest first; masked and rounded, no order numbers. */
export async function completedSales(
  db: Db,
  q: {
    games: readonly number[] | null;
    gameId?: number | undefined;
    typeId?: number | undefined;
    /** A day of China, 2026-11-20. */
    day?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
) {
  const from = decodeMoment(q.cursor);
  const { rows } = await sql<SaleRow>`
    select o.id, o.game_id, o.snapshot->>'gameName' as game_name, o.type_id, o.snapshot->>'title' as title,
      concat_ws(' ', nullif(o.snapshot->>'areaName', ''), nullif(o.snapshot->>'serverName', '')) as area, o.unit_price_fen, b.nick_name as buyer, o.completed_at
    from orders o join app_user b on b.id = o.buyer_id
    where o.status = ${sql.lit(OrderStatus.Completed)} and o.completed_at is not null and ${PUBLIC_SALES} ${q.games ? sql`and o.game_id = any(${[...q.games]})` : sql``} ${q.gameId === undefined ? sql`` : sql`and o.game_id = ${q.gameId}`}
      ${q.typeId === undefined ? sql`` : sql`and o.type_id = ${q.typeId}`} ${q.day === undefined ? sql`` : onDay(q.day)}
      ${from ? sql`and (o.completed_at, o.id) < (${new Date(from[0])}, ${from[1]})` : sql``}
    order by o.completed_at desc, o.id desc limit ${q.limit + 1}`.execute(db);
  const page = rows.slice(0, q.limit);
  const last = page.at(-1);
  return {
    list: page.map((r) => ({
      gameId: r.game_id,
      gameName: r.game_name,
      orderTypeId: r.type_id,
      title: r.title,
      areaName: r.area,
      price: r.unit_price_fen,
      buyer: maskName(r.buyer),
      dealTime: rounded(r.completed_at),
    })),
    next: rows.length > q.limit && last ? encodeCursor([last.completed_at.toISOString(), last.id]) : null,
  };
}

interface DayCount {
  gameId: number;
  day: string;
  deals: number;
}

/** Days that the page of completed sales counts. */
export const SALE_DAYS = 14;
const DAYS_TTL_MS = 60_000;
const dayCounts = cacheKind(
  'sales.days',
  ({ db }: Reader) => new StaleWhileRevalidate(async () => await readDays(db), DAYS_TTL_MS),
);

type Reader = Pick<Context, 'db' | 'caches'>;

async function readDays(db: Db): Promise<readonly DayCount[]> {
  const { rows } = await sql<DayCount>`
    select o.game_id as "gameId", to_char(o.day, 'YYYY-MM-DD') as day, sum(o.deals)::int as deals
    from deal_figure o where ${PUBLIC_SALES} and o.game_id is not null and o.day >= (now() at time zone 'Asia/Shanghai')::date - ${SALE_DAYS - 1}::int
    group by o.game_id, o.day having sum(o.deals) > 0`.execute(db);
  return rows;
}

/** Completed sales by day (oldest first, of one game if asked) and by game over the last fourteen days, up to a minute old. */
export async function saleCounts(
  ctx: Reader,
  q: { games: readonly number[] | null; gameId: number | undefined },
): Promise<{ days: { day: string; deals: number }[]; games: { gameId: number; deals: number }[] }> {
  const visible = (await cacheOf(ctx, dayCounts).get()).filter((c) => q.games?.includes(c.gameId) ?? true);
  const sum = (list: readonly DayCount[]): number => list.reduce((total, c) => total + c.deals, 0);
  const ofGame = q.gameId === undefined ? visible : visible.filter((c) => c.gameId === q.gameId);
  const days = Array.from({ length: SALE_DAYS }, (_, i) => dayAfter(chinaDay(new Date()), i + 1 - SALE_DAYS));
  return {
    days: days.map((day) => ({ day, deals: sum(ofGame.filter((c) => c.day === day)) })),
    games: [...Map.groupBy(visible, (c) => c.gameId)]
      .map(([gameId, list]) => ({ gameId, deals: sum(list) }))
      .toSorted((a, b) => b.deals - a.deals || a.gameId - b.gameId),
  };
}

export interface SiteCounts {
  escrowTotal: number;
  disputeRate30: number;
  averageShipMinutes: number | null;
  claimsPaid: number;
  dealsToday: number;
  deals30: number;
}

const SITE_COUNTS_TTL_MS = 30_000;
const siteCache = cacheKind(
  'sales.site',
  ({ db }: Reader) => new StaleWhileRevalidate(async () => await readSiteCounts(db), SITE_COUNTS_TTL_MS),
);

/** Figures of the whole market for the home page, from kept sums, up to 30 seconds old. Amounts in fen. */
export async function siteCounts(ctx: Reader): Promise<SiteCounts> {
  return await cacheOf(ctx, siteCache).get();
}

async function readSiteCounts(db: Db): Promise<SiteCounts> {
  const { rows } = await sql<{ paid: number }>`
    select count(*) as paid from ledger_transfer where code = 'claim_paid'`.execute(db);
  return { ...(await marketFigures(db)), claimsPaid: rows[0]?.paid ?? 0 };
}
