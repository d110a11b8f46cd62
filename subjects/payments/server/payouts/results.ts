import { BANK_LIST, nextPayoutResults, type PayoutResult } from '../../rules/payout-methods.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { bankNote } from './payout-reasons.ts';
import { bookReturnedPayout } from './payout-recheck.ts';
import { endWithdrawal } from './payout.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

/** The entry of one person for a line: the bank's reference if it was paid, otherwise the reason. */
export interface LineResult {
  lineId: number;
  result: PayoutResult;
  detail: string;
}

interface LineRow {
  id: number;
  line_no: number;
  list_id: number;
  withdrawal_id: number;
  result: PayoutResult | null;
  draft_result: PayoutResult | null;
  draft_detail: string | null;
  draft_by: number | null;
  draft_no: number;
}

const COLUMNS = sql`l.id, l.line_no, l.list_id, l.withdrawal_id, l.result, l.draft_result, l.draft_detail, l.draft_by, l.draft_no`;

/** Runs in the transaction of an entry or a booking and writes its audit entry. */
type Also<T> = (trx: Trx, done: T) => Promise<void>;

const notNow = (lineNo: number): AppError =>
  new AppError('WITHDRAW_STATE', { text: `第 ${lineNo} 行的结果已登记，请刷新后再看`, field: 'lines' });

/**
 * Enters the bank's results for lines of a list, all or none; a colleague confirms them. An entry that is not confirmed yet is replaced.
 * Throws NOT_FOUND for a line of another list, WITHDRAW_STATE for a result that may not follow the booked one.
 */
export async function enterResults(
  ctx: Context,
  { listSn, staffId }: { listSn: string; staffId: number },
  results: readonly LineResult[],
  also: Also<{ count: number }>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<LineRow>`
      select ${COLUMNS} from payout_line l join payout_list t on t.id = l.list_id
      where t.sn = ${listSn} and l.id = any(${results.map(({ lineId }) => lineId)}::bigint[]) order by l.id for update of l`.execute(
      trx,
    );
    const lines = new Map(rows.map((row) => [row.id, row]));
    for (const { lineId, result, detail } of results) {
      const line = lines.get(lineId);
      if (!line) throw new AppError('NOT_FOUND');
      if (!nextPayoutResults(line.result).includes(result)) throw notNow(line.line_no);
      await sql`update payout_line set draft_result = ${result}, draft_detail = ${detail}, draft_by = ${staffId}, draft_at = now(), draft_no = draft_no + 1
        where id = ${lineId}`.execute(trx);
    }
    await also(trx, { count: results.length });
  });
}

/**
 * Changes the withdrawal of a line by its result and books it. Throws WITHDRAW_STATE when the withdrawal is not in the state that the line
 * expects.
 */
async function applyResult(trx: Trx, line: LineRow, result: PayoutResult, detail: string): Promise<void> {
  const paying = sql`id = ${line.withdrawal_id} and status = ${WithdrawalStatus.Paying} and channel = ${BANK_LIST} and list_id = ${line.list_id}`;
  if (result === 'bounced') {
    const note = bankNote('打款后被退回', detail);
    if (!(await bookReturnedPayout(trx, line.withdrawal_id, { code: detail, note }))) throw notNow(line.line_no);
    return;
  }
  if (result === 'requeued') {
    const back = await sql`update withdrawal set list_id = null, sent_at = null where ${paying} returning id`.execute(
      trx,
    );
    if (back.rows.length === 0) throw notNow(line.line_no);
    return;
  }
  const isPaid = result === 'paid';
  const { rows } = await sql<WithdrawalRow>`
    update withdrawal set status = ${isPaid ? WithdrawalStatus.Paid : WithdrawalStatus.Returned}, paid_at = ${isPaid ? sql`now()` : sql`null`},
      note = ${isPaid ? `银行流水号 ${detail}` : bankNote('银行拒绝', detail)}, channel_reason = ${detail}
    where ${paying} returning *`.execute(trx);
  const row = rows[0];
  if (!row) throw notNow(line.line_no);
  await endWithdrawal(trx, row, isPaid, isPaid ? '已打款' : '银行拒绝，已退回');
}

export interface BookedLine {
  withdrawalSn: string;
  result: PayoutResult;
  detail: string;
  enteredBy: number;
}

/**
 * Confirms the entry `draftNo` of a line and books it, once. Throws NOT_FOUND, SECOND_PERSON for the person who entered it, WITHDRAW_STATE when it
 * was entered again or booked meanwhile.
 */
export async function bookLine(
  ctx: Context,
  { listSn, staffId }: { listSn: string; staffId: number },
  { lineId, draftNo }: { lineId: number; draftNo: number },
  also: Also<BookedLine>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<LineRow & { withdrawal_sn: string }>`
      select ${COLUMNS}, w.sn as withdrawal_sn from payout_line l join payout_list t on t.id = l.list_id join withdrawal w on w.id = l.withdrawal_id
      where t.sn = ${listSn} and l.id = ${lineId} for update of l`.execute(trx);
    const line = rows[0];
    if (!line) throw new AppError('NOT_FOUND');
    const { draft_result: result, draft_detail: detail, draft_by: enteredBy } = line;
    if (result === null || detail === null || enteredBy === null || line.draft_no !== draftNo)
      throw notNow(line.line_no);
    if (enteredBy === staffId) throw new AppError('SECOND_PERSON', { text: '登记的人不能自己复核，请另一位同事确认' });
    await applyResult(trx, line, result, detail);
    await sql`update payout_line set result = draft_result, detail = draft_detail, entered_by = draft_by, booked_by = ${staffId}, booked_at = now(),
        draft_result = null, draft_detail = null, draft_by = null, draft_at = null
      where id = ${lineId}`.execute(trx);
    await also(trx, { withdrawalSn: line.withdrawal_sn, result, detail, enteredBy });
  });
}
