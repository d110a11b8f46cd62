import { sql } from 'kysely';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { WantStatus } from '../rules/want.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { goodsIdsOf, orderIdsOf } from '#server/jobs/topics.ts';
import {
  matchesWatch,
  pageUrlOf,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
} from '#subjects/goods/server/service.ts';
import { matchAlerts } from './alert-matching.ts';
import { returnDeposit } from './wants.ts';

/** Maximum wants matched with one listing. */
const MAX_CANDIDATES = 5000;
/** Notices per want and day; further matches are only listed. */
const PUSHES_PER_DAY = 20;
/** Listings of an import matched per event. */
const CHUNK = 50;

interface Candidate {
  id: number;
  userId: number;
  ranges: WatchFilter['ranges'];
  atLeast: WatchFilter['atLeast'];
}

/** Open wants that match a listing and its price: by index, and by their keywords against the listing's search row. */
async function candidates(trx: Trx, g: WatchedGoods): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select w.id, w.user_id as "userId", w.ranges, w.at_least as "atLeast"
    from want w join goods_search s on s.goods_id = ${g.id}
    where w.status = ${WantStatus.Open} and w.game_id = ${g.gameId} and w.type_id = ${g.typeId} and w.budget_fen >= ${g.priceFen}
      and (w.area_id is null or w.area_id = ${g.areaId}) and (w.server_id is null or w.server_id = ${g.serverId})
      and w.user_id <> ${g.sellerId} and (w.words is null or s.tsv @@ w.words)
    order by w.id desc limit ${MAX_CANDIDATES}`.execute(trx);
  return rows.filter((w) => matchesWatch(g, w));
}

/** Stores the matches of a new or cheaper listing, and notifies buyers who want notices and are below the daily limit. */
async function matchWants(trx: Trx, g: WatchedGoods): Promise<void> {
  const matching = await candidates(trx, g);
  if (matching.length === 0) return;
  const { rows: added } = await sql<{ wantId: number }>`
    insert into want_match (want_id, goods_id, price_fen) select id, ${g.id}, ${g.priceFen} from unnest(${matching.map((w) => w.id)}::bigint[]) w(id)
    on conflict (want_id, goods_id) do update set price_fen = excluded.price_fen, matched_at = now(), pushed_at = null
      where excluded.price_fen < want_match.price_fen
    returning want_id as "wantId"`.execute(trx);
  if (added.length === 0) return;
  const { rows: notified } = await sql<{ userId: number; distId: number }>`
    update want_match m set pushed_at = now() from want w
    where m.goods_id = ${g.id} and m.want_id = any(${added.map((f) => f.wantId)}::bigint[]) and w.id = m.want_id and w.push
      and (select count(*) from want_match p where p.want_id = w.id and p.pushed_at > now() - interval '1 day') < ${PUSHES_PER_DAY}
    returning w.user_id as "userId", w.dist_id as "distId"`.execute(trx);
  const userIds = [...new Set(notified.map((t) => t.userId))];
  if (userIds.length === 0) return;
  const payload = {
    userIds,
    goodsSn: g.sn,
    ref: `${g.id}:${g.priceFen}`,
    title: visibleTitle(g.title),
    text: `全包价 ¥${yuanLabel(g.priceFen)}，在您的预算之内`,
    link: pageUrlOf(g),
  };
  await emit(trx, 'want.matched', payload);
}

/** Matches a listing that came on sale or changed its price with wants and saved searches. Idempotent. */
async function match(ctx: Context, goodsId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const goods = await watchedGoods(trx, goodsId);
    if (!goods) return;
    await matchWants(trx, goods);
    await matchAlerts(trx, goods);
  });
}

/** The listings for whose game and type there is a want; most have none, and one query checks all of them. */
async function awaited(ctx: Context, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.goods_id as id from goods_search s where s.goods_id = any(${[...ids]}::bigint[]) and (
      exists (select from want w where w.status = ${WantStatus.Open} and w.game_id = s.game_id and w.type_id = s.type_id)
      or exists (select from alert a where a.kind = 'search' and not a.paused
        and (a.game_id = s.game_id or a.game_id is null) and (a.type_id = s.type_id or a.type_id is null)))
    order by s.goods_id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

async function matchMany(ctx: Context, ids: readonly number[]): Promise<void> {
  for (const id of await awaited(ctx, ids.slice(0, CHUNK))) await match(ctx, id);
  // A large import continues in further events, so that other events are not delayed.
  for (let from = CHUNK; from < ids.length; from += CHUNK) {
    await emit(ctx.db, 'offers.match', { goodsIds: ids.slice(from, from + CHUNK) });
  }
}

/** The orders whose buyer has an open want; most have none. */
async function wantedAmong(ctx: Context, orderIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where o.id = any(${[...orderIds]}::bigint[])
      and exists (select from want w where w.user_id = o.buyer_id and w.status = ${WantStatus.Open}) order by o.id`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** A paid order fulfils the buyer's wants that its listing matched: they end, and their deposits are returned. */
async function fulfilWants(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; userId: number; distId: number; depositFen: number }>`
      update want w set status = ${WantStatus.Met}, met_order_id = o.id, updated_at = now() from orders o
      where o.id = ${orderId} and o.paid_at is not null and w.user_id = o.buyer_id and w.status = ${WantStatus.Open}
        and exists (select from want_match m where m.want_id = w.id and m.goods_id = o.goods_id)
      returning w.id, w.user_id as "userId", w.dist_id as "distId", w.deposit_fen as "depositFen"`.execute(trx);
    for (const want of rows) await returnDeposit(trx, want);
  });
}

/** Binds the matching of wants and saved searches. Bound after goods, so that the search rows exist. */
export function bindMatching(effects: Effects): void {
  for (const topic of ['goods.approved', 'goods.on', 'goods.price', 'goods.reindex', 'offers.match'] as const)
    effects.onMany(topic, async (ctx, events) => await matchMany(ctx, [...new Set(events.flatMap(goodsIdsOf))]));
  effects.onMany('order.paid', async (ctx, events) => {
    for (const id of await wantedAmong(ctx, orderIdsOf(events))) await fulfilWants(ctx, id);
  });
}
