import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { proofs, serviceModes } from '#subjects/providers/contract/provider.ts';
import {
  amount,
  flag,
  int,
  json,
  listTail,
  money,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

/** Open orders of boosting, and the actions during an order (domain.md 6). */

export const scopeKinds = ['rank', 'hours', 'matches'] as const;
export const requestStatuses = ['open', 'taken', 'withdrawn', 'expired'] as const;
export const MAX_OPEN_HOURS = 72;

const rank = (label: string) => text(20, { label }).optional();

/** Stages whose shares add up to the whole price. */
const milestones = json(
  z
    .array(
      z.object({
        title: z.string().trim().min(1, '请填写每一段打到哪里').max(40, '每一段不能超过 40 个字'),
        sharePercent: z.number().min(0.01).max(100),
      }),
    )
    .min(1, '请至少填写一段')
    .max(10, '最多分 10 段')
    .refine(
      (list) => Math.round(list.reduce((sum, m) => sum + m.sharePercent * 100, 0)) === 10_000,
      '各段占比之和应为 100%',
    ),
  '分段',
);

const price = amount({ minFen: 100, maxFen: 9_999_900, label: '出价' });
const deposit = (label: string) => amount({ minFen: 0, maxFen: 9_999_900, label });

/** The cost of an open order with its fee, and how long it may stay open. */
export const boostQuote = endpoint({
  method: 'GET',
  path: '/api/booster/requestQuote',
  auth: 'login',
  summary: '代练发单：应付金额',
  input: z.object({ price }),
  data: z.object({ total: money, fee: money, balance: money, boosters: z.number().int() }),
  limit: 'read',
});

/** Games with their kinds, for the form of an open order. */
export const boostGames = endpoint({
  method: 'GET',
  path: '/api/booster/requestGames',
  auth: 'public',
  summary: '代练发单：可选游戏',
  input: z.object({}),
  data: z.object({
    games: z.array(
      z.object({
        gameId: z.number().int(),
        name: z.string(),
        kinds: z.array(z.object({ value: z.number().int(), label: z.string() })),
      }),
    ),
    maxOpenHours: z.number().int(),
  }),
  limit: 'read',
});

/** Posts an open order; price and fee move from the balance to escrow immediately. */
export const boostPost = endpoint({
  method: 'POST',
  path: '/api/booster/requestPost',
  auth: 'login',
  summary: '代练发单',
  input: z.object({
    gameId: int({ min: 1, max: 1_000_000, label: '游戏' }),
    kind: optionalInt({ min: 1, max: 99, label: '服务项目' }),
    scopeKind: z.enum(scopeKinds, { error: '请选择计费方式' }),
    fromRank: rank('现在的段位'),
    toRank: rank('目标段位'),
    num: int({ min: 1, max: 10_000, label: '数量' }).default(1),
    area: text(40, { min: 1, label: '区服' }),
    note: optionalText(300, '要求'),
    mode: z.enum(serviceModes, { error: '请选择方式' }),
    hours: int({ min: 1, max: 720, label: '限时' }),
    milestones,
    price,
    safetyDeposit: deposit('安全保证金'),
    efficiencyDeposit: deposit('效率保证金'),
    openHours: int({ min: 1, max: MAX_OPEN_HOURS, label: '发单有效期' }),
    /** The total shown to the buyer. */
    shownTotal: amount({ label: '应付金额' }).optional(),
    payPassword: z.string().max(64).optional(),
  }),
  data: z.object({ requestSn: z.string(), total: money, expireTime: time }),
  idempotent: true,
  limit: 'order',
});

const request = {
  requestSn: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  kind: z.number().int().nullable(),
  kindName: z.string(),
  scopeKind: z.enum(scopeKinds),
  /** The first and the last rank, as text. */
  title: z.string(),
  fromRank: z.string(),
  toRank: z.string(),
  num: z.number().int(),
  area: z.string(),
  note: z.string(),
  mode: z.enum(serviceModes),
  modeName: z.string(),
  hours: z.number().int(),
  price: money,
  safetyDeposit: money,
  efficiencyDeposit: money,
  milestones: z.array(z.object({ title: z.string(), sharePercent: z.number(), amount: money })),
  status: z.enum(requestStatuses),
  statusName: z.string(),
  createTime: time,
  expireTime: time,
};

/** The caller's open orders, newest first. */
export const myBoostRequests = endpoint({
  method: 'GET',
  path: '/api/booster/myRequests',
  auth: 'login',
  summary: '我的代练发单',
  input: z.object(paging),
  data: z.object({
    list: z.array(z.object({ ...request, total: money, orderSn: z.string().nullable() })),
    ...listTail,
  }),
  limit: 'read',
});

/**
 * The ranks of a game, and the packages between two ranks, side by side: exact ones first, each group cheapest first.
 */
export const boostRoutes = endpoint({
  method: 'GET',
  path: '/api/booster/routes',
  auth: 'public',
  mayLag: true,
  summary: '代练套餐按段位对比',
  input: z.object({
    gameId: int({ min: 1, max: 1_000_000, label: '游戏' }),
    from: optionalInt({ max: 9999, label: '现在的段位' }),
    to: optionalInt({ max: 9999, label: '目标段位' }),
  }),
  data: z.object({
    ranks: z.array(z.object({ value: z.number().int(), label: z.string() })),
    /** Routes with the most packages, as suggestions. */
    popular: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
    /** The example route whose packages are listed when the request names none; null if it names one or no packages exist. */
    shown: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
    /**
     * The usual price of this route without fees: from finished and claimed work if there is enough, else from packages
     * on sale that include it, in proportion to the ranks; null with too few.
     */
    guide: z
      .object({ low: money, typical: money, high: money, samples: z.number().int(), of: z.enum(['deals', 'packages']) })
      .nullable(),
    list: z.array(
      z.object({
        goodsSn: z.string(),
        from: z.number().int(),
        to: z.number().int(),
        /** All-in, for the minimum order quantity. */
        price: money,
        hours: z.number(),
        modeName: z.string(),
        stages: z.number().int(),
        safetyDeposit: money,
        efficiencyDeposit: money,
        provider: z.object({
          name: z.string(),
          avatar: z.string(),
          online: z.boolean(),
          doneNum: z.number().int(),
          onTimeRate: z.number().nullable(),
        }),
      }),
    ),
    total: z.number().int(),
  }),
  limit: 'read',
});

/** The orders open to claims, for approved boosters; empty for others. */
export const boostBoard = endpoint({
  method: 'GET',
  path: '/api/booster/requestList',
  auth: 'login',
  summary: '代练发单大厅',
  input: z.object({
    ...paging,
    gameId: optionalInt({ min: 1, max: 1_000_000, label: '游戏' }),
    mode: z.enum(serviceModes, { error: '方式不正确' }).optional(),
    minPrice: amount({ minFen: 0, label: '最低出价' }).optional(),
    maxPrice: amount({ minFen: 0, label: '最高出价' }).optional(),
    maxHours: optionalInt({ min: 1, max: 720, label: '限时' }),
    sort: z.enum(['new', 'price', 'ending'], { error: '排序不正确' }).default('new'),
    /** Only those whose deposits the viewer's balance covers. */
    payable: flag.optional(),
  }),
  data: z.object({
    isBooster: z.boolean(),
    balance: money,
    openOrders: z.number().int(),
    maxOpenOrders: z.number().int(),
    /** The viewer's games, to filter by. */
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    list: z.array(
      z.object({
        ...request,
        /** The booster's proceeds after completion. */
        net: money,
        /** Why the viewer cannot claim it; null when it can be claimed. */
        closed: z.string().nullable(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

/** Withdraws the caller's open order before it is claimed; everything is refunded. */
export const boostWithdraw = endpoint({
  method: 'POST',
  path: '/api/booster/requestWithdraw',
  auth: 'login',
  summary: '撤回代练发单',
  input: z.object({ requestSn: sn }),
  data: z.object({ back: money }),
  idempotent: true,
  limit: 'write',
});

/** Claims an open order: the first approved booster gets it, and the deposits are frozen. */
export const boostTake = endpoint({
  method: 'POST',
  path: '/api/booster/requestTake',
  auth: 'login',
  summary: '抢代练发单',
  input: z.object({ requestSn: sn }),
  data: z.object({ orderId: z.number().int(), orderSn: z.string() }),
  idempotent: true,
  limit: 'order',
});

const orderId = int({ min: 1, label: '订单' });

/**
 * More money or more time for a running order: either party requests it, the other agrees; the buyer pays the money as
 * a separate order.
 */
export const boostAddition = endpoint({
  method: 'POST',
  path: '/api/booster/addition',
  auth: 'login',
  summary: '代练加价、加时',
  input: z.object({
    orderId,
    act: z.enum(['ask', 'agree', 'decline', 'withdraw', 'pay'], { error: '操作不正确' }),
    price: deposit('加价').optional(),
    minutes: optionalInt({ min: 0, max: 43_200, label: '加时' }),
    reason: optionalText(100, '原因'),
    payPassword: z.string().max(64).optional(),
  }),
  data: z.object({ status: z.string(), orderSn: z.string().nullable() }),
  idempotent: true,
  limit: 'order',
});

/**
 * Reports that the account was punished: a dispute is opened immediately, and the safety deposit stays frozen until it
 * is decided.
 */
export const boostBan = endpoint({
  method: 'POST',
  path: '/api/booster/reportBan',
  auth: 'login',
  summary: '上报账号处罚',
  input: z.object({
    orderId,
    punishment: text(200, { min: 2, label: '处罚内容' }),
    text: text(1000, { min: 5, label: '说明' }),
    pictures: proofs.default([]),
  }),
  data: z.object({ disputeSn: z.string() }),
  idempotent: true,
  limit: 'write',
});

/** A booster's own figures: views, orders, punctuality and income, by week. */
export const boosterStatistics = endpoint({
  method: 'GET',
  path: '/api/booster/statistics',
  auth: 'login',
  summary: '代练数据',
  input: z.object({}),
  data: z.object({
    views: z.number().int(),
    orders30: z.number().int(),
    done30: z.number().int(),
    onTimeRate: z.number().nullable(),
    cancelled30: z.number().int(),
    bans: z.number().int(),
    weeks: z.array(z.object({ start: z.string(), orders: z.number().int(), done: z.number().int(), income: money })),
  }),
  limit: 'read',
});
