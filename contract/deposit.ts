import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { recPay } from './pay.ts';
import { DEFAULT_PAY_MODE } from './rules/amounts.ts';
import { int, listTail, money, optionalInt, optionalText, paging, time } from './wire.ts';

export const depositRoles = ['seller', 'shop', 'booster', 'companion', 'recycler'] as const;
const role = z.enum(depositRoles, { error: '保证金类型不正确' });

const release = z.object({
  releaseSn: z.string(),
  role,
  amount: money,
  status: z.enum(['waiting', 'done', 'withdrawn', 'refused']),
  statusName: z.string(),
  releaseTime: time,
  /** Why it waits longer, or was refused. */
  reason: z.string().nullable(),
  createTime: time,
});

/** Levels of each role with what they give, where one stands, and money that is on its way back. */
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
            /** What is still to be paid to reach it. */
            missing: money,
            benefits: z.array(z.string()),
            reached: z.boolean(),
          }),
        ),
        /** This role's money on its way back; its level counts for nothing meanwhile. */
        release: release.nullable(),
      }),
    ),
    release: release.nullable(),
  }),
  limit: 'read',
});

/** Pays what is missing to a level: from the balance, or by a channel as a top-up does (payWay, then poll by payRand). */
export const depositPay = endpoint({
  method: 'POST',
  path: '/api/pay/depositPay',
  auth: 'login',
  summary: '缴纳保证金',
  input: z.object({
    role,
    level: int({ min: 1, max: 9, label: '保证金等级' }),
    payWay: z.enum(['balance', 'channel'], { error: '支付方式不正确' }).default('balance'),
    aliOrWx: int({ min: 1, max: 2, label: '支付方式' }).default(1),
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
    /** 1 paid, 0 waits for the channel. */
    status: z.number().int(),
    amount: money,
    /** The payment to show, as recPay answers it; null when the balance paid. */
    payment: recPay.data.nullable(),
  }),
  idempotent: true,
  limit: 'pay',
});

/** act ask: the deposit comes back after its waiting days, unless an order or dispute of that role is open; cancel: it stays. */
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

/** Paid in, taken by a ruling, given back; newest first. The entries themselves are in the bill, account deposit. */
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
        /** 1 paid in, 2 taken, 3 given back. */
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
