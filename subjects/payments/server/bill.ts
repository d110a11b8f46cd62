import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as c from '#subjects/payments/contract/pay.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { type BillGroup, billGroupNames } from '#subjects/ledger/rules/bill.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { yuanText } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { sharedHit } from '#server/access/limits.ts';
import { pageCaller } from '#server/access/session.ts';
import { insteadOfFile } from '#server/access/file-in-wechat.ts';
import { CSV_BOM, csvLine } from '#server/kernel/csv.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, movements, postings, statement, type StatementFilter } from '#subjects/ledger/server/service.ts';

type Filter = Pick<Parsed<typeof c.bill>, 'direction' | 'kind' | 'minTime' | 'maxTime' | 'orderSn'>;

const MAX_DAYS = 366;
const STAT_DAYS = 30;

/** Throws BAD_INPUT when the end date precedes the start date. */
function filterOf(input: Filter): StatementFilter {
  const { direction, kind, minTime, maxTime, orderSn } = input;
  if (minTime !== undefined && maxTime !== undefined && maxTime < minTime)
    throw new AppError('BAD_INPUT', { text: '结束日期不能早于开始日期', field: 'maxTime' });
  return { direction, group: kind, fromDay: minTime, toDay: maxTime, orderSn };
}

/** A page of one of the user's own accounts. Throws BAD_INPUT. */
export async function loadBill(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.bill>,
): Promise<HandlerResult<typeof c.bill>> {
  const limit = input.pageSize ?? 20;
  const s = await statement(ctx.db, {
    account: account[input.account](user.id),
    ...filterOf(input),
    cursor: input.cursor,
    limit,
    offset: ((input.pages ?? 1) - 1) * limit,
  });
  const list = s.lines.map((l) => ({
    id: l.id,
    code: l.code,
    title: l.title,
    explain: l.explain,
    amount: l.amountFen,
    balanceAfter: l.balanceAfterFen,
    orderSn: l.orderSn,
    number: l.number,
    time: l.time,
  }));
  return { list, balance: s.balanceFen, total: s.total, next: s.next };
}

interface Sum {
  income: number;
  expense: number;
}

/** Money in and out of one of the user's own accounts, by day and by kind. Throws BAD_INPUT. */
export async function loadBillStats(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.billStats>,
): Promise<HandlerResult<typeof c.billStats>> {
  const toDay = input.maxTime ?? chinaDay(new Date());
  const fromDay = input.minTime ?? dayAfter(toDay, 1 - STAT_DAYS);
  const count = Math.round((Date.parse(toDay) - Date.parse(fromDay)) / 86_400_000) + 1;
  if (count < 1) throw new AppError('BAD_INPUT', { text: '结束日期不能早于开始日期', field: 'maxTime' });
  if (count > MAX_DAYS) throw new AppError('BAD_INPUT', { text: `一次最多统计 ${MAX_DAYS} 天`, field: 'maxTime' });
  const rows = await movements(ctx.db, account[input.account](user.id), { fromDay, toDay });
  const days = new Map<string, Sum>(
    Array.from({ length: count }, (_, i) => [dayAfter(fromDay, i), { income: 0, expense: 0 }]),
  );
  const kinds = new Map<BillGroup, Sum>();
  const total = { income: 0, expense: 0 };
  for (const row of rows) {
    const { group } = postings[row.code];
    const kind = kinds.get(group) ?? { income: 0, expense: 0 };
    kinds.set(group, kind);
    for (const sum of [total, kind, days.get(row.day)]) {
      if (!sum) continue;
      sum.income += row.inFen;
      sum.expense += row.outFen;
    }
  }
  return {
    minTime: fromDay,
    maxTime: toDay,
    ...total,
    days: [...days].map(([day, sum]) => ({ day, ...sum })),
    kinds: [...kinds]
      .map(([kind, sum]) => ({ kind, name: billGroupNames[kind], ...sum }))
      .toSorted((a, b) => b.income + b.expense - a.income - a.expense),
  };
}

const BATCH = 500;
/** Spreadsheets do not open longer files; a longer bill is exported by period. */
const MAX_LINES = 100_000;
const EXPORTS_AN_HOUR = 20;

/** The lines of the CSV file, read in batches so that a long account is never held in memory. */
async function* loadLines(ctx: Context, of: string, filter: StatementFilter): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(['时间', '类型', '名称', '说明', '金额（元）', '余额（元）', '订单编号', '单号']);
  let cursor: string | undefined;
  for (let written = 0; written < MAX_LINES; written += BATCH) {
    const { lines, next } = await statement(ctx.db, { account: of, ...filter, cursor, limit: BATCH, offset: 0 });
    yield lines
      .map((l) =>
        csvLine([
          fullTime(l.time.getTime()),
          billGroupNames[postings[l.code as 'topup'].group],
          l.title,
          l.explain,
          yuanText(l.amountFen),
          yuanText(l.balanceAfterFen),
          // The tab keeps spreadsheets from rounding eighteen digits.
          l.orderSn === null ? '' : `${l.orderSn}\t`,
          l.number ?? '',
        ]),
      )
      .join('');
    if (next === null) return;
    cursor = next;
  }
  yield csvLine(['仅导出前 100000 行，请缩小时间范围分次导出']);
}

/** Serves the bill as a CSV file through an ordinary link: the session cookie identifies the owner. */
export function bindBillExport(http: FastifyInstance, ctx: Context): void {
  http.get('/api/pay/billExport', async (request, reply) => {
    const { user } = await pageCaller(ctx, request, false);
    if (!user) throw new AppError('LOGIN_REQUIRED');
    const input = c.billExportInput.safeParse(request.query);
    if (!input.success) throw new AppError('BAD_INPUT', { text: input.error.issues[0]?.message ?? '筛选条件有误' });
    const instead = insteadOfFile(request, reply, '/center/mywallets/list');
    if (instead !== undefined) return await reply.send(instead);
    const filter = filterOf(input.data);
    if (!(await sharedHit(ctx.db, `billExport:${user.id}`, EXPORTS_AN_HOUR, 3600)))
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: 3600 });
    const name = `bill-${input.data.account}-${chinaDay(new Date()).replaceAll('-', '')}.csv`;
    return await reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(loadLines(ctx, account[input.data.account](user.id), filter)));
  });
}
