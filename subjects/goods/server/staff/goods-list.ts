import { type RawBuilder, sql } from 'kysely';
import type { staffGoodsList, staffTakeDown } from '#subjects/goods/contract/staff-listings.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { takeDownListing } from '../selling/barred.ts';
import { inBulk } from '#server/staff/bulk.ts';
import { amounting, type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { likePattern } from '#server/staff/paging.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';

interface Row {
  id: number;
  sort_key: string;
  sn: string;
  title: string;
  type_id: number;
  game_name: string;
  price_fen: number;
  stock: number;
  status: number;
  seller_id: number;
  seller_name: string;
  review_note: string | null;
  dist_name: string;
  created_at: Date;
  updated_at: Date;
}

const SORTS = {
  createTime: { by: sql`g.created_at`, kind: 'time' },
  price: { by: sql`g.price_fen`, kind: 'number' },
} as const;

function filterOf(call: StaffRead, input: Parsed<typeof staffGoodsList>): RawBuilder<unknown> {
  const parts = [sql`true`];
  const { keyWord } = input;
  if (call.staff.distId !== null) parts.push(sql`g.dist_id = ${call.staff.distId}`);
  if (input.status !== undefined) parts.push(sql`g.status = any(${input.status.map(Number)}::smallint[])`);
  if (input.typeId !== undefined) parts.push(sql`g.type_id = any(${input.typeId.map(Number)}::smallint[])`);
  if (input.gameId !== undefined) parts.push(sql`g.game_id = any(${input.gameId}::int[])`);
  if (input.price !== undefined) parts.push(amounting(sql`g.price_fen`, input.price));
  if (input.createTime !== undefined) parts.push(during(sql`g.created_at`, input.createTime));
  if (input.newerThan !== undefined) parts.push(sql`g.created_at > ${input.newerThan}`);
  if (keyWord !== undefined) {
    const person = userIdsFor(call, keyWord);
    parts.push(
      person
        ? sql`g.seller_id in (${person})`
        : sql`(g.sn = ${keyWord.toUpperCase()} or g.title ilike ${likePattern(keyWord)})`,
    );
  }
  return sql.join(parts, sql` and `);
}

/** Every listing for staff; staff of a distributor see those of its own. A search for a user is audited. Throws FORBIDDEN. */
export async function listGoods(
  call: StaffRead,
  input: Parsed<typeof staffGoodsList>,
  batch?: Batch,
): Promise<HandlerResult<typeof staffGoodsList>> {
  requirePermission(call.staff, 'goods.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`g.id`, batch);
  const { rows } = await sql<Row>`
    select g.id, ${page.key} as sort_key, g.sn, g.title, g.type_id, m.name as game_name, g.price_fen, g.stock, g.status, g.seller_id,
      s.nick_name as seller_name, g.review_note, d.name as dist_name, g.created_at, g.updated_at
    from goods g join game m on m.id = g.game_id join app_user s on s.id = g.seller_id join distributor d on d.id = g.dist_id
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const games = await sql<{ id: number; name: string }>`select id, name from game order by name limit 1000`.execute(db);
  const result = page.cut(rows);
  await auditUserSearch(
    call,
    'goods',
    input.keyWord,
    result.rows.map((row) => row.sn),
  );
  return {
    list: result.rows.map((row) => ({
      goodsSn: row.sn,
      bigTitle: row.title,
      typeId: row.type_id,
      typeName: orderTypeName(row.type_id),
      gameName: row.game_name,
      price: row.price_fen,
      stock: row.stock,
      status: row.status,
      statusName: offerStatusName(row.status),
      sellerId: String(row.seller_id),
      sellerName: row.seller_name,
      note: row.review_note,
      distName: row.dist_name,
      createTime: row.created_at,
      updateTime: row.updated_at,
    })),
    games: games.rows.map(({ id, name }) => ({ gameId: id, name })),
    ...(await loadTotals(db, sql`goods g where ${filter}`, { batch })),
    next: result.next,
    now: new Date(),
  };
}

/** States in which a listing is visible to buyers or its seller can put it back on sale with one click. */
const SHOWN: readonly number[] = [GoodsStatus.OnSale, GoodsStatus.OffSale, GoodsStatus.Hidden];

/** Takes one listing down, with the reason for its seller. Throws NOT_FOUND, GOODS_STATE. */
async function takeDownOne({ ctx, staff, ip }: StaffCall, sn: string, reason: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; status: number; seller_id: number; title: string; updated_at: Date }>`
      select id, status, seller_id, title, updated_at from goods where sn = ${sn.toUpperCase()} ${ownSite(staff, sql`dist_id`)} for update`.execute(
      trx,
    );
    const goods = rows[0];
    if (!goods) throw errorOf('NOT_FOUND', 'goods');
    if (goods.status !== GoodsStatus.Locked && !SHOWN.includes(goods.status))
      throw new AppError('GOODS_STATE', { text: `商品${offerStatusName(goods.status)}，不用下架` });
    await takeDownListing(ctx, trx, { goodsId: goods.id, staffId: staff.id, reason });
    await audit(trx, staff, 'goods.takeDown', `goods:${sn.toUpperCase()}`, { reason, sellerId: goods.seller_id }, ip);
    await emit(trx, 'notice', {
      kind: 'goods.taken',
      userId: goods.seller_id,
      ref: `taken:staff:${goods.id}:${goods.updated_at.getTime()}`,
      values: { goods: goods.title, goodsSn: sn.toUpperCase(), part: '商品', text: reason },
    });
  });
}

/** Takes listings down; those in an order or not offered are rejected. Throws FORBIDDEN. */
export async function takeDown(
  call: StaffCall,
  { goodsSns, reason }: Parsed<typeof staffTakeDown>,
): Promise<HandlerResult<typeof staffTakeDown>> {
  requirePermission(call.staff, 'goods.review');
  return await inBulk(goodsSns, (sn) => takeDownOne(call, sn, reason));
}
