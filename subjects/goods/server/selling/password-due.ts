import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/**
 * An account whose credentials another person has seen under any listing of the same seller, a removed one included, may be listed again
 * only when the seller confirms that its password was changed; this settles the old listings. Returns whether a due confirmation was
 * settled. Throws GOODS_PASSWORD_DUE. (Domain 2; P1.)
 */
export async function settlePasswordDue(
  trx: Trx,
  { sellerId, fingerprint, confirmed }: { sellerId: number; fingerprint: Buffer | null; confirmed: boolean },
): Promise<boolean> {
  if (fingerprint === null) return false;
  const due = sql`from goods where seller_id = ${sellerId} and fingerprint = ${fingerprint} and password_due_at is not null`;
  if (!confirmed) {
    const { rows } = await sql`select ${due} limit 1`.execute(trx);
    if (rows.length > 0) throw new AppError('GOODS_PASSWORD_DUE');
    return false;
  }
  const { rows } = await sql`
    update goods set password_due_at = null where id in (select id ${due} order by id for update) returning id`.execute(
    trx,
  );
  return rows.length > 0;
}
