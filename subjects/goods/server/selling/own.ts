import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { getGoodsUpperConf, selfGoods, selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { goodsTypeName, usesJDetail } from '#contract/rules/catalogue.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import { offerMoney, offerStatusName } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { yuanLabel } from '#contract/wire.ts';
import { UNPREPARED } from '#server/db/client.ts';
import { SERVICES } from '#server/states/order-states.ts';
import type { UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, type Game } from '#subjects/games/server/service.ts';
import { FIRST_PICTURE, type PictureItem, pictureUrls, type StoredPicture } from '#subjects/media/server/service.ts';
import { pictureKey } from './edit.ts';
import { loadReference } from '#subjects/valuation/server/service.ts';
import { pricesOfReference } from '../prices/references.ts';
import { newSellerLimits } from './release.ts';
import { publishInputs } from './publish-inputs.ts';
import { sellableGame } from './release-form.ts';
import { TERM_COLUMNS, type Terms, termsBody } from '../terms/terms.ts';

const PAGE = 20;
const MAX_COUNT = 1000;
/** Leaves out drafts and removed listings, also for their seller, and services, which providers manage as packages. */
const VISIBLE = sql`g.status not in (${sql.lit(GoodsStatus.Draft)}, ${sql.lit(GoodsStatus.Removed)})
  and g.type_id not in ${SERVICES}`;

interface ListRow {
  id: number;
  sn: string;
  title: string;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  picture: PictureItem;
  priceFen: number;
  stock: number;
  bargainOk: boolean;
  status: number;
  reviewNote: string | null;
  views: number;
  follows: number;
  createdAt: Date;
  refreshedAt: Date;
}

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

async function listRows(
  { ctx, user }: UserCall,
  input: Parsed<typeof selfPublishGoodsList>,
  limit: number,
): Promise<ListRow[]> {
  const after = decodeId(input.cursor);
  const where: RawBuilder<unknown>[] = [sql`g.seller_id = ${user.id}`, VISIBLE];
  if (input.status !== undefined) where.push(sql`g.status = ${input.status}`);
  if (input.keyWord !== undefined)
    where.push(sql`(g.title ilike ${likePattern(input.keyWord)} or g.sn = ${input.keyWord.toUpperCase()})`);
  if (after !== undefined) where.push(sql`g.id < ${after}::bigint`);
  const offset = after !== undefined ? 0 : ((input.pages ?? 1) - 1) * limit;
  const { rows } = await sql<ListRow>`${sql.raw(UNPREPARED)}
    select g.id, g.sn, g.title, g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId",
      ${FIRST_PICTURE} as picture, g.price_fen as "priceFen", g.stock, g.bargain_ok as "bargainOk", g.status, g.review_note as "reviewNote",
      coalesce(st.views, 0) as views, coalesce(st.follows, 0) as follows, g.created_at as "createdAt", g.refreshed_at as "refreshedAt"
    from goods g left join goods_stat st on st.goods_id = g.id where ${sql.join(where, sql` and `)}
    order by g.id desc limit ${limit + 1} offset ${offset}`.execute(ctx.db);
  return rows;
}

async function loadCounts({ ctx, user }: UserCall, keyWord: string | undefined): Promise<Record<string, number>> {
  const matching =
    keyWord === undefined ? sql`` : sql`and (g.title ilike ${likePattern(keyWord)} or g.sn = ${keyWord.toUpperCase()})`;
  const { rows } = await sql<{ status: number; n: number }>`
    select g.status, count(*)::int as n from goods g where g.seller_id = ${user.id} and ${VISIBLE} ${matching} group by g.status`.execute(
    ctx.db,
  );
  const counts: Record<string, number> = { all: rows.reduce((sum, { n }) => sum + n, 0) };
  for (const { status, n } of rows) counts[String(status)] = n;
  return counts;
}

/** The caller's listings, newest first, with the net amount of each and the number in each state. */
export async function ownGoodsList(
  call: UserCall,
  input: Parsed<typeof selfPublishGoodsList>,
): Promise<HandlerResult<typeof selfPublishGoodsList>> {
  const limit = input.pageSize ?? PAGE;
  const [rows, counts, all] = await Promise.all([
    listRows(call, input, limit),
    loadCounts(call, input.keyWord),
    catalogue(call.ctx),
  ]);
  const fees = call.ctx.dir.setting('fees');
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const total = counts[input.status === undefined ? 'all' : String(input.status)] ?? 0;
  return {
    list: page.map((r) => {
      const game = all.known(r.gameId);
      const area = r.areaId === null ? undefined : all.area(r.areaId)?.name;
      const server = r.serverId === null ? undefined : all.server(r.serverId)?.name;
      return {
        goodsSn: r.sn,
        bigTitle: r.title,
        gameId: r.gameId,
        gameName: game?.name ?? '',
        goodsTypeId: r.typeId,
        goodsTypeStr: game?.goodsTypes.find((t) => t.id === r.typeId)?.name ?? goodsTypeName(r.typeId),
        areaText: [area, server].filter(Boolean).join(' / '),
        thumbnail: pictureUrls(r.picture, game?.code ?? '').thumb,
        price: r.priceFen,
        net: offerMoney(r.priceFen, fees).netFen,
        stock: r.stock,
        bargainOpen: r.bargainOk,
        status: r.status,
        statusName: offerStatusName(r.status),
        pageUrl: `${usesJDetail(r.typeId) ? '/JDetail' : '/detail'}/${r.sn}`,
        reviewNote: r.status === GoodsStatus.Rejected ? r.reviewNote : null,
        views: r.views,
        follows: r.follows,
        createTime: r.createdAt,
        refreshTime: r.refreshedAt,
      };
    }),
    counts,
    total: Math.min(total, MAX_COUNT),
    totalCapped: total > MAX_COUNT,
    next: last ? encodeCursor([last.id]) : null,
  };
}

interface EditRow extends Terms {
  sn: string;
  gameId: number;
  typeId: number;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  areaId: number | null;
  serverId: number | null;
  attrs: Record<string, unknown>;
  pictures: StoredPicture[];
  hasAccount: boolean;
  status: number;
  reviewNote: string | null;
}

/** A listing of the caller for the edit form, in any state. Throws GOODS_NOT_FOUND, also for another user's. */
export async function ownGoods({ ctx, user }: UserCall, goodsSn: string): Promise<HandlerResult<typeof selfGoods>> {
  const { rows } = await sql<EditRow>`
    select g.sn, g.game_id as "gameId", g.type_id as "typeId", g.title, g.description, g.price_fen as "priceFen", g.stock, g.area_id as "areaId",
      g.server_id as "serverId", g.attrs, g.pictures, ${TERM_COLUMNS},
      g.fingerprint is not null as "hasAccount", g.status, g.review_note as "reviewNote"
    from goods g where g.sn = ${goodsSn} and g.seller_id = ${user.id} and ${VISIBLE}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw new AppError('GOODS_NOT_FOUND');
  const code = (await catalogue(ctx)).known(row.gameId)?.code ?? '';
  return {
    goodsSn: row.sn,
    gameId: row.gameId,
    goodsTypeId: row.typeId,
    bigTitle: row.title,
    description: row.description,
    price: row.priceFen,
    stock: row.stock,
    areaId: row.areaId,
    serverId: row.serverId,
    details: row.attrs,
    pictures: row.pictures.map((p, i) => ({ key: pictureKey(p, i), url: pictureUrls(p, code, i).thumb })),
    ...termsBody(row),
    hasAccount: row.hasAccount,
    status: row.status,
    reviewNote: row.reviewNote,
  };
}

/** The valuation of the listing being entered, with the same figures as after publication; null without a model. */
async function bandFor(
  { ctx }: UserCall,
  game: Game,
  { typeId, areaId, details }: { typeId: number; areaId: number | null; details: Readonly<Record<string, unknown>> },
) {
  const fields = game.fields.filter((f) => !f.retired && f.goodsTypes.includes(typeId));
  const attrs = checkAttrs(fields, details).values;
  const reference = await loadReference(ctx, { gameId: game.id, typeId, areaId, attrs });
  return reference ? pricesOfReference(reference) : null;
}

/** The publishing form of a game and goods type, with the price limits of this seller and the reference price. */
export async function upperConf(
  call: UserCall,
  { gameId, goodsTypeId, areaId, details }: Parsed<typeof getGoodsUpperConf>,
): Promise<HandlerResult<typeof getGoodsUpperConf>> {
  const { ctx, user } = call;
  const game = await sellableGame(call, gameId, goodsTypeId);
  const [limits, band] = await Promise.all([
    newSellerLimits(ctx, ctx.db, user.id),
    bandFor(call, game, { typeId: goodsTypeId, areaId: areaId ?? null, details: details ?? {} }),
  ]);
  return {
    gameId,
    gameName: game.name,
    goodsTypeId,
    version: game.fieldsVersion,
    inputs: publishInputs(game, goodsTypeId, limits?.maxFen),
    fields: [...(await catalogue(ctx)).openFieldsOf(gameId, goodsTypeId)],
    maxPictures: offerLimits.pictures,
    minPrice: offerLimits.priceMinFen,
    maxPrice: Math.min(limits?.maxFen ?? offerLimits.priceMaxFen, offerLimits.priceMaxFen),
    band,
    newSellerText: limits
      ? `完成 ${limits.sales} 笔交易前，最多同时发布 ${limits.count} 件（还可发布 ${limits.left} 件），单件不超过 ${yuanLabel(limits.maxFen)} 元`
      : null,
  };
}
