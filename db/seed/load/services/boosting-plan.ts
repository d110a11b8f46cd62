import { integer, mixSeed, random } from '../../generate/random.ts';
import { PAST_REVIEWS } from './boosting-texts.ts';
import type { Market } from '../market.ts';
import type { Milestone } from './service-packages.ts';
import type { ServiceReview } from './service-reviews.ts';

export const HOUR = 60;
export const DAY = 1440;
/** Time for which a demo order waits for its booster: visitors on the second day still find it. */
export const ACCEPT_DAYS = 3;
/** Orders of strangers that are long over: enough for a share of punctual ones. */
const PAST_ORDERS = 26;
const PAST_SALT = 103;

/** How a service that was not done ended: given up, cancelled by agreement as planned or for lateness, or not accepted. */
export type Ending = 'gaveUp' | 'agreed' | 'late' | 'refused';

/** Where an order of boosting has come to. */
export interface Progress {
  state: 'pending' | 'waiting' | 'working' | 'paused' | 'checking' | 'done' | 'ended';
  /** Stages that are done and paid. */
  paid?: number;
  /** Percent of the current stage; at 100 the buyer must confirm it. */
  percent?: number;
  /** Share of the promised time that a finished order took. */
  took?: number;
  ending?: Ending;
  /** The buyer requested a cancellation this many minutes ago. */
  cancelAgo?: number;
  review?: ServiceReview;
}

interface Common {
  /** Minutes ago at which it was posted or placed. */
  ago: number;
  note?: string;
  progress?: Progress;
}

/** An open order from rank to rank, for anybody to claim. */
export interface RequestPlan extends Common {
  code: string;
  from: string;
  to: string;
  fen: number;
  hours: number;
  mode: 'account' | 'together';
  status: 'open' | 'taken' | 'expired' | 'withdrawn';
  stages?: 3;
}

/** An order of a package: of which booster, with how many stages, and the how manieth of these. */
export interface PackagePlan extends Common {
  booster: 0 | 1;
  stages: 1 | 2 | 3;
  nth: number;
  /** By which stranger; absent for the demo's own buyer. */
  stranger?: number;
  progress: Progress;
}

export type Plan = RequestPlan | PackagePlan;

export const isRequest = (plan: Plan): plan is RequestPlan => 'code' in plan;

/** The stages of an open order. */
export const stagesOf = ({ stages }: RequestPlan): readonly Milestone[] =>
  stages === 3
    ? [
        { title: '完成三成', shareBp: 3000 },
        { title: '完成六成', shareBp: 3000 },
        { title: '打到目标', shareBp: 4000 },
      ]
    : [
        { title: '完成一半', shareBp: 5000 },
        { title: '打到目标', shareBp: 5000 },
      ];

/** Open orders in every state, and those that were claimed in every state of theirs. */
const REQUESTS: readonly RequestPlan[] = [
  {
    code: 'wzry',
    from: '钻石一',
    to: '最强王者',
    fen: 26_000,
    hours: 20,
    mode: 'account',
    ago: 12,
    status: 'open',
    note: '不用点券和改名卡，晚上十点后打',
  },
  { code: 'wzry', from: '星耀三', to: '最强王者', fen: 15_800, hours: 12, mode: 'together', ago: 35, status: 'open' },
  {
    code: 'hpjy',
    from: '皇冠五',
    to: '无敌战神',
    fen: 32_000,
    hours: 30,
    mode: 'account',
    ago: 58,
    status: 'open',
    note: '组排四排都行',
  },
  { code: 'lol', from: '黄金四', to: '铂金一', fen: 18_800, hours: 24, mode: 'account', ago: 190, status: 'open' },
  {
    code: 'wzry',
    from: '永恒钻石三',
    to: '至尊星耀五',
    fen: 8800,
    hours: 10,
    mode: 'account',
    ago: 5 * HOUR,
    status: 'taken',
    stages: 3,
    progress: { state: 'working', paid: 1, percent: 60 },
  },
  // Late: neither party has acted since the promised time was over.
  {
    code: 'wzry',
    from: '永恒钻石一',
    to: '至尊星耀三',
    fen: 7200,
    hours: 8,
    mode: 'account',
    ago: 13 * HOUR,
    status: 'taken',
    progress: { state: 'working', paid: 1, percent: 40 },
  },
  {
    code: 'wzry',
    from: '至尊星耀五',
    to: '最强王者',
    fen: 16_000,
    hours: 16,
    mode: 'account',
    ago: 9 * HOUR,
    status: 'taken',
    progress: { state: 'paused', paid: 1, percent: 20, cancelAgo: 35 },
  },
  {
    code: 'hpjy',
    from: '钻石二',
    to: '皇冠一',
    fen: 12_000,
    hours: 12,
    mode: 'together',
    ago: DAY,
    status: 'taken',
    progress: { state: 'checking', paid: 1, percent: 100, took: 0.8 },
  },
  {
    code: 'wzry',
    from: '荣耀黄金',
    to: '永恒钻石五',
    fen: 6600,
    hours: 8,
    mode: 'account',
    ago: 2 * DAY,
    status: 'taken',
    progress: { state: 'ended', ending: 'gaveUp', took: 0.2 },
  },
  { code: 'lol', from: '白银一', to: '黄金四', fen: 5000, hours: 12, mode: 'account', ago: 4 * DAY, status: 'expired' },
  {
    code: 'wzry',
    from: '王者十星',
    to: '王者二十星',
    fen: 20_000,
    hours: 20,
    mode: 'account',
    ago: 6 * DAY,
    status: 'withdrawn',
  },
  {
    code: 'lol',
    from: '白银二',
    to: '黄金四',
    fen: 9600,
    hours: 16,
    mode: 'account',
    ago: 15 * DAY + 100,
    status: 'taken',
    progress: {
      state: 'done',
      took: 0.7,
      review: {
        score: 5,
        text: '比说好的早半天打完，每段都有战绩截图，改密也提醒了。',
        answer: '谢谢支持，下赛季再约。',
      },
    },
  },
];

/** Orders of packages: the demo buyer has one in each state, and each booster has pending ones. */
const PACKAGES: readonly PackagePlan[] = [
  { booster: 0, stages: 2, nth: 0, ago: 14, progress: { state: 'pending' } },
  { booster: 1, stages: 2, nth: 0, ago: 22, progress: { state: 'pending' } },
  { booster: 0, stages: 3, nth: 1, stranger: 3, ago: 31, note: '晚上八点以后再上号', progress: { state: 'pending' } },
  // Accepted, and the account is awaited.
  { booster: 1, stages: 2, nth: 1, ago: 48, progress: { state: 'waiting' } },
  { booster: 1, stages: 3, nth: 0, ago: 7 * HOUR, progress: { state: 'working', paid: 1, percent: 100 } },
  { booster: 0, stages: 1, nth: 0, ago: 3 * DAY + 50, progress: { state: 'done', took: 0.6 } },
  {
    booster: 0,
    stages: 3,
    nth: 0,
    ago: 5 * DAY,
    progress: { state: 'ended', ending: 'agreed', paid: 1, percent: 40, took: 0.5 },
  },
  { booster: 1, stages: 1, nth: 0, stranger: 5, ago: 8 * DAY, progress: { state: 'ended', ending: 'refused' } },
  {
    booster: 0,
    stages: 3,
    nth: 0,
    ago: 10 * DAY,
    progress: { state: 'done', took: 0.8, review: { score: 5, text: '三段都按时提交截图，确认一段付一段，很放心。' } },
  },
  {
    booster: 0,
    stages: 2,
    nth: 1,
    ago: 12 * DAY,
    progress: { state: 'ended', ending: 'late', percent: 70, took: 1.2 },
  },
  {
    booster: 1,
    stages: 3,
    nth: 0,
    ago: 16 * DAY,
    progress: { state: 'done', took: 0.9, review: { score: 5, text: '手法很稳，没有乱动号里的东西。' } },
  },
  {
    booster: 0,
    stages: 2,
    nth: 0,
    ago: 20 * DAY,
    progress: {
      state: 'done',
      took: 1.05,
      review: {
        score: 4,
        text: '比约定晚了一会儿，提前在群里说了，结果没问题。',
        answer: '抱歉，那天服务器维护，下次多留时间。',
      },
    },
  },
];

/** Orders of strangers that are long done, most of them rated. */
function pastOrders(market: Market): PackagePlan[] {
  return Array.from({ length: PAST_ORDERS }, (_, i) => {
    const next = random(mixSeed(market.seed, i, PAST_SALT));
    const review = PAST_REVIEWS[i % PAST_REVIEWS.length];
    return {
      booster: i % 5 === 4 ? 1 : 0,
      stages: ([2, 3, 1] as const)[i % 3] ?? 2,
      nth: integer(next, 0, 7),
      stranger: integer(next, 0, 60),
      ago: integer(next, 6 * DAY, 48 * DAY),
      progress: {
        state: 'done' as const,
        took: i % 9 === 8 ? 1.1 : 0.4 + next() / 2,
        ...(review && i % 4 !== 3 && { review }),
      },
    };
  });
}

/** All of it, the oldest first, as their numbers rise. */
export const plansOf = (market: Market): Plan[] =>
  [...REQUESTS, ...PACKAGES, ...pastOrders(market)].toSorted((a, b) => b.ago - a.ago);
