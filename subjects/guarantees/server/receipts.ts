import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Idem } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { lockedClaim, onClaim, type OpenClaim, step } from './clock.ts';
import { claimForStaff } from './decide.ts';
import type { ClaimRow } from './queries.ts';

/** A receipt entered by staff. */
export interface Receipt {
  id: number;
  amountFen: number;
  paidOn: string;
  note: string;
  pictures: { key: string }[];
  staffName: string;
  at: Date;
  isStruck: boolean;
}

const MAX_RECEIPTS = 50;

/** Receipts of a claim, oldest first, including those that were struck out. */
export async function loadReceipts(db: Trx, claimId: number): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select r.id, r.amount_fen as "amountFen", r.paid_on::text as "paidOn", r.note, r.pictures, f.name as "staffName", r.created_at as at,
      r.struck_at is not null as "isStruck"
    from guarantee_receipt r join staff f on f.id = r.staff_id where r.claim_id = ${claimId} order by r.id`.execute(db);
  return rows;
}

/** Pictures that the claimant submitted with the claim or later. */
export async function loadProofs(
  db: Trx,
  claim: Pick<ClaimRow, 'id' | 'userId' | 'pictures'>,
): Promise<{ key: string }[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct p->>'key' as key from guarantee_claim_step s, jsonb_array_elements(s.pictures) p
    where s.claim_id = ${claim.id} and s.actor = ${`user:${claim.userId}`}`.execute(db);
  const keys = new Set([...claim.pictures, ...rows].map(({ key }) => key));
  return [...keys].map((key) => ({ key }));
}

/** Whether the claim's terms pay by receipts. */
export const takesReceipts = (claim: Pick<ClaimRow, 'terms'>): boolean =>
  Object.values(claim.terms.reasons ?? {}).some((terms) => terms?.most === 'receipts');

interface NewReceipt {
  amountFen: number;
  /** 2026-11-22 */
  paidOn: string;
  note: string;
  pictures: readonly string[];
}

async function check(trx: Trx, claim: OpenClaim, receipt: NewReceipt): Promise<void> {
  if (!takesReceipts(claim)) throw new AppError('CLAIM_REASON', { text: '这份保障不含充值损失，不能录入充值凭证' });
  const provided = new Set((await loadProofs(trx, claim)).map(({ key }) => key));
  if (!receipt.pictures.every((key) => provided.has(key)))
    throw new AppError('PICTURE_BROKEN', { text: '凭证图片须从申请人提交的图片中选择' });
  const { rows } = await sql<{ early: boolean; late: boolean; n: number }>`
    select coalesce(${receipt.paidOn}::date < (v.starts_at at time zone 'Asia/Shanghai')::date, false) as early,
      ${receipt.paidOn}::date > (now() at time zone 'Asia/Shanghai')::date as late,
      (select count(*)::int from guarantee_receipt where claim_id = ${claim.id}) as n
    from guarantee_cover v where v.id = ${claim.coverId}`.execute(trx);
  const checks = rows[0];
  if (checks?.early) throw new AppError('BAD_INPUT', { text: '充值日期早于保障开始，不在赔付范围', field: 'paidOn' });
  if (checks?.late) throw new AppError('BAD_INPUT', { text: '充值日期不能晚于今天', field: 'paidOn' });
  if ((checks?.n ?? 0) >= MAX_RECEIPTS) throw new AppError('BAD_INPUT', { text: '凭证过多，请合并录入' });
}

/**
 * Enters a receipt of a top-up that the claimant submitted. Proven top-ups may be paid beyond the price (platform rule 5.4). Throws
 * CLAIM_NOT_FOUND, CLAIM_STATE, CLAIM_REASON, PICTURE_BROKEN, BAD_INPUT.
 */
export async function addReceipt(
  ctx: Context,
  staff: { id: number; distId: number | null },
  sn: string,
  receipt: NewReceipt,
  { idem, also }: { idem: Idem | undefined; also: (trx: Trx) => Promise<void> },
): Promise<Record<string, never>> {
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, idem, async () => {
      const claim = await lockedClaim(trx, (db) => claimForStaff(db, sn, staff.distId));
      await check(trx, claim, receipt);
      await sql`insert into guarantee_receipt (claim_id, amount_fen, paid_on, note, pictures, staff_id)
        values (${claim.id}, ${receipt.amountFen}, ${receipt.paidOn}, ${receipt.note},
          ${JSON.stringify(receipt.pictures.map((key) => ({ key })))}::jsonb, ${staff.id})`.execute(trx);
      await step(
        trx,
        claim,
        `staff:${staff.id}`,
        `录入充值凭证 ${yuanLabel(receipt.amountFen)} 元：${receipt.paidOn} ${receipt.note}`,
      );
      await also(trx);
      return {};
    }),
  );
}

/** Strikes a receipt out: it no longer counts but stays visible. Throws CLAIM_NOT_FOUND, CLAIM_STATE, NOT_FOUND. */
export async function strikeReceipt(
  ctx: Context,
  staff: { id: number; distId: number | null },
  sn: string,
  receiptId: number,
  also: (trx: Trx) => Promise<void>,
): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimForStaff(trx, sn, staff.distId),
    async (trx, claim) => {
      const { rows } = await sql<{ fen: number }>`
        update guarantee_receipt set struck_by = ${staff.id}, struck_at = now()
        where id = ${receiptId} and claim_id = ${claim.id} and struck_at is null returning amount_fen as fen`.execute(
        trx,
      );
      if (!rows[0]) throw errorOf('NOT_FOUND', 'receipt');
      await step(trx, claim, `staff:${staff.id}`, `作废充值凭证 ${yuanLabel(rows[0].fen)} 元`);
      await also(trx);
    },
  );
}
