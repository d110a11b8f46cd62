import { sql } from 'kysely';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { reindexGoods, reindexMany } from '../search/reindex.ts';
import { record } from './release.ts';

/** A field of a listing as an inspector read it, with the seller's value. */
export interface Inspected {
  field: string;
  label: string;
  said: string;
  found: string;
  differs: boolean;
}

/**
 * Stores the readings of an inspection on a listing and replaces an earlier inspection. If every field is as stated, the listing
 * gets the mark 'inspected'. If a field differs, it has no mark until the seller corrects the listing to the readings, and its page
 * shows the differences (decision 290). The caller must hold the listing's lock.
 */
export async function storeInspection(
  ctx: Context,
  trx: Trx,
  what: { goodsId: number; taskId: number; reader: string; staffId: number; readings: readonly Inspected[] },
): Promise<void> {
  const read = what.readings.filter(({ found }) => found !== '');
  const differs = what.readings.filter((r) => r.differs).length;
  // Without the mark, the database deletes the earlier readings; with it, they are deleted here.
  await sql`update goods set inspected_at = case when ${differs} = 0 then now() end where id = ${what.goodsId}`.execute(
    trx,
  );
  await sql`delete from inspection where goods_id = ${what.goodsId}`.execute(trx);
  for (const r of read)
    await sql`insert into inspection (goods_id, field, label, value, reader, read_at, task_id, said, differs)
      values (${what.goodsId}, ${r.field}, ${r.label}, ${r.found}, ${what.reader}, now(), ${what.taskId}, ${r.said}, ${r.differs})`.execute(
      trx,
    );
  await record(trx, what.goodsId, 'inspected', `staff:${what.staffId}`, { differs, task: what.taskId });
  await reindexGoods(ctx, trx, what.goodsId);
}

/**
 * Changes the stated values of a listing to its readings; it then has the mark, dated by the reading. No review is needed, because
 * staff wrote these values. The listing gets a new version, so that a buyer pays only for contents that they saw. Returns false
 * when the readings no longer apply.
 */
export async function adoptReadings(
  ctx: Context,
  trx: Trx,
  what: {
    goodsId: number;
    sellerId: number;
    taskId: number;
    values: Readonly<Record<string, unknown>>;
    absent: readonly string[];
    at: Date;
  },
): Promise<boolean> {
  const { rows } = await sql`
    update goods g set attrs = (g.attrs - ${[...what.absent]}::text[]) || ${JSON.stringify(what.values)}::jsonb, inspected_at = ${what.at}, version = version + 1, updated_at = now()
    where g.id = ${what.goodsId} and g.seller_id = ${what.sellerId} and g.status = any(${[GoodsStatus.OnSale, GoodsStatus.OffSale, GoodsStatus.Hidden]}::smallint[])
      and g.inspected_at is null and exists (select from inspection i where i.goods_id = g.id and i.task_id = ${what.taskId}) returning id`.execute(
    trx,
  );
  if (rows.length === 0) return false;
  await sql`update inspection set said = value, differs = false where goods_id = ${what.goodsId}`.execute(trx);
  await record(trx, what.goodsId, 'edited', `user:${what.sellerId}`, { changed: ['attrs'], task: what.taskId });
  await reindexGoods(ctx, trx, what.goodsId);
  return true;
}

/** Listings of one run of the expiry. */
const BATCH = 500;

/**
 * Ends the mark of listings that were read more than `days` ago. Listings that are sold or being bought keep it. Returns how many
 * marks ended.
 */
export async function expireInspections(ctx: Context, trx: Trx, days: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update goods set inspected_at = null where id in (
      select g.id from goods g where g.inspected_at < now() - make_interval(days => ${days})
        and g.status <> all(${[GoodsStatus.Locked, GoodsStatus.Sold, GoodsStatus.Removed]}::smallint[]) limit ${BATCH} for update skip locked) returning id`.execute(
    trx,
  );
  await reindexMany(
    ctx,
    trx,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
