import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { pushSubscribe } from '#subjects/notices/contract/notice.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { decrypt, encrypt, sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';

const MAX_BROWSERS = 10;
/** A browser is removed after this many consecutive failures. */
const MAX_FAILS = 20;

/** Additional authenticated data of a column of a subscription. */
export const subscriptionAad = (hash: Buffer, column: string): string =>
  `push_subscription.${column}:${hash.toString('base64url')}`;

/** Subscribes the caller's browser to push; the oldest beyond ten are removed. Throws BAD_INPUT for an unsupported push service. */
export async function subscribe({ ctx, user }: UserCall, subscription: Parsed<typeof pushSubscribe>): Promise<void> {
  if (!ctx.push.accepts(subscription.endpoint)) throw new AppError('BAD_INPUT', { text: '此浏览器的推送服务不受支持' });
  const hash = sha256(subscription.endpoint);
  const keys = JSON.stringify({ p256dh: subscription.p256dh, auth: subscription.auth });
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into push_subscription (endpoint_hash, user_id, endpoint_enc, keys_enc)
      values (${hash}, ${user.id}, ${encrypt(ctx.keys, subscriptionAad(hash, 'endpoint_enc'), subscription.endpoint)}, ${encrypt(ctx.keys, subscriptionAad(hash, 'keys_enc'), keys)})
      on conflict (endpoint_hash) do update set user_id = excluded.user_id, keys_enc = excluded.keys_enc, fails = 0, created_at = now()`.execute(
      trx,
    );
    await sql`delete from push_subscription where endpoint_hash in (
      select endpoint_hash from push_subscription where user_id = ${user.id} order by created_at desc offset ${MAX_BROWSERS})`.execute(
      trx,
    );
  });
}

/** Removes a browser of the caller. */
export async function unsubscribe({ ctx, user }: UserCall, endpoint: string): Promise<void> {
  await sql`delete from push_subscription where endpoint_hash = ${sha256(endpoint)} and user_id = ${user.id}`.execute(
    ctx.db,
  );
}

/** The number of a user's subscribed browsers. */
export async function countBrowsers(ctx: Context, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from push_subscription where user_id = ${userId}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/**
 * Pushes to every browser of a user; returns whether at least one accepted it. Expired subscriptions are removed. Throws when none
 * accepted it and a retry may succeed.
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
        endpoint: decrypt(ctx.keys, subscriptionAad(hash, 'endpoint_enc'), endpoint),
        ...(JSON.parse(decrypt(ctx.keys, subscriptionAad(hash, 'keys_enc'), keys)) as { p256dh: string; auth: string }),
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
