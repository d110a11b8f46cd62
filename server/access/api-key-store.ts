/** The rows of sellers' keys: the only module that writes `api_key`, `api_nonce` and `api_call`. Callers check permission. */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { decrypt, encrypt, type Keys } from '#server/kernel/secrets/crypto.ts';

/** How long the calls are kept for the key's owner to read. */
export const CALL_DAYS = 30;

/** Additional authenticated data of a key's secrets. */
export const keySecretAad = (publicId: string, which: 'secret' | 'previous'): string =>
  `api_key.${which}_enc:${publicId}`;

export interface NewApiKey {
  publicId: string;
  secret: string;
  userId: number;
  name: string;
  scopes: readonly string[];
  networks: readonly string[];
  maxDropPercent: number;
  days: number;
}

/** Adds a key. Returns its id. */
export async function addApiKey(trx: Trx, keys: Keys, k: NewApiKey): Promise<number> {
  const secret = encrypt(keys, keySecretAad(k.publicId, 'secret'), k.secret);
  const { rows } = await sql<{ id: number }>`
    insert into api_key (public_id, user_id, name, scopes, networks, max_drop, secret_enc, expires_at)
    values (${k.publicId}, ${k.userId}, ${k.name}, ${[...k.scopes]}::text[], ${[...k.networks]}::text[], ${k.maxDropPercent}, ${secret},
      now() + make_interval(days => ${k.days})) returning id`.execute(trx);
  return rows[0]?.id ?? 0;
}

/** Gives a usable key of the user a new secret; the old one stays valid for `overlapHours`. Returns false if there is no such key. */
export async function rotateApiKey(
  trx: Trx,
  keys: Keys,
  r: { keyId: number; userId: number; secret: string; overlapHours: number },
): Promise<boolean> {
  const { rows } = await sql<{ publicId: string; secret: Buffer }>`
    select public_id as "publicId", secret_enc as secret from api_key
    where id = ${r.keyId} and user_id = ${r.userId} and revoked_at is null and expires_at > now() for update`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) return false;
  const { publicId } = row;
  const current = decrypt(keys, keySecretAad(publicId, 'secret'), row.secret);
  const previous = r.overlapHours > 0 ? encrypt(keys, keySecretAad(publicId, 'previous'), current) : null;
  await sql`update api_key set secret_enc = ${encrypt(keys, keySecretAad(publicId, 'secret'), r.secret)}, previous_enc = ${previous},
      previous_until = case when ${previous !== null} then now() + make_interval(hours => ${r.overlapHours}) end
    where id = ${r.keyId}`.execute(trx);
  return true;
}

/** Ends one key of a user, or all of them. Returns the names of those that were in use. */
export async function revokeApiKeys(trx: Trx, userId: number, keyId?: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update api_key set revoked_at = now() where user_id = ${userId} and revoked_at is null
      ${keyId === undefined ? sql`` : sql`and id = ${keyId}`} returning name`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Takes a request's number. False when it was used before. */
export async function takeNonce(db: Trx, keyId: number, nonce: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`insert into api_nonce (key_id, nonce, expires_at)
    values (${keyId}, ${nonce}, now() + make_interval(secs => ${seconds})) on conflict do nothing returning nonce`.execute(
    db,
  );
  return rows.length > 0;
}

/** A call made with a key, as shown to the key's owner. */
export interface KeyCall {
  keyId: number;
  method: string;
  path: string;
  code: number;
  ms: number;
  network: string;
}

/** Stores a call made with a key. An accepted call also updates the key's last use, at most once a minute. */
export async function recordKeyCall(db: Trx, c: KeyCall, wasAccepted: boolean): Promise<void> {
  await sql`insert into api_call (key_id, method, path, code, ms, network)
    values (${c.keyId}, ${c.method}, ${c.path.slice(0, 120)}, ${c.code}, ${c.ms}, ${c.network})`.execute(db);
  if (wasAccepted)
    await sql`update api_key set last_used_at = now(), last_network = ${c.network}
      where id = ${c.keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute' or last_network is distinct from ${c.network})`.execute(
      db,
    );
}

/** Removes nonces too old to be accepted again, expired calls, and old secrets whose overlap has ended. */
export async function sweepApiKeys(db: Trx): Promise<void> {
  await sql`delete from api_nonce where expires_at < now()`.execute(db);
  await sql`delete from api_call where at < now() - make_interval(days => ${CALL_DAYS})`.execute(db);
  await sql`update api_key set previous_enc = null, previous_until = null where previous_until < now()`.execute(db);
}
