import { sql } from 'kysely';
import type { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadContact } from '#subjects/accounts/server/service.ts';
import type { OrderTerms } from './rules.ts';
import { termsForParty } from './queries.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';

/** A party's contact data by form field. */
export type Contact = Partial<Record<'contactPhone' | 'qq' | 'weChat' | 'roleName' | 'onlineTime' | 'note', string>>;

/** Additional authenticated data of a party's contact. */
export const contactAad = (orderId: number, userId: number): string => `order_contact.body_enc:${orderId}:${userId}`;

/**
 * Stores a party's contact for one order, encrypted; an empty form deletes it. Only while the order is open. Throws ORDER_NOT_FOUND,
 * ORDER_STATE.
 */
export async function saveContact(
  { ctx, user }: UserCall,
  { orderSn, ...form }: Parsed<typeof transactionCacheContactInfo>,
): Promise<HandlerResult<typeof transactionCacheContactInfo>> {
  const order = await termsForParty(ctx.db, { sn: orderSn }, user.id);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const contact: Contact = Object.fromEntries(Object.entries(form).filter(([, value]) => value));
  const saved = Object.keys(contact).length > 0;
  const body = saved ? encrypt(ctx.keys, contactAad(order.id, user.id), JSON.stringify(contact)) : null;
  await inTransaction(ctx.db, async (trx) => {
    // The lock on the order prevents a contact from being stored after the order has ended.
    const { rows } =
      await sql`select id from orders where id = ${order.id} and status in ${ORDERS_OPEN} for share`.execute(trx);
    if (rows.length === 0) throw new AppError('ORDER_STATE');
    await sql`insert into order_contact (order_id, user_id, body_enc, erased_at) values (${order.id}, ${user.id}, ${body}, ${saved ? null : new Date()})
      on conflict (order_id, user_id) do update set body_enc = excluded.body_enc, erased_at = excluded.erased_at, updated_at = now()`.execute(
      trx,
    );
  });
  return { orderSn: order.sn, saved };
}

/** Whether a party's contact for the order is stored. */
export async function contactSaved(db: Trx, orderId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from order_contact where order_id = ${orderId} and user_id = ${userId} and body_enc is not null`.execute(db);
  return rows.length > 0;
}

/**
 * Both parties' contacts, for the assigned customer service. A party that left none for this order is represented by the contact in its
 * profile.
 */
export async function loadContacts(
  ctx: Context,
  order: OrderTerms,
): Promise<{ side: 'buyer' | 'seller'; contact: Contact }[]> {
  const { rows } = await sql<{ userId: number; body: Buffer }>`
    select user_id as "userId", body_enc as body from order_contact where order_id = ${order.id} and body_enc is not null`.execute(
    ctx.db,
  );
  const found = [];
  for (const side of ['buyer', 'seller'] as const) {
    const userId = side === 'buyer' ? order.buyerId : order.sellerId;
    const row = rows.find((one) => one.userId === userId);
    const own = row ? undefined : await loadContact(ctx, userId);
    if (row)
      found.push({ side, contact: JSON.parse(decrypt(ctx.keys, contactAad(order.id, userId), row.body)) as Contact });
    else if (own !== undefined) found.push({ side, contact: { note: `资料里的联系方式：${own}` } });
  }
  return found;
}

/** Erases the contacts of ended orders. */
export async function eraseContacts(ctx: Context, orderIds: readonly number[]): Promise<void> {
  await sql`update order_contact set body_enc = null, erased_at = now() where order_id = any(${[...orderIds]}::bigint[]) and body_enc is not null`.execute(
    ctx.db,
  );
}
