import { sql, type Transaction } from 'kysely';
import { LISTED_DAYS } from '../../rules/black.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { DB } from '#server/db/types.gen.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { newBlackSn, writeBlackEvent, writeBlackKeys } from '../black-report.ts';
import { numberIndex } from '../numbers.ts';
import { reportAad } from '../service-check.ts';

/** The person deciding, the distributor whose rows they may decide on, and the audit entry written in the same transaction. */
export interface TrustDecision {
  staffId: number;
  /** The distributor whose rows the caller may decide on; null = all. */
  distId: number | null;
  also: (trx: Transaction<DB>, detail: Record<string, unknown>) => Promise<void>;
}

const scope = (distId: number | null) => sql`(${distId}::int is null or e.dist_id = ${distId}::int)`;

interface EntryRow {
  id: number;
  reporterId: number | null;
}

/** Changes an entry's status from the expected one; of two concurrent decisions the second fails with BLACK_STATE. */
async function move(trx: Trx, by: TrustDecision, decision: BlackDecision): Promise<EntryRow> {
  const { act: action, blackSn } = decision;
  const from = action === 'remove' ? 'listed' : 'reviewing';
  const change =
    action === 'list'
      ? sql`status = 'listed', public_text = ${decision.publicText ?? ''}, listed_at = now(),
          expires_at = now() + make_interval(days => ${decision.days ?? LISTED_DAYS[0]})`
      : sql`status = ${action === 'reject' ? 'rejected' : 'removed'}`;
  const { rows } = await sql<EntryRow>`
    update black_entry e set ${change}, review_note = ${decision.note ?? null}, reviewed_by = ${by.staffId}, updated_at = now()
    where e.sn = ${blackSn} and e.status = ${from} and ${scope(by.distId)} returning e.id, e.reporter_id as "reporterId"`.execute(
    trx,
  );
  if (!rows[0]) throw new AppError('BLACK_STATE');
  return rows[0];
}

export interface BlackDecision {
  blackSn: string;
  act: 'list' | 'reject' | 'remove';
  publicText?: string | undefined;
  days?: number | undefined;
  note?: string | undefined;
}

/**
 * Lists a report, rejects it with a reason for its reporter, or removes a listed entry with a reason. Writes the event black.decided {userId,
 * blackSn, act}. Throws BAD_INPUT without the text or reason that `act` requires, BLACK_STATE.
 */
export async function decideBlackEntry(ctx: Context, by: TrustDecision, decision: BlackDecision): Promise<void> {
  if (decision.act === 'list' && !decision.publicText)
    throw new AppError('BAD_INPUT', { text: '请填写公示内容', field: 'publicText' });
  if (decision.act !== 'list' && !decision.note) throw new AppError('BAD_INPUT', { text: '请填写原因', field: 'note' });
  await inTransaction(ctx.db, async (trx) => {
    const { id, reporterId } = await move(trx, by, decision);
    const kind = { list: 'listed', reject: 'rejected', remove: 'removed' }[decision.act];
    await writeBlackEvent(trx, { entryId: id, kind, actor: `staff:${by.staffId}`, explain: decision.note ?? '' });
    if (reporterId !== null)
      await emit(trx, 'black.decided', { userId: reporterId, blackSn: decision.blackSn, act: decision.act });
    await by.also(trx, { act: decision.act, days: decision.days, note: decision.note });
  });
}

export interface StaffEntry {
  reason: string;
  title: string;
  accounts: readonly { kind: string; value: string }[];
  publicText: string;
  /** The grounds; never public. */
  grounds: string;
  days: number;
}

/**
 * Lists what staff found themselves, without a report. Returns the entry's public number. The person named may appeal as against any other
 * entry, and another member of staff decides. Throws BLACK_STATE when an entry of staff names one of the accounts already.
 */
export async function addStaffEntry(
  ctx: Context,
  trx: Transaction<DB>,
  by: Omit<TrustDecision, 'also'>,
  entry: StaffEntry,
): Promise<string> {
  const hashes = entry.accounts.map(({ value }) => numberIndex(ctx.keys, value));
  // Serialises concurrent entries, so that two people do not list the same account.
  await sql`select pg_advisory_xact_lock(hashtext('black_entry.staff'))`.execute(trx);
  const known = await sql<{ sn: string }>`
    select e.sn from black_key k join black_entry e on e.id = k.entry_id
    where k.value_hash = any(${hashes}::bytea[]) and e.source = 'staff' and e.status = 'listed' and e.expires_at > now() limit 1`.execute(
    trx,
  );
  if (known.rows[0])
    throw new AppError('BLACK_STATE', { text: `这个账号已登记，编号 ${known.rows[0].sn}`, field: 'accounts' });
  const sn = newBlackSn();
  const { rows } = await sql<{ id: number }>`
    insert into black_entry (sn, dist_id, reason, title, text, public_text, source, status, reviewed_by, listed_at, expires_at)
    values (${sn}, ${by.distId ?? ctx.dir.platform().id}, ${entry.reason}, ${entry.title}, ${entry.grounds}, ${entry.publicText}, 'staff', 'listed',
      ${by.staffId}, now(), now() + make_interval(days => ${entry.days})) returning id`.execute(trx);
  const entryId = rows[0]?.id ?? 0;
  await writeBlackKeys(ctx, trx, entryId, entry.accounts);
  await writeBlackEvent(trx, { entryId, kind: 'listed', actor: `staff:${by.staffId}` });
  return sn;
}

/**
 * Decides on an appeal: granting it removes the entry from the list. The person who listed the entry cannot decide. Writes the event
 * black.appealDecided {userId, blackSn, act}. Throws BLACK_STATE, BLACK_OTHER_PERSON.
 */
export async function decideBlackAppeal(
  ctx: Context,
  by: TrustDecision,
  decision: { appealId: number; act: 'grant' | 'refuse'; answer: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows: entries } = await sql<{ id: number; sn: string; isOwn: boolean }>`
      select e.id, e.sn, e.reviewed_by is not distinct from ${by.staffId} as "isOwn" from black_entry e
      where e.id = (select entry_id from black_appeal where id = ${decision.appealId}) and ${scope(by.distId)} for update`.execute(
      trx,
    );
    const entry = entries[0];
    if (!entry) throw new AppError('BLACK_STATE');
    if (entry.isOwn) throw new AppError('BLACK_OTHER_PERSON');
    const { rows } = await sql<{ userId: number }>`
      update black_appeal set status = ${decision.act === 'grant' ? 'granted' : 'refused'}, answer = ${decision.answer}, decided_by = ${by.staffId},
        decided_at = now() where id = ${decision.appealId} and status = 'reviewing' returning user_id as "userId"`.execute(
      trx,
    );
    const appellant = rows[0];
    if (!appellant) throw new AppError('BLACK_STATE');
    if (decision.act === 'grant')
      await sql`update black_entry set status = 'removed', updated_at = now() where id = ${entry.id} and status = 'listed'`.execute(
        trx,
      );
    const kind = decision.act === 'grant' ? 'removed' : 'kept';
    await writeBlackEvent(trx, { entryId: entry.id, kind, actor: `staff:${by.staffId}`, explain: decision.answer });
    if (appellant.userId !== null)
      await emit(trx, 'black.appealDecided', { userId: appellant.userId, blackSn: entry.sn, act: decision.act });
    await by.also(trx, { act: decision.act, blackSn: entry.sn });
  });
}

/** Maps kinds of a report to kinds of the blacklist; a payee becomes an Alipay account, a link has no equivalent. */
const BLACK_KIND: Readonly<Record<string, string | undefined>> = {
  qq: 'qq',
  wechat: 'wechat',
  phone: 'phone',
  payee: 'alipay',
  group: 'group',
};

interface FakeRow {
  id: number;
  dist_id: number;
  kind: string;
  value_enc: Buffer;
  value_hash: Buffer;
  text: string;
  pictures: unknown;
  user_id: number | null;
}

async function listFake(ctx: Context, trx: Trx, by: TrustDecision, row: FakeRow, publicText: string): Promise<number> {
  const kind = BLACK_KIND[row.kind];
  if (kind === undefined) throw new AppError('BAD_INPUT', { text: '网址不能列入黑号名单，请归档处理' });
  const { rows } = await sql<{ id: number }>`
    insert into black_entry (sn, dist_id, reason, title, text, public_text, pictures, reporter_id, source, status, reviewed_by, listed_at, expires_at)
    values (${newBlackSn()}, ${row.dist_id}, 'fake_service', '冒充本站客服', ${row.text}, ${publicText}, ${JSON.stringify(row.pictures)}::jsonb,
      ${row.user_id}, 'report', 'listed', ${by.staffId}, now(), now() + make_interval(days => ${LISTED_DAYS[0]})) returning id`.execute(
    trx,
  );
  const entryId = rows[0]?.id ?? 0;
  await writeBlackKeys(ctx, trx, entryId, [{ kind, value: decrypt(ctx.keys, reportAad(row.id), row.value_enc) }]);
  await writeBlackEvent(trx, { entryId, kind: 'listed', actor: `staff:${by.staffId}` });
  return entryId;
}

/**
 * Lists the number of a false customer service, or files the report. Every open report of the same number gets the same decision, so that
 * none is reviewed twice. Writes the event fakeService.decided {userId, reportId, act} for each. Throws BAD_INPUT, BLACK_STATE.
 */
export async function decideFakeReport(
  ctx: Context,
  by: TrustDecision,
  decision: { reportId: number; act: 'list' | 'reject'; publicText?: string | undefined; note?: string | undefined },
): Promise<void> {
  if (decision.act === 'list' && !decision.publicText)
    throw new AppError('BAD_INPUT', { text: '请填写公示内容', field: 'publicText' });
  if (decision.act === 'reject' && !decision.note)
    throw new AppError('BAD_INPUT', { text: '请填写原因', field: 'note' });
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<FakeRow>`
      select e.id, e.dist_id, e.kind, e.value_enc, e.value_hash, e.text, e.pictures, e.user_id from fake_service_report e
      where e.id = ${decision.reportId} and e.status = 'reviewing' and ${scope(by.distId)} for update`.execute(trx);
    const row = rows[0];
    if (!row) throw new AppError('BLACK_STATE');
    const blackId = decision.act === 'list' ? await listFake(ctx, trx, by, row, decision.publicText ?? '') : null;
    const { rows: reports } = await sql<{
      id: number;
      userId: number | null;
    }>`update fake_service_report e set status = ${decision.act === 'list' ? 'listed' : 'rejected'}, black_id = ${blackId}, note = ${decision.note ?? null},
        handled_by = ${by.staffId}, handled_at = now()
      where e.status = 'reviewing' and e.kind = ${row.kind} and e.value_hash = ${row.value_hash} and ${scope(by.distId)}
      returning e.id, e.user_id as "userId"`.execute(trx);
    for (const { id, userId } of reports)
      if (userId !== null) await emit(trx, 'fakeService.decided', { userId, reportId: id, act: decision.act });
    await by.also(trx, { act: decision.act, note: decision.note });
  });
}
