import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { payChannelNames } from '../rules/pay-channels.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { int, listTail, money, nothing, paging, text, time, optionalTyped } from '#contract/wire.ts';

const channel = z.enum(payChannelNames, { error: '渠道不正确' });

const day = z
  .string({ error: '请选择账单日期' })
  .regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, '账单日期不正确')
  .refine(
    (d) => !Number.isNaN(Date.parse(`${d}T00:00:00Z`)) && new Date(`${d}T00:00:00Z`).toISOString().startsWith(d),
    '账单日期不正确',
  );

const statement = z.object({
  statementId: z.number().int(),
  channel: z.string(),
  channelName: z.string(),
  day: z.string(),
  source: z.enum(['upload', 'fetch']),
  fileName: z.string().nullable(),
  lines: z.number().int(),
  matched: z.number().int(),
  /** Unresolved differences of that day. */
  open: z.number().int(),
  pay: money,
  refund: money,
  transfer: money,
  fee: money,
  staffName: z.string().nullable(),
  time,
});

export type StaffStatement = z.output<typeof statement>;

/** Statements by day, newest first, including days of the last week for which none was uploaded. */
export const statementList = staffRead('/api/backstage/reconcile/statements', '渠道账单', {
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(statement),
    channels: z.array(z.object({ channel: z.string(), name: z.string(), canFetch: z.boolean() })),
    missing: z.array(z.object({ channel: z.string(), name: z.string(), day: z.string() })),
    next: z.string().nullable(),
  }),
  limit: 'search',
});

const importedStatement = z.object({
  statementId: z.number().int(),
  lines: z.number().int(),
  differences: z.number().int(),
  /** The identical file had already been uploaded. */
  repeated: z.boolean(),
});

export type ImportedStatement = z.output<typeof importedStatement>;

/** The statement as multipart field `file`: Alipay's CSV (GBK) or ZIP, WeChat Pay's CSV or GZIP. */
export const uploadStatement = staffWrite('/api/backstage/reconcile/upload', '上传渠道账单', {
  file: { about: '支付宝的 CSV（GBK）或 ZIP，微信支付的 CSV 或 GZIP，不超过 10 MB' },
  input: z.object({ channel, day }),
  data: importedStatement,
  limit: 'upload',
});

export const fetchStatement = staffWrite('/api/backstage/reconcile/fetch', '向渠道获取账单', {
  input: z.object({ channel, day }),
  data: importedStatement,
  limit: 'verify',
});

const difference = z.object({
  differenceId: z.number().int(),
  channelName: z.string(),
  day: z.string(),
  side: z.string(),
  sideName: z.string(),
  kind: z.string(),
  kindName: z.string(),
  number: z.string(),
  tradeNo: z.string().nullable(),
  theirs: money.nullable(),
  ours: money.nullable(),
  reason: z.string(),
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  orderSn: z.string().nullable(),
  openTime: time,
  /** Age of the open difference, in hours. */
  ageHours: z.number().int(),
  isOpen: z.boolean(),
  /** The channel can be queried about it again. */
  canRecheck: z.boolean(),
  resolvedBy: z.string().nullable(),
  resolveTime: time.nullable(),
  note: z.string().nullable(),
});

export type StaffDifference = z.output<typeof difference>;

/** Differences between statements and our books; open ones oldest first, the others newest first. */
export const differenceList = staffRead('/api/backstage/reconcile/differences', '对账差异', {
  input: z.object({
    ...paging,
    state: z.enum(['open', 'resolved'], { error: '状态不正确' }).default('open'),
    channel: channel.optional(),
    side: z.enum(['theirs', 'ours', 'amount', 'twice'], { error: '差异类型不正确' }).optional(),
    keyWord: optionalTyped(typedKeyword, 64, '关键词'),
  }),
  data: z.object({
    list: z.array(difference),
    counts: z.object({ open: z.number().int(), resolved: z.number().int() }),
    ...listTail,
  }),
  limit: 'search',
});

const differenceId = int({ min: 1, label: '差异编号' });

/** Closes a difference with an explanation. */
export const resolveDifference = staffWrite('/api/backstage/reconcile/resolve', '处理对账差异', {
  input: z.object({ differenceId, note: text(200, { min: 1, label: '处理说明' }) }),
  data: nothing,
});

/** Queries the channel again about a payment that is in its statement but not in our books. */
export const recheckDifference = staffWrite('/api/backstage/reconcile/recheck', '向渠道重新查询', {
  input: z.object({ differenceId }),
  data: nothing,
});
