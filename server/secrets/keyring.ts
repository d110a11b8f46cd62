/** The installation's keys, as stored in `data_key` (docs/decisions/237). */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import {
  decryptWith,
  derivedKeyOf,
  type KeyPurpose,
  keyPurposes,
  type KeyRing,
  type Keys,
  keysOf,
  newDataKey,
} from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { BUS_GAP, type Bus } from '#server/ports/bus.ts';
import { secretMark, secretOf, type Secrets, unwrapKey, wrapKey } from './wrapping.ts';

/** Bus channel on which a rotation announces a new key. */
export const KEYS_CHANNEL = 'keys';
/** Maximum time after which every process has loaded a newly stored key. */
export const KEY_REFRESH_MS = 10_000;
/** An arbitrary number, the same for every process of this application. */
const FIRST_KEYS_LOCK = 7_204_811_351;

/** Thrown when the secret is not the one that wrapped the keys; the message says what to do. */
export class WrongSecret extends Error {
  override name = 'WrongSecret';
  constructor() {
    super(
      'SECRET 不是填充这个数据库的那一个，已加密的资料和登录都打不开。请找回原来的 SECRET；' +
        '如果是在更换，把原来的写入 SECRET_PREVIOUS（见 docs/OPERATIONS.md「Rotating the secret」）',
    );
  }
}

/** A stored key. */
export interface StoredKey {
  purpose: KeyPurpose;
  id: number;
  wrapped: Buffer;
  mark: Buffer;
  /** Time until new values are encrypted with it, in ms; negative afterwards. */
  activeInMs: number;
}

/** Every stored key. */
export async function storedKeys(db: Trx): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select purpose, id, wrapped, secret_mark as mark, (extract(epoch from active_at - now()) * 1000)::float8 as "activeInMs"
    from data_key order by purpose, id`.execute(db);
  return rows;
}

/** Decrypts stored keys. Throws WrongSecret. */
export function openStored(secrets: Secrets, { purpose, id, wrapped, mark }: StoredKey): Buffer {
  const secret = secretOf(secrets, mark);
  if (!secret) throw new WrongSecret();
  return unwrapKey(secret, { purpose, id }, wrapped);
}

/** Whether there were users before the keys were stored, so that the keys must be those that encrypted their data. Throws WrongSecret. */
async function wasFilled(trx: Trx, secret: Buffer): Promise<boolean> {
  const { rows } = await sql<{ location: string; value: Buffer }>`
    (select 'app_user.phone_enc:' || id as location, phone_enc as value from app_user order by id desc limit 1) union all
    (select 'staff.totp_secret_enc:' || id, totp_secret_enc from staff where totp_secret_enc is not null order by id desc limit 1)`.execute(
    trx,
  );
  for (const { location, value } of rows) {
    try {
      decryptWith(derivedKeyOf(secret, 'encrypt'), location, value);
    } catch {
      throw new WrongSecret();
    }
  }
  return rows.length > 0;
}

/** Stores the first keys, once: the first process wins. */
async function storeFirst(db: Db, { secret }: Secrets, derived: boolean): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_KEYS_LOCK})`.execute(trx);
    if ((await storedKeys(trx)).length > 0) return;
    const old = derived || (await wasFilled(trx, secret));
    for (const purpose of keyPurposes) {
      const key = old ? derivedKeyOf(secret, purpose) : newDataKey();
      await sql`insert into data_key (purpose, id, wrapped, secret_mark)
        values (${purpose}, 1, ${wrapKey(secret, { purpose, id: 1 }, key)}, ${secretMark(secret)})`.execute(trx);
    }
  });
}

/** The encryption keys as known to this process. */
class StoredRing implements KeyRing {
  #keys = new Map<number, Buffer>();
  #order: { id: number; key: Buffer; activeAt: number }[] = [];
  readonly #onUnknown: (id: number) => void;

  constructor(onUnknown: (id: number) => void) {
    this.#onUnknown = onUnknown;
  }

  set(keys: { id: number; key: Buffer; activeInMs: number }[]): void {
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
    this.#order = keys
      .map(({ id, key, activeInMs }) => ({ id, key, activeAt: performance.now() + activeInMs }))
      .toSorted((a, b) => b.id - a.id);
  }

  current(): { id: number; key: Buffer } {
    const now = performance.now();
    const found = this.#order.find(({ activeAt }) => activeAt <= now) ?? this.#order.at(-1);
    if (!found) throw new Error('no encryption key exists');
    return found;
  }

  byId(id: number): Buffer {
    const key = this.#keys.get(id);
    if (key) return key;
    this.#onUnknown(id);
    throw new AppError('BUSY', { retryAfterSeconds: 1 });
  }
}

export interface OpenKeys {
  readonly keys: Keys;
  /** Reloads the keys. */
  reload(): Promise<void>;
  /** Follows rotations by other processes until closed. */
  follow(bus: Bus, log: Logger): void;
  close(): void;
}

/**
 * Opens the installation's keys and stores them on the first start: random ones, or `derived` from the secret as in a demo market, whose
 * tools only know the secret; a database filled before keys were stored has derived ones. Throws WrongSecret.
 */
export async function openKeys(db: Db, secrets: Secrets, options: { derived: boolean }): Promise<OpenKeys> {
  let stored = await storedKeys(db);
  if (stored.length === 0) {
    await storeFirst(db, secrets, options.derived);
    stored = await storedKeys(db);
  }
  let unfollow = (): void => undefined;
  let onUnknown = (_id: number): void => undefined;
  const ring = new StoredRing((id) => onUnknown(id));
  const fill = (keys: StoredKey[]): void =>
    ring.set(
      keys
        .filter(({ purpose }) => purpose === 'encrypt')
        .map((one) => ({ id: one.id, key: openStored(secrets, one), activeInMs: one.activeInMs })),
    );
  fill(stored);
  const reload = async (): Promise<void> => fill(await storedKeys(db));
  const keys = keysOf(ring, (purpose) => {
    const one = stored.find((key) => key.purpose === purpose);
    if (!one) throw new Error(`no key exists for ${purpose}`);
    return openStored(secrets, one);
  });
  return {
    keys,
    reload,
    follow(bus, log) {
      const again = (): void =>
        void reload().catch((error: unknown) => log.warn({ error: String(error) }, 'keys not read again'));
      const timer = setInterval(again, KEY_REFRESH_MS).unref();
      const ends = [bus.subscribe(KEYS_CHANNEL, again), bus.subscribe(BUS_GAP, again)];
      onUnknown = (id) => {
        log.warn({ id }, 'a value under a key that this process has not read');
        again();
      };
      unfollow = () => {
        clearInterval(timer);
        for (const end of ends) end();
      };
    },
    close: () => unfollow(),
  };
}
