import { isInProgress } from '../../rules/order-status.ts';
import { sql } from 'kysely';
import {
  type SealedFieldKey,
  sealedFieldKind,
  type StepField,
  stepFieldLabel,
  usualStepFields,
} from '../../rules/sealed-fields.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import type { Context } from '#server/context.ts';
import type { UserCall } from '#server/access/call.ts';
import { decryptWith, encryptWith, type Keys, newDataKey, decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ensureHandover, type HandoverRow, handoverRows } from './handover.ts';
import { termsForParty } from '../queries.ts';
import type { OrderTerms } from '../rules.ts';
import { recordingOtherAccount, requireListedAccount } from './listed-account.ts';
import { checkOf, reopenCheck, sealRefusal } from './reseal.ts';

/** A party's input, by field. */
export type CredentialValues = Partial<Record<SealedFieldKey, string | undefined>>;

/** The fields of a step's sealed form. */
export const fieldsOf = (row: Pick<HandoverRow, 'fields'>): readonly StepField[] =>
  row.fields.length > 0 ? row.fields : usualStepFields;

/** The encrypted contents of a version. */
interface Body {
  fields: { key: SealedFieldKey; label: string; value: string }[];
}

/** Additional authenticated data of an order's wrapped data key. */
export const keyAad = (orderId: number): string => `order_key.wrapped:${orderId}`;
const bodyAad = (orderId: number, step: number, version: number): string =>
  `sealed_credential.body_enc:${orderId}:${step}:${version}`;
/** Additional authenticated data of free text encrypted with the server's key. */
export const textAad = (orderId: number, step: number): string => `sealed_credential.body_enc:${orderId}:${step}`;

/** Wraps an order's data key with the server's keys, for storage. */
export const wrappedKey = (keys: Keys, orderId: number, key: Buffer): Buffer =>
  encrypt(keys, keyAad(orderId), key.toString('base64'));

/** Encrypts a version's fields with the order's data key, bound to order, step and version. */
export const encryptedBody = (
  key: Buffer,
  at: { orderId: number; step: number; version: number },
  fields: Body['fields'],
): Buffer => encryptWith(key, bodyAad(at.orderId, at.step, at.version), JSON.stringify({ fields } satisfies Body));

/** The data key of an order, created with its first form; undefined once it was erased. The caller holds the order's lock. */
export async function dataKey(ctx: Context, trx: Trx, orderId: number): Promise<Buffer | undefined> {
  const wrappedNew = wrappedKey(ctx.keys, orderId, newDataKey());
  await sql`insert into order_key (order_id, wrapped) values (${orderId}, ${wrappedNew}) on conflict do nothing`.execute(
    trx,
  );
  const { rows } = await sql<{ wrapped: Buffer | null }>`
    select wrapped from order_key where order_id = ${orderId}`.execute(trx);
  const wrapped = rows[0]?.wrapped;
  return wrapped ? Buffer.from(decrypt(ctx.keys, keyAad(orderId), wrapped), 'base64') : undefined;
}

/** Validates the values of a step's form. Throws BAD_INPUT naming the missing field. */
function checkedFields(row: HandoverRow, values: CredentialValues): Body['fields'] {
  const fields = fieldsOf(row);
  for (const field of fields)
    if (field.required && !values[field.key])
      throw new AppError('BAD_INPUT', { text: `请填写${stepFieldLabel(field)}`, field: `fields.${field.key}` });
  const filled = fields.flatMap((field) => {
    const value = values[field.key];
    return value ? [{ key: field.key, label: stepFieldLabel(field), value }] : [];
  });
  if (filled.length === 0) throw new AppError('BAD_INPUT', { text: '请至少填写一项密封信息' });
  return filled;
}

/** The author of a step's form: its actor; for steps of staff the seller. */
export const isAuthor = (row: HandoverRow, role: 'buyer' | 'seller'): boolean =>
  row.actor === role || (row.actor === 'staff' && role === 'seller');

/**
 * Stores a form as the step's next version, encrypted, in the caller's transaction; locks the order. Returns the version. Throws
 * ORDER_STATE, ORDER_FORBIDDEN, ORDER_DISPUTED, SEAL_OTHER_ACCOUNT, BAD_INPUT.
 */
export async function storeCredential(
  ctx: Context,
  trx: Trx,
  who: { orderId: number; userId: number },
  step: number,
  values: CredentialValues,
): Promise<number> {
  const { orderId, userId } = who;
  // The lock serialises concurrent versions and prevents one after the order's end.
  await sql`select from orders where id = ${orderId} and ${userId} in (buyer_id, seller_id) for update`.execute(trx);
  const order = await termsForParty(trx, { id: orderId }, userId);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  if (!isInProgress(order.status)) throw new AppError('ORDER_STATE');
  const role = order.buyerId === userId ? 'buyer' : 'seller';
  await ensureHandover(ctx, trx, orderId);
  const steps = await handoverRows(trx, orderId);
  const row = steps.find((r) => r.step === step);
  if (!row?.secret) throw errorOf('ORDER_STATE', 'stepWithoutForm');
  if (!isAuthor(row, role)) throw new AppError('ORDER_FORBIDDEN', { text: '这一步由对方填写' });
  const { rows: versions } = await sql<{ last: number }>`
    select coalesce(max(version), 0)::int as last from sealed_credential where order_id = ${orderId} and step = ${step}`.execute(
    trx,
  );
  const last = versions[0]?.last ?? 0;
  const refused = sealRefusal({ ...order, version: last }, steps, row);
  if (refused) throw new AppError(refused.code, { text: refused.text });
  const fields = checkedFields(row, values);
  if (role === 'seller')
    await requireListedAccount(ctx, trx, orderId, {
      account: values.account,
      isNeeded: checkOf(steps, row) !== undefined,
    });
  const version = last + 1;
  const key = await dataKey(ctx, trx, orderId);
  if (!key) throw errorOf('ORDER_STATE', 'formErased');
  await sql`insert into sealed_credential (order_id, step, version, from_user, body_enc)
    values (${orderId}, ${step}, ${version}, ${userId}, ${encryptedBody(key, { orderId, step, version }, fields)})`.execute(
    trx,
  );
  await recordCredential(trx, order, { role, row, version, userId });
  const actor = `user:${userId}`;
  await reopenCheck(trx, order, steps, { row, actor, why: `卖家更新了「${row.title}」，现为第 ${version} 版` });
  return version;
}

async function recordCredential(
  trx: Trx,
  order: OrderTerms,
  by: { role: 'buyer' | 'seller'; row: HandoverRow; version: number; userId: number },
): Promise<void> {
  if (by.role === 'seller')
    await sql`update orders set touched_at = coalesce(touched_at, now()) where id = ${order.id}`.execute(trx);
  const explain =
    by.version === 1
      ? `「${by.row.title}」的密封信息已提交`
      : `「${by.row.title}」的密封信息已更新为第 ${by.version} 版，原有版本保留`;
  await sql`insert into order_process (order_id, order_status, explain, actor)
    values (${order.id}, ${order.status}, ${explain}, ${`user:${by.userId}`})`.execute(trx);
  if (by.version === 1 || order.isService) await emit(trx, 'order.sealed', { orderId: order.id });
}

/** Stores a form in a separate transaction. Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN, BAD_INPUT. */
export async function submitCredential(
  call: UserCall,
  orderId: number,
  step: number,
  values: CredentialValues,
): Promise<number> {
  const who = { orderId, userId: call.user.id };
  return await recordingOtherAccount(call.ctx.db, { orderId, actor: `user:${who.userId}` }, () =>
    inTransaction(call.ctx.db, (trx) => storeCredential(call.ctx, trx, who, step, values)),
  );
}

/** Throws BAD_INPUT if a step that requires a sealed form is completed without one. */
export async function requireCredential(trx: Trx, orderId: number, step: number): Promise<void> {
  const { rows } = await sql`
    select from order_handover h where h.order_id = ${orderId} and h.step = ${step} and h.secret
      and exists (select from jsonb_array_elements(h.fields) f where (f->>'required')::boolean)
      and not exists (select from sealed_credential c where c.order_id = h.order_id and c.step = h.step)`.execute(trx);
  if (rows.length > 0) throw new AppError('BAD_INPUT', { text: '请先填写密封信息，再完成这一步' });
}

/** A version as stored. */
export interface CredentialRow {
  step: number;
  version: number;
  scheme: number;
  fromUser: number;
  body: Buffer | null;
  ageSeconds: number;
}

/** The newest version of a step's form. */
export async function newestVersion(trx: Trx, orderId: number, step: number): Promise<CredentialRow | undefined> {
  const { rows } = await sql<CredentialRow>`
    select step, version, scheme, from_user as "fromUser", body_enc as body, extract(epoch from now() - created_at)::float8 as "ageSeconds"
    from sealed_credential where order_id = ${orderId} and step = ${step} order by version desc limit 1`.execute(trx);
  return rows[0];
}

/** The decrypted fields of a version; an expired one-time code is null. Undefined when it was erased. */
export async function readVersion(
  ctx: Context,
  trx: Trx,
  orderId: number,
  row: CredentialRow,
): Promise<{ key: string; label: string; value: string | null }[] | undefined> {
  if (!row.body) return undefined;
  if (row.scheme === 1)
    return [{ key: 'notes', label: '密封内容', value: decrypt(ctx.keys, textAad(orderId, row.step), row.body) }];
  const key = await dataKey(ctx, trx, orderId);
  if (!key) return undefined;
  const body = JSON.parse(decryptWith(key, bodyAad(orderId, row.step, row.version), row.body)) as Body;
  return body.fields.map((f) => {
    const seconds = sealedFieldKind(f.key).seconds;
    return { ...f, value: seconds !== undefined && row.ageSeconds > seconds ? null : f.value };
  });
}

/** The state of a step's form without its contents. */
export interface CredentialState {
  step: number;
  fromUser: number;
  version: number;
  sentAt: Date;
  erased: boolean;
}

/** The newest version of each step's form. */
export async function credentialStates(db: Trx, orderId: number): Promise<Map<number, CredentialState>> {
  const { rows } = await sql<CredentialState>`
    select distinct on (step) step, from_user as "fromUser", version, created_at as "sentAt", body_enc is null as erased
    from sealed_credential where order_id = ${orderId} order by step, version desc`.execute(db);
  return new Map(rows.map((r) => [r.step, r]));
}

/**
 * Compares the log-ins covered by a check with the offered account, when staff complete the check. Throws
 * SEAL_OTHER_ACCOUNT, which names both to staff.
 */
export async function requireCheckedAccount(ctx: Context, trx: Trx, orderId: number, checkStep: number): Promise<void> {
  const covered = (await handoverRows(trx, orderId)).filter(
    (r) => r.secret && r.actor === 'seller' && r.step < checkStep,
  );
  for (const { step } of covered) {
    const newest = await newestVersion(trx, orderId, step);
    const fields = newest && (await readVersion(ctx, trx, orderId, newest));
    const account = fields?.find(({ key }) => key === 'account')?.value ?? undefined;
    await requireListedAccount(ctx, trx, orderId, { account, isNeeded: false });
  }
}
