import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { type RawBuilder, sql } from 'kysely';
import * as c from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { loadProvider, type ProviderRow } from '#subjects/providers/server/service.ts';
import { serviceGames } from '../packages.ts';
import { loadOpenOrders } from '../queries.ts';
import { maxOpenOrders } from '../roles.ts';
import { priceNow } from './post.ts';
import { countRequests, requestRows, requestView } from './rows.ts';
import { closedFor, orderLimit } from './take.ts';

const PAGE = 20;

/** Games and kinds for the form of an open order. */
export async function formGames({ ctx, dist }: Call): Promise<HandlerResult<typeof c.boostGames>> {
  const games = serviceGames(await catalogue(ctx), BOOSTING).filter(({ gameId }) => showsGame(dist, gameId));
  return { games, maxOpenHours: c.MAX_OPEN_HOURS };
}

/** The cost of an open order, and the number of boosters who may see it. */
export async function quoteRequest(
  call: UserCall,
  { price }: Parsed<typeof c.boostQuote>,
): Promise<HandlerResult<typeof c.boostQuote>> {
  const { ctx, user, dist } = call;
  const { totalFen } = await priceNow(call, price);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from provider where kind = 'booster' and status = 'approved' and online and dist_id = ${dist.id}`.execute(
    ctx.db,
  );
  const { availableFen } = await loadBalances(ctx.db, user.id);
  return { total: totalFen, fee: totalFen - price, balance: availableFen, boosters: rows[0]?.n ?? 0 };
}

const pageOf = (input: { pages?: number | undefined; pageSize?: number | undefined }) => {
  const limit = input.pageSize ?? PAGE;
  return { limit, offset: ((input.pages ?? 1) - 1) * limit };
};

/** The caller's open orders, newest first. */
export async function ownRequests(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.myBoostRequests>,
): Promise<HandlerResult<typeof c.myBoostRequests>> {
  const where = sql`r.buyer_id = ${user.id}`;
  const all = await catalogue(ctx);
  const rows = await requestRows(ctx.db, where, pageOf(input));
  return {
    list: rows.map((r) => ({ ...requestView(r, all), total: r.totalFen, orderSn: r.orderSn })),
    total: await countRequests(ctx.db, where),
    next: null,
  };
}

function boardFilter(me: ProviderRow, input: Parsed<typeof c.boostBoard>, availableFen: number): RawBuilder<unknown> {
  const parts = [
    sql`r.status = 'open' and r.expires_at > now() and r.dist_id = ${me.distId} and r.game_id = any(${me.games}::int[])`,
    sql`not exists (select from service_block k where (k.user_id = ${me.userId} and k.blocked_id = r.buyer_id) or (k.user_id = r.buyer_id and k.blocked_id = ${me.userId}))`,
  ];
  if (input.gameId !== undefined) parts.push(sql`r.game_id = ${input.gameId}`);
  if (input.mode !== undefined) parts.push(sql`r.mode = ${input.mode}`);
  if (input.minPrice !== undefined) parts.push(sql`r.goods_fen >= ${input.minPrice}`);
  if (input.maxPrice !== undefined) parts.push(sql`r.goods_fen <= ${input.maxPrice}`);
  if (input.maxHours !== undefined) parts.push(sql`r.minutes <= ${input.maxHours * 60}`);
  if (input.payable) parts.push(sql`r.safety_fen + r.efficiency_fen <= ${availableFen}`);
  return sql.join(parts, sql` and `);
}

/** The limit of one order, without an error for boosters without a deposit. */
async function loadLimit(db: Trx, userId: number, most: number): Promise<{ orderFen: number | null }> {
  return { orderFen: most === 0 ? null : await orderLimit(db, userId) };
}

/** The open orders that can be claimed: only in the games that the booster names, never of a user whom either has blocked. */
export async function loadBoard(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.boostBoard>,
): Promise<HandlerResult<typeof c.boostBoard>> {
  const { db } = ctx;
  const me = await loadProvider(db, user.id, 'booster');
  const { availableFen } = await loadBalances(db, user.id);
  const nobody = { balance: availableFen, openOrders: 0, maxOpenOrders: 0, games: [], list: [], total: 0, next: null };
  if (me?.status !== 'approved') return { isBooster: false, ...nobody };
  const [all, openOrders, most] = [
    await catalogue(ctx),
    await loadOpenOrders(db, me.id),
    await maxOpenOrders(db, user.id, BOOSTING),
  ];
  const limits = await loadLimit(db, user.id, most);
  const where = boardFilter(me, input, availableFen);
  const rows = await requestRows(db, where, { ...pageOf(input), by: input.sort });
  const busy =
    most === 0
      ? '缴纳代练保证金后可以接单'
      : openOrders >= most
        ? `同时进行的订单最多 ${most} 笔，完成一笔后再接`
        : null;
  return {
    isBooster: true,
    balance: availableFen,
    openOrders,
    maxOpenOrders: most,
    games: me.games.flatMap((gameId) => {
      const game = all.known(gameId);
      return game ? [{ gameId, name: game.name }] : [];
    }),
    list: rows.map((r) => ({
      ...requestView(r, all),
      net: r.goodsFen - r.price.commissionFen,
      closed:
        closedFor(r, me, limits) ??
        busy ??
        (availableFen < r.safetyFen + r.efficiencyFen ? '可用余额不够付两笔保证金' : null),
    })),
    total: await countRequests(db, where),
    next: null,
  };
}
