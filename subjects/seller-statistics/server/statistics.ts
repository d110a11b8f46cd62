import { chinaDay } from '#contract/rules/time/china-time.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { usesJDetail } from '#contract/rules/catalogue.ts';
import type * as c from '#subjects/seller-statistics/contract/seller-statistics.ts';
import type { UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { bandOf, REFERENCE_COLUMNS, type ReferenceRow } from '#subjects/goods/server/service.ts';
import { adviceFor, conversionOf, mondays } from './rules.ts';

const WEEKS = 8;
const LISTING_WEEKS = 4;
/** Only the newest orders and questions are counted, so that the cost of the page does not depend on the size of the shop. */
const NEWEST = 3000;
const SALES = 200;
const SALES_MIN = 5;
const PAGE = 20;

const DAY = sql.raw(`'Asia/Shanghai'`);

interface ByWeek {
  week: string;
  n: number;
  money: number;
}

/** Views and follows of a seller by week. */
async function looks({ ctx, user }: UserCall, from: string) {
  const { rows } = await sql<{ week: string; views: number; follows: number }>`
    select week::text as week, views, follows from seller_week where seller_id = ${user.id} and week >= ${from}::date`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [row.week, row]));
}

/** The first week with recorded views of the seller's listings; null when there is none. */
async function keptSince({ ctx, user }: UserCall): Promise<string | null> {
  const { rows } = await sql<{ week: string | null }>`
    select min(week)::text as week from seller_week where seller_id = ${user.id}`.execute(ctx.db);
  return rows[0]?.week ?? null;
}

/** A recorded number of a week: 0 when nothing happened, null before recording started. */
const keptOf = (since: string | null, week: string, n: number | undefined): number | null =>
  since !== null && week >= since ? (n ?? 0) : null;

/** Orders placed and completed, and questions, by week; of the newest rows of the seller. */
async function deeds({ ctx, user }: UserCall, from: string) {
  const [placed, sold, questions] = await Promise.all([
    sql<ByWeek & { read: number }>`
      select date_trunc('week', o.created_at at time zone ${DAY})::date::text as week, count(*)::int as n, 0::bigint as money,
        (sum(count(*)) over ())::int as read
      from (select created_at from orders where seller_id = ${user.id} order by id desc limit ${NEWEST}) o
      group by 1`.execute(ctx.db),
    sql<ByWeek>`
      select date_trunc('week', o.completed_at at time zone ${DAY})::date::text as week, count(*)::int as n, sum(o.goods_fen)::bigint as money
      from (select completed_at, goods_fen from orders where seller_id = ${user.id} and status = ${sql.lit(OrderStatus.Completed)} order by completed_at desc limit ${NEWEST}) o
      where o.completed_at >= ${from}::date group by 1`.execute(ctx.db),
    sql<ByWeek>`
      select date_trunc('week', q.created_at at time zone ${DAY})::date::text as week, count(*)::int as n, 0::bigint as money
      from (select created_at from goods_question where seller_id = ${user.id} order by id desc limit ${NEWEST}) q
      group by 1`.execute(ctx.db),
  ]);
  const by = (rows: readonly ByWeek[]) => new Map(rows.map((row) => [row.week, row]));
  return {
    placed: by(placed.rows),
    sold: by(sold.rows),
    questions: by(questions.rows),
    isCut: (placed.rows[0]?.read ?? 0) >= NEWEST,
  };
}

/** Half of the newest sales were ordered within this number of days after publishing. */
async function sellDays({ ctx, user }: UserCall): Promise<number | null> {
  const { rows } = await sql<{ n: number; days: number | null }>`
    select count(*)::int as n, round((percentile_cont(0.5) within group (order by extract(epoch from s.created_at - s.listed) / 86400))::numeric, 1)::float8 as days
    from (select o.created_at, g.created_at as listed from orders o join goods g on g.id = o.goods_id
      where o.seller_id = ${user.id} and o.status = ${sql.lit(OrderStatus.Completed)} and o.created_at >= g.created_at order by o.completed_at desc limit ${SALES}) s`.execute(
    ctx.db,
  );
  const row = rows[0];
  return row && row.n >= SALES_MIN ? row.days : null;
}

/** The caller's shop by week. */
export async function shop(call: UserCall): Promise<HandlerResult<typeof c.shopStatistics>> {
  const { ctx, user } = call;
  const { rows: now } = await sql<{ today: string; onSale: number; listed: number; unanswered: number }>`
    select (now() at time zone ${DAY})::date::text as today,
      (select count(*)::int from goods where seller_id = ${user.id} and status = ${sql.lit(GoodsStatus.OnSale)}) as "onSale",
      (select count(*)::int from (select from goods where seller_id = ${user.id} limit 1000) g) as listed,
      (select count(*)::int from goods_question where seller_id = ${user.id} and answered_at is null and hidden_at is null) as unanswered`.execute(
    ctx.db,
  );
  const { today = '', ...numbers } = now[0] ?? { onSale: 0, listed: 0, unanswered: 0 };
  const weeks = mondays(today, WEEKS);
  const from = weeks[0] ?? today;
  const [seen, done, days, since] = await Promise.all([
    looks(call, from),
    deeds(call, from),
    sellDays(call),
    keptSince(call),
  ]);
  const list = weeks.map((week) => ({
    week,
    views: keptOf(since, week, seen.get(week)?.views),
    follows: keptOf(since, week, seen.get(week)?.follows),
    questions: done.questions.get(week)?.n ?? 0,
    orders: done.placed.get(week)?.n ?? 0,
    sold: done.sold.get(week)?.n ?? 0,
    soldMoney: done.sold.get(week)?.money ?? 0,
  }));
  const counted = list.filter(({ views }) => views !== null);
  const sum = (pick: (w: (typeof list)[number]) => number): number => counted.reduce((n, w) => n + pick(w), 0);
  return {
    weeks: list,
    ...numbers,
    conversion: conversionOf(
      sum((w) => w.orders),
      sum((w) => w.views ?? 0),
    ),
    keptSince: since,
    sellDays: days,
    isCut: done.isCut,
  };
}

interface Listing extends ReferenceRow {
  id: number;
  sn: string;
  title: string;
  gameId: number;
  typeId: number;
  priceFen: number;
  attrs: Record<string, unknown>;
  bargainOpen: boolean;
  pictures: number;
  descriptionChars: number;
  days: number;
  views: number;
  follows: number;
  questions: number;
  waiting: number;
}

/** Listings on sale, oldest first; each number is one look into an index of the listing. */
async function loadListings({ ctx, user }: UserCall, after: number, limit: number): Promise<Listing[]> {
  const { rows } = await sql<Listing>`
    select g.id, g.sn, g.title, g.game_id as "gameId", g.type_id as "typeId", g.price_fen as "priceFen", g.attrs, g.bargain_ok as "bargainOpen",
      jsonb_array_length(g.pictures) as pictures, length(g.description) as "descriptionChars",
      greatest(0, floor(extract(epoch from now() - g.created_at) / 86400))::int as days,
      coalesce(s.views, 0) as views, coalesce(s.follows, 0) as follows, q.n as questions, q.waiting, ${REFERENCE_COLUMNS}
    from goods g left join goods_stat s on s.goods_id = g.id left join goods_reference rf on rf.goods_id = g.id
      cross join lateral (select count(*)::int as n, count(*) filter (where answered_at is null)::int as waiting
        from goods_question where goods_id = g.id and hidden_at is null) q
    where g.seller_id = ${user.id} and g.status = ${sql.lit(GoodsStatus.OnSale)} and g.id > ${after}
    order by g.id limit ${limit}`.execute(ctx.db);
  return rows;
}

async function listingWeeks({ ctx }: UserCall, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; week: string; views: number }>`
    select goods_id as id, week::text as week, views from goods_week
    where goods_id = any(${[...ids]}::bigint[]) and week > (now() at time zone ${DAY})::date - ${LISTING_WEEKS * 7}::int`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, week, views }) => [`${id} ${week}`, views]));
}

/** Orders by listing, among the newest of the seller. */
async function loadOrders({ ctx, user }: UserCall, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; n: number }>`
    select o.goods_id as id, count(*)::int as n from (select goods_id from orders where seller_id = ${user.id} order by id desc limit ${NEWEST}) o
    where o.goods_id = any(${[...ids]}::bigint[]) group by o.goods_id`.execute(ctx.db);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

async function usualDays({ ctx }: UserCall, listings: readonly Listing[]) {
  const { rows } = await sql<{ gameId: number; typeId: number; hours: number }>`
    select game_id as "gameId", type_id as "typeId", median_hours as hours from sell_time_stat
    where price_band = -1 and game_id = any(${listings.map(({ gameId }) => gameId)}::int[])`.execute(ctx.db);
  return new Map(rows.map(({ gameId, typeId, hours }) => [`${gameId}:${typeId}`, Math.max(1, Math.round(hours / 24))]));
}

/** The caller's listings on sale with their figures and suggestions. */
export async function listings(
  call: UserCall,
  input: Parsed<typeof c.listingStatistics>,
): Promise<HandlerResult<typeof c.listingStatistics>> {
  const { ctx } = call;
  const limit = input.pageSize ?? PAGE;
  const found = await loadListings(call, decodeId(input.cursor) ?? 0, limit + 1);
  const page = found.slice(0, limit);
  const ids = page.map(({ id }) => id);
  const [all, weeks, usual, orders, since] = await Promise.all([
    catalogue(ctx),
    listingWeeks(call, ids),
    usualDays(call, page),
    loadOrders(call, ids),
    keptSince(call),
  ]);
  const names = mondays(chinaDay(new Date()), LISTING_WEEKS);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    list: page.map((l) => {
      const band = bandOf(l);
      const seen = names.map((week) => keptOf(since, week, weeks.get(`${l.id} ${week}`)));
      const typical = usual.get(`${l.gameId}:${l.typeId}`) ?? null;
      return {
        goodsSn: l.sn,
        bigTitle: l.title,
        pageUrl: `${usesJDetail(l.typeId) ? '/JDetail' : '/detail'}/${l.sn}`,
        gameName: all.known(l.gameId)?.name ?? '',
        price: l.priceFen,
        typicalPrice: band?.typical ?? null,
        diffPercent: band?.diffPercent ?? null,
        views: l.views,
        follows: l.follows,
        questions: l.questions,
        orders: orders.get(l.id) ?? 0,
        weeks: seen,
        days: l.days,
        usualDays: typical,
        advice: adviceFor({
          ...l,
          orders: orders.get(l.id) ?? 0,
          band: band?.wide === true ? null : band,
          waitingQuestions: l.waiting,
          usualDays: typical,
        }),
      };
    }),
    next: last ? encodeCursor([last.id]) : null,
  };
}
