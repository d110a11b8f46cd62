import { chinaDay } from '#contract/rules/time/china-time.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { importLines } from '#subjects/payments/server/reconcile.ts';
import type { StatementLine } from '#subjects/payments/server/statement-file.ts';
import { type Market, staffId } from '../market.ts';

const CHANNEL = 'sandbox';
const DAY = 1440;
/** Days before today with an imported statement; the third one is missing, so that the page shows a request. */
const STATEMENT_DAYS = [5, 4, 2, 1];

interface Movement {
  kind: 'pay' | 'refund' | 'transfer';
  number: string;
  fen: number;
  at: Date;
}

/** What the channel moved on a day, as our own books tell it. */
async function loadMovements(market: Market, day: string): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select kind, number, fen, at from channel_movement
    where channel = ${CHANNEL} and transfer_id is not null and (at at time zone 'Asia/Shanghai')::date = ${day}::date order by at, number`.execute(
    market.db,
  );
  return rows;
}

function linesOf(day: string, movements: readonly Movement[]): StatementLine[] {
  const lines = movements.map(
    ({ kind, number, fen, at }, i): StatementLine => ({
      lineNo: i + 1,
      kind,
      tradeNo: `SBX${day.replaceAll('-', '')}${String(i).padStart(6, '0')}`,
      number,
      originSn: null,
      amountFen: fen,
      at,
    }),
  );
  const paid = movements.reduce((sum, m) => (m.kind === 'pay' ? sum + m.fen : sum), 0);
  const fee = Math.round(paid * 0.006);
  if (fee === 0) return lines;
  const at = new Date(`${day}T23:59:00+08:00`);
  return [
    ...lines,
    { lineNo: lines.length + 1, kind: 'fee', tradeNo: `SBXF${day}`, number: '', originSn: null, amountFen: fee, at },
  ];
}

/** Faults of some days: a line that was lost, one with another amount, and ones that no one knows, the older of them still open. */
function withFaults(lines: StatementLine[], back: number): StatementLine[] {
  if (back === 2) return lines.slice(1);
  if (back !== 1 && back !== 4) return lines;
  const first = lines[0];
  if (!first || first.kind === 'fee') return lines;
  const odd = {
    ...first,
    lineNo: lines.length + 1,
    tradeNo: `${first.tradeNo}X`,
    number: 'YSDEMO0000UNKNOWN',
    amountFen: 8_800,
  };
  return [{ ...first, amountFen: first.amountFen - Math.min(1_000, first.amountFen - 1) }, ...lines.slice(1), odd];
}

/** Statements of the last days: most lines fit, some do not, and an older difference was explained by finance. */
export async function storeStatements(market: Market): Promise<void> {
  const finance = staffId(market, 'caiwu');
  for (const back of STATEMENT_DAYS) {
    const day = chinaDay(market.ago(back * DAY));
    const lines = withFaults(linesOf(day, await loadMovements(market, day)), back);
    const hash = createHash('sha256').update(`demo ${day}`).digest();
    await importLines(market.db, {
      channel: CHANNEL,
      day,
      fileName: `沙箱账单_${day}.csv`,
      source: 'upload',
      staffId: finance,
      lines,
      hash,
    });
    const takenAt = new Date(Date.parse(`${day}T10:20:00+08:00`) + DAY * 60_000);
    await sql`update channel_statement set created_at = least(${takenAt}, now()) where channel = ${CHANNEL} and day = ${day}::date`.execute(
      market.db,
    );
    await sql`update reconcile_difference set opened_at = least(${takenAt}, now()) where channel = ${CHANNEL} and day = ${day}::date`.execute(
      market.db,
    );
  }
  const lost = chinaDay(market.ago(2 * DAY));
  await sql`update reconcile_difference set resolved_at = opened_at + interval '70 minutes', resolved_by = ${finance}, note = '渠道客服确认漏记，次日账单补出'
    where channel = ${CHANNEL} and day = ${lost}::date and side = 'ours'`.execute(market.db);
  await sql`insert into audit_log (staff_id, act, target, detail, ip, created_at)
    select ${finance}, 'reconcile.resolve', 'difference:' || number, jsonb_build_object('amountFen', ours_fen, 'note', note), '127.0.0.1', resolved_at
    from reconcile_difference where resolved_by is not null`.execute(market.db);
}
