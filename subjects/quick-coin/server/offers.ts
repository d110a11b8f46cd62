import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { createQuickCoin, updateQuickCoin } from '#subjects/quick-coin/contract/quick-coin.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { type ProviderRow, loadProvider } from '#subjects/providers/server/service.ts';
import { type OfferRow, offerBySn } from './queries.ts';

const SN_LENGTH = 10;
const SN_TRIES = 5;

/** Number of offers that a shop may have on sale: its deposit level's; none without a deposit. */
export async function maxListings(db: Trx, userId: number): Promise<number> {
  const { reached } = await countedDeposit(db, userId, 'shop');
  return reached ? (reached.limits.listings ?? 0) : 0;
}

/**
 * The shop that may offer now, locked for the transaction so that two of its devices cannot exceed the limit together. Throws
 * PROVIDER_REQUIRED, PROVIDER_STATE.
 */
async function openShop(trx: Trx, userId: number): Promise<ProviderRow> {
  const shop = await loadProvider(trx, userId, 'shop', true);
  if (!shop) throw new AppError('PROVIDER_REQUIRED', { text: '请先申请开通店铺' });
  if (shop.status !== 'approved')
    throw new AppError('PROVIDER_STATE', {
      text: shop.status === 'reviewing' ? '店铺审核中，通过后可发布报价' : '店铺未开通或已暂停',
    });
  return shop;
}

/** Throws SHOP_DEPOSIT, SHOP_LISTINGS when one more cannot go on sale. */
async function roomForOne(trx: Trx, userId: number): Promise<void> {
  const max = await maxListings(trx, userId);
  if (max === 0) throw new AppError('SHOP_DEPOSIT');
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from quick_coin_offer where seller_id = ${userId} and status in (${sql.lit(CoinOfferStatus.OnSale)}, ${sql.lit(CoinOfferStatus.Hidden)})`.execute(
    trx,
  );
  if ((rows[0]?.n ?? 0) >= max)
    throw new AppError('SHOP_LISTINGS', { text: `在售报价最多 ${max} 个，升级保证金可增加` });
}

/** Throws BAD_INPUT, GOODS_TYPE_UNSUPPORTED for a region, unit or game that the catalogue does not have. */
async function checkRegion(ctx: Context, shop: ProviderRow, input: Parsed<typeof createQuickCoin>): Promise<void> {
  const all = await catalogue(ctx);
  const game = all.game(input.gameId);
  if (!game) throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
  if (!shop.games.includes(input.gameId))
    throw new AppError('BAD_INPUT', { text: '店铺未开通该游戏，请先在店铺资料中添加', field: 'gameId' });
  if (game.coinUnit === null) throw new AppError('GOODS_TYPE_UNSUPPORTED', { text: '该游戏没有可交易的游戏币' });
  if (game.coinUnit !== input.unit)
    throw new AppError('BAD_INPUT', { text: `该游戏的金币单位是${game.coinUnit}`, field: 'unit' });
  if (all.area(input.areaId)?.gameId !== input.gameId)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏', field: 'areaId' });
  if (input.serverId !== undefined && all.server(input.serverId)?.areaId !== input.areaId)
    throw new AppError('BAD_INPUT', { text: '服务器不属于该大区', field: 'serverId' });
}

async function insertOffer(
  trx: Trx,
  call: UserCall,
  shop: ProviderRow,
  v: Parsed<typeof createQuickCoin>,
): Promise<string> {
  for (let attempt = 0; attempt < SN_TRIES; attempt++) {
    const { rows } = await sql<{ sn: string }>`
      insert into quick_coin_offer (sn, dist_id, provider_id, seller_id, game_id, area_id, server_id, camp, coin_type, unit, lot_units, lot_price_fen,
        stock, min_lots, max_lots, delivery, ship_minutes, title, note)
      values (${`QC${readableCode(SN_LENGTH)}`}, ${call.dist.id}, ${shop.id}, ${call.user.id}, ${v.gameId}, ${v.areaId}, ${v.serverId ?? null}, ${v.camp === undefined ? null : publishable(call.ctx.blockedWords, '阵营', v.camp, 'camp')},
        ${v.quickCoinType}, ${v.unit}, ${v.lotUnits}, ${v.lotPrice}, ${v.stock}, ${v.minNum}, ${v.maxNum}, ${deliverySet(v.delivery)}::smallint[],
        ${v.shipMinutes}, ${publishable(call.ctx.blockedWords, '标题', v.bigTitle ?? '', 'bigTitle')}, ${publishable(call.ctx.blockedWords, '说明', v.note ?? '', 'note')})
      on conflict (sn) do nothing returning sn`.execute(trx);
    if (rows[0]) return rows[0].sn;
  }
  throw new Error('no free number for an offer found');
}

/** Creates an offer on sale. Throws PROVIDER_*, SHOP_*, BAD_INPUT, GOODS_TYPE_UNSUPPORTED. */
export async function createOffer(call: UserCall, input: Parsed<typeof createQuickCoin>): Promise<OfferRow> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const { sn } = await idempotent(trx, call.idem, async () => {
      const shop = await openShop(trx, user.id);
      await checkRegion(ctx, shop, input);
      await roomForOne(trx, user.id);
      return { sn: await insertOffer(trx, call, shop, input) };
    });
    return await must(trx, sn);
  });
}

async function must(trx: Trx, sn: string): Promise<OfferRow> {
  const row = await offerBySn(trx, sn);
  if (!row) throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已删除' });
  return row;
}

type Change = Parsed<typeof updateQuickCoin>;

const deliverySet = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b);

/** A change of what a buyer must see before paying increments the version; stock, title and note do not. */
async function saveTerms(trx: Trx, { ctx, user }: UserCall, v: Change): Promise<boolean> {
  const delivery = v.delivery ? deliverySet(v.delivery) : null;
  const { rows } = await sql`
    update quick_coin_offer set
        version = version + case when (lot_units, lot_price_fen, min_lots, max_lots, ship_minutes) is distinct from
            (coalesce(${v.lotUnits ?? null}::bigint, lot_units), coalesce(${v.lotPrice ?? null}::bigint, lot_price_fen), coalesce(${v.minNum ?? null}::int, min_lots),
             coalesce(${v.maxNum ?? null}::int, max_lots), coalesce(${v.shipMinutes ?? null}::int, ship_minutes))
          or (${delivery}::smallint[] is not null and delivery <> ${delivery}::smallint[]) then 1 else 0 end,
        lot_units = coalesce(${v.lotUnits ?? null}::bigint, lot_units), lot_price_fen = coalesce(${v.lotPrice ?? null}::bigint, lot_price_fen),
        stock = coalesce(${v.stock ?? null}::int, stock), min_lots = coalesce(${v.minNum ?? null}::int, min_lots),
        max_lots = coalesce(${v.maxNum ?? null}::int, max_lots), delivery = coalesce(${delivery}::smallint[], delivery),
        ship_minutes = coalesce(${v.shipMinutes ?? null}::int, ship_minutes), title = coalesce(${v.bigTitle === undefined ? null : publishable(ctx.blockedWords, '标题', v.bigTitle, 'bigTitle')}, title),
        note = coalesce(${v.note === undefined ? null : publishable(ctx.blockedWords, '说明', v.note, 'note')}, note), updated_at = now()
      where sn = ${v.quickCoinSn} and seller_id = ${user.id} and status <> ${sql.lit(CoinOfferStatus.Removed)}
        and coalesce(${v.maxNum ?? null}::int, max_lots) >= coalesce(${v.minNum ?? null}::int, min_lots) returning id`.execute(
    trx,
  );
  return rows.length > 0;
}

async function setStatus(trx: Trx, userId: number, sn: string, from: readonly number[], to: number): Promise<boolean> {
  const { rows } = await sql`update quick_coin_offer set status = ${to}, updated_at = now()
    where sn = ${sn} and seller_id = ${userId} and status = any(${[...from]}::smallint[]) returning id`.execute(trx);
  return rows.length > 0;
}

async function applyChange(trx: Trx, call: UserCall, input: Change, row: OfferRow): Promise<void> {
  const userId = call.user.id;
  const sn = input.quickCoinSn;
  if (input.applyChange === 'save') {
    if (!(await saveTerms(trx, call, input)))
      throw new AppError('BAD_INPUT', { text: '最多份数不能小于起购份数', field: 'maxNum' });
  } else if (input.applyChange === 'push') {
    if (row.status === CoinOfferStatus.OnSale) return;
    await openShop(trx, userId);
    if (row.status === CoinOfferStatus.OffSale) await roomForOne(trx, userId);
    if (!(await setStatus(trx, userId, sn, [1, 2, 7], 1))) throw new AppError('GOODS_STATE');
  } else if (input.applyChange === 'pull') {
    // Also accepts the target state: a second click right after the first succeeds.
    if (!(await setStatus(trx, userId, sn, [1, 2, 7], 2))) throw new AppError('GOODS_STATE');
  } else if (!(await setStatus(trx, userId, sn, [1, 2, 7], 3))) {
    throw new AppError('GOODS_STATE');
  }
}

/** Changes the caller's offer. Throws GOODS_NOT_FOUND for another's, GOODS_STATE, SHOP_*, BAD_INPUT. Returns the changed offer. */
export async function updateOffer(call: UserCall, input: Change): Promise<OfferRow> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const before = await offerBySn(trx, input.quickCoinSn);
    if (before?.sellerId !== user.id) throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已删除' });
    await idempotent(trx, call.idem, async () => {
      await applyChange(trx, call, input, before);
      return {};
    });
    return input.applyChange === 'remove'
      ? { ...before, status: CoinOfferStatus.Removed }
      : await must(trx, input.quickCoinSn);
  });
}
