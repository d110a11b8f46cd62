import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import {
  firstFreeRun,
  type FreeTime,
  freeWindow,
  hasFreeHours,
  type VoiceKind,
} from '#subjects/services/rules/companion-slots.ts';
import { isOpenAt, type OpenRange } from '#subjects/providers/rules/opening-hours.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { type Found, matchingGoods, type PageRange, type Search } from './search.ts';

/** The filters of a list of companions. */
export interface CompanionFilter {
  free: FreeTime | undefined;
  voice: VoiceKind | undefined;
}

interface Offered {
  goodsId: number;
  providerId: number;
  gender: string | null;
  hasVoice: boolean;
  hours: OpenRange[] | null;
  minHours: number;
  /** Requested and accepted time from now on, in ms. */
  booked: { from: number; to: number }[];
  /** Not resting, and below the number of orders that the deposit allows. */
  isReady: boolean;
  /** The next hours are not booked by another order. */
  isNextFree: boolean;
  /** Has completed orders or reviews. */
  isKnown: boolean;
  score: number;
}

const TTL_MS = 2_000;

const companions = cacheKind(
  'goods.companions',
  ({ monotonicMs }: Context) => new TtlCache<Offered[]>({ ttlMs: TTL_MS, max: 1, now: monotonicMs }),
);

/**
 * All companion packages on sale with the data that determines when they can be ordered; consistent with their calendar
 * and `closedNow`.
 */
async function offeredCompanions(db: Db): Promise<Offered[]> {
  const { rows } = await sql<Offered>`
    select k.goods_id as "goodsId", p.id as "providerId", p.profile->>'gender' as gender, p.voice is not null as "hasVoice", p.profile->'hours' as hours,
      ceil(k.minutes * k.min_units / 60.0)::int as "minHours", coalesce(b.booked, '[]'::jsonb) as booked,
      p.online and (select count(*) from service_order s where s.provider_id = p.id and s.form->>'parent' is null and s.state in ('waiting', 'working', 'paused')
          and (s.state <> 'waiting' or s.booked_at is null or s.booked_at <= now()))
        < coalesce((select (l.limits->>'openOrders')::int from deposit_level l where l.role = 'companion'
            and l.amount_fen <= deposit_counted(p.user_id, 'companion') order by l.level desc limit 1), 0) as "isReady",
      not exists (select from companion_slot c where c.provider_id = p.id and c.during && tstzrange(now(), now() + make_interval(mins => k.minutes * k.min_units))) as "isNextFree",
      p.done_count > 0 or u.rating_count > 0 as "isKnown", coalesce((select s.score from goods_search s where s.goods_id = k.goods_id), 0) as score
    from service_package k join provider p on p.id = k.provider_id join goods g on g.id = k.goods_id join app_user u on u.id = p.user_id
    left join lateral (select jsonb_agg(jsonb_build_object('from', (extract(epoch from lower(c.during)) * 1000)::bigint, 'to', (extract(epoch from upper(c.during)) * 1000)::bigint)) as booked
      from companion_slot c where c.provider_id = p.id and upper(c.during) > now()) b on true
    where k.type_id = ${sql.lit(OrderType.Companion)} and p.status = 'approved' and g.status = ${sql.lit(GoodsStatus.OnSale)} order by k.goods_id`.execute(
    db,
  );
  return rows;
}

const canBeginNow = (one: Offered, now: number): boolean =>
  one.isReady && one.isNextFree && isOpenAt(one.hours ?? [], now);

/** Start of a companion's first available hours, in ms; companions without any come last. */
const earliestStart = (one: Offered, now: number): number =>
  canBeginNow(one, now)
    ? now
    : (firstFreeRun(one.hours ?? [], one.booked, one.minHours, now)?.from ?? Number.MAX_SAFE_INTEGER);

function fits(one: Offered, { free, voice }: CompanionFilter, now: number): boolean {
  if (voice !== undefined && !(one.hasVoice && (voice === 'any' || voice === one.gender))) return false;
  const ranges = one.hours ?? [];
  if (free === undefined) return true;
  if (free === 'now') return canBeginNow(one, now);
  return hasFreeHours(ranges, one.booked, freeWindow(free, now), one.minHours, now);
}

/** The first page shows companions who can be ordered within this time, in ms from now. */
const SOON_MS = 86_400_000;

interface Placed extends Offered {
  /** Its group in the list: 0 comes first. */
  place: number;
}

/**
 * The listings of companions who are available at that time and have such a voice, at most some seconds old. Companions
 * with orders or reviews who can be ordered within a day come first, then the others of that day; each group is sorted
 * by the earliest available hour, then by the score of the listing.
 */
async function placedCompanions(ctx: Context, filter: CompanionFilter): Promise<Placed[]> {
  const all = await cacheOf(ctx, companions).get('', async () => await offeredCompanions(ctx.db));
  const now = Date.now();
  return all
    .filter((one) => fits(one, filter, now))
    .map((one) => {
      const at = earliestStart(one, now);
      return { ...one, at, place: at - now > SOON_MS ? 2 : one.isKnown ? 0 : 1 };
    })
    .toSorted((a, b) => a.place - b.place || a.at - b.at || b.score - a.score || a.goodsId - b.goodsId);
}

/** The ids of the listings of companions who are available at that time and have such a voice. */
export async function companionGoods(ctx: Context, filter: CompanionFilter): Promise<number[]> {
  return (await placedCompanions(ctx, filter)).map(({ goodsId }) => goodsId);
}

/** In each group every companion appears once before any appears twice: the list should show different people. */
function personByPerson(listings: readonly Placed[]): Placed[] {
  const offers = new Map<number, number>();
  return listings
    .map((one) => {
      const nth = offers.get(one.providerId) ?? 0;
      offers.set(one.providerId, nth + 1);
      return { one, nth };
    })
    .toSorted((a, b) => a.one.place - b.one.place || a.nth - b.nth)
    .map(({ one }) => one);
}

/**
 * A page in the companions' own order: the hits after a position (the sort value of a hit is its index), and the total
 * number.
 */
export async function companionPage(
  ctx: Context,
  search: Search,
  filter: CompanionFilter,
  range: PageRange,
): Promise<Found> {
  const ordered = await placedCompanions(ctx, filter);
  const ids = ordered.map(({ goodsId }) => goodsId);
  const matching = new Set((await matchingGoods(ctx.db, search, ids)).map(({ id }) => id));
  const shown = personByPerson(ordered.filter(({ goodsId }) => matching.has(goodsId)));
  const hits = shown.map(({ goodsId }, key) => ({ id: goodsId, key }));
  const { after, offset, limit } = range;
  // The order changes by the hour: a page continues after its last listing, or after its index if that listing is no
  // longer in the list.
  const last = after && (hits.find(({ id }) => id === after[1])?.key ?? after[0] - 1);
  const from = last === undefined ? offset : last + 1;
  return { hits: hits.slice(from, from + limit), total: hits.length };
}
