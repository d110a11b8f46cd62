import { CoinOfferStatus, RecyclerStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { coinRecycleList, saveCoinRecycle } from '#subjects/recycling/contract/recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { coinUnits, deliveryName } from '#contract/rules/catalogue.ts';
import { yuanLabel } from '#contract/wire.ts';
import { ratioText, unitPriceText, unitsPerYuan } from '#subjects/quick-coin/rules/coin.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import { commissionOf, type FeeSetting } from '#subjects/orders/server/service.ts';

/** A recycler's standing offer for coin. */
export interface RecycleOffer {
  id: number;
  sn: string;
  recyclerId: number;
  recyclerName: string;
  doneCount: number;
  gameId: number;
  areaId: number;
  areaName: string;
  unit: string;
  lotUnits: number;
  lotPriceFen: number;
  /** The price per unit in ten-thousandths of a fen; the list is sorted by it, descending. */
  unitMicro: number;
  wantedLots: number;
  minLots: number;
  delivery: number[];
  status: number;
  version: number;
  updatedAt: Date;
}

const MICRO = sql`(c.lot_price_fen * 10000 / c.lot_units)`;
const COLUMNS = sql`c.id, c.sn, c.recycler_id as "recyclerId", r.name as "recyclerName", r.won_count as "doneCount", c.game_id as "gameId",
  c.area_id as "areaId", a.name as "areaName", c.unit, c.lot_units as "lotUnits", c.lot_price_fen as "lotPriceFen", ${MICRO} as "unitMicro",
  c.wanted_lots as "wantedLots", c.min_lots as "minLots", to_jsonb(c.delivery) as delivery, c.status, c.version, c.updated_at as "updatedAt"`;
const FROM = sql`recycle_coin_offer c join recycler r on r.user_id = c.recycler_id join game_area a on a.id = c.area_id`;

/** One offer by its number. */
export async function recycleOfferBySn(db: Trx, sn: string): Promise<RecycleOffer | undefined> {
  const { rows } = await sql<RecycleOffer>`
    select ${COLUMNS} from ${FROM} where c.sn = ${sn} and c.status <> ${sql.lit(CoinOfferStatus.Removed)} and r.status = ${sql.lit(RecyclerStatus.Active)}`.execute(
    db,
  );
  return rows[0];
}

function viewOf(
  row: RecycleOffer,
  all: Catalogue,
  fees: FeeSetting,
  me: number | null,
): HandlerResult<typeof coinRecycleList>['list'][number] {
  const perYuan = unitsPerYuan(row.lotUnits, row.lotPriceFen);
  return {
    offerSn: row.sn,
    gameId: row.gameId,
    gameName: all.known(row.gameId)?.name ?? '',
    areaId: row.areaId,
    areaName: row.areaName,
    unit: coinUnits.find((unit) => unit === row.unit) ?? '金币',
    lotUnits: row.lotUnits,
    lotPrice: row.lotPriceFen,
    lotNet: row.lotPriceFen - commissionOf(row.lotPriceFen, fees),
    ratioText: ratioText(perYuan, row.unit),
    unitPriceText: unitPriceText(perYuan, row.unit),
    wantedNum: row.wantedLots,
    minNum: row.minLots,
    delivery: row.delivery.map((id) => ({ id, name: deliveryName(id) })),
    status: row.status,
    version: row.version,
    recyclerName: row.recyclerName,
    doneNum: row.doneCount,
    isMine: row.recyclerId === me,
    updateTime: row.updatedAt,
  };
}

/** Lists the offers of recyclers, the best price for a unit first; or the caller's own offers. */
export async function listRecycle(
  call: Call,
  input: Parsed<typeof coinRecycleList>,
): Promise<HandlerResult<typeof coinRecycleList>> {
  const { ctx, dist } = call;
  const me = call.caller.user?.id ?? null;
  const own = input.own === 1;
  if (own && me === null) throw new AppError('LOGIN_REQUIRED');
  const limit = input.pageSize ?? 20;
  const from = decodeKeyAndId(input.cursor);
  const parts = own
    ? [sql`c.recycler_id = ${me} and c.status <> ${sql.lit(CoinOfferStatus.Removed)}`]
    : [
        sql`c.status = ${sql.lit(CoinOfferStatus.OnSale)} and c.wanted_lots >= c.min_lots and c.wanted_lots > 0 and r.status = ${sql.lit(RecyclerStatus.Active)}`,
      ];
  if (dist.games) parts.push(sql`c.game_id = any(${[...dist.games]}::int[])`);
  if (input.gameId !== undefined) parts.push(sql`c.game_id = ${input.gameId}`);
  if (input.areaId !== undefined) parts.push(sql`c.area_id = ${input.areaId}`);
  // Units of different games cannot be compared, so the caller's own offers are sorted newest first.
  const rank = own ? sql`0::bigint` : MICRO;
  const page = from ? [...parts, sql`(${rank}, c.id) < (${from[0]}, ${from[1]})`] : parts;
  const offset = from ? 0 : ((input.pages ?? 1) - 1) * limit;
  const [result, counted, admitted, all] = await Promise.all([
    sql<RecycleOffer>`select ${COLUMNS} from ${FROM} where ${sql.join(page, sql` and `)} order by ${rank} desc, c.id desc limit ${limit + 1} offset ${offset}`.execute(
      ctx.db,
    ),
    sql<{
      n: number;
    }>`select count(*)::int as n from (select from ${FROM} where ${sql.join(parts, sql` and `)} limit 1001) x`.execute(
      ctx.db,
    ),
    me === null
      ? null
      : sql`select from recycler where user_id = ${me} and status = ${sql.lit(RecyclerStatus.Active)}`.execute(ctx.db),
    catalogue(ctx),
  ]);
  const fees = ctx.dir.setting('fees');
  const rows = result.rows.slice(0, limit);
  const last = rows.at(-1);
  const n = counted.rows[0]?.n ?? 0;
  return {
    list: rows.map((row) => viewOf(row, all, fees, me)),
    isRecycler: (admitted?.rows.length ?? 0) > 0,
    commissionBp: fees.sellerBp,
    commissionMax: fees.sellerMaxFen,
    total: Math.min(n, 1000),
    totalCapped: n > 1000,
    next: result.rows.length > limit && last ? encodeCursor([own ? 0 : last.unitMicro, last.id]) : null,
  };
}

type Save = Parsed<typeof saveCoinRecycle>;
const SN_LENGTH = 10;

async function create(trx: Trx, call: UserCall, input: Save): Promise<string> {
  const { gameId = 0, areaId = 0, lotUnits = 0, lotPrice = 0, wantedNum = 0, minNum = 1, delivery = [1] } = input;
  const all = await catalogue(call.ctx);
  const unit = all.game(gameId)?.coinUnit;
  if (!unit) throw new AppError('GOODS_TYPE_UNSUPPORTED', { text: '该游戏没有可交易的游戏币' });
  if (all.area(areaId)?.gameId !== gameId)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏', field: 'areaId' });
  const { rows } = await sql<{ sn: string }>`
    insert into recycle_coin_offer (sn, recycler_id, game_id, area_id, unit, lot_units, lot_price_fen, wanted_lots, min_lots, delivery)
    values (${`RC${readableCode(SN_LENGTH)}`}, ${call.user.id}, ${gameId}, ${areaId}, ${unit}, ${lotUnits}, ${lotPrice}, ${wantedNum}, ${minNum},
      ${[...new Set(delivery)]}::smallint[]) returning sn`.execute(trx);
  return rows[0]?.sn ?? '';
}

const STATUS = { push: 1, pull: 2, remove: 3 } as const;

async function change(trx: Trx, userId: number, v: Save): Promise<boolean> {
  const where = sql`where sn = ${v.offerSn} and recycler_id = ${userId} and status <> ${sql.lit(CoinOfferStatus.Removed)}`;
  const { rows } =
    v.act === 'save'
      ? await sql`update recycle_coin_offer set lot_units = coalesce(${v.lotUnits ?? null}::bigint, lot_units),
            lot_price_fen = coalesce(${v.lotPrice ?? null}::bigint, lot_price_fen), wanted_lots = coalesce(${v.wantedNum ?? null}::int, wanted_lots),
            min_lots = coalesce(${v.minNum ?? null}::int, min_lots), delivery = coalesce(${v.delivery ?? null}::smallint[], delivery),
            version = version + 1, updated_at = now() ${where} returning id`.execute(trx)
      : await sql`update recycle_coin_offer set status = ${STATUS[v.act]}, updated_at = now() ${where} returning id`.execute(
          trx,
        );
  return rows.length > 0;
}

/** The game must be in the recycler's record. Throws BAD_INPUT. */
async function mustServe(trx: Trx, sn: string, games: readonly number[]): Promise<void> {
  if (games.length === 0) return;
  const { rows } =
    await sql`select from recycle_coin_offer where sn = ${sn} and not game_id = any(${[...games]}::int[])`.execute(trx);
  if (rows.length > 0)
    throw new AppError('BAD_INPUT', { text: '该游戏不在您的回收范围内，请先在资料里加上', field: 'gameId' });
}

/** Requires a deposit that reaches a level. Throws SHOP_DEPOSIT. */
async function requireDeposit(trx: Trx, userId: number): Promise<void> {
  const { reached, countedFen, levels } = await countedDeposit(trx, userId, 'recycler');
  if (reached) return;
  throw new AppError('SHOP_DEPOSIT', {
    text: `回收商保证金有效金额为 ${yuanLabel(countedFen)} 元，需 ${yuanLabel(levels[0]?.amountFen ?? 0)} 元，请先缴足保证金再发布`,
  });
}

/**
 * A recycler's own offer, new or changed. Throws PROVIDER_REQUIRED for a user who was not admitted, SHOP_DEPOSIT below the required deposit,
 * GOODS_NOT_FOUND for an offer of another user, BAD_INPUT.
 */
export async function saveRecycle(call: UserCall, input: Save): Promise<{ offerSn: string }> {
  const { ctx, user, idem } = call;
  return await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const { rows } = await sql<{ games: number[] }>`
        select games from recycler where user_id = ${user.id} and status = ${sql.lit(RecyclerStatus.Active)}`.execute(
        trx,
      );
      const [admitted] = rows;
      if (!admitted) throw new AppError('PROVIDER_REQUIRED', { text: '仅认证回收商可以发布回收报价' });
      if (input.offerSn === undefined || input.act === 'push') await requireDeposit(trx, user.id);
      if (input.offerSn === undefined) {
        const isServed = admitted.games.length === 0 || admitted.games.includes(input.gameId ?? 0);
        if (!isServed) throw new AppError('BAD_INPUT', { text: '该游戏不在您申请的回收范围内' });
        return { offerSn: await create(trx, call, input) };
      }
      if (input.act === 'push') await mustServe(trx, input.offerSn, admitted.games);
      if (!(await change(trx, user.id, input))) throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已删除' });
      return { offerSn: input.offerSn };
    }),
  );
}
