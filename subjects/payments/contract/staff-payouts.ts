import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { payoutResults } from '../rules/payout-methods.ts';
import { json, listTail, money, paging, text, time } from '#contract/wire.ts';

const listSn = z.string({ error: '名单编号不能为空' }).regex(/^L[A-Z0-9]{1,31}$/, '名单编号不正确');
const result = z.enum(payoutResults, { error: '结果不正确' });

const list = z.object({
  listSn: z.string(),
  /** Version of the file's columns. */
  format: z.number().int(),
  lineCount: z.number().int(),
  total: money,
  /** Lines without a booked result, entered ones included. */
  openCount: z.number().int(),
  /** Lines that one person entered and another has not confirmed. */
  draftCount: z.number().int(),
  createdBy: z.string(),
  createTime: time,
});
export type PayoutList = z.output<typeof list>;

/** The lists for the bank, newest first, and the approved withdrawals that are in none. */
export const payoutLists = staffRead('/api/backstage/payout/list', '打款名单', {
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(list),
    unlisted: z.object({ count: z.number().int(), total: money }),
    /** Whether withdrawals to bank cards are paid by list here. */
    isOpen: z.boolean(),
    ...listTail,
  }),
  limit: 'search',
});

const line = z.object({
  lineId: z.number().int(),
  lineNo: z.number().int(),
  withdrawSn: z.string(),
  payoutNo: z.string(),
  nickName: z.string(),
  realNameMask: z.string().nullable(),
  accountMask: z.string(),
  amount: money,
  result: result.nullable(),
  /** The bank's reference, or the reason. */
  detail: z.string().nullable(),
  draftResult: result.nullable(),
  draftDetail: z.string().nullable(),
  draftBy: z.string().nullable(),
  draftNo: z.number().int(),
  /** The caller entered it, so a colleague confirms. */
  isMine: z.boolean(),
  enteredBy: z.string().nullable(),
  bookedBy: z.string().nullable(),
  bookedTime: time.nullable(),
});
export type PayoutLine = z.output<typeof line>;

export const payoutListInfo = staffRead('/api/backstage/payout/info', '打款名单的明细', {
  input: z.object({ listSn }),
  data: z.object({ list, lines: z.array(line) }),
  limit: 'search',
});

/** Puts all approved payouts to bank cards that are in no list into a new one. Needs the second factor. */
export const exportPayoutList = staffWrite('/api/backstage/payout/export', '导出打款名单', {
  input: z.object({}),
  data: z.object({ listSn: z.string(), lineCount: z.number().int(), total: money }),
  idempotent: true,
});

/** The file of a list: names and full card numbers, so it needs the second factor and is recorded. */
export const payoutListFile = staffWrite('/api/backstage/payout/file', '下载打款名单', {
  input: z.object({ listSn }),
  data: z.object({ name: z.string(), text: z.string() }),
});

const entered = z
  .object({
    lineId: z.number({ error: '行不正确' }).int('行不正确'),
    result,
    detail: text(100, { label: '参考号或原因' }),
  })
  .superRefine(({ result: what, detail }, issues) => {
    if (detail.length < 2)
      issues.addIssue({
        code: 'custom',
        path: ['detail'],
        message: what === 'paid' ? '请填写银行流水号' : '请填写原因，用户会看到',
      });
  });

/** One person enters the bank's results for lines; nothing is booked yet. Needs the second factor. */
export const enterPayoutResults = staffWrite('/api/backstage/payout/enter', '登记打款结果', {
  input: z.object({
    listSn,
    lines: json(z.array(entered).min(1, '请至少登记一行').max(500, '一次最多登记 500 行'), '登记的行'),
  }),
  data: z.object({ count: z.number().int() }),
});

const confirmed = z.object({
  lineId: z.number({ error: '行不正确' }).int('行不正确'),
  /** The entry that the caller read. */
  draftNo: z.number({ error: '登记号不正确' }).int('登记号不正确'),
});

/** Another person confirms entries; each is booked separately. Needs the second factor. */
export const bookPayoutResults = staffWrite('/api/backstage/payout/book', '复核打款结果', {
  input: z.object({
    listSn,
    lines: json(z.array(confirmed).min(1, '请至少选一行').max(500, '一次最多复核 500 行'), '复核的行'),
  }),
  data: z.object({
    booked: z.number().int(),
    failed: z.array(z.object({ lineId: z.number().int(), text: z.string() })),
  }),
});
