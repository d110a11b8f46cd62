import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { int, listTail, money, nothing, optionalInt, optionalText, paging, text, time } from './wire.ts';
import { auditGroups } from './rules/audit.ts';

const withdrawSn = z.string({ error: '提现编号不能为空' }).regex(/^[A-Za-z0-9-]{1,32}$/, '提现编号不正确');
const reason = text(200, { min: 1, label: '原因' });

const withdrawal = z.object({
  withdrawSn: z.string(),
  userId: z.string(),
  nickName: z.string(),
  realNameMask: z.string().nullable(),
  soldNum: z.number().int(),
  /** What the owner of the money owes to other users. */
  debt: money,
  /** Links between the owner and users traded with in the last 90 days; empty when none is known. */
  related: z.array(z.string()),
  accountType: z.string(),
  accountMask: z.string(),
  amount: money,
  fee: money,
  status: z.number().int(),
  statusName: z.string(),
  /** Above the limit: two approvals are needed. */
  needsSecond: z.boolean(),
  firstBy: z.string().nullable(),
  secondBy: z.string().nullable(),
  /** The caller gave the first approval, so another member of staff must give the second. */
  isMine: z.boolean(),
  note: z.string().nullable(),
  distName: z.string(),
  createTime: time,
  decidedTime: time.nullable(),
  paidTime: time.nullable(),
});
export type StaffWithdrawal = z.output<typeof withdrawal>;

/** Withdrawals; pending ones oldest first, all others newest first. */
export const staffWithdrawList = endpoint({
  method: 'GET',
  path: '/api/backstage/withdraw/list',
  auth: 'staff',
  summary: '提现申请',
  input: z.object({
    ...paging,
    status: optionalInt({ max: 3, label: '状态' }),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({
    list: z.array(withdrawal),
    counts: z.record(z.string(), z.number().int()),
    secondPerson: money,
    ...listTail,
  }),
  limit: 'search',
});

/** Above the limit the first approval only records it; a second one by another member of staff pays it out. */
export const approveWithdraw = endpoint({
  method: 'POST',
  path: '/api/backstage/withdraw/approve',
  auth: 'staff',
  summary: '通过提现',
  input: z.object({ withdrawSn }),
  data: z.object({ status: z.number().int(), needsSecond: z.boolean() }),
  limit: 'write',
});

/** Returns the money to the balance; the reason is shown to the user. */
export const rejectWithdraw = endpoint({
  method: 'POST',
  path: '/api/backstage/withdraw/refuse',
  auth: 'staff',
  summary: '退回提现',
  input: z.object({ withdrawSn, reason }),
  data: nothing,
  limit: 'write',
});

const hold = z.object({
  holdId: z.number().int(),
  userId: z.string(),
  nickName: z.string(),
  amount: money,
  code: z.string(),
  codeName: z.string(),
  reason: z.string(),
  orderSn: z.string().nullable(),
  disputed: z.boolean(),
  /** Who requested an early release that waits for a second approval. */
  askedBy: z.string().nullable(),
  askedReason: z.string().nullable(),
  isMine: z.boolean(),
  canRelease: z.boolean(),
  releaseTime: time.nullable(),
  createTime: time,
});
export type StaffHold = z.output<typeof hold>;

/** Open holds: the complete frozen balance of the users, each part with its reason and its end. */
export const staffHoldList = endpoint({
  method: 'GET',
  path: '/api/backstage/ledger/holds',
  auth: 'staff',
  summary: '冻结款',
  input: z.object({
    ...paging,
    code: z.enum(['sale_protection', 'withdrawal', 'refund', 'staff_freeze'], { error: '冻结类型不正确' }).optional(),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ list: z.array(hold), sum: money, secondPerson: money, ...listTail }),
  limit: 'search',
});

/** Ends a protection period early, or a freeze by staff. Above the limit it waits for a second approval. */
export const releaseHoldEarly = endpoint({
  method: 'POST',
  path: '/api/backstage/ledger/releaseHold',
  auth: 'staff',
  summary: '提前解冻',
  input: z.object({ holdId: int({ min: 1, label: '冻结编号' }), reason }),
  data: z.object({ released: z.boolean(), needsSecond: z.boolean() }),
  limit: 'write',
});

/** Balances by kind of account; their sum must be zero. */
export const trialBalanceSheet = endpoint({
  method: 'GET',
  path: '/api/backstage/ledger/trial',
  auth: 'staff',
  summary: '试算平衡',
  input: z.object({}),
  data: z.object({
    kinds: z.array(z.object({ kind: z.string(), name: z.string(), amount: money, accounts: z.number().int() })),
    total: money,
    balanced: z.boolean(),
    time,
  }),
  limit: 'search',
});

/** Runs every check of the books (docs/LEDGER.md); an empty list means that all of them pass. */
export const checkBooks = endpoint({
  method: 'POST',
  path: '/api/backstage/ledger/check',
  auth: 'staff',
  summary: '账目核对',
  input: z.object({}),
  data: z.object({ breaches: z.array(z.string()), tookMs: z.number().int(), time }),
  limit: 'withdraw',
});

/** The nightly checks of the books, newest first; endTime is null while one runs. */
export const bookCheckList = endpoint({
  method: 'GET',
  path: '/api/backstage/ledger/checks',
  auth: 'staff',
  summary: '每夜账目核对',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        startTime: time,
        endTime: time.nullable(),
        transfers: z.number().int().nullable(),
        breaches: z.array(z.string()),
      }),
    ),
  }),
  limit: 'search',
});

/** Transfers, newest first; of one order when its number is given. */
export const transferList = endpoint({
  method: 'GET',
  path: '/api/backstage/ledger/transfers',
  auth: 'staff',
  summary: '资金流水',
  input: z.object({ ...paging, keyWord: optionalText(40, '订单编号或用户编号') }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        title: z.string(),
        from: z.string(),
        to: z.string(),
        amount: money,
        orderSn: z.string().nullable(),
        distName: z.string(),
        time,
      }),
    ),
    next: z.string().nullable(),
  }),
  limit: 'search',
});

/** Actions of staff, newest first. */
export const auditList = endpoint({
  method: 'GET',
  path: '/api/backstage/audit/list',
  auth: 'staff',
  summary: '操作记录',
  input: z.object({
    ...paging,
    staffId: optionalInt({ min: 1, label: '工作人员' }),
    group: z
      .enum(
        auditGroups.map(([group]) => group),
        { error: '类型不正确' },
      )
      .optional(),
    keyWord: optionalText(60, '对象'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        staffName: z.string().nullable(),
        act: z.string(),
        actName: z.string(),
        target: z.string(),
        detail: z.string(),
        ip: z.string().nullable(),
        time,
      }),
    ),
    people: z.array(z.object({ staffId: z.number().int(), name: z.string() })),
    next: z.string().nullable(),
  }),
  limit: 'search',
});

const auditBreak = z.object({
  seq: z.number().int().nullable(),
  row: z.number().int().nullable(),
  day: z.string(),
  text: z.string(),
});

/** The hash chain of the audit log: its current head, and the result of each nightly verification. */
export const auditChain = endpoint({
  method: 'GET',
  path: '/api/backstage/audit/chain',
  auth: 'staff',
  summary: '操作记录的校验链',
  input: z.object({}),
  data: z.object({
    seq: z.number().int(),
    head: z.string(),
    /** Where each day's head is mailed: nowhere, to the local mail adapter, or to the configured recipient. */
    mail: z.enum(['none', 'local', 'sent']),
    nights: z.array(
      z.object({
        day: z.string(),
        startTime: time,
        endTime: time.nullable(),
        seq: z.number().int().nullable(),
        head: z.string().nullable(),
        heads: z.number().int().nullable(),
        breaks: z.array(auditBreak),
        mailed: z.boolean(),
      }),
    ),
  }),
  limit: 'search',
});

/** Verifies the whole chain now and returns the first broken entry, if any. */
export const verifyChain = endpoint({
  method: 'POST',
  path: '/api/backstage/audit/verify',
  auth: 'staff',
  summary: '校验操作记录',
  input: z.object({}),
  data: z.object({
    seq: z.number().int(),
    head: z.string(),
    heads: z.number().int(),
    breaks: z.array(auditBreak),
    tookMs: z.number().int(),
    time,
  }),
  limit: 'withdraw',
});
