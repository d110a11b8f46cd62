import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { When } from '#server/jobs/effect-writer.ts';
import { decrypt } from '#server/kernel/secrets/crypto.ts';
import { VendorRejected } from '#server/kernel/errors.ts';
import type { LinkPushOutcome } from '#server/ports/link-push.ts';
import { failureText, pushTokenLocation, refusedText, siteOrigin } from './sites.ts';

/** Between two batches of a site. */
const NEXT_SECONDS = 30;
const FIRST_WAIT_SECONDS = 600;
const MAX_WAIT_SECONDS = 6 * 3600;
/** The day of Baidu's quota is China's; starting slightly later tolerates a clock that is ahead. */
export const TODAY = sql<string>`(now() at time zone 'Asia/Shanghai')::date`;
const TOMORROW = sql<Date>`((now() at time zone 'Asia/Shanghai')::date + 1)::timestamp at time zone 'Asia/Shanghai' + interval '5 minutes'`;

interface Site {
  token: Buffer;
  heldUntil: Date | null;
  remaining: number | null;
  /** The batch size while today's quota is unknown. */
  most: number | null;
  accepted: number;
}

async function loadSite(db: Trx, distId: number): Promise<Site | undefined> {
  const { rows } = await sql<Site>`
    select token_enc as token, case when held_until > now() then held_until end as "heldUntil", case when day = ${TODAY} then remaining end as remaining,
      most, case when day = ${TODAY} then accepted else 0 end as accepted
    from link_push_site where dist_id = ${distId}`.execute(db);
  return rows[0];
}

/** The next pages, the newest first; those of listings that are no longer on sale are dropped. */
async function waiting(db: Trx, distId: number, limit: number): Promise<string[]> {
  await sql`delete from link_push l where l.dist_id = ${distId} and l.sent_at is null and l.goods_id is not null
    and not exists (select from goods_search s where s.goods_id = l.goods_id)`.execute(db);
  const { rows } = await sql<{ path: string }>`
    select path from link_push where dist_id = ${distId} and sent_at is null order by queued_at desc, path limit ${limit}`.execute(
    db,
  );
  return rows.map(({ path }) => path);
}

/** Adds an answer to the day's figures. */
export async function recordOutcome(trx: Trx, distId: number, outcome: LinkPushOutcome): Promise<void> {
  const failure = refusedText(outcome.refused.length);
  const accepted = sql<number>`case when day = ${TODAY} then accepted else 0 end + ${outcome.accepted}`;
  const remaining = sql<number | null>`${outcome.remaining ?? null}::int`;
  await sql`
    update link_push_site set accepted = ${accepted}, day = ${TODAY},
      remaining = ${remaining}, most = case when ${remaining} is null then most else greatest(1, ${accepted} + ${remaining}) end,
      sent_at = now(), fails = 0, held_until = case when ${outcome.remaining === 0} then ${TOMORROW} end,
      failure = ${failure}, failed_at = case when ${failure !== null} then now() end
    where dist_id = ${distId}`.execute(trx);
}

const isOverQuota = (error: unknown): boolean => error instanceof VendorRejected && error.kind === 'limit';

/** Postpones a site: until tomorrow when the day's quota is used up, otherwise longer with each failure. Returns the time. */
async function recordFailure(db: Trx, distId: number, error: unknown): Promise<Date | undefined> {
  const isQuota = isOverQuota(error);
  const failure = failureText(error);
  const { rows } = await sql<{ until: Date }>`
    update link_push_site set failure = ${failure}, failed_at = now(), fails = case when ${isQuota} then 0 else fails + 1 end,
      accepted = case when day = ${TODAY} then accepted else 0 end, remaining = case when ${isQuota} then 0 when day = ${TODAY} then remaining end, day = ${TODAY},
      held_until = case when ${isQuota} then ${TOMORROW}
        else now() + make_interval(secs => least(${FIRST_WAIT_SECONDS} * power(2, least(fails, 10)), ${MAX_WAIT_SECONDS})) end
    where dist_id = ${distId} returning held_until as until`.execute(db);
  return rows[0]?.until;
}

/**
 * Halves the size of the next batch, when Baidu rejected a whole batch as above the day's quota before it accepted any: the quota may be smaller
 * than the batch. Returns when to try again.
 */
async function submitFewer(db: Trx, distId: number, count: number): Promise<When> {
  await sql`update link_push_site set most = ${Math.max(1, Math.floor(count / 2))}, remaining = null where dist_id = ${distId}`.execute(
    db,
  );
  return { seconds: NEXT_SECONDS };
}

async function markSent(trx: Trx, distId: number, paths: readonly string[], refused: readonly string[]): Promise<void> {
  await sql`
    update link_push set sent_at = now(), outcome = case when path = any(${[...refused]}::text[]) then 'refused' else 'accepted' end
    where dist_id = ${distId} and path = any(${[...paths]}::text[])`.execute(trx);
}

/**
 * Submits the next pages of a site to the search engine, as many as today's quota allows. Returns when it is due again: soon for further
 * pages, tomorrow when the quota is used up, later after a failure. A run killed after the response submits the same pages again, which is
 * harmless.
 */
export async function sendLinks(ctx: Context, distId: number): Promise<When | void> {
  const { linkPush, db } = ctx;
  const site = await loadSite(db, distId);
  const origin = siteOrigin(ctx, distId);
  if (!linkPush || !site || origin === undefined) return undefined;
  if (site.heldUntil) return site.heldUntil;
  const most = Math.min(linkPush.most, site.remaining ?? site.most ?? linkPush.most);
  const paths = await waiting(db, distId, Math.max(most, 1));
  if (paths.length === 0) return undefined;
  let outcome: LinkPushOutcome;
  try {
    const token = decrypt(ctx.keys, pushTokenLocation(distId), site.token);
    outcome = await linkPush.submit({ origin, token, urls: paths.map((path) => origin + path) });
  } catch (error) {
    if (isOverQuota(error) && site.accepted === 0 && paths.length > 1)
      return await submitFewer(db, distId, paths.length);
    return await recordFailure(db, distId, error);
  }
  const refused = outcome.refused.flatMap((url) => (url.startsWith(origin) ? [url.slice(origin.length)] : []));
  await inTransaction(db, async (trx) => {
    await markSent(trx, distId, paths, refused);
    await recordOutcome(trx, distId, outcome);
  });
  return { seconds: NEXT_SECONDS };
}
