import { z } from 'zod';
import { fieldSchema } from '#subjects/games/contract/games.ts';
import { endpoint, staffWrite, staffRead } from '#contract/endpoint.ts';
import {
  amount,
  flag,
  int,
  json,
  listTail,
  money,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

const floorLine = z.object({ label: z.string(), reason: z.string(), amount: money });

/** The price that the platform pays immediately: the typical price and each deduction with its reason. */
const floor = z.object({
  typical: money,
  floor: money,
  lines: z.array(floorLine),
  samples: z.number().int(),
  modelTime: time,
});

/** One line of the published table of differences. Amounts at the current price. */
const cutLine = z.object({ key: z.string(), label: z.string(), said: z.string(), how: z.string(), amount: z.string() });

const account = {
  gameId: int({ max: 1_000_000, label: '游戏' }),
  areaId: optionalInt({ max: 100_000_000, label: '大区' }),
  serverId: optionalInt({ max: 100_000_000, label: '服务器' }),
  details: json(z.record(z.string().max(40), z.unknown()), '账号信息'),
};

/** The floor of an account before anything is requested: null floor below 30 sales, above the limit, or when the budget is used up. */
export const recycleFloor = endpoint({
  method: 'POST',
  path: '/api/recycle/accountFloor',
  auth: 'public',
  summary: '账号回收保底报价',
  input: z.object(account),
  data: z.object({
    floor: floor.nullable(),
    /** Why there is no floor. */
    noFloor: z.string(),
    samples: z.number().int(),
    /** The proceeds of listing at the typical price. */
    sellNet: money.nullable(),
    cuts: z.array(cutLine),
  }),
  limit: 'search',
});

/** Requests bids: the stated details are locked, and recyclers bid blind until `dueTime`. */
export const recycleApply = endpoint({
  method: 'POST',
  path: '/api/recycle/accountApply',
  auth: 'login',
  summary: '申请账号回收',
  input: z.object({ ...account, accountNo: text(60, { min: 1, label: '游戏账号' }) }),
  data: z.object({ requestSn: z.string(), dueTime: time }),
  idempotent: true,
  limit: 'publish',
});

const bid = z.object({
  bidId: z.number().int(),
  /** 回收商 3 号, 平台保底. */
  name: z.string(),
  price: money,
  isPlatform: z.boolean(),
  isBest: z.boolean(),
  wonNum: z.number().int(),
  loweredNum: z.number().int(),
  /** Hours from acceptance to the account taken over, on average; null before the first. */
  hours: z.number().nullable(),
  bidTime: time,
});

const reading = z.object({ key: z.string(), label: z.string(), said: z.string(), found: z.string(), cut: money });

const brief = {
  requestSn: z.string(),
  status: z.string(),
  statusName: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  areaName: z.string(),
  title: z.string(),
  floorPrice: money.nullable(),
  /** The best bid, or the accepted one. */
  price: money.nullable(),
  cut: money,
  /** End of the running clock. */
  dueTime: time.nullable(),
  orderSn: z.string().nullable(),
  /** When the seller's money is released if the recycler does not take the account over earlier; null when it was released or is stopped. */
  heldUntil: time.nullable(),
  createTime: time,
};

export const recycleInfo = endpoint({
  method: 'GET',
  path: '/api/recycle/accountInfo',
  auth: 'login',
  summary: '回收申请详情',
  input: z.object({ requestSn: sn }),
  data: z.object({
    ...brief,
    details: z.record(z.string(), z.unknown()),
    areaId: z.number().int().nullable(),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
    floor: floor.nullable(),
    bids: z.array(bid),
    cuts: z.array(cutLine),
    readings: z.array(reading),
    /** The account was handed over as a sealed form. */
    isSealed: z.boolean(),
    sellNet: money.nullable(),
    /** How long the best bid is binding after bidding ends. */
    bindHours: z.number().int(),
    closedReason: z.string().nullable(),
  }),
  idField: 'requestSn',
  limit: 'read',
});

export const recycleList = endpoint({
  method: 'GET',
  path: '/api/recycle/accountList',
  auth: 'login',
  summary: '我的回收申请',
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(z.object(brief)), ...listTail }),
  limit: 'read',
});

/** Sells: at the best bid once bidding is over, or with `floor` immediately at the platform's floor. `price` is what the seller saw. */
export const recycleAccept = endpoint({
  method: 'POST',
  path: '/api/recycle/accountAccept',
  auth: 'login',
  summary: '接受回收报价',
  input: z.object({ requestSn: sn, price: amount({ minFen: 1, label: '报价' }), floor: flag.optional() }),
  data: z.object({ orderId: z.number().int(), orderSn: z.string() }),
  idempotent: true,
  limit: 'order',
});

export const recycleWithdraw = endpoint({
  method: 'POST',
  path: '/api/recycle/accountWithdraw',
  auth: 'login',
  summary: '撤回回收申请',
  input: z.object({ requestSn: sn }),
  data: nothing,
  limit: 'write',
});

/** After an inspection that differs: `agree` takes the lower price, otherwise the account goes back free of charge. */
export const recycleAnswer = endpoint({
  method: 'POST',
  path: '/api/recycle/accountAnswer',
  auth: 'login',
  summary: '答复验号减价',
  input: z.object({ requestSn: sn, agree: flag }),
  data: nothing,
  limit: 'write',
});

/**
 * The requests that an admitted recycler may bid on, with the caller's own bid; others' bids are never shown. `own` = 1 lists those the
 * caller has bid on.
 */
export const recycleBoard = endpoint({
  method: 'GET',
  path: '/api/recycle/accountBoard',
  auth: 'login',
  summary: '可出价的回收申请',
  input: z.object({ ...paging, own: optionalInt({ max: 1, label: '范围' }) }),
  data: z.object({
    isRecycler: z.boolean(),
    feeBp: z.number().int(),
    balance: money,
    dayLeft: money,
    list: z.array(
      z.object({
        ...brief,
        facts: z.array(z.object({ label: z.string(), value: z.string() })),
        myBid: money.nullable(),
        /** open, returned or paid; empty without a bid. */
        bidStatus: z.string(),
        isMine: z.boolean(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

/** Places or raises the caller's bid: the amount and the service fee are held in escrow from then on. */
export const recycleBid = endpoint({
  method: 'POST',
  path: '/api/recycle/accountBid',
  auth: 'login',
  summary: '出价收号',
  input: z.object({ requestSn: sn, price: amount({ minFen: 1000, maxFen: 99_999_900, label: '出价' }) }),
  data: z.object({ escrow: money, dueTime: time }),
  idempotent: true,
  limit: 'order',
});

/** The recycler has taken the account over: the seller's money is released. */
export const recycleTaken = endpoint({
  method: 'POST',
  path: '/api/recycle/accountTaken',
  auth: 'login',
  summary: '确认已接管账号',
  input: z.object({ requestSn: sn }),
  data: nothing,
  limit: 'write',
});

/** The maximum duration of each part of recycling, by the current setting, in seconds. */
export const recycleTerms = endpoint({
  method: 'GET',
  path: '/api/recycle/accountTerms',
  auth: 'public',
  summary: '账号回收的时限',
  input: z.object({}),
  data: z.object({
    bidSeconds: z.number().int(),
    bindSeconds: z.number().int(),
    handOverSeconds: z.number().int(),
    inspectSeconds: z.number().int(),
    takeOverSeconds: z.number().int(),
  }),
  limit: 'read',
});

/** The most recently recycled accounts of this site, which show typical proceeds. */
export const recycleRecent = endpoint({
  method: 'GET',
  path: '/api/recycle/accountRecent',
  auth: 'public',
  summary: '最近回收',
  input: z.object({ gameId: optionalInt({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({
    list: z.array(
      z.object({
        gameName: z.string(),
        title: z.string(),
        /** The seller's proceeds. */
        price: money,
        isPlatform: z.boolean(),
        /** Hours from acceptance to the payment. */
        hours: z.number(),
        time,
      }),
    ),
  }),
  limit: 'read',
});

/**
 * The platform has taken over an account that it bought. The seller's money is released once two people have confirmed it, neither
 * of whom inspected the account and each of whom has opened it. With `failed` a case is opened in the platform's name: the account could not be taken over, or is
 * not as read.
 */
export const staffRecycleTaken = staffWrite('/api/backstage/recycle/taken', '确认平台已接管账号（后台）', {
  input: z.object({ requestSn: sn, failed: flag.optional(), note: optionalText(200, '说明') }),
  data: z.object({ waits: z.boolean() }),
});

export const staffRecycleList = staffRead('/api/backstage/recycle/list', '账号回收（后台）', {
  input: z.object({ ...paging, status: optionalText(20, '状态') }),
  data: z.object({
    list: z.array(
      z.object({
        ...brief,
        userId: z.number().int(),
        bidNum: z.number().int(),
        orderId: z.number().int().nullable(),
        sealed: z.boolean(),
        /** Whether the caller is responsible for the order, and submits its reading. */
        isMine: z.boolean(),
      }),
    ),
    /** The platform's purchases and open bids within 30 days, and its limit; only for the platform's own staff. */
    spent: money.optional(),
    budget: money.optional(),
    counts: z.record(z.string(), z.number().int()),
    ...listTail,
  }),
});

export const staffRecycleInfo = staffRead('/api/backstage/recycle/info', '回收验号单（后台）', {
  input: z.object({ requestSn: sn }),
  data: z.object({
    ...brief,
    fields: z.array(fieldSchema),
    /** The readings next to the seller's values; empty until the caller has stored a reading or nobody has to read the account. */
    readings: z.array(reading),
    canInspect: z.boolean(),
    why: z.string(),
    /** The platform bought it and has not taken it over yet. */
    canTake: z.boolean(),
    /** The caller has opened the account to take it over, without which the take-over cannot be confirmed. */
    hasOpened: z.boolean(),
    /** The colleague who was the first to confirm the take-over, until a second one does. */
    taken: z.object({ name: z.string(), isMine: z.boolean() }).nullable(),
  }),
  idField: 'requestSn',
});

/** The inspector's reading of every stated field. Above the limit of one person a colleague reads the account again. */
export const staffRecycleInspect = staffWrite('/api/backstage/recycle/inspect', '提交验号结果（后台）', {
  input: z.object({
    requestSn: sn,
    details: json(z.record(z.string().max(40), z.unknown()), '验号结果'),
    pictures: json(z.array(z.string().max(80)).max(9), '凭证').optional(),
  }),
  data: z.object({ status: z.string(), waits: z.boolean(), cut: money }),
});
