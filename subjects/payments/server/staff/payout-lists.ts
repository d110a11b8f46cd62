import { WithdrawalStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { BANK_LIST, type PayoutResult } from '#subjects/payments/rules/payout-methods.ts';
import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/payments/contract/staff-payouts.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { payoutMethod } from '#server/payout-methods.ts';
import { bookLine, enterResults } from '../payouts/results.ts';
import { exportPayouts, fileOfList } from '../payouts/list.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';

interface ListRow {
  id: number;
  sn: string;
  format: number;
  line_count: number;
  total_fen: number;
  open_count: number;
  draft_count: number;
  creator: string;
  created_at: Date;
}

const COLUMNS = sql`t.id, t.sn, t.format, t.line_count, t.total_fen, s.name as creator, t.created_at,
  (select count(*)::int from payout_line l where l.list_id = t.id and l.result is null) as open_count,
  (select count(*)::int from payout_line l where l.list_id = t.id and l.draft_result is not null) as draft_count`;
const FROM = sql`payout_list t join staff s on s.id = t.created_by`;

const viewOf = (row: ListRow) => ({
  listSn: row.sn,
  format: row.format,
  lineCount: row.line_count,
  total: row.total_fen,
  openCount: row.open_count,
  draftCount: row.draft_count,
  createdBy: row.creator,
  createTime: row.created_at,
});

async function listsWhere(call: StaffCall, where: RawBuilder<unknown>): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`select ${COLUMNS} from ${FROM} where ${where}`.execute(call.ctx.db);
  return rows;
}

/** The payout lists, and the approved withdrawals that are not in a list. Throws FORBIDDEN. */
export async function listPayoutLists(
  call: StaffCall,
  input: Parsed<typeof c.payoutLists>,
): Promise<HandlerResult<typeof c.payoutLists>> {
  requirePlatform(call.staff, 'withdrawal.read');
  const { ctx } = call;
  const page = pageOf(input, sql`t.id`);
  const { rows, next } = page.cut(await listsWhere(call, sql`true ${page.behind} ${page.tail}`));
  const unlisted = await sql<{ n: number; fen: number }>`
    select count(*)::int as n, coalesce(sum(amount_fen - fee_fen), 0)::bigint as fen from withdrawal
    where status = ${sql.lit(WithdrawalStatus.Paying)} and channel = ${BANK_LIST} and list_id is null`.execute(ctx.db);
  const { n = 0, fen = 0 } = unlisted.rows[0] ?? {};
  return {
    list: rows.map(viewOf),
    unlisted: { count: n, total: fen },
    isOpen: payoutMethod(ctx, 'bank')?.name === BANK_LIST,
    ...(await loadCount(ctx.db, FROM)),
    next,
  };
}

interface LineRow {
  id: number;
  line_no: number;
  sn: string;
  channel_no: string | null;
  nick_name: string;
  name_mask: string | null;
  account_mask: string;
  amount_fen: number;
  result: PayoutResult | null;
  detail: string | null;
  draft_result: PayoutResult | null;
  draft_detail: string | null;
  draft_by: number | null;
  draft_no: number;
  drafter: string | null;
  enterer: string | null;
  booker: string | null;
  booked_at: Date | null;
}

/** A list with its lines, account numbers masked. Throws FORBIDDEN, NOT_FOUND. */
export async function describePayoutList(
  call: StaffCall,
  { listSn }: Parsed<typeof c.payoutListInfo>,
): Promise<HandlerResult<typeof c.payoutListInfo>> {
  requirePlatform(call.staff, 'withdrawal.read');
  const [list] = await listsWhere(call, sql`t.sn = ${listSn}`);
  if (!list) throw new AppError('NOT_FOUND');
  const { rows } = await sql<LineRow>`
    select l.id, l.line_no, w.sn, w.channel_no, u.nick_name, r.name_mask, p.account_mask, l.amount_fen, l.result, l.detail,
      l.draft_result, l.draft_detail, l.draft_by, l.draft_no, d.name as drafter, e.name as enterer, b.name as booker, l.booked_at
    from payout_line l join withdrawal w on w.id = l.withdrawal_id join app_user u on u.id = w.user_id
      join payout_account p on p.id = w.payout_account_id
      left join real_name r on r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)}
      left join staff d on d.id = l.draft_by left join staff e on e.id = l.entered_by left join staff b on b.id = l.booked_by
    where l.list_id = ${list.id} order by l.line_no`.execute(call.ctx.db);
  return {
    list: viewOf(list),
    lines: rows.map((row) => ({
      lineId: row.id,
      lineNo: row.line_no,
      withdrawSn: row.sn,
      payoutNo: row.channel_no ?? '',
      nickName: row.nick_name,
      realNameMask: row.name_mask,
      accountMask: row.account_mask,
      amount: row.amount_fen,
      result: row.result,
      detail: row.detail,
      draftResult: row.draft_result,
      draftDetail: row.draft_detail,
      draftBy: row.drafter,
      draftNo: row.draft_no,
      isMine: row.draft_by === call.staff.id,
      enteredBy: row.enterer,
      bookedBy: row.booker,
      bookedTime: row.booked_at,
    })),
  };
}

/** The check before every action that moves money of the lists. Throws FORBIDDEN, FACTOR_REQUIRED. */
function requireFinance(call: StaffCall): void {
  requirePlatform(call.staff, 'payout.book');
  requireFactor(call);
}

/**
 * Creates a list of all approved payouts that are not in one. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND when there
 * are none.
 */
export async function exportList(call: StaffCall): Promise<HandlerResult<typeof c.exportPayoutList>> {
  requireFinance(call);
  const { ctx, staff, ip, idem } = call;
  const { listSn, lineCount, totalFen } = await exportPayouts(ctx, { staffId: staff.id, idem }, (trx, made) =>
    audit(
      trx,
      staff,
      'payout.export',
      `payout:${made.listSn}`,
      { lines: made.lineCount, amountFen: made.totalFen },
      ip,
    ),
  );
  return { listSn, lineCount, total: totalFen };
}

/**
 * The file with names and full account numbers; each download is recorded. Throws FORBIDDEN, FACTOR_REQUIRED,
 * NOT_FOUND.
 */
export async function downloadList(
  call: StaffCall,
  { listSn }: Parsed<typeof c.payoutListFile>,
): Promise<HandlerResult<typeof c.payoutListFile>> {
  requireFinance(call);
  const { ctx, staff, ip } = call;
  const file = await fileOfList(ctx, listSn);
  await inTransaction(ctx.db, (trx) => audit(trx, staff, 'payout.download', `payout:${listSn}`, {}, ip));
  return file;
}

/** One person enters the bank's results. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, WITHDRAW_STATE. */
export async function enterList(
  call: StaffCall,
  { listSn, lines }: Parsed<typeof c.enterPayoutResults>,
): Promise<HandlerResult<typeof c.enterPayoutResults>> {
  requireFinance(call);
  const { ctx, staff, ip } = call;
  await enterResults(ctx, { listSn, staffId: staff.id }, lines, (trx, { count }) =>
    audit(trx, staff, 'payout.enter', `payout:${listSn}`, { lines: count, results: lines }, ip),
  );
  return { count: lines.length };
}

/**
 * Confirmation by another person. Each line is booked in its own transaction; lines that cannot be booked are returned with the
 * reason. Throws FORBIDDEN, FACTOR_REQUIRED.
 */
export async function bookList(
  call: StaffCall,
  { listSn, lines }: Parsed<typeof c.bookPayoutResults>,
): Promise<HandlerResult<typeof c.bookPayoutResults>> {
  requireFinance(call);
  const { ctx, staff, ip } = call;
  const failed: { lineId: number; text: string }[] = [];
  for (const line of lines)
    try {
      await bookLine(ctx, { listSn, staffId: staff.id }, line, (trx, booked) =>
        audit(trx, staff, 'payout.book', `withdrawal:${booked.withdrawalSn}`, { ...booked, listSn }, ip),
      );
    } catch (error) {
      const known = asAppError(error);
      if (!known) throw error;
      failed.push({ lineId: line.lineId, text: known.text });
    }
  return { booked: lines.length - failed.length, failed };
}
