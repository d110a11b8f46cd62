import { sql } from 'kysely';
import {
  SEALED_OPEN_SECONDS,
  sealedFieldKeys,
  sealedFieldKind,
  type SealedFieldKey,
} from '#subjects/orders/rules/sealed-fields.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { isListedAccount, type ListedAccount, maskedAccount } from '#server/kernel/account-identity.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';

/** The seller's input, by field. */
export type SealedValues = Partial<Record<SealedFieldKey, string | undefined>>;

const aad = (taskId: number): string => `inspection_task.sealed_enc:${taskId}`;

/** Checks a sealed form: staff cannot log in without account and password. Throws BAD_INPUT naming the field. */
export function checkedCredentials(values: SealedValues): SealedValues {
  for (const key of ['account', 'password'] as const)
    if (!values[key])
      throw new AppError('BAD_INPUT', { text: `请填写${sealedFieldKind(key).label}`, field: `fields.${key}` });
  return values;
}

/** Throws SEAL_OTHER_ACCOUNT when the credentials belong to a different account from the listing's. */
async function requireListedAccount(ctx: Context, trx: Trx, taskId: number, account: string): Promise<void> {
  const { rows } = await sql<ListedAccount>`
    select g.game_id as "gameId", g.fingerprint as print, coalesce(g.account_hint, '***') as hint
    from inspection_task t join goods g on g.id = t.goods_id where t.id = ${taskId} and g.fingerprint is not null`.execute(
    trx,
  );
  const listed = rows[0];
  if (listed && !isListedAccount(ctx.keys, listed, account))
    throw new AppError('SEAL_OTHER_ACCOUNT', {
      text: `账号（${maskedAccount(account)}）与商品登记的游戏账号（${listed.hint}）不一致。请填写登记的那个账号；登记有误请先在商品里更正`,
      field: 'fields.account',
    });
}

/** Seals credentials of the listing's account with a locked task. Throws SEAL_OTHER_ACCOUNT. */
export async function saveCredentials(ctx: Context, trx: Trx, taskId: number, values: SealedValues): Promise<void> {
  await requireListedAccount(ctx, trx, taskId, values.account ?? '');
  const body = encrypt(ctx.keys, aad(taskId), JSON.stringify(values));
  await sql`update inspection_task set sealed_enc = ${body}, sealed_at = now() where id = ${taskId}`.execute(trx);
}

/** The opened form under the viewer's mark; one-time codes only while they are valid. Counts the opening. Throws SEAL_NONE. */
export async function readCredentials(ctx: Context, trx: Trx, taskId: number, viewer: string) {
  const { rows } = await sql<{ body: Buffer | null; age: number | null; count: number; at: Date }>`
    update inspection_task set opened_count = opened_count + 1, opened_at = now() where id = ${taskId}
    returning sealed_enc as body, extract(epoch from now() - sealed_at)::float8 as age, opened_count as count, opened_at as at`.execute(
    trx,
  );
  const row = rows[0];
  if (!row?.body) throw new AppError('SEAL_NONE');
  const values = JSON.parse(decrypt(ctx.keys, aad(taskId), row.body)) as SealedValues;
  return {
    step: 1,
    version: 1,
    fields: sealedFieldKeys.flatMap((key) => {
      const value = values[key];
      const { label, seconds } = sealedFieldKind(key);
      return value ? [{ key, label, value: seconds !== undefined && (row.age ?? 0) > seconds ? null : value }] : [];
    }),
    watermark: `客服${viewer.replace(/^(平台)?客服/, '')} 验号 ${taskId}`,
    purpose: '验号',
    count: row.count,
    openedTime: row.at,
    openUntil: new Date(row.at.getTime() + SEALED_OPEN_SECONDS * 1000),
  };
}

/** The sealed credentials of open tasks. */
export const encryptedInspections: EncryptedTable = {
  name: 'inspection_task',
  columns: ['sealed_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; value: Buffer }>`
      select id, sealed_enc as value from inspection_task where id > ${Number(after ?? 0)} and get_byte(sealed_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, value }) => ({ key: String(id), values: [{ location: aad(id), value }] }));
  },
  async write(trx, key, [sealed]) {
    await sql`update inspection_task set sealed_enc = ${sealed} where id = ${Number(key)}`.execute(trx);
  },
};
