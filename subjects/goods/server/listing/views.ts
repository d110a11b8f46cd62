import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import type { RetentionRule } from '#server/jobs/retention.ts';
import { networkOf } from '#server/kernel/network.ts';
import { decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { cardRows, loadCards } from './cards.ts';
import { gamesFor, type VisibleGames } from './list.ts';
import { addViews } from './weeks.ts';

/** A viewer counts once per listing within this time. */
const AGAIN_MS = 10 * 60_000;
const FLUSH_MS = 1000;
const MAX_PENDING = 5000;
const MAX_RECENT = 100_000;

interface View {
  goodsId: number;
  /** Undefined for a visitor without an account, who has no history. */
  userId: number | undefined;
  counts: boolean;
  at: Date;
}

/**
 * Collects views and writes them once a second in one statement, so that a thousand views of a page are not a thousand writes. Views
 * that a killed process had not written are lost, which is acceptable.
 */
export class Views {
  readonly #ctx: Pick<Context, 'db' | 'log'>;
  readonly #pending: View[] = [];
  #recent = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ctx: Pick<Context, 'db' | 'log'>) {
    this.#ctx = ctx;
  }

  /** Records a view by a user or by an IP address. */
  note(goodsId: number, by: { userId: number | undefined; address: string }): void {
    if (this.#pending.length >= MAX_PENDING) return;
    const now = Date.now();
    const key = `${by.userId === undefined ? networkOf(by.address) : `u${by.userId}`}:${goodsId}`;
    const counts = (this.#recent.get(key) ?? 0) + AGAIN_MS < now;
    if (!counts && by.userId === undefined) return;
    if (counts) {
      if (this.#recent.size >= MAX_RECENT) this.#recent = new Map([...this.#recent].slice(MAX_RECENT / 2));
      this.#recent.set(key, now);
    }
    this.#pending.push({ goodsId, userId: by.userId, counts, at: new Date(now) });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Writes the pending views. Never throws: a view is not worth a failed page. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const views = this.#pending.splice(0);
    if (views.length > 0) {
      this.#writing = this.#writing
        .then(async () => await store(this.#ctx.db, views))
        .catch((error: unknown) => this.#ctx.log.warn({ error: String(error) }, 'views not stored'));
    }
    await this.#writing;
  }
}

async function store(db: Db, views: readonly View[]): Promise<void> {
  const counted = views.filter((v) => v.counts).map((v) => v.goodsId);
  const seen = views.flatMap((v) => (v.userId === undefined ? [] : [{ ...v, userId: v.userId }]));
  if (counted.length > 0)
    // Rows are locked in the order of their ids, to avoid deadlocks.
    await sql`insert into goods_stat (goods_id, views) select id, count(*) from unnest(${counted}::bigint[]) id group by id order by id
      on conflict (goods_id) do update set views = goods_stat.views + excluded.views`.execute(db);
  if (counted.length > 0)
    await sql`insert into goods_view_day (day, game_id, views) select (now() at time zone 'Asia/Shanghai')::date, g.game_id, count(*)
      from unnest(${counted}::bigint[]) v(id) join goods g on g.id = v.id group by g.game_id order by g.game_id
      on conflict (day, game_id) do update set views = goods_view_day.views + excluded.views`.execute(db);
  if (counted.length > 0) await addViews(db, counted);
  if (seen.length > 0)
    await sql`insert into goods_view (user_id, goods_id, viewed_at)
      select u, g, max(at) from unnest(${seen.map((v) => v.userId)}::bigint[], ${seen.map((v) => v.goodsId)}::bigint[],
        ${seen.map((v) => v.at)}::timestamptz[]) v(u, g, at) group by u, g order by u, g
      on conflict (user_id, goods_id) do update set viewed_at = greatest(goods_view.viewed_at, excluded.viewed_at)`.execute(
      db,
    );
}

const MAX_TOTAL = 1000;
const VISIBLE_STATUSES = sql.raw('(2, 3, 4, 5, 7)');

/** The listings that a user viewed, newest first, in any state; only games that the site shows. */
export async function browseHistory(
  ctx: Context,
  dist: VisibleGames,
  userId: number,
  page: { cursor: string | undefined; offset: number; limit: number },
) {
  const games = await gamesFor(ctx, dist);
  const inGames = games === null ? sql`` : sql`and g.game_id = any(${[...games]}::int[])`;
  const from = decodeKeyAndId(page.cursor);
  const after = from
    ? sql`and (v.viewed_at, v.goods_id) < (timestamptz 'epoch' + ${from[0]}::bigint * interval '1 microsecond', ${from[1]}::bigint)`
    : sql``;
  const [{ rows }, total] = await Promise.all([
    sql<{ id: number; at: Date; sortKey: number }>`
      select v.goods_id as id, v.viewed_at as at, (extract(epoch from v.viewed_at) * 1000000)::bigint as "sortKey"
      from goods_view v join goods g on g.id = v.goods_id
      where v.user_id = ${userId} and g.status in ${VISIBLE_STATUSES} ${inGames} ${after}
      order by v.viewed_at desc, v.goods_id desc limit ${page.limit + 1} offset ${from ? 0 : page.offset}`.execute(
      ctx.db,
    ),
    sql<{ n: number }>`select count(*)::int as n from (select from goods_view v join goods g on g.id = v.goods_id
      where v.user_id = ${userId} and g.status in ${VISIBLE_STATUSES} ${inGames} limit ${MAX_TOTAL + 1}) c`.execute(
      ctx.db,
    ),
  ]);
  const pageRows = rows.slice(0, page.limit);
  const rowsById = new Map(
    (
      await cardRows(
        ctx.db,
        pageRows.map((r) => r.id),
        false,
      )
    ).map((row) => [row.id, row]),
  );
  const list = await loadCards(
    ctx,
    dist,
    pageRows.flatMap((r) => rowsById.get(r.id) ?? []),
  );
  const times = new Map(pageRows.map((r) => [rowsById.get(r.id)?.sn, r.at]));
  const last = pageRows.at(-1);
  const n = total.rows[0]?.n ?? 0;
  return {
    list: list.map((card) => ({ ...card, viewTime: times.get(card.goodsSn) ?? card.updateTime })),
    total: Math.min(n, MAX_TOTAL),
    totalCapped: n > MAX_TOTAL,
    next: rows.length > page.limit && last ? encodeCursor([last.sortKey, last.id]) : null,
  };
}

const HISTORY_DAYS = 180;

/** Views older than the history displays: they are deleted. */
export const viewRetention: RetentionRule = {
  table: 'goods_view',
  days: HISTORY_DAYS,
  rule: '浏览足迹，最近一次浏览 180 天后删除',
  sweep: async (db, limit) => {
    const { rows } = await sql<{ n: number }>`
      with gone as (delete from goods_view where (user_id, goods_id) in (select user_id, goods_id from goods_view
        where viewed_at < now() - make_interval(days => ${HISTORY_DAYS}::int) order by viewed_at limit ${limit}) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};
