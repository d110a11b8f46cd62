import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { listTail, money, paging, time } from '#contract/wire.ts';

/** The terms of inviting, and its results by day. */
export const inviteStats = endpoint({
  method: 'GET',
  path: '/api/user/inviteStats',
  auth: 'login',
  mayLag: true,
  summary: '我的推广',
  input: z.object({}),
  data: z.object({
    inviteCode: z.string(),
    shareUrl: z.string(),
    /** The share link as a QR code, rendered by the server. */
    qrSvg: z.string(),
    /** The inviter's share of the platform's fees, as text. */
    rateText: z.string(),
    invited: z.number().int(),
    /** Number of invited users who have bought something. */
    active: z.number().int(),
    rewardTotal: money,
    /** The part of the total that is not payable yet, until the orders' protection periods end. */
    rewardMaturing: money,
    /**
     * The pending rewards by order (last six digits of its number), earliest first; no end time while a dispute or a
     * claim has stopped it.
     */
    maturing: z.array(z.object({ orderSn: z.string(), reward: money, releaseTime: time.nullable() })),
    reward30: money,
    /** The last 30 days, oldest first, including days without a reward. */
    days: z.array(z.object({ day: z.string(), reward: money, orders: z.number().int() })),
    rules: z.array(z.string()),
  }),
  limit: 'read',
});

/** The users invited by the caller, newest first; their names are masked. */
export const inviteList = endpoint({
  method: 'GET',
  path: '/api/user/inviteList',
  auth: 'login',
  mayLag: true,
  summary: '我邀请的人',
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        nickName: z.string(),
        verified: z.boolean(),
        orders: z.number().int(),
        reward: money,
        time,
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});
