import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { pushSubscribe } from '#contract/notice.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { decrypt, encrypt, sha256 } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';

const MAX_BROWSERS = 10;
/** A browser that could not be reached so often in a row is forgotten. */
const MAX_FAILS = 20;

const place = (hash: Buffer, column: string): string => `push_subscription.${column}:${hash.toString('base64url')}`;

/** Binds a browser to whoever is signed in; the oldest beyond ten are forgotten. Throws BAD_INPUT for an address of no push service. */
export async function subscribe({ ctx, user }: UserCall, given: Parsed<typeof pushSubscribe>): Promise<void> {
  if (!ctx.push.accepts(given.endpoint)) throw new AppError('BAD_INPUT', { text: '此浏览器的推送服务不受支持' });
  const hash = sha256(given.endpoint);
  const keys = JSON.stringify({ p256dh: given.p256dh, auth: given.auth });
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into push_subscription (endpoint_hash, user_id, endpoint_enc, keys_enc)
      values (${hash}, ${user.id}, ${encrypt(ctx.keys, place(hash, 'endpoint_enc'), given.endpoint)}, ${encrypt(ctx.keys, place(hash, 'keys_enc'), keys)})
      on conflict (endpoint_hash) do update set user_id = excluded.user_id, keys_enc = excluded.keys_enc, fails = 0, created_at = now()`.execute(
      trx,
    );
    await sql`delete from push_subscription where endpoint_hash in (
      select endpoint_hash from push_subscription where user_id = ${user.id} order by created_at desc offset ${MAX_BROWSERS})`.execute(
      trx,
    );
  });
}

/** Forgets one's own browser. */
export async function unsubscribe({ ctx, user }: UserCall, endpoint: string): Promise<void> {
  await sql`delete from push_subscription where endpoint_hash = ${sha256(endpoint)} and user_id = ${user.id}`.execute(
    ctx.db,
  );
}

/** How many browsers of a person are bound. */
export async function boundBrowsers(ctx: Context, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from push_subscription where user_id = ${userId}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/**
 * Pushes to every browser of a person; true when at least one took it. Browsers that are gone are forgotten. Throws when none took it
 * and one may do so later.
 */
export async function pushTo(
  ctx: Context,
  userId: number,
  message: { title: string; body: string; url: string; tag: string },
): Promise<boolean> {
  const { rows } = await sql<{ hash: Buffer; endpoint: Buffer; keys: Buffer }>`
    select endpoint_hash as hash, endpoint_enc as endpoint, keys_enc as keys from push_subscription where user_id = ${userId}`.execute(
    ctx.db,
  );
  const outcomes = await Promise.all(
    rows.map(async ({ hash, endpoint, keys }): Promise<unknown> => {
      const target = {
        endpoint: decrypt(ctx.keys, place(hash, 'endpoint_enc'), endpoint),
        ...(JSON.parse(decrypt(ctx.keys, place(hash, 'keys_enc'), keys)) as { p256dh: string; auth: string }),
      };
      try {
        const outcome = await ctx.push.send(target, message);
        if (outcome === 'gone') await sql`delete from push_subscription where endpoint_hash = ${hash}`.execute(ctx.db);
        else
          await sql`update push_subscription set fails = 0 where endpoint_hash = ${hash} and fails > 0`.execute(ctx.db);
        return outcome;
      } catch (error) {
        await sql`with failed as (update push_subscription set fails = fails + 1 where endpoint_hash = ${hash} returning endpoint_hash, fails)
          delete from push_subscription p using failed f where p.endpoint_hash = f.endpoint_hash and f.fails > ${MAX_FAILS}`.execute(
          ctx.db,
        );
        return error;
      }
    }),
  );
  if (outcomes.includes('sent')) return true;
  const failure = outcomes.find((o) => o instanceof Error);
  if (failure instanceof Error) throw failure;
  return false;
}
