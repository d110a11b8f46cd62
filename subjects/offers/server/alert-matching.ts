import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit, scheduleFrom } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import {
  matchesWatch,
  followersToNotifyOfReturn,
  followersToNotifyOfPrice,
  pageUrlOf,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
} from '#subjects/goods/server/service.ts';

const MAX_CANDIDATES = 5000;
const PUSHES_PER_DAY = 20;
/** Users per event. */
const CHUNK = 1000;
/** Hour of the daily digest, in China. */
const DAILY_HOUR = 20;

interface Candidate {
  id: number;
  frequency: 'now' | 'daily';
  ranges: WatchFilter['ranges'];
  atLeast: WatchFilter['atLeast'];
}

async function candidates(trx: Trx, g: WatchedGoods): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select a.id, a.frequency, a.ranges, a.at_least as "atLeast" from alert a join goods_search s on s.goods_id = ${g.id}
    where a.kind = 'search' and not a.paused and a.user_id <> ${g.sellerId}
      and (a.game_id = ${g.gameId} or a.game_id is null) and (a.type_id = ${g.typeId} or a.type_id is null)
      and (a.area_id is null or a.area_id = ${g.areaId}) and (a.server_id is null or a.server_id = ${g.serverId})
      and (a.seller_id is null or a.seller_id = ${g.sellerId})
      and ${g.priceFen} between coalesce(a.min_fen, 0) and coalesce(a.max_fen, ${g.priceFen})
      and (a.words is null or s.tsv @@ a.words)
    order by a.id desc limit ${MAX_CANDIDATES}`.execute(trx);
  return rows.filter((a) => matchesWatch(g, a));
}

interface AlertEvent {
  topic: 'alert.search' | 'alert.price_drop' | 'alert.back_on_sale';
  userIds: readonly number[];
  goods: Pick<WatchedGoods, 'sn' | 'title' | 'typeId'>;
  ref: string;
  text: string;
}

/** Publishes an event about a listing for users, in chunks. */
async function publishAlerts(trx: Trx, { topic, userIds, goods, ref, text }: AlertEvent): Promise<void> {
  const unique = [...new Set(userIds)];
  for (let from = 0; from < unique.length; from += CHUNK) {
    const payload = {
      userIds: unique.slice(from, from + CHUNK),
      goodsSn: goods.sn,
      ref,
      title: visibleTitle(goods.title),
      text,
      link: pageUrlOf(goods),
    };
    await emit(trx, topic, payload);
  }
}

/** Matches a new or cheaper listing with saved searches; notifies immediately or collects it for the daily digest. */
export async function matchAlerts(trx: Trx, g: WatchedGoods): Promise<void> {
  const matching = await candidates(trx, g);
  if (matching.length === 0) return;
  const { rows: added } = await sql<{ id: number }>`
    insert into alert_match (alert_id, goods_id, price_fen) select id, ${g.id}, ${g.priceFen} from unnest(${matching.map((a) => a.id)}::bigint[]) a(id)
    on conflict (alert_id, goods_id) do update set price_fen = excluded.price_fen, matched_at = now(), pushed_at = null
      where excluded.price_fen < alert_match.price_fen
    returning alert_id as id`.execute(trx);
  const ids = new Set(added.map((f) => f.id));
  const daily = matching.filter((a) => ids.has(a.id) && a.frequency === 'daily').map((a) => String(a.id));
  if (daily.length > 0)
    await scheduleFrom(
      trx,
      'alert.daily',
      {
        key: sql`ref`,
        at: sql`due + case when due <= now() then interval '1 day' else interval '0' end`,
        from: sql`from unnest(${daily}::text[]) r(ref), (select (date_trunc('day', now() at time zone 'Asia/Shanghai')
          + make_interval(hours => ${DAILY_HOUR})) at time zone 'Asia/Shanghai' as due) d`,
      },
      'keep',
    );
  const { rows: notified } = await sql<{ userId: number }>`
    update alert_match m set pushed_at = now() from alert a
    where m.goods_id = ${g.id} and m.alert_id = any(${[...ids]}::bigint[]) and a.id = m.alert_id and a.frequency = 'now'
      and (select count(*) from alert_match p where p.alert_id = a.id and p.pushed_at > now() - interval '1 day') < ${PUSHES_PER_DAY}
    returning a.user_id as "userId"`.execute(trx);
  const text = `全包价 ¥${yuanLabel(g.priceFen)}，符合您订阅的搜索`;
  const userIds = notified.map((t) => t.userId);
  await publishAlerts(trx, { topic: 'alert.search', userIds, goods: g, ref: `${g.id}:${g.priceFen}`, text });
}

/** Publishes the daily digest of a saved search: the matches since the last notice. */
async function sendDailyDigest(ctx: Context, alertId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{
      userId: number;
      path: string;
      title: string;
      n: number;
      sn: string | null;
      low: number | null;
    }>`
      with found as (update alert_match m set pushed_at = now() from goods_search s
          where m.alert_id = ${alertId} and m.pushed_at is null and s.goods_id = m.goods_id returning m.goods_id, m.price_fen)
      select a.user_id as "userId", a.path, a.title, f.n, g.sn, f.low from alert a,
        (select count(*)::int as n, min(price_fen) as low, (array_agg(goods_id order by price_fen))[1] as goods_id from found) f
        left join goods g on g.id = f.goods_id
      where a.id = ${alertId} and not a.paused`.execute(trx);
    const digest = rows[0];
    if (!digest || digest.n === 0 || digest.sn === null || digest.low === null) return;
    const payload = {
      userId: digest.userId,
      goodsSn: digest.sn,
      ref: `daily:${alertId}:${chinaDay(new Date())}`,
      title: digest.title,
      text: `今天有 ${digest.n} 件新商品符合，最低全包价 ¥${yuanLabel(digest.low)}`,
      link: digest.path,
    };
    await emit(trx, 'alert.search', payload);
  });
}

/** Notifies followers of a price below both the price when they followed and any notified before. */
async function notifyPriceDrop(ctx: Context, goodsId: number, priceFen: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const goods = await watchedGoods(trx, goodsId);
    if (!goods) return;
    const userIds = await followersToNotifyOfPrice(trx, goodsId, priceFen);
    const text = `降价了，全包价现在是 ¥${yuanLabel(goods.priceFen)}`;
    await publishAlerts(trx, { topic: 'alert.price_drop', userIds, goods, ref: `${goodsId}:${priceFen}`, text });
  });
}

/** Notifies followers that a listing is on sale again, at most once a day. */
async function notifyBackOnSale(ctx: Context, goodsId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const goods = await watchedGoods(trx, goodsId);
    if (!goods) return;
    const userIds = await followersToNotifyOfReturn(trx, goodsId, goods.sellerId);
    const text = `重新上架，全包价 ¥${yuanLabel(goods.priceFen)}，先到先得`;
    const ref = `${goodsId}:${chinaDay(new Date())}`;
    await publishAlerts(trx, { topic: 'alert.back_on_sale', userIds, goods, ref, text });
  });
}

/** Orders that ended without a sale put their listings back on sale; followers are notified only if the order had been paid. */
async function freed(ctx: Context, orderIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ goodsId: number }>`
    select distinct goods_id as "goodsId" from orders
    where id = any(${[...orderIds]}::bigint[]) and goods_id is not null and paid_at is not null order by goods_id`.execute(
    ctx.db,
  );
  for (const { goodsId } of rows) await notifyBackOnSale(ctx, goodsId);
}

/** Binds the alerts for followed listings and the daily digest of saved searches. */
export function bindAlertJobs(effects: Effects): void {
  effects.timer('alert.daily', sendDailyDigest);
  effects.on('goods.price', async (ctx, { goodsId, fromFen, toFen }) => {
    if (toFen < fromFen) await notifyPriceDrop(ctx, goodsId, toFen);
  });
  effects.on('goods.on', async (ctx, { goodsId }) => await notifyBackOnSale(ctx, goodsId));
  effects.onMany('order.cancelled', async (ctx, events) => await freed(ctx, orderIdsOf(events)));
}
