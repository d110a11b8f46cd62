import { sql } from 'kysely';
import type * as c from '#subjects/back-office/contract/dead-letters.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { deadLetterOutcomeNames } from '../../rules/dead-letters.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { aboutOf, decideLetter, isKnown } from '#server/jobs/dead-letters.ts';
import { failureReason } from '#server/jobs/failure-reason.ts';
import { effectName } from '#server/jobs/names.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadCount, pageOf } from '#server/staff/paging.ts';

const WHAT_NAMES = { job: '定时任务', event: '事件' } as const;

interface Row {
  id: number;
  what: 'job' | 'event';
  name: string;
  ref: string;
  payload: Record<string, unknown>;
  error: string;
  attempts: number;
  first: Date;
  last: Date;
  status: string;
  decider: string | null;
  note: string | null;
  decided: Date | null;
}

/** Failed jobs and events, newest first. Throws FORBIDDEN for staff bound to a distributor. */
export async function listDeadLetters(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.deadLetterList>,
): Promise<HandlerResult<typeof c.deadLetterList>> {
  requirePlatform(staff, 'job.read');
  const where = input.status === 'open' ? sql`d.status = 'open'` : sql`d.status <> 'open'`;
  const page = pageOf(input, sql`d.id`);
  const [{ rows }, count] = await Promise.all([
    sql<Row>`
      select d.id, d.what, d.name, d.ref, d.payload, d.error, d.attempts, d.first_failed_at as first, d.last_failed_at as last, d.status,
        s.name as decider, d.note, d.decided_at as decided
      from dead_letter d left join staff s on s.id = d.staff_id where ${where} ${page.behind} ${page.tail}`.execute(
      ctx.db,
    ),
    loadCount(ctx.db, sql`dead_letter d where ${where}`),
  ]);
  const part = page.cut(rows);
  return {
    list: part.rows.map((row) => ({
      id: row.id,
      what: row.what,
      whatName: WHAT_NAMES[row.what],
      name: row.name,
      title: effectName(row.name),
      ref: row.ref,
      about: aboutOf(row.payload),
      reason: failureReason(row.error),
      error: row.error,
      attempts: row.attempts,
      firstTime: row.first,
      lastTime: row.last,
      outcome: deadLetterOutcomeNames[row.status] ?? null,
      decider: row.decider,
      note: row.note,
      decideTime: row.decided,
    })),
    ...count,
    next: part.next,
  };
}

/**
 * Runs one again or discards it, with its audit entry, once. Throws FORBIDDEN, NOT_FOUND when it is not open, BAD_INPUT
 * for a kind that the program no longer has.
 */
export async function decideDeadLetter(
  { ctx, staff, ip }: StaffCall,
  { id, act: action, reason }: Parsed<typeof c.decideDeadLetter>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'job.act');
  await inTransaction(ctx.db, async (trx) => {
    const letter = await decideLetter(trx, id, { action, staffId: staff.id, note: reason });
    if (letter === undefined) throw errorOf('NOT_FOUND', 'deadLetter');
    if (action === 'again' && !isKnown(letter))
      throw new AppError('BAD_INPUT', { text: '当前版本已没有这种任务，只能放弃' });
    const detail = { what: letter.what, name: letter.name, ref: letter.ref, reason };
    await audit(trx, staff, action === 'again' ? 'job.again' : 'job.discard', `job:${id}`, detail, ip);
  });
  return {};
}
