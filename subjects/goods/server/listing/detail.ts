import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { amountUnit, usesJDetail } from '#contract/rules/catalogue.ts';
import { coinText, ratioText, unitPriceText, unitsPerYuan } from '#subjects/quick-coin/rules/coin.ts';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { isPrivateGoods, GoodsStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { inspectHoursOf } from '#subjects/orders/rules/protection.ts';
import { saleHold } from '#subjects/deposits/server/service.ts';
import { type Catalogue, readableAttrs, showsGame, stepsForGoods } from '#subjects/games/server/service.ts';
import { COVER_ITEM, type PictureItem, pictureUrls } from '#subjects/media/server/service.ts';
import { type MonthRate, monthRates } from '#subjects/valuation/server/service.ts';
import { CARD_COLUMNS, CARD_JOINS, cardKit, cardOf, type CardRow } from './cards.ts';
import type { VisibleGames } from './list.ts';
import { loadPassport } from './passport.ts';
import { loadComparables } from '../prices/prices.ts';
import { termsBody } from '../terms/terms.ts';

interface Reading {
  field: string;
  label: string;
  value: string;
  said: string;
  differs: boolean;
  reader: string;
  at: string;
}

interface DetailRow extends CardRow {
  description: string;
  /** The seller's pictures, then the cover. */
  pictures: PictureItem[];
  source: string | null;
  fingerprint: Buffer | null;
  reviewNote: string | null;
  follows: number;
  followed: boolean;
  inspection: Reading[];
  onSaleNum: number;
  /** Changes of the price since the listing was published, oldest first. */
  priceChanges: { from: number; to: number; at: string }[];
  /** The figures behind the seller's level; null before the first sale. */
  standing: { buyers: number; lost: number } | null;
}

const MAX_ON_SALE = 1000;
/** Maximum number of price changes shown. */
const MAX_CHANGES = 10;

async function loadRow(db: Db, goodsSn: string, userId: number | undefined): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${CARD_COLUMNS}, g.description, g.pictures || ${COVER_ITEM} as pictures, g.source, g.fingerprint, g.review_note as "reviewNote", coalesce(st.follows, 0) as follows,
      exists (select from goods_follow f where f.user_id = ${userId ?? 0} and f.goods_id = g.id) as followed,
      coalesce((select json_agg(json_build_object('field', i.field, 'label', i.label, 'value', i.value, 'said', i.said, 'differs', i.differs, 'reader', i.reader, 'at', i.read_at) order by i.read_at, i.field)
        from inspection i where i.goods_id = g.id), '[]') as inspection,
      coalesce((select json_agg(json_build_object('from', (e.detail->>'fromFen')::bigint, 'to', (e.detail->>'toFen')::bigint, 'at', e.created_at) order by e.id)
        from (select * from goods_event p where p.goods_id = g.id and p.kind = 'price' and p.detail ? 'fromFen' order by p.id desc limit ${MAX_CHANGES}::int) e), '[]') as "priceChanges",
      (select json_build_object('buyers', (t.counted->>'buyers')::int, 'lost', (t.counted->>'lost')::int) from seller_standing t
        where t.user_id = g.seller_id) as standing,
      (select count(*)::int from (select from goods_search s where s.seller_id = g.seller_id limit ${MAX_ON_SALE}) n) as "onSaleNum"
    from goods g ${CARD_JOINS} where g.sn = ${goodsSn.toUpperCase()}`.execute(db);
  return rows[0];
}

const HOUR = 3600;
const DEFAULT_SHIP_HOURS = 24;
const DEFAULT_INSPECT_SECONDS = 72 * 3600;

/** Amount, ratio and unit price of a coin listing; null for other listings. */
function coinOf(all: Catalogue, row: DetailRow): HandlerResult<typeof goodsInfo>['coin'] {
  const { amount } = row.attrs;
  if (!usesJDetail(row.typeId) || typeof amount !== 'number' || amount <= 0) return null;
  const unit = amountUnit(row.typeId, all.fieldsOf(row.gameId, row.typeId).find((f) => f.key === 'amount')?.unit);
  const perYuan = unitsPerYuan(amount, row.priceFen);
  const delivery = readableAttrs(all, row.gameId, row.attrs).find(({ key }) => key === 'delivery');
  return {
    amountText: coinText(amount, unit),
    ratioText: ratioText(perYuan, unit),
    unitPriceText: unitPriceText(perYuan, unit),
    deliveryText: delivery?.value ?? '',
  };
}

/** The model's accuracy in the last full month; the current month has few sales. */
function recordOf(months: readonly MonthRate[]): HandlerResult<typeof goodsInfo>['priceRecord'] {
  const running = chinaDay(new Date()).slice(0, 7);
  const last = months.findLast(({ month }) => month < running);
  return last ? { month: last.month, percent: last.percent } : null;
}

const hours = (seconds: number | undefined, otherwise: number): number =>
  seconds === undefined ? otherwise : Math.round(seconds / HOUR);

/** The figures behind a seller's level (written by subject seller-levels), as text; null when there are none. */
const levelNoteOf = ({ standing }: DetailRow): string | null =>
  standing && `近期 ${standing.buyers} 位不同买家，申诉败诉 ${standing.lost} 次`;

/** Whether a listing is visible to no one, or only to its seller. */
const isHiddenGoods = (status: number, isMine: boolean): boolean =>
  status === GoodsStatus.Removed || (isPrivateGoods(status) && !isMine);

/**
 * A listing with all its details. One that is no longer on sale is still returned, with its status; drafts and listings in review are
 * returned to their seller only. Amounts in fen. Throws GOODS_NOT_FOUND, also for a game that the site does not show.
 */
export async function goodsDetail(
  ctx: Context,
  dist: VisibleGames,
  userId: number | undefined,
  goodsSn: string,
): Promise<HandlerResult<typeof goodsInfo> & { goodsId: number }> {
  const row = await loadRow(ctx.db, goodsSn, userId);
  const isMine = row?.sellerId === userId;
  if (!row || isHiddenGoods(row.status, isMine) || !showsGame(dist, row.gameId)) throw new AppError('GOODS_NOT_FOUND');
  const [kit, history, sold, months, hold] = await Promise.all([
    cardKit(ctx, dist, [row.sellerId]),
    row.fingerprint === null ? [] : loadPassport(ctx.db, row.fingerprint),
    loadComparables(ctx, row),
    row.typicalFen === null ? [] : monthRates(ctx, row.gameId),
    saleHold(ctx, ctx.db, row.sellerId),
  ]);
  const card = cardOf(kit, row);
  const game = kit.all.game(row.gameId);
  const brief = kit.sellers.get(row.sellerId);
  if (!card || !game || !brief) throw new AppError('GOODS_NOT_FOUND');
  const clocks = ctx.dir.setting('order');
  const type = String(row.typeId);
  const readings = new Map(row.inspection.map(({ field, value }) => [field, value]));
  const handover = stepsForGoods(
    kit.all.handoverOf(row.gameId, row.typeId).steps,
    kit.all.fieldsOf(row.gameId),
    row.attrs,
    readings,
  );
  const typed = new Set(kit.all.fieldsOf(row.gameId, row.typeId).map((f) => f.key));
  return {
    ...card,
    ...termsBody(row),
    goodsId: row.id,
    seller: { ...card.seller, onSaleNum: row.onSaleNum, levelNote: levelNoteOf(row), joinTime: brief.createdAt },
    description: maskContacts(row.description).text,
    pictures: row.pictures.map((item, i) => pictureUrls(item, game.code, i)),
    coin: coinOf(kit.all, row),
    attrs: readableAttrs(kit.all, row.gameId, row.attrs, row.typeId)
      .filter(({ key }) => typed.has(key))
      .map((attr) => ({ ...attr, value: kit.shown(attr.value) })),
    areaId: row.areaId,
    serverId: row.serverId,
    source: row.source,
    isMine,
    followed: row.followed,
    follows: row.follows,
    inspection: row.inspection.map(({ label, value, said, differs, reader, at }) => ({
      label,
      value,
      said: differs ? said || '没有填写' : null,
      reader,
      readTime: new Date(at),
    })),
    handover: handover.steps,
    ruledOut: handover.ruledOut,
    payMinutes: Math.floor(clocks.unpaidSeconds / 60),
    shipHours: hours(clocks.shipSeconds[type], DEFAULT_SHIP_HOURS),
    protection: {
      inspectHours: inspectHoursOf(row.typeId, clocks.confirmSeconds[type] ?? DEFAULT_INSPECT_SECONDS),
      holdHours: hold.hours,
    },
    history,
    ...sold,
    priceRecord: recordOf(months),
    priceChanges: row.priceChanges.map(({ from, to, at }) => ({ from, to, changeTime: new Date(at) })),
    canonicalUrl: `${ctx.dir.originOf(row.distId)}${card.pageUrl}`,
    rejectReason: isMine ? row.reviewNote : null,
  };
}
