import { PublicationStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { usesJDetail } from '#contract/rules/catalogue.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';

export const SEND = 'linkPush.send';
/** Delay that combines pages changed together in one batch. */
const GATHER_SECONDS = 60;
/** A page is submitted at most once in this time: a price that goes up and down does not use up the quota. */
const AGAIN_HOURS = 24;

interface Link {
  distId: number;
  path: string;
  goodsId: number | null;
}

/** Schedules submission for sites with a token; others have nothing queued. */
async function queue(trx: Trx, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const { rows } = await sql<{ distId: number }>`
    insert into link_push as l (dist_id, path, goods_id)
    select v."distId", v.path, v."goodsId" from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as v("distId" int, path text, "goodsId" bigint)
      join link_push_site s on s.dist_id = v."distId"
    on conflict (dist_id, path) do update set queued_at = now(), sent_at = null, outcome = null
      where l.sent_at < now() - make_interval(hours => ${AGAIN_HOURS})
    returning l.dist_id as "distId"`.execute(trx);
  for (const distId of new Set(rows.map((row) => row.distId)))
    await schedule(trx, SEND, distId, { seconds: GATHER_SECONDS }, 'earlier');
}

type Sites = Pick<Context, 'db' | 'dir'>;

/** Whether any site has a token; most markets have few, and listings change all the time. */
async function isAnySiteSet(trx: Trx): Promise<boolean> {
  const { rows } = await sql`select from link_push_site limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Queues the pages of listings at the one address that search engines know (docs/decisions/361): of the site where each was published, or of
 * the platform when that site no longer exists, and only if the site shows its game.
 */
export async function queueListings({ db, dir }: Sites, goodsIds: readonly number[]): Promise<void> {
  if (!(await isAnySiteSet(db))) return;
  const { rows } = await sql<{ id: number; sn: string; typeId: number; gameId: number; distId: number }>`
    select id, sn, type_id as "typeId", game_id as "gameId", dist_id as "distId" from goods where id = any(${[...goodsIds]}::bigint[])`.execute(
    db,
  );
  const links = rows.flatMap(({ id, sn, typeId, gameId, distId }): Link[] => {
    const dist = dir.byId(distId) ?? dir.platform();
    if (dist.games !== null && !dist.games.includes(gameId)) return [];
    return [{ distId: dist.id, path: `/${usesJDetail(typeId) ? 'JDetail' : 'detail'}/${sn}`, goodsId: id }];
  });
  await inTransaction(db, async (trx) => await queue(trx, links));
}

/** The page of a text on the sites that show it: its own, or every one. */
const linksOf = ({ dir }: Sites, owner: number | null, path: string): Link[] =>
  (owner === null ? dir.all().map(({ id }) => id) : [owner]).map((distId) => ({ distId, path, goodsId: null }));

/** Queues an article that was published or changed. */
export async function queueArticle(ctx: Sites, newsId: number): Promise<void> {
  const { rows } = await sql<{ code: string; distId: number | null }>`
    select code, dist_id as "distId" from news
    where id = ${newsId} and status = ${sql.lit(PublicationStatus.Published)} and published_at <= now() and (published_until is null or published_until > now())`.execute(
    ctx.db,
  );
  await inTransaction(ctx.db, async (trx) => {
    for (const { code, distId } of rows) await queue(trx, linksOf(ctx, distId, `/news/${code}`));
  });
}

/** Queues a case that was published or changed, in the transaction of the change; an unpublished one is skipped. */
export async function queueCase(ctx: Sites, trx: Trx, caseId: number): Promise<void> {
  const { rows } = await sql<{ distId: number | null }>`
    select dist_id as "distId" from event_case where id = ${caseId} and status = ${sql.lit(PublicationStatus.Published)} and published_at <= now()`.execute(
    trx,
  );
  for (const { distId } of rows) await queue(trx, linksOf(ctx, distId, `/eventCase/detail?id=${caseId}`));
}
