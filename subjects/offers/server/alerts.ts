import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type {
  followAlerts,
  saveSearchAlert,
  searchAlertList,
  updateSearchAlert,
} from '#subjects/offers/contract/alerts.ts';
import { oneLineText } from '#subjects/goods/rules/listing-states.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { setFollowAlerts as storeFollowAlerts, watchFilter } from '#subjects/goods/server/service.ts';

const MAX_ALERTS = 50;

/** Subscribes to a search. Throws BAD_INPUT for filters that the game does not have, NOT_FOUND for a game, ALERT_COUNT. */
export async function saveAlert(
  call: UserCall,
  input: Parsed<typeof saveSearchAlert>,
): Promise<HandlerResult<typeof saveSearchAlert>> {
  const { ctx, user, dist } = call;
  const { title, path, frequency, ...search } = input;
  if (search.gameId && (!showsGame(dist, search.gameId) || !(await catalogue(ctx)).game(search.gameId)))
    throw errorOf('NOT_FOUND', 'gameOfRequest');
  if (!search.gameId && search.keyWord === undefined && search.sellerId === undefined)
    throw new AppError('BAD_INPUT', { text: '请先选择游戏或输入关键词，再订阅' });
  const filter = await watchFilter(ctx, dist, search);
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      // The lock on the user's row keeps the number of alerts within the limit.
      await sql`select 1 from app_user where id = ${user.id} for update`.execute(trx);
      const { rows: there } = await sql<{ id: number; path: string }>`
        select id, path from alert where user_id = ${user.id} and kind = 'search'`.execute(trx);
      const same = there.find((a) => a.path === path);
      if (same) {
        await sql`update alert set paused = false, frequency = ${frequency} where id = ${same.id}`.execute(trx);
        return { alertId: same.id, repeated: true };
      }
      if (there.length >= MAX_ALERTS) throw new AppError('ALERT_COUNT');
      const { rows } = await sql<{ id: number }>`
        insert into alert (user_id, dist_id, kind, filter, frequency, title, path, game_id, type_id, area_id, server_id, seller_id, min_fen, max_fen,
          words, ranges, at_least)
        values (${user.id}, ${dist.id}, 'search', ${JSON.stringify(search)}::jsonb, ${frequency}, ${oneLineText(title)}, ${path}, ${search.gameId || null},
          ${search.goodsTypeId || null}, ${search.areaId || null}, ${search.serverId || null}, ${search.sellerId ?? null}::bigint,
          ${search.minPrice || null}, ${search.maxPrice ?? null}, ${filter.tsquery}::tsquery, ${JSON.stringify(filter.ranges)}::jsonb,
          ${JSON.stringify(filter.atLeast)}::jsonb) returning id`.execute(trx);
      return { alertId: rows[0]?.id ?? 0, repeated: false };
    }),
  );
}

/** The caller's saved searches with their numbers of matches. */
export async function ownAlerts({ ctx, user }: UserCall): Promise<HandlerResult<typeof searchAlertList>> {
  const { rows } = await sql<HandlerResult<typeof searchAlertList>['list'][number]>`
    select a.id as "alertId", a.title, a.path, a.frequency, a.paused, a.created_at as "createTime", m.n as matches, m.at as "lastTime"
    from alert a cross join lateral (select count(s.goods_id)::int as n, max(x.matched_at) as at
      from alert_match x left join goods_search s on s.goods_id = x.goods_id where x.alert_id = a.id) m
    where a.user_id = ${user.id} and a.kind = 'search' order by a.id desc limit ${MAX_ALERTS}`.execute(ctx.db);
  return { list: rows };
}

/** Changes or removes a saved search of the caller. Throws ALERT_NOT_FOUND, also for another user's. */
export async function changeAlert(
  { ctx, user }: UserCall,
  { alertId, act: action }: Parsed<typeof updateSearchAlert>,
): Promise<void> {
  const mine = sql`id = ${alertId} and user_id = ${user.id} and kind = 'search'`;
  const change =
    action === 'remove'
      ? sql`delete from alert where ${mine} returning id`
      : action === 'now' || action === 'daily'
        ? sql`update alert set frequency = ${action} where ${mine} returning id`
        : sql`update alert set paused = ${action === 'pause'} where ${mine} returning id`;
  const { rows } = await change.execute(ctx.db);
  if (rows.length === 0) throw new AppError('ALERT_NOT_FOUND');
}

/** Sets the alerts for a followed listing. Throws GOODS_NOT_FOUND for a listing that the caller does not follow. */
export async function setFollowAlerts(
  { ctx, user }: UserCall,
  { goodsSn, drop, back }: Parsed<typeof followAlerts>,
): Promise<HandlerResult<typeof followAlerts>> {
  const follows = await storeFollowAlerts(ctx.db, { goodsSn, userId: user.id, drop, back });
  if (!follows) throw new AppError('GOODS_NOT_FOUND', { text: '还没有收藏这件商品' });
  return { drop, back };
}
