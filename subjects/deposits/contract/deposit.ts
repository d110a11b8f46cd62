import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { listTail, money, optionalInt, paging, time } from '#contract/wire.ts';

export const depositRoles = ['seller', 'shop', 'booster', 'companion', 'recycler'] as const;

export type DepositRole = (typeof depositRoles)[number];

export const depositRole = z.enum(depositRoles, { error: '保证金类型不正确' });

const release = z.object({
  releaseSn: z.string(),
  role: depositRole,
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
  input: z.object({ role: depositRole.optional() }),
  data: z.object({
    depositCoin: money,
    roles: z.array(
      z.object({
        role: depositRole,
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
 * `act` ask: the deposit is released after its waiting period, unless that role has an open order or dispute; cancel:
 * the request is withdrawn.
 */
export const depositRelease = endpoint({
  method: 'POST',
  path: '/api/pay/depositRelease',
  auth: 'login',
  summary: '申请退还保证金',
  input: z.object({
    role: depositRole,
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
  input: z.object({
    ...paging,
    role: depositRole.optional(),
    kind: optionalInt({ min: 1, max: 3, label: '记录类型' }),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        /** 1 paid in, 2 deducted, 3 released. */
        kind: z.number().int(),
        kindName: z.string(),
        role: depositRole.nullable(),
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
