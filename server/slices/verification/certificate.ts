import { sql } from 'kysely';
import { isAdultOn } from '#contract/rules/adult.ts';
import { parseIdCard } from '#contract/rules/id-card.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { recordRealName } from './service.ts';

const VERIFIED = 2;
const TRIES_A_DAY = 5;
const DAY_SECONDS = 86_400;

interface Row {
  auth_status: number;
  name_mask: string | null;
  id_mask: string | null;
  birth: string | null;
  verified_at: Date | null;
}

/** Where a user's verification stands; name and number masked. */
export async function describeCertificate(db: Trx, userId: number) {
  const { rows } = await sql<Row>`
    select u.auth_status, r.name_mask, r.id_mask, r.birth_date::text as birth, r.verified_at
    from app_user u left join real_name r on r.user_id = u.id and r.status = ${VERIFIED} where u.id = ${userId}`.execute(
    db,
  );
  const row = rows[0];
  return {
    authStatus: row?.auth_status ?? 0,
    nameMask: row?.name_mask ?? null,
    idMask: row?.id_mask ?? null,
    isAdult: row?.birth !== null && row?.birth !== undefined && isAdultOn(row.birth, new Date()),
    verifiedTime: row?.verified_at ?? null,
  };
}

/**
 * Verifies that name and number belong together and are nobody else's here. A minor is verified as well: they are known, and may
 * not trade (domain.md 7). That a number is taken is said only after name and number have proved to match.
 * Throws REAL_NAME_DONE, REAL_NAME_TRIES, REAL_NAME_MISMATCH, REAL_NAME_USED, BUSY when the source cannot be reached.
 */
export async function submitRealName(call: UserCall, input: { realName: string; idCard: string }) {
  const { ctx, user } = call;
  if (user.authStatus === VERIFIED) throw new AppError('REAL_NAME_DONE');
  const card = parseIdCard(input.idCard, Date.now());
  if (!card) throw new AppError('BAD_INPUT', { text: '身份证号错误', field: 'idCard' });
  if (!(await sharedHit(ctx.db, `real-name:${user.id}`, TRIES_A_DAY, DAY_SECONDS)))
    throw new AppError('REAL_NAME_TRIES');
  const outcome = await ctx.realName.verify({ name: input.realName, idNo: card.number }).catch((error: unknown) => {
    ctx.log.error({ error: String(error) }, 'real-name source not reached');
    throw new AppError('BUSY', { retryAfterSeconds: 30, cause: error });
  });
  if (outcome.outcome === 'mismatch') throw new AppError('REAL_NAME_MISMATCH', { field: 'idCard' });
  if (outcome.outcome === 'unknown')
    throw new AppError('REAL_NAME_MISMATCH', { text: '未查询到该身份信息，请核对后重试或联系客服', field: 'idCard' });
  const recorded = await inTransaction(ctx.db, (trx) =>
    recordRealName(trx, ctx.keys, {
      userId: user.id,
      name: input.realName,
      idNo: card.number,
      birthDate: card.birthDate,
      providerRef: outcome.providerRef,
    }),
  );
  if (!recorded) throw new AppError('REAL_NAME_DONE');
  return await describeCertificate(ctx.db, user.id);
}
