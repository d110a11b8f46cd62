import { sql } from 'kysely';
import type { EncryptedTable } from '#server/secrets/encrypted-table.ts';
import { contactAad, reportAad } from './service-check.ts';

/** Verified names and ID numbers. */
export const encryptedRealNames: EncryptedTable = {
  name: 'real_name',
  columns: ['name_enc', 'id_no_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ userId: number; name: Buffer; idNo: Buffer }>`
      select user_id as "userId", name_enc as name, id_no_enc as "idNo" from real_name
      where user_id > ${Number(after ?? 0)} and (get_byte(name_enc, 0) <> ${keyId} or get_byte(id_no_enc, 0) <> ${keyId})
      order by user_id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ userId, name, idNo }) => ({
      key: String(userId),
      values: [
        { location: `real_name.name_enc:${userId}`, value: name },
        { location: `real_name.id_no_enc:${userId}`, value: idNo },
      ],
    }));
  },
  async write(trx, key, [name, idNo]) {
    await sql`update real_name set name_enc = ${name}, id_no_enc = ${idNo} where user_id = ${Number(key)}`.execute(trx);
  },
};

/** Accounts that withdrawals go to, removed ones included; bound to the user, who may have several. */
export const encryptedPayees: EncryptedTable = {
  name: 'payout_account',
  columns: ['account_enc', 'name_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; userId: number; account: Buffer; name: Buffer }>`
      select id, user_id as "userId", account_enc as account, name_enc as name from payout_account
      where id > ${Number(after ?? 0)} and (get_byte(account_enc, 0) <> ${keyId} or get_byte(name_enc, 0) <> ${keyId})
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, userId, account, name }) => ({
      key: String(id),
      values: [
        { location: `payout_account.account_enc:${userId}`, value: account },
        { location: `payout_account.name_enc:${userId}`, value: name },
      ],
    }));
  },
  async write(trx, key, [account, name]) {
    await sql`update payout_account set account_enc = ${account}, name_enc = ${name} where id = ${Number(key)}`.execute(
      trx,
    );
  },
};

/** Numbers that are ours. */
export const encryptedOfficialNumbers: EncryptedTable = {
  name: 'official_number',
  columns: ['value_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; value: Buffer }>`
      select id, value_enc as value from official_number where id > ${Number(after ?? 0)} and get_byte(value_enc, 0) <> ${keyId}
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, value }) => ({
      key: String(id),
      values: [{ location: `official_number.value_enc:${id}`, value }],
    }));
  },
  async write(trx, key, [value]) {
    await sql`update official_number set value_enc = ${value} where id = ${Number(key)}`.execute(trx);
  },
};

/** Reported numbers of false services, and the reporters' contacts. */
export const encryptedReports: EncryptedTable = {
  name: 'fake_service_report',
  columns: ['value_enc', 'contact_enc'],
  async read(trx, { keyId, after, limit }) {
    const { rows } = await sql<{ id: number; value: Buffer; contact: Buffer | null }>`
      select id, value_enc as value, contact_enc as contact from fake_service_report
      where id > ${Number(after ?? 0)} and (get_byte(value_enc, 0) <> ${keyId} or get_byte(contact_enc, 0) <> ${keyId})
      order by id limit ${limit} for no key update`.execute(trx);
    return rows.map(({ id, value, contact }) => ({
      key: String(id),
      values: [
        { location: reportAad(id), value },
        { location: contactAad(id), value: contact },
      ],
    }));
  },
  async write(trx, key, [value, contact]) {
    await sql`update fake_service_report set value_enc = ${value}, contact_enc = ${contact} where id = ${Number(key)}`.execute(
      trx,
    );
  },
};
