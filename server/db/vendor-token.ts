import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { decrypt, encrypt, type Keys } from '#server/kernel/secrets/crypto.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { Db } from './client.ts';

/** Longer than the vendor's time limit for a new token. */
const LEASE_SECONDS = 15;
/** A token is renewed this long before it expires; the previous one stays valid meanwhile. */
const EARLY_SECONDS = 300;
const TRIES = 40;
const WAIT_MS = 250;

export interface LentToken {
  value: string;
  lifeSeconds: number;
}

/** A vendor's access token, shared by all processes. */
export interface TokenStore {
  /**
   * Returns the token. When it is missing, about to expire, or equal to `bad` (rejected by the vendor), one process calls `make`
   * for a new one and all processes get it. Throws what `make` throws, and UnknownResult when another process does not finish.
   */
  get(make: () => Promise<LentToken>, bad?: string): Promise<string>;
}

interface Row {
  value_enc: Buffer | null;
  live: boolean;
  fresh: boolean;
}

/** The location of a stored token, bound to its ciphertext. */
export const tokenLocation = (name: string): string => `vendor_token.value_enc:${name}`;

/** Tokens of one name in the database, encrypted. */
export function tokenStore(db: Db, keys: Keys, name: string): TokenStore {
  const location = tokenLocation(name);
  const read = async (bad: string | undefined) => {
    const { rows } = await sql<Row>`
      select value_enc, coalesce(expires_at > now(), false) as live,
        coalesce(expires_at > now() + make_interval(secs => ${EARLY_SECONDS}), false) as fresh
      from vendor_token where name = ${name}`.execute(db);
    const row = rows[0];
    if (!row?.value_enc || !row.live) return undefined;
    const value = decrypt(keys, location, row.value_enc);
    return value === bad ? undefined : { value, fresh: row.fresh };
  };
  const claim = async (): Promise<boolean> => {
    const { rows } = await sql`
      insert into vendor_token (name, refreshing_until) values (${name}, now() + make_interval(secs => ${LEASE_SECONDS}))
      on conflict (name) do update set refreshing_until = excluded.refreshing_until
      where vendor_token.refreshing_until is null or vendor_token.refreshing_until < now() returning name`.execute(db);
    return rows.length > 0;
  };
  const release = async (): Promise<void> => {
    await sql`update vendor_token set refreshing_until = null where name = ${name}`.execute(db);
  };
  const renew = async (make: () => Promise<LentToken>): Promise<string> => {
    const { value, lifeSeconds } = await make();
    await sql`update vendor_token set value_enc = ${encrypt(keys, location, value)}, refreshing_until = null,
      expires_at = now() + make_interval(secs => ${lifeSeconds}) where name = ${name}`.execute(db);
    return value;
  };
  return {
    async get(make, bad) {
      for (let tries = 0; tries < TRIES; tries++) {
        const seen = await read(bad);
        if (seen?.fresh) return seen.value;
        if (await claim()) {
          try {
            // Another process may have renewed it between the read and the claim.
            const newer = await read(bad);
            if (newer?.fresh) return newer.value;
            return await renew(make);
          } finally {
            await release();
          }
        }
        if (seen) return seen.value;
        await sleep(WAIT_MS);
      }
      throw new UnknownResult(`${name}: no token from the process that renews it`);
    },
  };
}
