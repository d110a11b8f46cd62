import { chinaDay } from '#contract/rules/time/china-time.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { companionCalendar, companionCards } from '#subjects/services/contract/companions.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import {
  CALENDAR_DAYS,
  chinaMidnight,
  EVENING,
  firstFreeRun,
  HOUR_MS,
  type HourState,
  hourState,
} from '../../rules/companion-slots.ts';
import type { Call } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import { companionAvatar, voiceOf } from '#subjects/media/server/service.ts';
import { providerById } from '#subjects/providers/server/service.ts';
import { profileOf } from './record.ts';
import { closedNow } from '../placing.ts';
import { packageByGoods } from '../queries.ts';

const LETTER: Readonly<Record<HourState, string>> = { free: 'f', taken: 't', off: 'o', past: 'p' };
const DAY_HOURS = 24;

interface Taken {
  from: number;
  to: number;
}

/** The booked times of a companion from a time on. */
async function loadTaken(db: Trx, providerId: number, from: number): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select (extract(epoch from lower(during)) * 1000)::float8 as "from", (extract(epoch from upper(during)) * 1000)::float8 as "to"
    from companion_slot where provider_id = ${providerId} and upper(during) > ${new Date(from)} order by during limit 500`.execute(
    db,
  );
  return rows;
}

/** The hours of two weeks in which a package can be ordered. Throws GOODS_NOT_FOUND. */
export async function loadCalendar(
  { ctx, dist }: Call,
  { goodsSn }: Parsed<typeof companionCalendar>,
): Promise<HandlerResult<typeof companionCalendar>> {
  const pack = await packageByGoods(ctx.db, goodsSn);
  const provider = pack && (await providerById(ctx.db, pack.providerId));
  if (pack?.typeId !== COMPANION_PLAY || !provider || !showsGame(dist, pack.gameId))
    throw new AppError('GOODS_NOT_FOUND');
  const now = Date.now();
  const today = chinaMidnight(now);
  const { hours } = profileOf(provider);
  const booked = await loadTaken(ctx.db, provider.id, now);
  const day = (index: number) => {
    const midnight = today + index * DAY_HOURS * HOUR_MS;
    const letters = Array.from(
      { length: DAY_HOURS },
      (_, hour) => LETTER[hourState(hours, booked, midnight + hour * HOUR_MS, now)],
    );
    return { date: chinaDay(new Date(midnight)), hours: letters.join('') };
  };
  return {
    minHours: pack.minUnits,
    maxHours: pack.maxUnits,
    price: pack.priceFen,
    days: Array.from({ length: CALENDAR_DAYS }, (_, index) => day(index)),
  };
}

/** The rating of a companion; null without ratings. */
export async function loadScore(db: Trx, userId: number): Promise<number | null> {
  const { rows } = await sql<{ score: number | null }>`
    select round(avg(score), 1)::float8 as score from order_review
    where target_id = ${userId} and belong = 1 and type_id = ${COMPANION_PLAY} and excluded is null and hidden_at is null`.execute(
    db,
  );
  return rows[0]?.score ?? null;
}

type Card = HandlerResult<typeof companionCards>['list'][number];

/** The first bookable hours of a companion, in days from today and hours of the day in China. */
function nextFreeOf(run: ReturnType<typeof firstFreeRun>, now: number): Card['nextFree'] {
  if (!run) return null;
  const midnight = chinaMidnight(run.from);
  return {
    day: (midnight - chinaMidnight(now)) / (DAY_HOURS * HOUR_MS),
    date: chinaDay(new Date(midnight)),
    hour: (run.from - midnight) / HOUR_MS,
    until: (run.to - midnight) / HOUR_MS,
  };
}

async function loadCard({ ctx, dist }: Call, goodsSn: string, now: number): Promise<Card | undefined> {
  const pack = await packageByGoods(ctx.db, goodsSn);
  const provider = pack && (await providerById(ctx.db, pack.providerId));
  if (pack?.typeId !== COMPANION_PLAY || !provider || !showsGame(dist, pack.gameId)) return undefined;
  const { gender, tags, hours } = profileOf(provider);
  const booked = await loadTaken(ctx.db, provider.id, now);
  const evening = chinaMidnight(now) + EVENING.from * HOUR_MS;
  const score = await loadScore(ctx.db, provider.userId);
  return {
    goodsSn,
    name: provider.name,
    avatar: companionAvatar(provider),
    gender,
    tags: tags.slice(0, 3),
    voice: voiceOf(provider.voice),
    closedNow: await closedNow(ctx.db, provider, pack.minutes * pack.minUnits),
    tonight: Array.from(
      { length: EVENING.to - EVENING.from },
      (_, i) => LETTER[hourState(hours, booked, evening + i * HOUR_MS, now)],
    ).join(''),
    nextFree: nextFreeOf(firstFreeRun(hours, booked, Math.ceil((pack.minutes * pack.minUnits) / 60), now), now),
    score,
    doneNum: provider.doneCount,
    noShows: provider.noShowCount,
  };
}

/** The companions of the listings of a list; listings of other types are left out. */
export async function loadCards(
  call: Call,
  { goodsSns }: Parsed<typeof companionCards>,
): Promise<HandlerResult<typeof companionCards>> {
  const now = Date.now();
  const cards = await Promise.all([...new Set(goodsSns)].map(async (sn) => await loadCard(call, sn, now)));
  return { list: cards.filter((card) => card !== undefined) };
}
