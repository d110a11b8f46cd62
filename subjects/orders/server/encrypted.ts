import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { contactAad } from './contact.ts';
import { keyAad, textAad } from './handover/credentials.ts';

/** The data keys of orders: forms are encrypted with these, so wrapping them again is enough. */
export const encryptedOrderKeys: EncryptedTable = {
  name: 'order_key',
  columns: ['wrapped'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ orderId: number; wrapped: Buffer | null }>`
      select order_id as "orderId", wrapped from order_key where order_id > ${Number(after ?? 0)} and get_byte(wrapped, 0) <> ${keyId}
      order by order_id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ orderId, wrapped }) => ({
      key: String(orderId),
      values: [{ location: keyAad(orderId), value: wrapped }],
    }));
  },
  async write(trx, key, [wrapped]) {
    await sql`update order_key set wrapped = ${wrapped} where order_id = ${Number(key)}`.execute(trx);
  },
};

/** Free text of the first scheme; later forms are under their order's key. */
export const encryptedTexts: EncryptedTable = {
  name: 'sealed_credential',
  columns: ['body_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; orderId: number; step: number; body: Buffer | null }>`
      select id, order_id as "orderId", step, body_enc as body from sealed_credential
      where id > ${Number(after ?? 0)} and scheme = 1 and get_byte(body_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, orderId, step, body }) => ({
      key: String(id),
      values: [{ location: textAad(orderId, step), value: body }],
    }));
  },
  async write(trx, key, [body]) {
    await sql`update sealed_credential set body_enc = ${body} where id = ${Number(key)}`.execute(trx);
  },
};

/** The parties' contacts of open orders. */
export const encryptedContacts: EncryptedTable = {
  name: 'order_contact',
  columns: ['body_enc'],
  async read(trx, { keyId, after, limit }) {
    const [order = '0', user = '0'] = after?.split(':') ?? [];
    const { rows } = await sql<{ orderId: number; userId: number; body: Buffer | null }>`
      select order_id as "orderId", user_id as "userId", body_enc as body from order_contact
      where (order_id, user_id) > (${Number(order)}::bigint, ${Number(user)}::bigint) and get_byte(body_enc, 0) <> ${keyId}
      order by order_id, user_id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ orderId, userId, body }) => ({
      key: `${orderId}:${userId}`,
      values: [{ location: contactAad(orderId, userId), value: body }],
    }));
  },
  async write(trx, key, [body]) {
    const [order, user] = key.split(':');
    await sql`update order_contact set body_enc = ${body} where order_id = ${Number(order)} and user_id = ${Number(user)}`.execute(
      trx,
    );
  },
};
