import { chinaClock, chinaDay } from '#contract/rules/time/china-time.ts';
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { WithdrawalStatus, PaymentStatus } from '#contract/rules/statuses.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule, scheduleFrom } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { PAYOUT_CHECK, setTimer } from './lease.ts';
import { readStatement, StatementFault, type StatementLine } from './statement-file.ts';

const DAY_MS = 86_400_000;
const BATCH = 2_000;
export const RECHECK = 'pay.recheck';

interface ImportRequest {
  channel: string;
  /** '2026-11-20', a day of China. */
  day: string;
  file: Buffer;
  fileName: string | null;
  source: 'upload' | 'fetch';
  staffId: number | null;
}

/** Runs in the import's transaction: the audit entry of the back office. */
export type AlsoImport = (trx: Trx, statement: { id: number; lines: number; differences: number }) => Promise<void>;

/** Parses the statement's lines. Throws BAD_INPUT with a message when the file is not of this channel and day. */
function linesOf({ channel, day, file }: ImportRequest): StatementLine[] {
  try {
    const statement = readStatement(file);
    // The sandbox has no format; its statements are written like Alipay's.
    if (statement.channel !== (channel === 'sandbox' ? 'alipay' : channel))
      throw new StatementFault('这不是所选渠道的账单');
    const odd = statement.lines.find((line) => chinaDay(line.at) !== day);
    if (odd) throw new StatementFault(`账单里有 ${chinaDay(odd.at)} 的记录，与所选日期不一致`);
    return statement.lines;
  } catch (error) {
    if (error instanceof StatementFault) throw new AppError('BAD_INPUT', { text: error.message, cause: error });
    throw error;
  }
}

/**
 * Imports a channel's statement of a day: every line is matched with a posting, and each line or posting without a match becomes a
 * difference with its reason. Importing the same file again changes nothing; another file of the same day replaces the first.
 * Throws BAD_INPUT.
 */
export async function importStatement(
  ctx: Context,
  request: ImportRequest,
  also?: AlsoImport,
): Promise<{ id: number; lines: number; differences: number; repeated: boolean }> {
  const lines = linesOf(request);
  const hash = createHash('sha256').update(request.file).digest();
  return await inTransaction(ctx.db, (trx) => importLines(trx, { ...request, lines, hash }, also));
}

type ParsedImport = Omit<ImportRequest, 'file'> & { lines: readonly StatementLine[]; hash: Buffer };

/** Stores and matches the lines of a parsed statement, in the caller's transaction. */
export async function importLines(trx: Trx, request: ParsedImport, also?: AlsoImport) {
  const { lines, hash } = request;
  await sql`select pg_advisory_xact_lock(hashtext(${`reconcile:${request.channel}`}))`.execute(trx);
  const { rows } = await sql<{ id: number; sha256: Buffer | null; lines: number }>`
    select id, sha256, lines from channel_statement where channel = ${request.channel} and day = ${request.day}::date`.execute(
    trx,
  );
  const earlier = rows[0];
  const repeated = earlier?.sha256?.equals(hash) ?? false;
  const id = earlier && repeated ? earlier.id : await storeStatement(trx, request, earlier?.id);
  await match(trx, request.channel);
  await findDifferences(trx, request.channel, request.day);
  await bookFees(trx, id, request.channel, request.day);
  const open = await sql<{ n: number }>`
    select count(*)::int as n from reconcile_difference where channel = ${request.channel} and day = ${request.day}::date and resolved_at is null`.execute(
    trx,
  );
  const differences = open.rows[0]?.n ?? 0;
  await also?.(trx, { id, lines: lines.length, differences });
  return { id, lines: lines.length, differences, repeated };
}

async function storeStatement(trx: Trx, request: ParsedImport, earlier: number | undefined): Promise<number> {
  const { lines, hash } = request;
  if (earlier !== undefined) {
    await sql`delete from channel_statement_line where statement_id = ${earlier}`.execute(trx);
    await sql`delete from reconcile_difference where channel = ${request.channel} and day = ${request.day}::date and resolved_at is null`.execute(
      trx,
    );
  }
  const sum = (kind: StatementLine['kind']): number =>
    lines.reduce((total, line) => (line.kind === kind ? total + line.amountFen : total), 0);
  const { rows } = await sql<{ id: number }>`
    insert into channel_statement (channel, day, imported_by, lines, source, file_name, sha256, pay_fen, refund_fen, transfer_fen, fee_fen)
    values (${request.channel}, ${request.day}::date, ${request.staffId}, ${lines.length}, ${request.source}, ${request.fileName}, ${hash},
      ${sum('pay')}, ${sum('refund')}, ${sum('transfer')}, ${sum('fee')})
    on conflict (channel, day) do update set imported_by = excluded.imported_by, lines = excluded.lines, source = excluded.source,
      file_name = excluded.file_name, sha256 = excluded.sha256, pay_fen = excluded.pay_fen, refund_fen = excluded.refund_fen,
      transfer_fen = excluded.transfer_fen, fee_fen = excluded.fee_fen, created_at = now()
    returning id`.execute(trx);
  const id = rows[0]?.id ?? 0;
  for (let from = 0; from < lines.length; from += BATCH)
    await sql`insert into channel_statement_line (statement_id, line_no, trade_no, inter_sn, origin_sn, kind, amount_fen, at)
      select ${id}, r."lineNo", r."tradeNo", nullif(r.number, ''), r."originSn", r.kind, r."amountFen", r.at
      from jsonb_to_recordset(${JSON.stringify(lines.slice(from, from + BATCH))}::jsonb)
        as r("lineNo" int, "tradeNo" text, number text, "originSn" text, kind text, "amountFen" bigint, at timestamptz)`.execute(
      trx,
    );
  return id;
}

/**
 * Matches every line of a channel that has no posting yet, of any day: by our number first; a refund that the channel identifies only by
 * its payment, by payment and amount. A transfer that was returned before we recorded it as paid has no posting of ours: its two lines
 * cancel each other.
 */
async function match(trx: Trx, channel: string): Promise<void> {
  const open = sql`s.id = l.statement_id and s.channel = ${channel} and l.kind <> 'fee' and l.transfer_id is null`;
  await sql`update channel_statement_line l set transfer_id = m.transfer_id
    from channel_statement s, channel_movement m
    where ${open} and m.channel = ${channel} and m.kind = l.kind and m.number = l.inter_sn and m.transfer_id is not null`.execute(
    trx,
  );
  await sql`update channel_statement_line l set transfer_id = m.transfer_id
    from channel_statement s, channel_movement m
    where ${open} and l.kind = 'refund' and m.channel = ${channel} and m.kind = 'refund' and m.fen = l.amount_fen
      and m.origin_sn in (l.inter_sn, l.origin_sn) and m.transfer_id is not null
      and not exists (select from channel_statement_line k where k.transfer_id = m.transfer_id)
      and not exists (select from channel_movement n where n.channel = ${channel} and n.kind = 'refund' and n.origin_sn = m.origin_sn
        and n.fen = m.fen and n.transfer_id < m.transfer_id
        and not exists (select from channel_statement_line k where k.transfer_id = n.transfer_id))`.execute(trx);
  await sql`update channel_statement_line l set difference =
      case when l.transfer_id is null and l.kind in ('transfer', 'back') and exists (
            select from channel_statement_line k join channel_statement ks on ks.id = k.statement_id and ks.channel = s.channel
              join withdrawal w on w.channel = s.channel and w.channel_no = l.inter_sn and w.status = ${sql.lit(WithdrawalStatus.Returned)}
            where k.inter_sn = l.inter_sn and k.amount_fen = l.amount_fen and k.transfer_id is null
              and k.kind = case l.kind when 'back' then 'transfer' else 'back' end) then null
        when l.transfer_id is null then 'unknown'
        when exists (select from channel_statement_line k where k.transfer_id = l.transfer_id and (k.statement_id, k.line_no) < (l.statement_id, l.line_no)) then 'twice'
        when t.amount_fen <> l.amount_fen then 'amount' end
    from channel_statement s, channel_statement_line q left join ledger_transfer t on t.id = q.transfer_id
    where s.id = l.statement_id and s.channel = ${channel} and l.kind <> 'fee' and q.statement_id = l.statement_id and q.line_no = l.line_no
      and (l.transfer_id is null or l.difference is not null or s.created_at = now())`.execute(trx);
}

/** Opens the differences of a day, and closes earlier ones that match now. */
async function findDifferences(trx: Trx, channel: string, day: string): Promise<void> {
  await sql`insert into reconcile_difference (channel, day, side, kind, number, trade_no, line_no, transfer_id, theirs_fen, ours_fen, reason)
    select s.channel, s.day, case l.difference when 'unknown' then 'theirs' else l.difference end, l.kind, coalesce(l.inter_sn, ''), l.trade_no,
      l.line_no, l.transfer_id, l.amount_fen, t.amount_fen,
      case when l.difference = 'twice' then '渠道账单重复记录同一笔'
        when l.difference = 'amount' then '相差 ' || to_char(abs(l.amount_fen - t.amount_fen) / 100.0, 'FM999,999,990.00') || ' 元'
        when l.kind = 'pay' and p.id is null then '渠道有收款，我方没有这个支付单'
        when l.kind = 'pay' and p.status = ${sql.lit(PaymentStatus.Pending)} then '渠道已收款，我方仍在等待付款，正在向渠道查询'
        when l.kind = 'pay' then '渠道已收款，我方支付单已关闭，正在向渠道查询'
        when l.kind = 'refund' then '渠道已退款，我方没有对应的退款入账'
        when l.kind = 'back' then '渠道退回了提现，我方还没有入账，正在向渠道查询'
        else '渠道已转出，我方没有对应的提现入账' end
    from channel_statement s join channel_statement_line l on l.statement_id = s.id left join ledger_transfer t on t.id = l.transfer_id
      left join payment p on l.kind = 'pay' and p.inter_sn = l.inter_sn and p.channel = s.channel
    where s.channel = ${channel} and s.day = ${day}::date and l.difference is not null
    on conflict (channel, day, side, kind, number, line_no) do nothing`.execute(trx);
  await sql`insert into reconcile_difference (channel, day, side, kind, number, transfer_id, ours_fen, reason)
    select m.channel, ${day}::date, 'ours', m.kind, m.number, m.transfer_id, m.fen, '我方已入账，渠道账单没有这笔'
    from channel_movement m
    where m.channel = ${channel} and m.at >= ${day}::date::timestamp at time zone 'Asia/Shanghai'
      and m.at < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'
      and not exists (select from channel_statement_line l where l.transfer_id = m.transfer_id)
    on conflict (channel, day, side, kind, number, line_no) do nothing`.execute(trx);
  await sql`update reconcile_difference d set resolved_at = now(), note = '已自动对平（跨日或补入账）'
    where d.channel = ${channel} and d.resolved_at is null and (
      (d.side = 'ours' and exists (select from channel_statement_line l where l.transfer_id = d.transfer_id))
      or (d.side = 'theirs' and exists (select from channel_statement s join channel_statement_line l on l.statement_id = s.id
        where s.channel = d.channel and s.day = d.day and l.line_no = d.line_no and l.difference is null)))`.execute(
    trx,
  );
  const unpaid = sql`from reconcile_difference d join payment p on p.channel = d.channel and p.inter_sn = d.number
    where d.channel = ${channel} and d.day = ${day}::date and d.side = 'theirs' and d.kind = 'pay' and d.resolved_at is null and p.status in (${sql.lit(PaymentStatus.Pending)}, ${sql.lit(PaymentStatus.Closed)})
    group by p.id`;
  await scheduleFrom(trx, RECHECK, { key: sql`p.id`, at: sql`now()`, from: unpaid }, 'keep');
  // A returned transfer is checked now rather than on its next scheduled day.
  const back = sql`from reconcile_difference d join withdrawal w on w.channel = d.channel and w.channel_no = d.number
    where d.channel = ${channel} and d.day = ${day}::date and d.side = 'theirs' and d.kind = 'back' and d.resolved_at is null and w.status = ${sql.lit(WithdrawalStatus.Paid)}
    group by w.id`;
  await scheduleFrom(trx, PAYOUT_CHECK, { key: sql`w.id`, at: sql`now()`, from: back }, 'earlier');
}

/** Books the channel's fees of a day. A statement that replaces another books the difference, in either direction. */
async function bookFees(trx: Trx, id: number, channel: string, day: string): Promise<void> {
  const like = `${channel}:${day}:%`;
  const { rows } = await sql<{ fee: number; booked: number; n: number }>`
    select s.fee_fen as fee, coalesce((select sum(case when debit like 'clearing:%_fee:%' then amount_fen else -amount_fen end) from ledger_transfer
        where code = 'channel_fee' and ref like ${like}), 0)::bigint as booked,
      (select count(*)::int from ledger_transfer where code = 'channel_fee' and ref like ${like}) as n
    from channel_statement s where s.id = ${id}`.execute(trx);
  const { fee = 0, booked = 0, n = 0 } = rows[0] ?? {};
  if (fee === booked) return;
  const [feeAccount, clearing] = [account.channelFee(channel, id), account.clearing(channel, id)];
  await post(trx, [
    {
      code: 'channel_fee',
      ref: `${channel}:${day}:${n + 1}`,
      debit: fee > booked ? feeAccount : clearing,
      credit: fee > booked ? clearing : feeAccount,
      fen: Math.abs(fee - booked),
      dist: PLATFORM_DIST_ID,
    },
  ]);
}

/** Matches a channel's open lines again, after something was booked. */
export async function matchAgain(ctx: Context, channel: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`reconcile:${channel}`}))`.execute(trx);
    await match(trx, channel);
    const { rows } = await sql<{ day: string }>`
      select distinct day::text as day from reconcile_difference where channel = ${channel} and resolved_at is null`.execute(
      trx,
    );
    for (const { day } of rows) await findDifferences(trx, channel, day);
  });
}

const FETCH_HOUR = 10;
const LOOK_BACK_DAYS = 3;
const HOUR_SECONDS = 3600;

/** The job that fetches missing statements of the last days, hourly from 10:00 (China) until they are available. */
export async function fetchStatements(ctx: Context, now = new Date()): Promise<void> {
  for (const channel of ctx.pay.values()) {
    for (let back = 1; channel.statement && back <= LOOK_BACK_DAYS; back++) {
      if (back === 1 && Number(chinaClock(now).slice(11, 13)) < FETCH_HOUR) continue;
      const day = chinaDay(new Date(now.getTime() - back * DAY_MS));
      const { rows } =
        await sql`select 1 from channel_statement where channel = ${channel.name} and day = ${day}::date`.execute(
          ctx.db,
        );
      if (rows.length > 0) continue;
      try {
        await fetchStatement(ctx, channel.name, day, null);
      } catch (error) {
        ctx.log.warn({ channel: channel.name, day, error: String(error) }, 'no statement; retried in an hour');
      }
    }
  }
  await schedule(ctx.db, 'reconcile.fetch', 'all', { seconds: HOUR_SECONDS });
}

/** Fetches one day's statement from the channel and imports it. Throws PAY_CHANNEL_CLOSED, BAD_INPUT, UnknownResult. */
export async function fetchStatement(
  ctx: Context,
  channel: string,
  day: string,
  staffId: number | null,
  also?: AlsoImport,
) {
  const port = ctx.pay.get(channel);
  if (!port?.statement) throw new AppError('PAY_CHANNEL_CLOSED', { text: '该渠道不能自动获取账单，请上传文件' });
  const file = await port.statement(day);
  return await importStatement(ctx, { channel, day, file, fileName: null, source: 'fetch', staffId }, also);
}

/** Schedules an immediate query of the channel about a payment. */
export async function recheck(trx: Trx, paymentId: number): Promise<void> {
  await setTimer(trx, RECHECK, paymentId, 0);
}

/** Closes a difference with an explanation, once. Returns its number and its amount in fen; undefined when it was closed before. */
export async function resolveDifference(
  trx: Trx,
  differenceId: number,
  by: { staffId: number; note: string },
): Promise<{ number: string; fen: number | null } | undefined> {
  const { rows } = await sql<{ number: string; fen: number | null }>`
    update reconcile_difference set resolved_at = now(), resolved_by = ${by.staffId}, note = ${by.note}
    where id = ${differenceId} and resolved_at is null returning number, coalesce(theirs_fen, ours_fen) as fen`.execute(
    trx,
  );
  return rows[0];
}
