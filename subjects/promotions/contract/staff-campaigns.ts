import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { settlementRows } from '#subjects/ledger/contract/list-ledger.ts';
import {
  amount,
  int,
  listTail,
  money,
  nothing,
  optionalChinaTime,
  optionalInt,
  paging,
  text,
  time,
} from '#contract/wire.ts';

export const campaignPhases = ['pending', 'ahead', 'running', 'over', 'stopped'] as const;
export type CampaignPhase = (typeof campaignPhases)[number];

const campaign = z.object({
  campaignId: z.number().int(),
  code: z.string(),
  name: z.string(),
  kindName: z.string(),
  amount: money,
  minimum: money,
  total: z.number().int(),
  left: z.number().int(),
  used: z.number().int(),
  /** The maximum cost of the campaign, and the cost of its used coupons so far. */
  budget: money,
  spent: money,
  perPerson: z.number().int(),
  validDays: z.number().int(),
  /** Set only for lottery prizes. */
  oddsPercent: z.number().nullable(),
  status: z.number().int(),
  /** The state together with the period: an open campaign may not have started, or may be over. */
  phase: z.enum(campaignPhases),
  statusName: z.string(),
  createdBy: z.string().nullable(),
  /** The caller created it, so another member of staff must approve it. */
  isMine: z.boolean(),
  stopReason: z.string().nullable(),
  /** '' = every site. */
  distName: z.string(),
  startTime: time,
  endTime: time,
});
export type StaffCampaign = z.output<typeof campaign>;

export const staffCampaignList = staffRead('/api/backstage/campaign/list', '优惠活动', {
  input: z.object({ ...paging, status: optionalInt({ max: 2, label: '状态' }) }),
  data: z.object({
    list: z.array(campaign),
    secondPerson: money,
    sites: z.array(z.object({ distId: z.number().int(), name: z.string() })),
    ...listTail,
  }),
  limit: 'search',
});

/**
 * The current lottery: the prizes of each draw with their probabilities, which add up to 100 together with 'nothing', and how much
 * the lottery may still cost.
 */
export const staffLottery = staffRead('/api/backstage/campaign/lottery', '抽奖概况', {
  input: z.object({ distId: optionalInt({ min: 1, max: 1_000_000, label: '站点' }) }),
  data: z.object({
    open: z.boolean(),
    drawsPerDay: z.number().int(),
    distId: z.number().int(),
    sites: z.array(z.object({ distId: z.number().int(), name: z.string() })),
    prizes: z.array(
      z.object({
        campaignId: z.number().int(),
        name: z.string(),
        amount: money,
        /** The configured and the current value; zero when nothing is left. */
        oddsPercent: z.number(),
        liveOddsPercent: z.number(),
        left: z.number().int(),
        total: z.number().int(),
        perPerson: z.number().int(),
        budget: money,
        endTime: time,
      }),
    ),
    nothingPercent: z.number(),
    /** The maximum cost of the remaining prizes. */
    budgetLeft: money,
    drawsToday: z.number().int(),
    winsToday: z.number().int(),
  }),
});

/** Above the limit the campaign waits for a second approval; below it, it starts on its first day. */
export const createCampaign = staffWrite('/api/backstage/campaign/create', '新建优惠活动', {
  input: z.object({
    code: z
      .string({ error: '请填写活动编号' })
      .regex(/^[A-Za-z0-9_-]{3,40}$/, '活动编号为 3 到 40 位字母、数字、下划线或短横线'),
    name: text(24, { min: 2, label: '活动名称' }),
    kind: z.enum(['goods', 'service', 'guarantee'], { error: '优惠券类型不正确' }),
    amount: amount({ minFen: 10, maxFen: 1_000_000, label: '面额' }),
    minimum: amount({ minFen: 0, maxFen: 99_999_999, label: '使用门槛' }),
    total: int({ min: 1, max: 1_000_000, label: '发放数量' }),
    perPerson: int({ min: 1, max: 100, label: '每人限领' }).default(1),
    validDays: int({ min: 1, max: 365, label: '有效天数' }),
    runDays: int({ min: 1, max: 365, label: '活动天数' }),
    /** The site that gives it; absent: every site. */
    distId: optionalInt({ min: 1, max: 1_000_000, label: '站点' }),
    /** Empty: from now on. */
    startTime: optionalChinaTime('开始时间'),
    /** In hundredths of a percent. Set: a lottery prize; absent: users claim the coupon themselves. */
    oddsBp: optionalInt({ min: 1, max: 10_000, label: '中奖概率' }),
  }),
  data: z.object({ campaignId: z.number().int(), status: z.number().int() }),
});

const campaignId = int({ min: 1, label: '活动' });

export const openCampaign = staffWrite('/api/backstage/campaign/open', '复核并开放优惠活动', {
  input: z.object({ campaignId }),
  data: nothing,
});

/** Stops handing out coupons; those already handed out stay valid. */
export const stopCampaign = staffWrite('/api/backstage/campaign/stop', '停止优惠活动', {
  input: z.object({ campaignId, reason: text(200, { min: 1, label: '原因' }) }),
  data: nothing,
});

/** A distributor's commission by day of China, newest first; operators see only their own. */
export const commissionDays = staffRead('/api/backstage/commission/days', '分销佣金日结单', {
  input: z.object({ distId: optionalInt({ min: 1, label: '分销商' }) }),
  data: z.object({
    dists: z.array(z.object({ distId: z.number().int(), name: z.string(), balance: money })),
    distId: z.number().int(),
    /** The amount that can be settled now. */
    balance: money,
    /** The amount that is released when the protection periods of its orders end. */
    maturing: money,
    maturingOrders: z.array(z.object({ orderSn: z.string(), share: money, releaseTime: time.nullable() })),
    /** Commission that was settled before its trade was reversed; it is deducted from the next settlement. */
    debts: z.array(z.object({ reason: z.string(), amount: money, rest: money, time })),
    days: z.array(
      z.object({
        day: z.string(),
        orders: z.number().int(),
        paid: money,
        share: money,
        settled: money,
        /** Closed statements no longer change. */
        closed: z.boolean(),
      }),
    ),
  }),
  limit: 'search',
});

/** Settlements by their filters, newest first; operators see those of their distributor. */
export const settlementList = staffRead('/api/backstage/commission/settlements', '佣金结算记录', {
  input: settlementRows.input,
  data: settlementRows.data,
  limit: 'search',
});

export const requestSettlement = staffWrite('/api/backstage/commission/ask', '申请结算佣金', {
  input: z.object({ distId: int({ min: 1, label: '分销商' }), amount: amount({ minFen: 10_000, label: '结算金额' }) }),
  data: z.object({ settlementSn: z.string() }),
});

const settlementSn = z.string({ error: '结算编号不能为空' }).regex(/^[A-Za-z0-9]{1,32}$/, '结算编号不正确');

/**
 * Records that finance has paid the settlement by bank transfer; above the limit the first approval waits for a second
 * one.
 */
export const paySettlement = staffWrite('/api/backstage/commission/pay', '登记佣金已打款', {
  input: z.object({ settlementSn, receiptNo: text(64, { min: 4, label: '银行回单号' }) }),
  data: z.object({ status: z.number().int(), needsSecond: z.boolean() }),
});

export const rejectSettlement = staffWrite('/api/backstage/commission/refuse', '退回佣金结算', {
  input: z.object({ settlementSn, reason: text(200, { min: 1, label: '原因' }) }),
  data: nothing,
});
