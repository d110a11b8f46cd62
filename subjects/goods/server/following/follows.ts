import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { followGoods } from '#subjects/goods/contract/follows.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import type { Context } from '#server/context.ts';
import { siteFees } from '#server/directory/directory.ts';
import { inTransaction } from '#server/db/client.ts';
import { decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { FIRST_PICTURE, type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { allInFen } from '../search/index-row.ts';
import { gamesFor, type VisibleGames } from '../listing/list.ts';
import { addFollow } from '../listing/weeks.ts';

/** Limit per user. */
const MAX_FOLLOWS = 1000;
const VISIBLE = sql.raw('(2, 3, 4, 5, 7)');

interface Followed {
  followed: boolean;
  follows: number;
}

/**
 * Follows or unfollows a listing; idempotent. The current price is stored to detect a later drop. Throws GOODS_NOT_FOUND, and BAD_INPUT
 * above the limit.
 */
export async function setFollow(
  ctx: Context,
  dist: VisibleGames,
  userId: number,
  request: { goodsSn: string; follow: boolean },
): Promise<Followed> {
  const { rows } = await sql<{ id: number; gameId: number; priceFen: number }>`
    select id, game_id as "gameId", price_fen as "priceFen" from goods where sn = ${request.goodsSn.toUpperCase()} and status in ${VISIBLE}`.execute(
    ctx.db,
  );
  const goods = rows[0];
  if (!goods || !showsGame(dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  const follows = await inTransaction(ctx.db, async (trx) => {
    const changed = request.follow
      ? await sql`insert into goods_follow (user_id, goods_id, price_fen)
          select ${userId}::bigint, ${goods.id}::bigint, ${goods.priceFen}::bigint
          where (select count(*) from goods_follow where user_id = ${userId}) < ${MAX_FOLLOWS}
          on conflict do nothing returning 1`.execute(trx)
      : await sql`delete from goods_follow where user_id = ${userId} and goods_id = ${goods.id} returning 1`.execute(
          trx,
        );
    const by = changed.rows.length === 0 ? 0 : request.follow ? 1 : -1;
    const counted = await sql<{
      follows: number;
    }>`insert into goods_stat (goods_id, follows) values (${goods.id}, greatest(0, ${by}::int))
      on conflict (goods_id) do update set follows = greatest(0, goods_stat.follows + ${by}::int) returning follows`.execute(
      trx,
    );
    await addFollow(trx, goods.id, by);
    return counted.rows[0]?.follows ?? 0;
  });
  const now = await sql<{ followed: boolean }>`
    select exists (select from goods_follow where user_id = ${userId} and goods_id = ${goods.id}) as followed`.execute(
    ctx.db,
  );
  const followed = now.rows[0]?.followed === true;
  if (request.follow && !followed)
    throw new AppError('BAD_INPUT', { text: `最多收藏 ${MAX_FOLLOWS} 件商品，请先清理` });
  return { followed, follows };
}

interface Row {
  id: number;
  sn: string;
  gameId: number;
  typeId: number;
  title: string;
  picture: PictureItem;
  priceFen: number;
  followFen: number;
  status: number;
  alertDrop: boolean;
  alertBack: boolean;
  at: Date;
  sortKey: number;
}

/** The filters of followed listings as conditions on goods `g` and follow `f`. */
const CONDITIONS = {
  all: sql``,
  onSale: sql`and g.status = ${sql.lit(GoodsStatus.OnSale)}`,
  fallen: sql`and g.status = ${sql.lit(GoodsStatus.OnSale)} and g.price_fen < f.price_fen`,
  gone: sql`and g.status <> ${sql.lit(GoodsStatus.OnSale)}`,
} as const;
export type FollowShow = keyof typeof CONDITIONS;

/** The listings that a user follows, newest first, in any state; amounts in fen. `counts` has the number per filter. */
export async function followed(
  ctx: Context,
  dist: VisibleGames,
  userId: number,
  page: { show: FollowShow; cursor: string | undefined; offset: number; limit: number },
): Promise<HandlerResult<typeof followGoods>> {
  const games = await gamesFor(ctx, dist);
  const mine = sql`from goods_follow f join goods g on g.id = f.goods_id where f.user_id = ${userId} and g.status in ${VISIBLE}
    ${games === null ? sql`` : sql`and g.game_id = any(${[...games]}::int[])`}`;
  const from = decodeKeyAndId(page.cursor);
  const after = from
    ? sql`and (f.created_at, f.goods_id) < (timestamptz 'epoch' + ${from[0]}::bigint * interval '1 microsecond', ${from[1]}::bigint)`
    : sql``;
  const [all, { rows }, counted] = await Promise.all([
    catalogue(ctx),
    sql<Row>`select g.id, g.sn, g.game_id as "gameId", g.type_id as "typeId", g.title, ${FIRST_PICTURE} as picture, g.price_fen as "priceFen",
        f.price_fen as "followFen", g.status, f.alert_drop as "alertDrop", f.alert_back as "alertBack", f.created_at as at, (extract(epoch from f.created_at) * 1000000)::bigint as "sortKey"
      ${mine} ${CONDITIONS[page.show]} ${after}
      order by f.created_at desc, f.goods_id desc limit ${page.limit + 1} offset ${from ? 0 : page.offset}`.execute(
      ctx.db,
    ),
    sql<
      Record<FollowShow, number>
    >`select count(*)::int as all, count(*) filter (where g.status = ${sql.lit(GoodsStatus.OnSale)})::int as "onSale",
        count(*) filter (where g.status = ${sql.lit(GoodsStatus.OnSale)} and g.price_fen < f.price_fen)::int as fallen, count(*) filter (where g.status <> ${sql.lit(GoodsStatus.OnSale)})::int as gone
      ${mine}`.execute(ctx.db),
  ]);
  const counts = counted.rows[0] ?? { all: 0, onSale: 0, fallen: 0, gone: 0 };
  const { buyerBp } = siteFees(ctx.dir, dist);
  const pageRows = rows.slice(0, page.limit);
  const last = pageRows.at(-1);
  return {
    list: pageRows.flatMap((row) => {
      const game = all.game(row.gameId);
      if (!game) return [];
      return {
        goodsSn: row.sn,
        bigTitle: visibleTitle(row.title),
        gameName: game.name,
        goodsTypeId: row.typeId,
        thumbnail: pictureUrls(row.picture, game.code).thumb,
        price: row.priceFen,
        allInPrice: allInFen(row.priceFen, buyerBp),
        followPrice: row.followFen,
        alertDrop: row.alertDrop,
        alertBack: row.alertBack,
        status: row.status,
        followTime: row.at,
      };
    }),
    counts,
    total: counts[page.show],
    totalCapped: false,
    next: rows.length > page.limit && last ? encodeCursor([last.sortKey, last.id]) : null,
  };
}
