import { payChannelName, payChannelNames } from '#subjects/payments/rules/pay-channels.ts';
import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/payments/contract/staff-reconcile.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import { fetchStatement, importStatement, recheck, resolveDifference } from '../reconcile.ts';
import { audit } from '#server/audit/audit.ts';
import { readUpload } from '#server/access/upload.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';
import { loadNames } from '#server/staff/names.ts';
import { requirePlatform } from '#server/access/permissions.ts';

const sideNames: Readonly<Record<string, string>> = {
  theirs: '渠道有，我方无',
  ours: '我方有，渠道无',
  amount: '金额不一致',
  twice: '渠道重复',
};
const kindNames: Readonly<Record<string, string>> = { pay: '收款', refund: '退款', transfer: '提现', back: '提现退回' };
const WATCHED_DAYS = 7;

const nameOf = (channel: string): string => payChannelName(channel) || channel;

/** Days of the last week with payments at a channel but without its statement. */
async function missingDays(ctx: Context) {
  const { rows } = await sql<{ channel: string; day: string }>`
    select distinct m.channel, (m.at at time zone 'Asia/Shanghai')::date::text as day from channel_movement m
    where m.at >= (date_trunc('day', now() at time zone 'Asia/Shanghai') - make_interval(days => ${WATCHED_DAYS})) at time zone 'Asia/Shanghai'
      and m.at < date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' and m.channel = any(${payChannelNames})
      and not exists (select from channel_statement s where s.channel = m.channel and s.day = (m.at at time zone 'Asia/Shanghai')::date)
    order by day desc, m.channel limit 30`.execute(ctx.db);
  return rows.map(({ channel, day }) => ({ channel, name: nameOf(channel), day }));
}

interface StatementRow {
  id: number;
  channel: string;
  day: string;
  source: 'upload' | 'fetch';
  file_name: string | null;
  lines: number;
  matched: number;
  open: number;
  pay_fen: number;
  refund_fen: number;
  transfer_fen: number;
  fee_fen: number;
  staff_name: string | null;
  created_at: Date;
}

/** Statements with the number of matches and differences. Throws FORBIDDEN. */
export async function listStatements(
  call: StaffCall,
  input: Parsed<typeof c.statementList>,
): Promise<HandlerResult<typeof c.statementList>> {
  requirePlatform(call.staff, 'ledger.read');
  const { ctx } = call;
  const page = pageOf(input, sql`s.id`);
  const { rows } = await sql<StatementRow>`
    select s.id, s.channel, s.day::text as day, s.source, s.file_name, s.lines, s.pay_fen, s.refund_fen, s.transfer_fen, s.fee_fen,
      p.name as staff_name, s.created_at,
      (select count(*)::int from channel_statement_line l where l.statement_id = s.id and (l.kind = 'fee' or l.difference is null)) as matched,
      (select count(*)::int from reconcile_difference d where d.channel = s.channel and d.day = s.day and d.resolved_at is null) as open
    from channel_statement s left join staff p on p.id = s.imported_by where true ${page.behind} ${page.tail}`.execute(
    ctx.db,
  );
  const result = page.cut(rows);
  return {
    list: result.rows.map((s) => ({
      statementId: s.id,
      channel: s.channel,
      channelName: nameOf(s.channel),
      day: s.day,
      source: s.source,
      fileName: s.file_name,
      lines: s.lines,
      matched: s.matched,
      open: s.open,
      pay: s.pay_fen,
      refund: s.refund_fen,
      transfer: s.transfer_fen,
      fee: s.fee_fen,
      staffName: s.staff_name,
      time: s.created_at,
    })),
    channels: [...ctx.pay.values()].map((channel) => ({
      channel: channel.name,
      name: nameOf(channel.name),
      canFetch: channel.statement !== undefined,
    })),
    missing: await missingDays(ctx),
    next: result.next,
  };
}

const auditImport =
  (call: StaffCall, channel: string, day: string) =>
  async (trx: Trx, { lines, differences }: { lines: number; differences: number }): Promise<void> => {
    await audit(trx, call.staff, 'reconcile.import', `statement:${channel}:${day}`, { lines, differences }, call.ip);
  };

type UploadResult = HandlerResult<typeof c.uploadStatement>;

/** Stores and reconciles an uploaded statement. Throws FORBIDDEN, BAD_INPUT, BODY_TOO_LARGE. */
export async function upload(call: StaffCall, input: Parsed<typeof c.uploadStatement>): Promise<UploadResult> {
  requirePlatform(call.staff, 'reconcile.act');
  const { channel, day } = input;
  const texts = { missing: '请选择账单文件', tooLarge: '账单文件不能超过 10M', name: '账单.csv' };
  const { name, body } = await readUpload(call, texts);
  const statement = { channel, day, file: body, fileName: name, source: 'upload', staffId: call.staff.id } as const;
  const { id, ...rest } = await importStatement(call.ctx, statement, auditImport(call, channel, day));
  return { statementId: id, ...rest };
}

/** Fetches a statement from its channel. Throws FORBIDDEN, PAY_CHANNEL_CLOSED, PAY_CHANNEL_BUSY, BAD_INPUT. */
export async function fetchOne(
  call: StaffCall,
  { channel, day }: Parsed<typeof c.fetchStatement>,
): Promise<UploadResult> {
  requirePlatform(call.staff, 'reconcile.act');
  try {
    const also = auditImport(call, channel, day);
    const { id, ...rest } = await fetchStatement(call.ctx, channel, day, call.staff.id, also);
    return { statementId: id, ...rest };
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    throw new AppError('PAY_CHANNEL_BUSY', {
      text: '渠道还没有这一天的账单，或暂时没有响应，请稍后再试',
      cause: error,
    });
  }
}

interface DifferenceRow {
  id: number;
  channel: string;
  day: string;
  side: string;
  kind: string;
  number: string;
  trade_no: string | null;
  theirs_fen: number | null;
  ours_fen: number | null;
  reason: string;
  user_id: number | null;
  order_sn: string | null;
  opened_at: Date;
  age: number;
  resolved_at: Date | null;
  staff_name: string | null;
  note: string | null;
  payment_id: number | null;
}

function filterOf(input: Parsed<typeof c.differenceList>): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (input.channel !== undefined) parts.push(sql`d.channel = ${input.channel}`);
  if (input.side !== undefined) parts.push(sql`d.side = ${input.side}`);
  if (input.keyWord !== undefined) parts.push(sql`(d.number = ${input.keyWord} or d.trade_no = ${input.keyWord})`);
  return sql.join(parts, sql` and `);
}

const isOpen = (state: 'open' | 'resolved') =>
  state === 'open' ? sql`d.resolved_at is null` : sql`d.resolved_at is not null`;

const ownerName = (row: DifferenceRow): string | null => row.staff_name ?? (row.resolved_at === null ? null : '系统');

/** Differences with their age and reason. Throws FORBIDDEN. */
export async function listDifferences(
  call: StaffCall,
  input: Parsed<typeof c.differenceList>,
): Promise<HandlerResult<typeof c.differenceList>> {
  requirePlatform(call.staff, 'ledger.read');
  const { db } = call.ctx;
  const filter = filterOf(input);
  const page = pageOf(input, sql`d.id`, input.state === 'open' ? 'asc' : 'desc');
  const { rows } = await sql<DifferenceRow>`
    select d.id, d.channel, d.day::text as day, d.side, d.kind, d.number, d.trade_no, d.theirs_fen, d.ours_fen, d.reason, d.opened_at,
      (extract(epoch from coalesce(d.resolved_at, now()) - d.opened_at) / 3600)::int as age, d.resolved_at, p.name as staff_name, d.note,
      coalesce(y.user_id, w.user_id, r.user_id) as user_id, o.sn as order_sn, y.id as payment_id
    from reconcile_difference d left join staff p on p.id = d.resolved_by
      left join payment y on d.kind = 'pay' and y.inter_sn = d.number and y.channel = d.channel
      left join refund r on d.kind = 'refund' and r.refund_no = d.number
      left join withdrawal w on d.kind in ('transfer', 'back') and w.channel_no = d.number
      left join orders o on o.id = coalesce(y.order_id, r.order_id)
    where ${filter} and ${isOpen(input.state)} ${page.behind} ${page.tail}`.execute(db);
  const counted = await sql<{ open: number; resolved: number }>`
    select count(*) filter (where d.resolved_at is null)::int as open, count(*) filter (where d.resolved_at is not null)::int as resolved
    from reconcile_difference d where ${filter}`.execute(db);
  const result = page.cut(rows);
  const names = await loadNames(
    db,
    result.rows.map((d) => `user:${String(d.user_id)}`),
  );
  return {
    list: result.rows.map((d) => ({
      differenceId: d.id,
      channelName: nameOf(d.channel),
      day: d.day,
      side: d.side,
      sideName: sideNames[d.side] ?? d.side,
      kind: d.kind,
      kindName: kindNames[d.kind] ?? d.kind,
      number: d.number,
      tradeNo: d.trade_no,
      theirs: d.theirs_fen,
      ours: d.ours_fen,
      reason: d.reason,
      userId: d.user_id === null ? null : String(d.user_id),
      userName: names.get(`user:${String(d.user_id)}`) ?? null,
      orderSn: d.order_sn,
      openTime: d.opened_at,
      ageHours: d.age,
      isOpen: d.resolved_at === null,
      canRecheck: d.resolved_at === null && d.side === 'theirs' && d.payment_id !== null && d.channel !== 'sandbox',
      resolvedBy: ownerName(d),
      resolveTime: d.resolved_at,
      note: d.note,
    })),
    counts: counted.rows[0] ?? { open: 0, resolved: 0 },
    ...(await loadCount(db, sql`reconcile_difference d where ${filter} and ${isOpen(input.state)}`)),
    next: result.next,
  };
}

/** Closes a difference with an explanation, once. Throws FORBIDDEN, NOT_FOUND. */
export async function resolve(
  call: StaffCall,
  { differenceId, note }: Parsed<typeof c.resolveDifference>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'reconcile.act');
  await inTransaction(ctx.db, async (trx) => {
    const row = await resolveDifference(trx, differenceId, { staffId: staff.id, note });
    if (!row) throw errorOf('NOT_FOUND', 'difference');
    await audit(trx, staff, 'reconcile.resolve', `difference:${row.number}`, { amountFen: row.fen, note }, ip);
  });
  return {};
}

/** Queries the channel about a payment that only its statement lists. Throws FORBIDDEN, NOT_FOUND. */
export async function recheckOne(
  call: StaffCall,
  { differenceId }: Parsed<typeof c.recheckDifference>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'reconcile.act');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; number: string }>`
      select p.id, d.number from reconcile_difference d join payment p on p.inter_sn = d.number and p.channel = d.channel
      where d.id = ${differenceId} and d.resolved_at is null and d.side = 'theirs' and d.kind = 'pay'`.execute(trx);
    const row = rows[0];
    if (!row) throw errorOf('NOT_FOUND', 'differenceAtChannel');
    await recheck(trx, row.id);
    await audit(trx, staff, 'reconcile.recheck', `difference:${row.number}`, {}, ip);
  });
  return {};
}
