import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { findSelfWantGoodsList, getWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { WantStatus, wantStatusName } from '../rules/want.ts';
import { yuanText } from '#contract/wire.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { siteFees } from '#server/directory/directory.ts';
import type { Db, Trx } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { type Catalogue, catalogue, showsGame } from '#subjects/games/server/service.ts';
import { pageUrlOf, regionText } from '#subjects/goods/server/service.ts';
import { FIRST_PICTURE, type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { filterChips, listPath } from './filter-text.ts';
import { shortName } from './rules.ts';

const PAGE = 20;
const MATCHES_PER_WANT = 3;
const MAX_COUNT = 1000;

interface Row {
  id: number;
  sn: string;
  status: number;
  userId: number;
  buyerName: string;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  details: Record<string, unknown>;
  budgetFen: number;
  depositFen: number;
  push: boolean;
  createdAt: Date;
  updatedAt: Date;
  orderSn: string | null;
}

const COLUMNS =
  sql.raw(`w.id, w.sn, w.status, w.user_id as "userId", u.nick_name as "buyerName", w.game_id as "gameId", w.type_id as "typeId",
  w.area_id as "areaId", w.server_id as "serverId", w.title, w.filter as details, w.budget_fen as "budgetFen", w.deposit_fen as "depositFen",
  w.push, w.created_at as "createdAt", w.updated_at as "updatedAt", o.sn as "orderSn"`);
const FROM = sql.raw('from want w join app_user u on u.id = w.user_id left join orders o on o.id = w.met_order_id');

type Want = HandlerResult<typeof getWantGoodsList>['list'][number];

function wantOf(all: Catalogue, row: Row, viewer: number | undefined): Want {
  const game = all.known(row.gameId);
  const isMine = row.userId === viewer;
  return {
    wantSn: row.sn,
    status: row.status,
    statusName: wantStatusName(row.status),
    gameId: row.gameId,
    gameName: game?.name ?? '',
    goodsTypeId: row.typeId,
    goodsTypeStr: game?.goodsTypes.find((t) => t.id === row.typeId)?.name ?? goodsTypeName(row.typeId),
    areaText: regionText(all, row),
    bigTitle: visibleTitle(row.title),
    chips: filterChips(all.fieldsOf(row.gameId, row.typeId), row.details),
    budget: row.budgetFen,
    deposit: row.depositFen === 0 ? null : row.depositFen,
    buyerName: isMine ? row.buyerName : shortName(row.buyerName),
    isMine,
    createTime: row.createdAt,
    updateTime: row.updatedAt,
  };
}

interface MatchRow {
  wantId: number;
  sn: string;
  title: string;
  typeId: number;
  gameId: number;
  picture: PictureItem;
  priceFen: number;
  at: Date;
}

/** The newest matching listings on sale of each want, and their number. */
async function loadMatches(db: Trx, wantIds: readonly number[]) {
  const { rows } = await sql<MatchRow & { n: number }>`
    select w.id as "wantId", m.* from unnest(${[...wantIds]}::bigint[]) w(id) cross join lateral (
      select g.sn, g.title, g.type_id as "typeId", g.game_id as "gameId", ${FIRST_PICTURE} as picture, g.price_fen as "priceFen", x.matched_at as at,
        count(*) over ()::int as n
      from want_match x join goods_search s on s.goods_id = x.goods_id join goods g on g.id = x.goods_id
      where x.want_id = w.id order by x.matched_at desc, x.goods_id desc limit ${MATCHES_PER_WANT}) m`.execute(db);
  return Map.groupBy(rows, (r) => r.wantId);
}

/** The caller's wants with their matches, newest first. */
export async function ownWants(
  call: UserCall,
  input: Parsed<typeof findSelfWantGoodsList>,
): Promise<HandlerResult<typeof findSelfWantGoodsList>> {
  const { ctx, user } = call;
  const limit = input.pageSize ?? PAGE;
  const from = decodeId(input.cursor);
  const mine = sql`w.user_id = ${user.id} ${input.status === undefined ? sql`` : sql`and w.status = ${input.status}`}
    ${input.wantSn === undefined ? sql`` : sql`and w.sn = ${input.wantSn}`}`;
  const [all, { rows }, counted] = await Promise.all([
    catalogue(ctx),
    sql<Row>`select ${COLUMNS} ${FROM} where ${mine} ${from === undefined ? sql`` : sql`and w.id < ${from}`}
      order by w.id desc limit ${limit + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * limit : 0}`.execute(
      ctx.db,
    ),
    sql<{ n: number }>`select count(*)::int as n from want w where ${mine}`.execute(ctx.db),
  ]);
  const page = rows.slice(0, limit);
  const matches = await loadMatches(
    ctx.db,
    page.map((r) => r.id),
  );
  const last = page.at(-1);
  const { buyerBp } = siteFees(ctx.dir, call.dist);
  return {
    list: page.map((row) => {
      const fields = all.fieldsOf(row.gameId, row.typeId);
      const wantMatches = matches.get(row.id) ?? [];
      return {
        ...wantOf(all, row, user.id),
        areaId: row.areaId,
        serverId: row.serverId,
        details: row.details,
        alert: row.push,
        orderSn: row.orderSn,
        matches: Math.min(wantMatches[0]?.n ?? 0, MAX_COUNT),
        matched: wantMatches.map((m) => ({
          goodsSn: m.sn,
          bigTitle: visibleTitle(m.title),
          thumbnail: thumbOf(all, m),
          goodsTypeId: m.typeId,
          allInPrice: m.priceFen + feeOf(m.priceFen, buyerBp),
          pageUrl: pageUrlOf(m),
          matchTime: m.at,
        })),
        matchUrl: listPath(row, fields, row.details, yuanText(row.budgetFen)),
        filterUrl: listPath(row, fields, row.details),
      };
    }),
    total: Math.min(counted.rows[0]?.n ?? 0, MAX_COUNT),
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}

function thumbOf(all: Catalogue, row: MatchRow): string {
  const game = all.known(row.gameId);
  return !game ? '' : pictureUrls(row.picture, game.code).thumb;
}

const DEMAND_TTL_MS = 5000;
const MAX_DEMANDS = 1000;

interface Demand {
  wants: number;
  medianBudget: number | null;
  searches: number;
}

const demands = cacheKind('offers.demand', () => new TtlCache<Demand>({ ttlMs: DEMAND_TTL_MS, max: MAX_DEMANDS }));

/** Demand for a game and type: the number of users with wants, the median of their budgets in fen (null without any), and the number with saved searches; a few seconds old. */
async function loadDemand(ctx: Context, gameId: number, typeId: number): Promise<Demand> {
  return await cacheOf(ctx, demands).get(`${gameId}:${typeId}`, async () => await readDemand(ctx.db, gameId, typeId));
}

async function readDemand(db: Db, gameId: number, typeId: number): Promise<Demand> {
  const { rows } = await sql<{ wants: number; median: number | null; searches: number }>`
    select count(distinct user_id)::int as wants, percentile_disc(0.5) within group (order by budget_fen) as median,
      (select count(distinct user_id)::int from alert where game_id = ${gameId} and type_id = ${typeId} and kind = 'search' and not paused) as searches
    from want where game_id = ${gameId} and type_id = ${typeId} and status = ${WantStatus.Open}`.execute(db);
  const [row] = rows;
  return { wants: row?.wants ?? 0, medianBudget: row?.median ?? null, searches: row?.searches ?? 0 };
}

/** Open wants, public, newest first; for a game and type also the demand, which the publishing form shows. */
export async function publicWants(
  call: Call,
  input: Parsed<typeof getWantGoodsList>,
): Promise<HandlerResult<typeof getWantGoodsList>> {
  const { ctx, dist, caller } = call;
  const { gameId, goodsTypeId: typeId, keyWord } = input;
  const none = { list: [], demand: null, total: 0, next: null };
  if (gameId && !showsGame(dist, gameId)) return none;
  const limit = input.pageSize ?? PAGE;
  const from = decodeId(input.cursor);
  const where = [
    sql`w.status = ${WantStatus.Open}`,
    ...(gameId ? [sql`w.game_id = ${gameId}`] : dist.games ? [sql`w.game_id = any(${[...dist.games]}::int[])`] : []),
    ...(typeId ? [sql`w.type_id = ${typeId}`] : []),
    ...(keyWord === undefined ? [] : [sql`position(${keyWord} in w.title) > 0`]),
  ];
  const [all, { rows }, counted, demand] = await Promise.all([
    catalogue(ctx),
    sql<Row>`select ${COLUMNS} ${FROM} where ${sql.join(where, sql` and `)} ${from === undefined ? sql`` : sql`and w.id < ${from}`}
      order by w.id desc limit ${limit + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * limit : 0}`.execute(
      ctx.db,
    ),
    sql<{ n: number }>`
      select count(*)::int as n from (select from want w where ${sql.join(where, sql` and `)} limit ${MAX_COUNT + 1}) c`.execute(
      ctx.db,
    ),
    gameId && typeId ? loadDemand(ctx, gameId, typeId) : null,
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const total = counted.rows[0]?.n ?? 0;
  return {
    list: page.map((row) => wantOf(all, row, caller.user?.id)),
    demand,
    total: Math.min(total, MAX_COUNT),
    totalCapped: total > MAX_COUNT,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}
