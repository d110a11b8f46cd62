/** The installation's secret: a database knows the one it was filled with, and it changes without losing anything. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { staffInfo } from '#subjects/back-office/contract/sign-in.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, openDatabase } from '#server/db/client.ts';
import { ENCRYPTED_TABLES } from '#server/encrypted-tables.ts';
import { decrypt, deriveKeys, encrypt, encryptWith } from '#server/kernel/secrets/crypto.ts';
import { openKeys, WrongSecret } from '#server/secrets/keyring.ts';
import { rotateKeys } from '#server/secrets/rotate.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { decryptPhone, encryptPhone, phoneIndex } from '#subjects/accounts/server/phone/phones.ts';
import { newPhone, testApp, type TestApp } from '#tests/support/servers/build.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { createContext } from '#server/context.ts';

const one = Buffer.from('the first secret of this installation');
const two = Buffer.from('the second secret of this installation');
const three = Buffer.from('a secret of another installation at all');
const log = pino({ level: 'silent' });

const databases: TestDatabase[] = [];
const opened: Db[] = [];
afterAll(async () => {
  for (const db of opened) await db.destroy();
  for (const database of databases) await database.drop();
});

async function freshDatabase() {
  const database = await createTestDatabase();
  databases.push(database);
  const { db } = openDatabase({ url: database.url, role: 'youshi_app', max: 2, log });
  opened.push(db);
  return { db };
}

const only = (secret: Buffer) => ({ secret, previous: [] });

describe('the secret of a database', () => {
  it('is the one of its first start, and another is rejected', async () => {
    const here = await freshDatabase();
    const there = await freshDatabase();
    const { keys } = await openKeys(here.db, only(one), { derived: false });
    await openKeys(there.db, only(two), { derived: false });
    const value = encrypt(keys, 'place', 'kept');
    await expect(openKeys(here.db, only(two), { derived: false })).rejects.toThrow(WrongSecret);
    await expect(openKeys(there.db, only(one), { derived: false })).rejects.toThrow(
      /SECRET 不是填充这个数据库的那一个/,
    );
    const again = await openKeys(here.db, only(one), { derived: false });
    expect(decrypt(again.keys, 'place', value)).toBe('kept');
    const changing = await openKeys(here.db, { secret: two, previous: [three, one] }, { derived: false });
    expect(decrypt(changing.keys, 'place', value)).toBe('kept');
  });

  it('gives keys that cannot be derived without the database', async () => {
    const here = await freshDatabase();
    const { keys } = await openKeys(here.db, only(one), { derived: false });
    expect(keys.blind.equals(deriveKeys(one).blind)).toBe(false);
    const demo = await freshDatabase();
    const derived = await openKeys(demo.db, only(one), { derived: true });
    expect(derived.keys.blind.equals(deriveKeys(one).blind)).toBe(true);
  });

  it('is stored once when several processes start together', async () => {
    const here = await freshDatabase();
    const all = await Promise.all(Array.from({ length: 6 }, () => openKeys(here.db, only(one), { derived: false })));
    const indexes = all.map(({ keys }) => phoneIndex(keys, '13800138000').toString('hex'));
    expect(new Set(indexes).size).toBe(1);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from data_key`.execute(here.db);
    expect(rows[0]?.n).toBe(6);
  });

  it('must decrypt the content of a database filled before keys were stored', async () => {
    const here = await freshDatabase();
    const old = deriveKeys(one);
    await createUser(here.db, old, { phone: '13800138001', distId: 1 });
    await expect(openKeys(here.db, only(two), { derived: false })).rejects.toThrow(WrongSecret);
    const { keys } = await openKeys(here.db, only(one), { derived: false });
    const { rows } = await sql<{ id: number; enc: Buffer }>`
      select id, phone_enc as enc from app_user where phone_hash = ${phoneIndex(keys, '13800138001')}`.execute(here.db);
    expect(rows.map(({ id, enc }) => decryptPhone(keys, id, enc))).toEqual(['13800138001']);
  });
});

describe('the list of encrypted tables', () => {
  it('has every column whose name says that it is encrypted', async () => {
    const here = await freshDatabase();
    // Exchanged codes are encrypted with the key of their order, as a sealed form is.
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and (column_name like '%\_enc' or column_name in ('sealed', 'wrapped'))
        and table_name not in ('data_key', 'order_exchange')`.execute(here.db);
    const listed = ENCRYPTED_TABLES.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
    expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });
});

/** The number of the key that each user's phone is under. */
async function keyNumbers(t: TestApp): Promise<number[]> {
  const { rows } = await sql<{
    n: number;
  }>`select distinct get_byte(phone_enc, 0) as n from app_user order by n`.execute(t.ctx.db);
  return rows.map(({ n }) => n);
}

const fast = { tables: ENCRYPTED_TABLES, leadMs: 0, batch: 3 };

describe('a rotation', () => {
  let t: TestApp;
  const phones: string[] = [];
  beforeAll(async () => {
    t = await testApp();
    for (let i = 0; i < 10; i++) phones.push((await t.newUser()).phone);
  });
  afterAll(async () => t.close());

  /** A process with other secrets on the same database. */
  const processWith = (secret: Buffer, ...previous: Buffer[]) =>
    createContext({ ...t.ctx.config, secret, previousSecrets: previous }, t.ctx.config.databaseUrl ?? '', { log });

  const phoneOf = async (ctx: TestApp['ctx'], phone: string): Promise<string | undefined> => {
    const { rows } = await sql<{ id: number; enc: Buffer }>`
      select id, phone_enc as enc from app_user where phone_hash = ${phoneIndex(ctx.keys, phone)}`.execute(ctx.db);
    const [row] = rows;
    return row && decryptPhone(ctx.keys, row.id, row.enc);
  };

  it('encrypts everything anew; look-ups and sessions keep working', async () => {
    const user = await t.newUser({ password: 'secret-9-word' });
    const staff = await t.newStaff();
    expect(await keyNumbers(t)).toEqual([1]);
    const done = await rotateKeys(t.ctx, fast);
    expect(done).toMatchObject({ keyId: 2, wrapped: 0, broken: [] });
    expect(done.values).toBeGreaterThan(30);
    expect(await keyNumbers(t)).toEqual([2]);
    for (const phone of phones) expect(await phoneOf(t.ctx, phone)).toBe(phone);
    expect((await user.client.ok(userInfo, {})).nickName).toBe(user.nickName);
    expect((await staff.client.ok(staffInfo, {})).staffId).toBe(staff.id);
    const written = await t.newUser();
    expect(await phoneOf(t.ctx, written.phone)).toBe(written.phone);
    expect(await keyNumbers(t)).toEqual([2]);
  });

  it('continues where a killed one stopped, under the same key', async () => {
    let batches = 0;
    const killed = rotateKeys(t.ctx, {
      ...fast,
      onProgress: () => {
        batches += 1;
        if (batches === 2) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const between = await keyNumbers(t);
    expect(between).toHaveLength(2);
    for (const phone of phones) expect(await phoneOf(t.ctx, phone)).toBe(phone);
    const done = await rotateKeys(t.ctx, fast);
    expect(done.keyId).toBe(3);
    expect(await keyNumbers(t)).toEqual([3]);
  });

  it('runs once at a time, and loses no concurrent writes', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => t.newUser()));
    const last = new Map<number, string>();
    let stop = false;
    const writers = users.map(async ({ id }) => {
      while (!stop) {
        const phone = newPhone();
        await sql`update app_user set phone_enc = ${encryptPhone(t.ctx.keys, id, phone)}, phone_hash = ${phoneIndex(t.ctx.keys, phone)}
          where id = ${id}`.execute(t.ctx.db);
        last.set(id, phone);
      }
    });
    const both = await Promise.allSettled([rotateKeys(t.ctx, fast), rotateKeys(t.ctx, fast)]);
    stop = true;
    await Promise.all(writers);
    const refusals = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refusals).toEqual([expect.stringMatching(/正在轮换密钥/)]);
    for (const [id, phone] of last) {
      const { rows } = await sql<{ enc: Buffer }>`select phone_enc as enc from app_user where id = ${id}`.execute(
        t.ctx.db,
      );
      expect(rows.map(({ enc }) => decryptPhone(t.ctx.keys, id, enc))).toEqual([phone]);
    }
    await rotateKeys(t.ctx, fast);
    expect(await keyNumbers(t)).toHaveLength(1);
  });

  it('accepts the new secret; from then on the old one is rejected, and other processes follow', async () => {
    const other = await processWith(two, t.ctx.config.secret);
    const next = await processWith(two, t.ctx.config.secret);
    const before = (await keyNumbers(t))[0] ?? 0;
    const done = await rotateKeys(next, fast);
    expect(done.keyId).toBe(before + 1);
    expect(done.wrapped).toBeGreaterThanOrEqual(6);
    for (const phone of phones) expect(await phoneOf(next, phone)).toBe(phone);
    const alone = await processWith(two);
    for (const phone of phones) expect(await phoneOf(alone, phone)).toBe(phone);
    // It runs since before, and learns of the other key while it runs.
    await expect.poll(() => phoneOf(other, phones[0] ?? '').catch(() => 'not yet')).toBe(phones[0]);
    await expect(processWith(t.ctx.config.secret)).rejects.toThrow(WrongSecret);
    await expect(processWith(randomBytes(40))).rejects.toThrow(WrongSecret);
    await Promise.all([other.close(), next.close(), alone.close()]);
  });

  it('leaves and names a value that cannot be decrypted', async () => {
    const alone = await processWith(two);
    const { id } = await t.newUser().catch(() => ({ id: 0 }));
    const { rows } = await sql<{ id: number }>`select max(id)::int as id from app_user`.execute(t.ctx.db);
    const row = rows[0]?.id ?? id;
    const garbage = encryptWith(randomBytes(32), 'elsewhere', '13000000000', 1);
    await sql`update app_user set phone_enc = ${garbage} where id = ${row}`.execute(t.ctx.db);
    const done = await rotateKeys(alone, fast);
    expect(done.broken).toEqual([`app_user ${row}`]);
    const after = await sql<{ enc: Buffer }>`select phone_enc as enc from app_user where id = ${row}`.execute(t.ctx.db);
    expect(after.rows[0]?.enc.equals(garbage)).toBe(true);
    await alone.close();
  });
});
