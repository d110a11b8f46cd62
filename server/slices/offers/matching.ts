import { sql } from 'kysely';
import { visibleTitle } from '#contract/rules/contacts.ts';
import { WantStatus } from '#contract/rules/want.ts';
import { yuanText } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Effects } from '#server/jobs/events.ts';
import {
  fitsWatch,
  pageUrlOf,
  type WatchedGoods,
  type WatchFilter,
  watchedGoods,
} from '#server/slices/goods/service.ts';
import { matchAlerts } from './alert-matching.ts';
import { returnDeposit } from './wants.ts';

/** Watches that one goods is held against; more than wait for any one price. */
const MAX_CANDIDATES = 5000;
/** A want is told of so many goods a day; the rest waits in its list. */
const PUSHES_PER_DAY = 20;
/** Of a large import so many goods are looked at in one event. */
const CHUNK = 50;

interface Candidate {
  id: number;
  userId: number;
  ranges: WatchFilter['ranges'];
  atLeast: WatchFilter['atLeast'];
}

/** Open wants that wait for such goods at such a price: by index, and by their words against the goods' own search row. */
async function candidates(trx: Trx, g: WatchedGoods): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select w.id, w.user_id as "userId", w.ranges, w.at_least as "atLeast"
    from want w join goods_search s on s.goods_id = ${g.id}
    where w.status = ${WantStatus.Open} and w.game_id = ${g.gameId} and w.type_id = ${g.typeId} and w.budget_fen >= ${g.priceFen}
      and (w.area_id is null or w.area_id = ${g.areaId}) and (w.server_id is null or w.server_id = ${g.serverId})
      and w.user_id <> ${g.sellerId} and (w.words is null or s.tsv @@ w.words)
    order by w.id desc limit ${MAX_CANDIDATES}`.execute(trx);
  return rows.filter((w) => fitsWatch(g, w));
}

/** Writes down what fits, new or cheaper than before, and tells the buyers who want to be told and have not had too many today. */
async function matchWants(trx: Trx, g: WatchedGoods): Promise<void> {
  const fit = await candidates(trx, g);
  if (fit.length === 0) return;
  const { rows: fresh } = await sql<{ wantId: number }>`
    insert into want_match (want_id, goods_id, price_fen) select id, ${g.id}, ${g.priceFen} from unnest(${fit.map((w) => w.id)}::bigint[]) w(id)
    on conflict (want_id, goods_id) do update set price_fen = excluded.price_fen, matched_at = now(), pushed_at = null
      where excluded.price_fen < want_match.price_fen
    returning want_id as "wantId"`.execute(trx);
  if (fresh.length === 0) return;
  const { rows: told } = await sql<{ userId: number; distId: number }>`
    update want_match m set pushed_at = now() from want w
    where m.goods_id = ${g.id} and m.want_id = any(${fresh.map((f) => f.wantId)}::bigint[]) and w.id = m.want_id and w.push
      and (select count(*) from want_match p where p.want_id = w.id and p.pushed_at > now() - interval '1 day') < ${PUSHES_PER_DAY}
    returning w.user_id as "userId", w.dist_id as "distId"`.execute(trx);
  const userIds = [...new Set(told.map((t) => t.userId))];
  if (userIds.length === 0) return;
  const payload = {
    userIds,
    goodsSn: g.sn,
    ref: `${g.id}:${g.priceFen}`,
    title: visibleTitle(g.title),
    text: `全包价 ¥${yuanText(g.priceFen)}，在您的预算之内`,
    link: pageUrlOf(g),
  };
  await sql`insert into outbox (topic, payload) values ('want.matched', ${JSON.stringify(payload)}::jsonb)`.execute(
    trx,
  );
}

/** Holds goods that have come on sale, or whose price has changed, against wants and saved searches. Doing it again changes nothing. */
async function match(ctx: Context, goodsId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const goods = await watchedGoods(trx, goodsId);
    if (!goods) return;
    await matchWants(trx, goods);
    await matchAlerts(trx, goods);
  });
}

async function matchMany(ctx: Context, ids: readonly number[]): Promise<void> {
  for (const id of ids.slice(0, CHUNK)) await match(ctx, id);
  // A large import goes on in events of its own, so that the relay is not kept waiting.
  for (let from = CHUNK; from < ids.length; from += CHUNK) {
    const payload = JSON.stringify({ goodsIds: ids.slice(from, from + CHUNK) });
    await sql`insert into outbox (topic, payload) values ('offers.match', ${payload}::jsonb)`.execute(ctx.db);
  }
}

/** A paid order meets the buyer's wants that its goods had fitted: they end, and their deposits come back. */
async function meet(ctx: Context, orderId: number): Promise<void> {
  // Most orders meet no want, and need no transaction to find that out.
  const { rows: open } = await sql`
    select from orders o join want w on w.user_id = o.buyer_id and w.status = ${WantStatus.Open} where o.id = ${orderId} limit 1`.execute(
    ctx.db,
  );
  if (open.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; userId: number; distId: number; depositFen: number }>`
      update want w set status = ${WantStatus.Met}, met_order_id = o.id, updated_at = now() from orders o
      where o.id = ${orderId} and o.paid_at is not null and w.user_id = o.buyer_id and w.status = ${WantStatus.Open}
        and exists (select from want_match m where m.want_id = w.id and m.goods_id = o.goods_id)
      returning w.id, w.user_id as "userId", w.dist_id as "distId", w.deposit_fen as "depositFen"`.execute(trx);
    for (const want of rows) await returnDeposit(trx, want);
  });
}

const idsOf = ({ goodsId, goodsIds }: Record<string, unknown>): number[] =>
  Array.isArray(goodsIds) ? goodsIds.map(Number) : [Number(goodsId)];

/** What goods and orders mean for wants and saved searches. Bound after goods, so that the search rows are there. */
export function bindMatching(effects: Effects): void {
  for (const topic of ['goods.approved', 'goods.on', 'goods.price', 'goods.reindex', 'offers.match'])
    effects.on(topic, async (ctx, payload) => await matchMany(ctx, idsOf(payload)));
  effects.on('order.paid', async (ctx, { orderId }) => await meet(ctx, Number(orderId)));
}
