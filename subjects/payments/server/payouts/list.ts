import { BANK_LIST } from '../../rules/payout-methods.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { yuanText } from '#contract/wire.ts';
import type { Idem } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { decrypt, sha256 } from '#server/kernel/secrets/crypto.ts';
import { CSV_BOM, csvLine } from '#server/kernel/csv.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';

/** Maximum lines of a list: banks accept files of some hundred lines, and two people must be able to review them. */
export const MAX_LINES = 500;

/** The columns of each version of the file. Add a new version for a change; existing lists keep theirs. */
const FORMATS: ReadonlyMap<number, readonly string[]> = new Map([
  [1, ['序号', '打款编号', '收款人姓名', '收款银行卡号', '金额（元）', '用途']],
]);
const FORMAT = 1;

interface Line {
  line_no: number;
  withdrawal_id: number;
  user_id: number;
  channel_no: string | null;
  amount_fen: number;
  account_enc: Buffer;
  name_enc: Buffer;
}

/** The file of a list: the same lines give the same bytes. Numbers end in a tab because spreadsheets would round them otherwise. */
function fileText(ctx: Context, listSn: string, format: number, lines: readonly Line[]): string {
  const heading = FORMATS.get(format);
  if (!heading) throw new Error(`payout list ${listSn} has the unknown format ${format}`);
  const rows = lines.map((line) =>
    csvLine([
      String(line.line_no),
      `${line.channel_no ?? ''}\t`,
      decrypt(ctx.keys, `payout_account.name_enc:${line.user_id}`, line.name_enc),
      `${decrypt(ctx.keys, `payout_account.account_enc:${line.user_id}`, line.account_enc)}\t`,
      yuanText(line.amount_fen),
      `提现 ${listSn}`,
    ]),
  );
  return CSV_BOM + csvLine(heading) + rows.join('');
}

/** Locks the approved payouts to bank cards that are in no list. A concurrent export waits here and then finds these rows marked. */
async function lockUnlisted(trx: Trx): Promise<Line[]> {
  const { rows } = await sql<Omit<Line, 'line_no'>>`
    select w.id as withdrawal_id, w.user_id, w.channel_no, w.amount_fen - w.fee_fen as amount_fen, p.account_enc, p.name_enc
    from withdrawal w join payout_account p on p.id = w.payout_account_id
    where w.status = ${WithdrawalStatus.Paying} and w.channel = ${BANK_LIST} and w.list_id is null
    order by w.id limit ${MAX_LINES} for update of w`.execute(trx);
  return rows.map((row, i) => ({ ...row, line_no: i + 1 }));
}

export interface ExportedList {
  listSn: string;
  lineCount: number;
  totalFen: number;
}

/** Runs in the export's transaction and writes its audit entry. */
type AlsoExport = (trx: Trx, list: ExportedList) => Promise<void>;

/**
 * Puts every approved payout to a bank card that is in no list into a new one, at most 500. No withdrawal is in two lists: each is marked in
 * the transaction, and an index allows one line that was not requeued. Throws NOT_FOUND when there is nothing to export.
 */
export async function exportPayouts(
  ctx: Context,
  by: { staffId: number; idem: Idem | undefined },
  also: AlsoExport,
): Promise<ExportedList> {
  return await inTransaction(ctx.db, (trx) =>
    idempotent<ExportedList>(trx, by.idem, async () => {
      const lines = await lockUnlisted(trx);
      if (lines.length === 0) throw errorOf('NOT_FOUND', 'transfers');
      const listSn = channelNo('L', new Date());
      const list = {
        listSn,
        lineCount: lines.length,
        totalFen: lines.reduce((sum, line) => sum + line.amount_fen, 0),
      };
      const hash = sha256(fileText(ctx, listSn, FORMAT, lines));
      const { rows } = await sql<{ id: number }>`
        insert into payout_list (sn, format, line_count, total_fen, file_hash, created_by)
        values (${listSn}, ${FORMAT}, ${list.lineCount}, ${list.totalFen}, ${hash}, ${by.staffId}) returning id`.execute(
        trx,
      );
      const id = rows[0]?.id ?? 0;
      const ids = lines.map((line) => line.withdrawal_id);
      await sql`insert into payout_line (list_id, line_no, withdrawal_id, amount_fen)
        select ${id}, * from unnest(${lines.map((line) => line.line_no)}::int[], ${ids}::bigint[], ${lines.map((line) => line.amount_fen)}::bigint[])`.execute(
        trx,
      );
      await sql`update withdrawal set list_id = ${id}, sent_at = now() where id = any(${ids}::bigint[]) and list_id is null`.execute(
        trx,
      );
      await also(trx, list);
      return list;
    }),
  );
}

/** The file of a list, the same bytes each time. Throws NOT_FOUND; an Error when it differs from the exported file. */
export async function fileOfList(ctx: Context, listSn: string): Promise<{ name: string; text: string }> {
  const lists = await sql<{ id: number; format: number; file_hash: Buffer }>`
    select id, format, file_hash from payout_list where sn = ${listSn}`.execute(ctx.db);
  const list = lists.rows[0];
  if (!list) throw new AppError('NOT_FOUND');
  const { rows } = await sql<Line>`
    select l.line_no, l.withdrawal_id, w.user_id, w.channel_no, l.amount_fen, p.account_enc, p.name_enc
    from payout_line l join withdrawal w on w.id = l.withdrawal_id join payout_account p on p.id = w.payout_account_id
    where l.list_id = ${list.id} order by l.line_no`.execute(ctx.db);
  const text = fileText(ctx, listSn, list.format, rows);
  if (!sha256(text).equals(list.file_hash))
    throw new Error(`the file of payout list ${listSn} differs from the exported one`);
  return { name: `payout-${listSn}-v${list.format}.csv`, text };
}
