import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { bulkResult, int, json, money, nothing, text, time } from '#contract/wire.ts';
import { auditRows } from '#subjects/back-office/contract/list-audit.ts';
import { transferRows } from '#subjects/ledger/contract/list-ledger.ts';
import { holdList, withdrawalList } from './list-money.ts';

const withdrawSn = z.string({ error: '提现编号不能为空' }).regex(/^[A-Za-z0-9-]{1,32}$/, '提现编号不正确');
const reason = text(200, { min: 1, label: '原因' });

/** Withdrawals by their filters, newest first. */
export const staffWithdrawList = staffRead('/api/backstage/withdraw/list', '提现申请', {
  mayLag: true,
  input: withdrawalList.input,
  data: withdrawalList.data,
  limit: 'search',
});

/** Above the limit the first approval only records it; a second one by another member of staff pays it out. */
export const approveWithdraw = staffWrite('/api/backstage/withdraw/approve', '通过提现', {
  input: z.object({ withdrawSn }),
  data: z.object({ status: z.number().int(), needsSecond: z.boolean() }),
});

/** Returns the money to the balance; the reason is shown to the user. */
export const rejectWithdraw = staffWrite('/api/backstage/withdraw/refuse', '退回提现', {
  input: z.object({ withdrawSn, reason }),
  data: nothing,
});

/** Open holds: the complete frozen balance of the users, each part with its reason and its end. */
export const staffHoldList = staffRead('/api/backstage/ledger/holds', '冻结款', {
  input: holdList.input,
  data: holdList.data,
  limit: 'search',
});

/** Ends a protection period early, or a freeze by staff. Above the limit it waits for a second approval. */
export const releaseHoldEarly = staffWrite('/api/backstage/ledger/releaseHold', '提前解冻', {
  input: z.object({ holdId: int({ min: 1, label: '冻结编号' }), reason }),
  data: z.object({ released: z.boolean(), needsSecond: z.boolean() }),
});

/** Ends several holds early, each by the rules of a single one: above the limit the call only requests it, and a second person must approve. */
export const releaseHolds = staffWrite('/api/backstage/ledger/releaseHolds', '批量提前解冻', {
  input: z.object({
    holdIds: json(z.array(z.number().int().min(1)).min(1, '请选择冻结款').max(100, '一次最多 100 笔'), '冻结款'),
    reason,
  }),
  data: bulkResult,
});

/** Balances by kind of account; the sum must be zero. */
export const trialBalanceSheet = staffRead('/api/backstage/ledger/trial', '试算平衡', {
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
export const checkBooks = staffWrite('/api/backstage/ledger/check', '账目核对', {
  input: z.object({}),
  data: z.object({ breaches: z.array(z.string()), tookMs: z.number().int(), time }),
  limit: 'withdraw',
});

/** The nightly checks of the books, newest first; endTime is null while one runs. */
export const bookCheckList = staffRead('/api/backstage/ledger/checks', '每夜账目核对', {
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

/** Transfers of the ledger by their filters, newest first. */
export const transferList = staffRead('/api/backstage/ledger/transfers', '资金流水', {
  input: transferRows.input,
  data: transferRows.data,
  limit: 'search',
});

/** Actions of staff, newest first. */
export const auditList = staffRead('/api/backstage/audit/list', '操作记录', {
  mayLag: true,
  input: auditRows.input,
  data: auditRows.data,
  limit: 'search',
});

const auditBreak = z.object({
  seq: z.number().int().nullable(),
  row: z.number().int().nullable(),
  day: z.string(),
  text: z.string(),
});

/** The hash chain of the audit log: its current head, and the result of each nightly verification. */
export const auditChain = staffRead('/api/backstage/audit/chain', '操作记录的校验链', {
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
export const verifyChain = staffWrite('/api/backstage/audit/verify', '校验操作记录', {
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
