import { z } from 'zod';
import { MAX_ALI_OR_WX } from '#subjects/payments/rules/pay-channels.ts';
import { endpoint } from '#contract/endpoint.ts';
import { recPay } from '#subjects/payments/contract/pay.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { int, listTail, money, optionalInt, optionalText, paging, time } from '#contract/wire.ts';

export const depositRoles = ['seller', 'shop', 'booster', 'companion', 'recycler'] as const;
export type DepositRole = (typeof depositRoles)[number];
const role = z.enum(depositRoles, { error: '保证金类型不正确' });

const release = z.object({
  releaseSn: z.string(),
  role,
  amount: money,
  status: z.enum(['waiting', 'done', 'withdrawn', 'refused']),
  statusName: z.string(),
  releaseTime: time,
  /** Why the release takes longer, or was rejected. */
  reason: z.string().nullable(),
  createTime: time,
});

/** The levels of each role with their benefits, the caller's current level, and money that is being released. */
export const getDepositConf = endpoint({
  method: 'GET',
  path: '/api/comm/getDepositConf',
  auth: 'login',
  summary: '保证金等级',
  input: z.object({ role: role.optional() }),
  data: z.object({
    depositCoin: money,
    roles: z.array(
      z.object({
        role,
        roleName: z.string(),
        level: z.number().int(),
        paid: money,
        releaseDays: z.number().int(),
        levels: z.array(
          z.object({
            level: z.number().int(),
            name: z.string(),
            amount: money,
            /** The amount still to be paid to reach the level. */
            missing: money,
            benefits: z.array(z.string()),
            reached: z.boolean(),
          }),
        ),
        /** This role's deposit that is being released; its level does not count meanwhile. */
        release: release.nullable(),
      }),
    ),
    release: release.nullable(),
  }),
  limit: 'read',
});

/**
 * Pays the amount missing to a level: from the balance, or by a channel like a top-up (payWay, then poll by payRand).
 */
export const depositPay = endpoint({
  method: 'POST',
  path: '/api/pay/depositPay',
  auth: 'login',
  summary: '缴纳保证金',
  input: z.object({
    role,
    level: int({ min: 1, max: 9, label: '保证金等级' }),
    payWay: z.enum(['balance', 'channel'], { error: '支付方式不正确' }).default('balance'),
    aliOrWx: int({ min: 1, max: MAX_ALI_OR_WX, label: '支付方式' }).default(1),
    payMode: int({ min: 0, max: 99, label: '支付模式' }).default(DEFAULT_PAY_MODE),
    payPassword: z.string().max(64).optional(),
    deviceId: optionalText(80),
    returnUrl: z
      .string()
      .max(200)
      .regex(/^(\/(?![/\\])[\w\-/?=&.]*)?$/, '返回地址不正确')
      .optional(),
  }),
  data: z.object({
    /** 1 paid, 0 waiting for the channel. */
    status: z.number().int(),
    amount: money,
    /** The payment to show, in the form of recPay's response; null when it was paid from the balance. */
    payment: recPay.data.nullable(),
  }),
  idempotent: true,
  limit: 'pay',
});

/**
 * `act` ask: the deposit is released after its waiting period, unless that role has an open order or dispute; cancel:
 * the request is withdrawn.
 */
export const depositRelease = endpoint({
  method: 'POST',
  path: '/api/pay/depositRelease',
  auth: 'login',
  summary: '申请退还保证金',
  input: z.object({
    role,
    act: z.enum(['ask', 'cancel'], { error: '操作不正确' }),
    payPassword: z.string().max(64).optional(),
  }),
  data: release,
  idempotent: true,
  limit: 'withdraw',
});

/**
 * Payments in, deductions by a ruling, and releases; newest first. The ledger entries themselves are in the bill,
 * account deposit.
 */
export const depositRecordList = endpoint({
  method: 'GET',
  path: '/api/pay/depositRecordList',
  auth: 'login',
  summary: '保证金记录',
  input: z.object({ ...paging, role: role.optional(), kind: optionalInt({ min: 1, max: 3, label: '记录类型' }) }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        /** 1 paid in, 2 deducted, 3 released. */
        kind: z.number().int(),
        kindName: z.string(),
        role: role.nullable(),
        amount: money,
        reason: z.string(),
        ruleNo: z.string().nullable(),
        orderSn: z.string().nullable(),
        time,
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});
