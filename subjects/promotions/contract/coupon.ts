import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { listTail, money, optionalInt, paging, time } from '#contract/wire.ts';

const kind = z.enum(['goods', 'service', 'guarantee']);

const coupon = z.object({
  couponId: z.number().int(),
  code: z.string(),
  name: z.string(),
  kind,
  kindName: z.string(),
  amount: money,
  minimum: money,
  /** 1 usable, 2 used, 3 expired. */
  status: z.number().int(),
  statusName: z.string(),
  orderSn: z.string().nullable(),
  createTime: time,
  expireTime: time,
});

const campaignCode = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, '活动编号不正确');

/**
 * `act` receive claims the coupon of a campaign (once per user where the campaign says so); `act` draw draws the
 * lottery on the server.
 */
export const distributeUserCoupon = endpoint({
  method: 'POST',
  path: '/api/coupon/distributeUserCoupon',
  auth: 'login',
  summary: '领取优惠券或抽奖',
  input: z
    .object({
      act: z.enum(['receive', 'draw'], { error: '操作不正确' }).default('receive'),
      code: campaignCode.optional(),
    })
    .refine((v) => v.act === 'draw' || v.code !== undefined, { error: '请选择要领取的优惠券', path: ['code'] }),
  data: z.object({
    won: z.boolean(),
    coupon: coupon.nullable(),
    /** The prize of lotteryInfo at which the wheel stops. */
    prizeIndex: z.number().int().nullable(),
    drawsLeft: z.number().int().nullable(),
  }),
  idempotent: true,
  limit: 'write',
});

/**
 * Prizes with their published odds; together with 'nothing' they add up to 100. For signed-in users also the draws left
 * today.
 */
export const lotteryInfo = endpoint({
  method: 'GET',
  path: '/api/coupon/lotteryInfo',
  auth: 'public',
  summary: '抽奖奖品与概率',
  input: z.object({}),
  data: z.object({
    open: z.boolean(),
    startTime: time.nullable(),
    endTime: time.nullable(),
    drawsPerDay: z.number().int(),
    drawsLeft: z.number().int().nullable(),
    prizes: z.array(
      z.object({
        prizeIndex: z.number().int(),
        name: z.string(),
        kindName: z.string(),
        amount: money.nullable(),
        oddsPercent: z.number(),
        left: z.number().int().nullable(),
      }),
    ),
    winners: z.array(z.object({ nickName: z.string(), name: z.string(), time })),
    rules: z.array(z.string()),
  }),
  limit: 'read',
});

/** Campaigns whose coupons can be claimed by everyone now. */
export const couponCampaignList = endpoint({
  method: 'GET',
  path: '/api/coupon/couponCampaignList',
  auth: 'public',
  summary: '可领取的优惠券',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        kind,
        kindName: z.string(),
        amount: money,
        minimum: money,
        left: z.number().int(),
        validDays: z.number().int(),
        endTime: time,
        received: z.boolean(),
      }),
    ),
  }),
  limit: 'read',
});

export const userCouponList = endpoint({
  method: 'GET',
  path: '/api/coupon/userCouponList',
  auth: 'login',
  summary: '我的优惠券',
  input: z.object({ ...paging, status: optionalInt({ min: 1, max: 3, label: '状态' }) }),
  data: z.object({ list: z.array(coupon), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'read',
});
