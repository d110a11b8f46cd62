import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import { yuanLabel } from '#contract/wire.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countedDeposit, depositRoleNames } from '#subjects/deposits/server/service.ts';
import { contactAad, PROVIDER_COLUMNS, type ProviderRow } from './queries.ts';
import type { ProviderKind, ProviderStatus } from './rules.ts';

export interface ReviewRow extends ProviderRow {
  nickName: string;
  /** Decrypted, for staff only. */
  contact: string;
  distName: string;
}

/** Applications and changes, pending ones first; `waiting` returns only those. */
export async function reviewList(
  ctx: Context,
  q: {
    kind: ProviderKind | undefined;
    status: ProviderStatus | undefined;
    waiting: boolean;
    distId: number | null;
    limit: number;
    offset: number;
  },
): Promise<{ rows: ReviewRow[]; total: number }> {
  const parts = [sql`true`];
  if (q.kind) parts.push(sql`p.kind = ${q.kind}`);
  if (q.status) parts.push(sql`p.status = ${q.status}`);
  if (q.waiting) parts.push(sql`(p.status = 'reviewing' or p.pending is not null)`);
  if (q.distId !== null) parts.push(sql`p.dist_id = ${q.distId}`);
  const where = sql.join(parts, sql` and `);
  const { rows } = await sql<Omit<ReviewRow, 'contact'> & { contact_enc: Buffer | null; total: number }>`
    select ${PROVIDER_COLUMNS}, p.contact_enc, u.nick_name as "nickName", d.name as "distName", (count(*) over ())::int as total
    from provider p join app_user u on u.id = p.user_id join distributor d on d.id = p.dist_id where ${where}
    order by (p.status = 'reviewing' or p.pending is not null) desc, p.updated_at, p.id limit ${q.limit} offset ${q.offset}`.execute(
    ctx.db,
  );
  return {
    rows: rows.map(({ contact_enc, total: _total, ...row }) => ({
      ...row,
      contact: contact_enc ? decrypt(ctx.keys, contactAad(row.id), contact_enc) : '',
    })),
    total: rows[0]?.total ?? 0,
  };
}

export type Decision = 'approve' | 'refuse' | 'suspend' | 'restore';

const STEPS: Readonly<Record<Decision, { from: ProviderStatus[]; to: ProviderStatus; kind: string }>> = {
  approve: { from: ['reviewing'], to: 'approved', kind: 'approved' },
  refuse: { from: ['reviewing'], to: 'refused', kind: 'refused' },
  suspend: { from: ['approved'], to: 'suspended', kind: 'suspended' },
  restore: { from: ['suspended'], to: 'approved', kind: 'restored' },
};

/** Rejects opening a role for a user whose counted deposit is below the requested level. Throws SHOP_DEPOSIT. */
async function requireDeposit(trx: Trx, row: { userId: number; kind: ProviderKind; level: number }): Promise<void> {
  const { levels, countedFen } = await countedDeposit(trx, row.userId, row.kind);
  const required = (levels.find(({ level }) => level === row.level) ?? levels[0])?.amountFen ?? 0;
  if (countedFen >= required) return;
  throw new AppError('SHOP_DEPOSIT', {
    text: `该用户的${depositRoleNames[row.kind]}保证金有效金额为 ${yuanLabel(countedFen)} 元，低于申请等级所需的 ${yuanLabel(required)} 元，请对方缴足后再通过`,
  });
}

/**
 * Decides on an application, on a change that waits (approve takes it over, refuse drops it and leaves the old), or on the role itself. Of
 * two concurrent decisions the second throws PROVIDER_STATE. A role without its required deposit throws SHOP_DEPOSIT. `also` runs in the same
 * transaction (audit).
 */
export async function decideProvider(
  ctx: Context,
  staff: { id: number; distId: number | null },
  request: { id: number; decision: Decision; reason: string | undefined; updatedAt: Date },
  also: (trx: Trx, row: { userId: number; kind: string }) => Promise<void>,
): Promise<void> {
  const { id, decision, reason } = request;
  const step = STEPS[decision];
  await inTransaction(ctx.db, async (trx) => {
    const mine = staff.distId === null ? sql`` : sql`and dist_id = ${staff.distId}`;
    // Compared to the millisecond, the browser's precision: a record changed since it was read is not decided on.
    const seen = sql`and date_trunc('milliseconds', updated_at) = ${request.updatedAt}`;
    const { rows } = await sql<{ userId: number; kind: ProviderKind; level: number }>`
      update provider set status = ${step.to}, review_note = ${reason ?? null}, reviewed_by = ${staff.id}, reviewed_at = now(), updated_at = now(),
        online = (${step.to} = 'approved')
      where id = ${id} and status = any(${step.from}) ${mine} ${seen} returning user_id as "userId", kind, deposit_level as level`.execute(
      trx,
    );
    if (rows[0] && step.to === 'approved') await requireDeposit(trx, rows[0]);
    const row = rows[0] ?? (decision === 'approve' || decision === 'refuse' ? await decidePending(trx) : undefined);
    if (!row) throw new AppError('PROVIDER_STATE');
    await sql`insert into provider_event (provider_id, kind, actor, detail)
      values (${id}, ${step.kind}, ${`staff:${staff.id}`}, ${JSON.stringify({ reason })}::jsonb)`.execute(trx);
    await emit(trx, 'provider.decided', { providerId: id, userId: row.userId, kind: row.kind, decision, reason });
    await also(trx, row);

    async function decidePending(inside: Trx) {
      const decided = await sql<{ userId: number; kind: string }>`
        update provider p set pending = null, review_note = ${reason ?? null}, reviewed_by = ${staff.id}, reviewed_at = now(), updated_at = now(),
          name = case when ${decision} = 'approve' then coalesce(p.pending->>'name', p.name) else p.name end,
          intro = case when ${decision} = 'approve' then coalesce(p.pending->>'intro', p.intro) else p.intro end,
          avatar = case when ${decision} = 'approve' then coalesce(p.pending->>'avatar', p.avatar) else p.avatar end,
          pictures = case when ${decision} = 'approve' then coalesce(p.pending->'pictures', p.pictures) else p.pictures end,
          voice = case when ${decision} = 'approve' then coalesce(p.pending->>'voice', p.voice) else p.voice end,
          games = case when ${decision} = 'approve' and p.pending ? 'games'
            then array(select jsonb_array_elements_text(p.pending->'games')::int) else p.games end
        where id = ${id} and pending is not null and status = 'approved' ${mine} ${seen}
        returning user_id as "userId", kind`.execute(inside);
      return decided.rows[0];
    }
  });
}
