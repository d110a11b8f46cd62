import { sql } from 'kysely';
import { type FreeTime, freeWindow, hasFreeHours, type VoiceKind } from '#contract/rules/companion-slots.ts';
import { isOpenAt, type OpenRange } from '#contract/rules/opening-hours.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';

/** What a list of companions asks of them. */
export interface CompanionFilter {
  free: FreeTime | undefined;
  voice: VoiceKind | undefined;
}

interface Offered {
  goodsId: number;
  gender: string | null;
  hasVoice: boolean;
  hours: OpenRange[] | null;
  minHours: number;
  /** Requested and accepted time from now on, in ms. */
  booked: { from: number; to: number }[];
  /** Not resting, and below the number of orders that the deposit allows. */
  isReady: boolean;
  /** No other order has the first hours from now on. */
  isNextFree: boolean;
  /** Completed orders or reviews: somebody can say how it was. */
  isKnown: boolean;
}

const TTL_MS = 2_000;

const companions = cacheKind(
  'goods.companions',
  ({ monotonicMs }: Context) => new TtlCache<Offered[]>({ ttlMs: TTL_MS, max: 1, now: monotonicMs }),
);

/** All packages of companion play on sale with what decides when they can be ordered: the same as their calendar and `closedNow`. */
async function offeredCompanions(db: Db): Promise<Offered[]> {
  const { rows } = await sql<Offered>`
    select k.goods_id as "goodsId", p.profile->>'gender' as gender, p.voice is not null as "hasVoice", p.profile->'hours' as hours,
      ceil(k.minutes * k.min_units / 60.0)::int as "minHours", coalesce(b.booked, '[]'::jsonb) as booked,
      p.online and (select count(*) from service_order s where s.provider_id = p.id and s.form->>'parent' is null and s.state in ('waiting', 'working', 'paused')
          and (s.state <> 'waiting' or s.booked_at is null or s.booked_at <= now()))
        < coalesce((select (l.limits->>'openOrders')::int from deposit_level l where l.role = 'companion'
            and l.amount_fen <= deposit_counted(p.user_id, 'companion') order by l.level desc limit 1), 0) as "isReady",
      not exists (select from companion_slot c where c.provider_id = p.id and c.during && tstzrange(now(), now() + make_interval(mins => k.minutes * k.min_units))) as "isNextFree",
      p.done_count > 0 or u.rating_count > 0 as "isKnown"
    from service_package k join provider p on p.id = k.provider_id join goods g on g.id = k.goods_id join app_user u on u.id = p.user_id
    left join lateral (select jsonb_agg(jsonb_build_object('from', (extract(epoch from lower(c.during)) * 1000)::bigint, 'to', (extract(epoch from upper(c.during)) * 1000)::bigint)) as booked
      from companion_slot c where c.provider_id = p.id and upper(c.during) > now()) b on true
    where k.type_id = 61 and p.status = 'approved' and g.status = 2 order by k.goods_id`.execute(db);
  return rows;
}

function fits(one: Offered, { free, voice }: CompanionFilter, now: number): boolean {
  if (voice !== undefined && !(one.hasVoice && (voice === 'any' || voice === one.gender))) return false;
  const ranges = one.hours ?? [];
  if (free === undefined) return true;
  if (free === 'now') return one.isReady && one.isNextFree && isOpenAt(ranges, now);
  return hasFreeHours(ranges, one.booked, freeWindow(free, now), one.minHours, now);
}

const offered = async (ctx: Context): Promise<Offered[]> =>
  await cacheOf(ctx, companions).get('', async () => await offeredCompanions(ctx.db));

/** The listings of companions who are free then and have such a voice, some seconds old at most. */
export async function companionGoods(ctx: Context, filter: CompanionFilter): Promise<number[]> {
  const all = await offered(ctx);
  const now = Date.now();
  return all.filter((one) => fits(one, filter, now)).map(({ goodsId }) => goodsId);
}

/** Places by whether somebody is known and when they can be booked: now, tonight, later. */
const KNOWN_PLACES = [0, 1, 3] as const;
const NEW_PLACES = [2, 4, 5] as const;

/**
 * The listings of a page of companions in the order in which they are shown: first those with orders or reviews who can be booked now or
 * tonight, last those without who cannot. Otherwise their order stays.
 */
export async function bookableFirst<T extends { id: number }>(ctx: Context, page: readonly T[]): Promise<T[]> {
  const byId = new Map((await offered(ctx)).map((one) => [one.goodsId, one]));
  const now = Date.now();
  const placeOf = ({ id }: T): number => {
    const one = byId.get(id);
    if (!one) return NEW_PLACES[2];
    const isFree = (free: FreeTime): boolean => fits(one, { free, voice: undefined }, now);
    return (one.isKnown ? KNOWN_PLACES : NEW_PLACES)[isFree('now') ? 0 : isFree('tonight') ? 1 : 2];
  };
  return page.toSorted((a, b) => placeOf(a) - placeOf(b));
}
