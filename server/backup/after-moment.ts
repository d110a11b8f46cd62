/**
 * Things a restored database must not repeat, because the outside world saw what happened after the restored moment (decision 267): it must
 * not assign a number a second time, or admit anyone whose access had ended.
 */
import type pg from 'pg';

/** More numbers per second than any table was measured to use over a long time (bench/results.md), and a minimum for bursts. */
const NUMBERS_A_SECOND = 100;
const NUMBERS_AT_LEAST = 100_000;
/** The old server may have continued for this long while the copy was restored. */
const OVERLAP_SECONDS = 6 * 3600;
/** Sequences of an integer column (games, areas, brands) are filled by staff. A larger step would use them up. */
const SMALL_STEP = 1_000;
const LARGEST_INTEGER = 2_147_483_647;

const SKIP = `
  with ahead as (
    select schemaname, sequencename, max_value, coalesce(last_value, start_value) as used,
      case when max_value <= ${LARGEST_INTEGER} then ${SMALL_STEP}
        else ${NUMBERS_AT_LEAST} + ${NUMBERS_A_SECOND} * (${OVERLAP_SECONDS} + greatest(0, ceil(extract(epoch from now() - $1::timestamptz))::bigint)) end as step
    from pg_sequences where schemaname = 'public')
  select count(setval(format('%I.%I', schemaname, sequencename)::regclass, least(used + step, max_value)))::int as count from ahead`;

/**
 * Credentials, with the rows in which they may still be valid: they may have been used, ended or revoked since. Older markets lack
 * some of the tables.
 */
const PROOFS: Readonly<Record<string, string>> = {
  session: 'true',
  staff_browser: 'true',
  staff_invite: 'used_at is null',
  setup_token: 'true',
  sms_code: 'true',
  chat_ticket: 'true',
  wechat_login: 'true',
  third_party_ticket: 'true',
};

/**
 * Moves every sequence beyond any number that the market can have assigned between `restoredTo` and now, and ends all sessions and one-time
 * codes. `client` is the superuser in a restored market, which no one else can reach. Returns the number of sequences.
 */
export async function closeMoment(client: pg.Client, restoredTo: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(SKIP, [restoredTo]);
  for (const [table, condition] of Object.entries(PROOFS)) {
    const found = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `public.${table}`,
    ]);
    if (found.rows[0]?.there === true) await client.query(`delete from ${table} where ${condition}`);
  }
  return rows[0]?.count ?? 0;
}
