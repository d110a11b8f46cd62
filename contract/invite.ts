import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listTail, money, paging, time } from './wire.ts';

/** How inviting pays, and what has come of it by day. */
export const inviteStats = endpoint({
  method: 'GET',
  path: '/api/user/inviteStats',
  auth: 'login',
  summary: '我的推广',
  input: z.object({}),
  data: z.object({
    inviteCode: z.string(),
    shareUrl: z.string(),
    /** The share link as a QR code, drawn by the server. */
    qrSvg: z.string(),
    /** Share of the platform's fees that the inviter gets, in words. */
    rateText: z.string(),
    invited: z.number().int(),
    /** Invited people who have bought something. */
    active: z.number().int(),
    rewardTotal: money,
    /** Of the total, what is not payable yet: it waits for the end of the orders' protection. */
    rewardMaturing: money,
    /** What waits, by order (the last six digits of its number), the next first; no end while a dispute or a claim has stopped it. */
    maturing: z.array(z.object({ orderSn: z.string(), reward: money, releaseTime: time.nullable() })),
    reward30: money,
    /** The last 30 days, oldest first, those without reward as well. */
    days: z.array(z.object({ day: z.string(), reward: money, orders: z.number().int() })),
    rules: z.array(z.string()),
  }),
  limit: 'read',
});

/** The people whom one invited, newest first; their names are masked. */
export const inviteList = endpoint({
  method: 'GET',
  path: '/api/user/inviteList',
  auth: 'login',
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
