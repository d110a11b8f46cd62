import { integer, mixSeed, random } from '../../generate/random.ts';
import type { Market } from '../market.ts';
import type { PlainEnd } from '../trades/plain-orders.ts';
import type { ServiceReview } from './service-reviews.ts';

const DAY = 1440;
const HOUR_MINUTES = 60;
const PAST_EVENINGS = 34;
const PAST_SALT = 107;
/** Few enough buyers for some to come again. */
const PAST_BUYERS = 14;
/** Those of the demo's logins have the most evenings, so that their figures are worth a look. */
const PAST_COMPANIONS = [0, 1, 0, 2, 1, 0, 3, 1, 4, 0, 2] as const;

/** A demo evening and its progress, in minutes; `companion` is an index into the active companions. */
export interface Evening {
  companion: number;
  /** Which of the companion's packages; absent for the first. */
  nth?: number;
  end: PlainEnd;
  state: 'pending' | 'waiting' | 'working' | 'ending' | 'checking' | 'done' | 'ended';
  hours: number;
  ago: number;
  /** Booked for so many hours from now, on the hour. */
  inHours?: number;
  startedAgo?: number;
  played?: number;
  /** The buyer is there, the companion is not; the clock runs out so many minutes from now. */
  missedIn?: number;
  /** The companion came so many minutes after the agreed beginning. */
  lateBy?: number;
  /** By which stranger; absent for the demo's own buyer. */
  stranger?: number;
  review?: ServiceReview;
  tipFen?: number;
}

/** One evening of every state for the demo buyer; the demo shop and the demo seller are the first two of the companions. */
const EVENINGS: readonly Evening[] = [
  {
    companion: 0,
    end: 'completed',
    state: 'done',
    hours: 2,
    ago: 9 * DAY,
    startedAgo: 9 * DAY - 6,
    played: 120,
    review: { score: 5, text: '指挥很清楚，连赢四把，输的那把也没甩锅。', answer: '配合得也好，下次接着冲。' },
    tipFen: 1000,
  },
  {
    companion: 1,
    end: 'completed',
    state: 'done',
    hours: 1,
    ago: 5 * DAY,
    startedAgo: 5 * DAY - 7,
    played: 60,
    review: { score: 5, text: '边打边讲思路，一小时学到不少，说话也耐心。' },
  },
  {
    companion: 2,
    end: 'completed',
    state: 'done',
    hours: 3,
    ago: 3 * DAY,
    startedAgo: 3 * DAY - 5,
    played: 180,
  },
  { companion: 1, end: 'shipped', state: 'checking', hours: 2, ago: 260, startedAgo: 250, played: 120 },
  { companion: 2, end: 'paid', state: 'waiting', hours: 2, ago: 90, inHours: 26 },
  { companion: 0, end: 'paid', state: 'ending', hours: 2, ago: 70, startedAgo: 60, played: 48 },
  // Half a minute after the demo opens, the companion is overdue and everything is refunded automatically.
  { companion: 4, end: 'paid', state: 'waiting', hours: 1, ago: 20, missedIn: 0.5 },
  { companion: 3, end: 'paid', state: 'working', hours: 3, ago: 40, startedAgo: 30 },
  { companion: 1, end: 'paid', state: 'pending', hours: 1, ago: 3 },
  // Booked ahead, so that they are still pending at the end of a visit.
  { companion: 0, end: 'paid', state: 'pending', hours: 2, ago: 24, inHours: 74 },
  { companion: 1, nth: 1, end: 'paid', state: 'pending', hours: 1, ago: 17, inHours: 99, stranger: 4 },
  { companion: 0, nth: 2, end: 'refused', state: 'ended', hours: 1, ago: 2 * DAY + 200, stranger: 2 },
  { companion: 1, end: 'refused', state: 'ended', hours: 3, ago: 6 * DAY + 90, stranger: 7 },
];

const REVIEWS: readonly ServiceReview[] = [
  { score: 5, text: '准时上线，声音好听，一直在鼓励，玩得很开心。' },
  { score: 5, text: '报点准，节奏带得稳，打得很舒服。', answer: '您操作也稳，随时喊我。' },
  { score: 5, text: '不催单也不玩手机，聊得来。' },
  { score: 4, text: '技术没得说，中间断了一次网，后来补了时间。', answer: '谢谢体谅，已经换了网线。' },
  { score: 5, text: '第一次点陪玩，说明白了时间从双方到场算，没有多收。' },
  { score: 5, text: '教得细，每一步为什么都讲，值这个价。' },
  { score: 3, text: '人挺好，就是晚到了几分钟。', answer: '抱歉，上一单拖了一会儿，下次提前说。' },
  { score: 5, text: '固定找这位开黑了，配合默契。' },
  { score: 4, text: '娱乐局玩得轻松，赢多输少。' },
  { score: 5, text: '输了也不急，心态真好。' },
];

/** Evenings of strangers that are over, most of them rated, some thanked for. */
function pastEvenings(market: Market): Evening[] {
  return Array.from({ length: PAST_EVENINGS }, (_, i) => {
    const next = random(mixSeed(market.seed, i, PAST_SALT));
    const hours = integer(next, 1, 3);
    const ago = integer(next, 8 * DAY, 48 * DAY);
    const review = REVIEWS[i % REVIEWS.length];
    return {
      companion: PAST_COMPANIONS[i % PAST_COMPANIONS.length] ?? 0,
      nth: integer(next, 0, 7),
      end: 'completed',
      state: 'done',
      hours,
      ago,
      startedAgo: ago - integer(next, 5, 9),
      played: hours * HOUR_MINUTES,
      stranger: integer(next, 0, PAST_BUYERS - 1),
      ...(review && i % 5 !== 4 && { review }),
      ...(review?.score === 3 && { lateBy: 4 }),
      ...(i % 6 === 1 && { tipFen: 100 * integer(next, 5, 30) }),
    };
  });
}

/** All of them, the oldest first, as their numbers rise. */
export const eveningsOf = (market: Market): Evening[] =>
  [...EVENINGS, ...pastEvenings(market)].toSorted((a, b) => b.ago - a.ago);
