import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/**
 * An account whose credentials somebody else has seen under another listing of the same seller, a removed one included, is offered again only
 * once he says that its password was changed; the old listing owes nothing then. True when he said so of one that owed it. Throws
 * GOODS_PASSWORD_DUE. (Domain 2; P1.)
 */
export async function settlePasswordDue(
  trx: Trx,
  { sellerId, fingerprint, says }: { sellerId: number; fingerprint: Buffer | null; says: boolean },
): Promise<boolean> {
  if (fingerprint === null) return false;
  const due = sql`from goods where seller_id = ${sellerId} and fingerprint = ${fingerprint} and password_due_at is not null`;
  if (!says) {
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
