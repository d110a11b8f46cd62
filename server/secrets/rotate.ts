/** Changes the secret that wraps the keys, and the key that encrypts values (docs/decisions/237). */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decrypt, encryptWith, newDataKey } from '#server/kernel/secrets/crypto.ts';
import type { EncryptedTable } from './encrypted-table.ts';
import { KEY_REFRESH_MS, KEYS_CHANNEL, openStored, storedKeys } from './keyring.ts';
import { secretMark, type Secrets, wrapKey } from './wrapping.ts';

const BATCH = 200;
const LAST_ID = 255;
/** By then every process has read the new key, even one that missed the message. */
const LEAD_MS = 3 * KEY_REFRESH_MS;
/** An arbitrary number, the same for every process of this application. */
const ROTATION_LOCK = 7_204_811_352;

export interface RotationOptions {
  tables: readonly EncryptedTable[];
  /** Time until values are encrypted with the new key; tests shorten it. */
  leadMs?: number;
  /** Rows of one transaction. */
  batch?: number;
  /** Called after each batch. */
  onProgress?: (progress: { table: string; values: number }) => void;
}

export interface Rotation {
  /** Number of the key that encrypts values now. */
  keyId: number;
  /** Number of keys newly wrapped by the new secret in this run; 0 if all were already. */
  wrapped: number;
  /** Number of values re-encrypted by this run. */
  values: number;
  /** Values that no key can decrypt, as `table row`: left unchanged. */
  broken: string[];
}

/** Wraps every key with the current secret. Returns how many were wrapped with another. */
async function wrapAnew(trx: Trx, secrets: Secrets): Promise<number> {
  const mark = secretMark(secrets.secret);
  await sql`lock table data_key in share row exclusive mode`.execute(trx);
  const old = (await storedKeys(trx)).filter((one) => !one.mark.equals(mark));
  for (const one of old) {
    const wrapped = wrapKey(secrets.secret, one, openStored(secrets, one));
    await sql`update data_key set wrapped = ${wrapped}, secret_mark = ${mark}
      where purpose = ${one.purpose} and id = ${one.id}`.execute(trx);
  }
  return old.length;
}

/** The key that encrypts values from now on: the one of an interrupted run, else a new one. Returns its number and when it takes effect. */
async function targetKey(
  trx: Trx,
  secrets: Secrets,
  leadMs: number,
): Promise<{ id: number; waitMs: number; made: boolean }> {
  const { rows } = await sql<{ id: number; drained: boolean; waitMs: number }>`
    select id, drained_at is not null or id = 1 as drained, (extract(epoch from active_at - now()) * 1000)::float8 as "waitMs"
    from data_key where purpose = 'encrypt' order by id desc limit 1`.execute(trx);
  const [newest] = rows;
  if (!newest) throw new Error('no encryption key exists');
  if (!newest.drained) return { id: newest.id, waitMs: newest.waitMs, made: false };
  const id = newest.id + 1;
  if (id > LAST_ID) throw new Error('数据密钥已轮换 255 次，不能再换');
  const wrapped = wrapKey(secrets.secret, { purpose: 'encrypt', id }, newDataKey());
  await sql`insert into data_key (purpose, id, wrapped, secret_mark, active_at)
    values ('encrypt', ${id}, ${wrapped}, ${secretMark(secrets.secret)}, now() + make_interval(secs => ${leadMs / 1000}))`.execute(
    trx,
  );
  return { id, waitMs: leadMs, made: true };
}

interface Run {
  ctx: Pick<Context, 'db' | 'keys'>;
  keyId: number;
  batch: number;
  broken: Set<string>;
  onProgress: RotationOptions['onProgress'];
}

/** The value re-encrypted with the run's key; null stays null. Undefined if it cannot be decrypted. */
function anew({ ctx, keyId }: Run, location: string, value: Buffer | null): Buffer | null | undefined {
  if (value === null || value[0] === keyId) return value;
  try {
    return encryptWith(ctx.keys.encrypt.byId(keyId), location, decrypt(ctx.keys, location, value), keyId);
  } catch {
    return undefined;
  }
}

/** Processes one batch of a table in its own transaction. Returns the start of the next; undefined at the end. */
async function loadBatch(
  run: Run,
  table: EncryptedTable,
  after: string | undefined,
): Promise<{ next: string | undefined; values: number }> {
  return await inTransaction(run.ctx.db, async (trx) => {
    const rows = await table.read(trx, { keyId: run.keyId, after, limit: run.batch });
    let values = 0;
    for (const row of rows) {
      const made = row.values.map(({ location, value }) => anew(run, location, value));
      if (made.includes(undefined)) run.broken.add(`${table.name} ${row.key}`);
      const written = row.values.map(({ value }, i) => made[i] ?? value);
      const changed = written.filter((value, i) => value !== row.values[i]?.value).length;
      values += changed;
      if (changed > 0) await table.write(trx, row.key, written);
    }
    return { next: rows.length < run.batch ? undefined : rows.at(-1)?.key, values };
  });
}

/** Processes every table once. Returns the number of re-encrypted values. */
async function passOver(run: Run, tables: readonly EncryptedTable[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    let after: string | undefined;
    do {
      const { next, values } = await loadBatch(run, table, after);
      total += values;
      if (values > 0) run.onProgress?.({ table: table.name, values });
      after = next;
    } while (after !== undefined);
  }
  return total;
}

/**
 * Wraps all keys with the current secret, adds a key, and re-encrypts every value with it, in batches while the market runs. A killed run
 * is continued by the next. A concurrent run is rejected. Old keys are kept and still decrypt. Sessions, tokens and look-ups by hash are
 * unaffected, because their keys are only wrapped again. Throws WrongSecret, or an Error with a Chinese message while another run is active.
 */
export async function rotateKeys(
  ctx: Pick<Context, 'config' | 'db' | 'keys' | 'bus' | 'openDedicatedConnection' | 'reloadKeys'>,
  options: RotationOptions,
): Promise<Rotation> {
  const secrets = { secret: ctx.config.secret, previous: ctx.config.previousSecrets };
  const line = ctx.openDedicatedConnection();
  const [lock] = await line.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [ROTATION_LOCK]);
  if (lock?.free !== true) throw new Error('另一个进程正在轮换密钥，请等它完成');
  try {
    const { wrapped, target } = await inTransaction(ctx.db, async (trx) => ({
      wrapped: await wrapAnew(trx, secrets),
      target: await targetKey(trx, secrets, options.leadMs ?? LEAD_MS),
    }));
    await ctx.reloadKeys();
    ctx.bus.publish(KEYS_CHANNEL, {});
    // A value written by another process with the old key during a pass over the tables is found by the next pass.
    await sleep(Math.max(0, target.waitMs));
    const { batch = BATCH, onProgress } = options;
    const run: Run = { ctx, keyId: target.id, batch, broken: new Set(), onProgress };
    let values = 0;
    for (let last = 1; last > 0; values += last) last = await passOver(run, options.tables);
    await sql`update data_key set drained_at = now() where purpose = 'encrypt' and id = ${target.id} and drained_at is null`.execute(
      ctx.db,
    );
    return { keyId: target.id, wrapped, values, broken: [...run.broken] };
  } finally {
    await line.query('select pg_advisory_unlock($1)', [ROTATION_LOCK]).catch(() => undefined);
    await line.close();
  }
}
