import { MAX_ORDER_HOURS } from '../rules/package-units.ts';
import { grouped } from '#contract/rules/amounts.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { updateBooster } from '#subjects/services/contract/booster.ts';
import type { packageChanges } from '#subjects/providers/contract/provider.ts';
import { isRoute, ladderOf, type Route } from '../rules/rank-ladder.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { parseYuan } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { catalogue, type Catalogue, type Game, showsGame } from '#subjects/games/server/service.ts';
import { saveServiceListing } from '#subjects/goods/server/service.ts';
import { type ProviderRow } from '#subjects/providers/server/service.ts';
import { type PackageRow, loadPackages, routeOf } from './queries.ts';
import { kindOf, modeName } from './terms.ts';
import { PackageStatus } from '#contract/rules/statuses.ts';

export type PackageChange = z.output<typeof packageChanges>[number];
type View = HandlerResult<typeof updateBooster>['packages'][number];

const MAX_PACKAGES = 50;
const SN_LENGTH = 10;
const MIN_FEN = 100;
const MAX_FEN = 9_999_900;
/** Maximum deposit of a package's provider, as a part of its price. */
const DEPOSIT_SHARE = 1;

const invalid = (text: string): never => {
  throw new AppError('BAD_INPUT', { text, field: 'packages' });
};

/** The field of a game that names kinds of a service. */
const kindField = (typeId: number): string => (typeId === BOOSTING ? 'boost_kind' : 'play_kind');

/** The kinds of service that a game's form offers. */
export function serviceKinds(game: Game, typeId: number): { value: number; label: string }[] {
  const field = game.fields.find((f) => f.key === kindField(typeId) && !f.retired && f.goodsTypes.includes(typeId));
  return (field?.options ?? []).flatMap(({ v, label }) => (typeof v === 'number' ? [{ value: v, label }] : []));
}

/** The games of a site in which a service can be offered. */
export const serviceGames = (all: Catalogue, typeId: number) =>
  all
    .list()
    .filter((game) => game.goodsTypes.some(({ id }) => id === typeId))
    .map((game) => ({
      gameId: game.id,
      name: game.name,
      kinds: serviceKinds(game, typeId),
      ranks: typeId === BOOSTING ? ladderOf(game.fields) : [],
    }));

function checkedPrice(typed: string, label: string, bounds: { min: number; max: number }): number {
  const fen = parseYuan(typed) ?? invalid(`${label}应为数字`);
  if (fen < bounds.min) invalid(`${label}不能低于 ${grouped(bounds.min / 100)} 元`);
  if (fen > bounds.max) invalid(`${label}不能超过 ${grouped(bounds.max / 100)} 元`);
  return fen;
}

const HOUR_MINUTES = 60;

/** Companion play is sold by the hour, paid by what was played: it has neither stages nor deposits, and no account is handed over. */
function requireHours(change: PackageChange): void {
  if (change.unit !== '小时' || change.minutes !== HOUR_MINUTES) invalid('陪玩按小时计价');
  if (change.maxNum > MAX_ORDER_HOURS) invalid(`每单最多 ${MAX_ORDER_HOURS} 小时（maxNum）`);
  if (change.mode === 'account') invalid('陪玩不需要买家的账号');
  if (change.milestones.length > 0) invalid('陪玩按时长结算，不分段');
  if (parseYuan(change.safetyDeposit) !== 0 || parseYuan(change.efficiencyDeposit) !== 0)
    invalid('陪玩没有按单的保证金');
}

/** A package as it is stored. Throws BAD_INPUT, GOODS_TYPE_UNSUPPORTED. */
async function checkedPackage(call: UserCall, provider: ProviderRow, change: PackageChange, typeId: number) {
  if (typeId === COMPANION_PLAY) requireHours(change);
  const game = (await catalogue(call.ctx)).game(change.gameId);
  if (!game || !showsGame(call.dist, change.gameId)) return invalid('游戏不存在或未开放');
  if (!game.goodsTypes.some(({ id }) => id === typeId)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  if (!provider.games.includes(change.gameId)) invalid(`请先在资料里添加「${game.name}」`);
  const kinds = serviceKinds(game, typeId);
  if (kinds.length > 0 && !kinds.some(({ value }) => value === change.kind)) invalid('请选择服务项目');
  if (change.route && typeId !== BOOSTING) invalid('只有代练可以选段位');
  if (change.route && !isRoute(ladderOf(game.fields), change.route)) invalid('目标段位应高于现在的段位');
  const priceFen = checkedPrice(change.price, '单价', { min: MIN_FEN, max: MAX_FEN });
  const deposit = { min: 0, max: priceFen * change.minNum * DEPOSIT_SHARE };
  return {
    game,
    priceFen,
    safetyFen: checkedPrice(change.safetyDeposit, '安全保证金', deposit),
    efficiencyFen: checkedPrice(change.efficiencyDeposit, '效率保证金', deposit),
    milestones: change.milestones.map((m) => ({ title: m.title, shareBp: Math.round(m.sharePercent * 100) })),
    attrs: listingAttrs(change, typeId),
  };
}

const MAX_HOURS = 720;

/** The values of a package's listing in the game's own fields. */
const listingAttrs = (
  { kind, minutes }: { kind?: number | null | undefined; minutes: number },
  typeId: number,
): Record<string, unknown> => ({
  ...(typeof kind === 'number' ? { [kindField(typeId)]: kind } : {}),
  ...(typeId === BOOSTING ? { boost_hours: Math.min(MAX_HOURS, Math.max(1, Math.round(minutes / 60))) } : {}),
});

const SALE = { [PackageStatus.On]: 'on', [PackageStatus.Off]: 'off', [PackageStatus.Removed]: 'removed' } as const;

/**
 * Stores a provider's packages, each with its listing: new ones and changed texts are reviewed before they are on sale. The caller holds
 * the provider's row. Throws PROVIDER_STATE, SHOP_DEPOSIT, BAD_INPUT, NOT_FOUND.
 */
export async function savePackages(
  call: UserCall,
  trx: Trx,
  provider: ProviderRow,
  typeId: number,
  changes: readonly PackageChange[],
): Promise<void> {
  if (provider.status !== 'approved') throw new AppError('PROVIDER_STATE', { text: '审核通过后可发布套餐' });
  const { reached } = await countedDeposit(trx, call.user.id, kindOf(typeId));
  if (!reached) throw new AppError('SHOP_DEPOSIT', { text: '请先缴纳保证金，再发布套餐' });
  const own = await loadPackages(trx, provider.id);
  const added = changes.filter((c) => c.packageSn === undefined).length;
  if (own.length + added > MAX_PACKAGES) invalid(`套餐最多 ${MAX_PACKAGES} 个`);
  for (const change of changes) {
    const previous = change.packageSn === undefined ? undefined : own.find(({ sn }) => sn === change.packageSn);
    if (change.packageSn !== undefined && !previous) throw errorOf('NOT_FOUND', 'package');
    await saveOne(call, trx, provider, typeId, change, previous);
  }
}

/**
 * Changes other than texts and price: the ranks, which staff review like the content, or the terms, so that no one
 * orders by outdated ones.
 */
function changeOf(
  previous: PackageRow,
  change: PackageChange,
  stored: Pick<Awaited<ReturnType<typeof checkedPackage>>, 'safetyFen' | 'efficiencyFen' | 'milestones'>,
  route: Route | null,
): 'work' | 'terms' | null {
  if (previous.rankFrom !== (route?.from ?? null) || previous.rankTo !== (route?.to ?? null)) return 'work';
  const isSame =
    previous.unit === change.unit &&
    previous.minUnits === change.minNum &&
    previous.maxUnits === change.maxNum &&
    previous.minutes === change.minutes &&
    previous.mode === change.mode &&
    previous.safetyFen === stored.safetyFen &&
    previous.efficiencyFen === stored.efficiencyFen &&
    sameMilestones(previous.milestones, stored.milestones);
  return isSame ? null : 'terms';
}

const sameMilestones = (a: PackageRow['milestones'], b: PackageRow['milestones']): boolean =>
  a.length === b.length && a.every(({ title, shareBp }, i) => title === b[i]?.title && shareBp === b[i].shareBp);

async function saveOne(
  call: UserCall,
  trx: Trx,
  provider: ProviderRow,
  typeId: number,
  change: PackageChange,
  previous: PackageRow | undefined,
): Promise<void> {
  // Its orders, its kind and its ranks are those of its game.
  if (previous && previous.gameId !== change.gameId) invalid('套餐不能换游戏，请另发一个套餐');
  const p = await checkedPackage(call, provider, change, typeId);
  // A change without ranks leaves them unchanged.
  const route = change.route === undefined && previous ? routeOf(previous) : (change.route ?? null);
  const goodsId = await saveServiceListing(call.ctx, trx, {
    goodsId: previous?.goodsId ?? null,
    distId: call.dist.id,
    sellerId: call.user.id,
    game: p.game,
    typeId,
    title: change.title,
    scope: change.scope,
    priceFen: p.priceFen,
    attrs: p.attrs,
    onSale: SALE[change.status as keyof typeof SALE],
    changed: previous ? changeOf(previous, change, p, route) : null,
  });
  const milestones = JSON.stringify(p.milestones);
  if (previous) {
    await sql`update service_package set title = ${change.title}, scope = ${change.scope}, unit = ${change.unit}, price_fen = ${p.priceFen},
        min_units = ${change.minNum}, max_units = ${change.maxNum}, minutes = ${change.minutes}, mode = ${change.mode}, safety_fen = ${p.safetyFen},
        efficiency_fen = ${p.efficiencyFen}, milestones = ${milestones}::jsonb, kind = ${change.kind ?? null}, rank_from = ${route?.from ?? null}, rank_to = ${route?.to ?? null}, status = ${change.status},
        goods_id = ${goodsId}, version = version + 1, updated_at = now() where id = ${previous.id}`.execute(trx);
    return;
  }
  await sql`insert into service_package (sn, provider_id, game_id, type_id, kind, title, scope, unit, price_fen, min_units, max_units, minutes, mode,
      safety_fen, efficiency_fen, milestones, status, goods_id, rank_from, rank_to)
    values (${`SP${readableCode(SN_LENGTH)}`}, ${provider.id}, ${change.gameId}, ${typeId}, ${change.kind ?? null}, ${change.title}, ${change.scope},
      ${change.unit}, ${p.priceFen}, ${change.minNum}, ${change.maxNum}, ${change.minutes}, ${change.mode}, ${p.safetyFen}, ${p.efficiencyFen},
      ${milestones}::jsonb, ${change.status}, ${goodsId}, ${route?.from ?? null}, ${route?.to ?? null})`.execute(trx);
}

const LISTING_NAMES: Readonly<Record<number, string>> = {
  [GoodsStatus.Reviewing]: '审核中',
  [GoodsStatus.OnSale]: '在售',
  [GoodsStatus.OffSale]: '已下架',
  [GoodsStatus.Rejected]: '未通过审核',
  [GoodsStatus.Hidden]: '离线隐藏',
  // A package is never locked or sold; without a listing on sale it is off sale.
  [GoodsStatus.Draft]: '已下架',
  [GoodsStatus.Locked]: '已下架',
  [GoodsStatus.Sold]: '已下架',
  [GoodsStatus.Removed]: '已下架',
} satisfies Record<GoodsStatus, string>;

/** A package as shown to its owner. */
export function packageView(row: PackageRow, all: Catalogue): View {
  return {
    packageSn: row.sn,
    goodsSn: row.goodsSn,
    kind: row.kind,
    route: routeOf(row),
    gameId: row.gameId,
    gameName: all.game(row.gameId)?.name ?? '',
    goodsTypeId: row.typeId,
    title: row.title,
    scope: row.scope,
    unit: row.unit as View['unit'],
    price: row.priceFen,
    minNum: row.minUnits,
    maxNum: row.maxUnits,
    minutes: row.minutes,
    mode: row.mode,
    modeName: modeName(row.mode, row.typeId),
    safetyDeposit: row.safetyFen,
    efficiencyDeposit: row.efficiencyFen,
    milestones: row.milestones.map((m) => ({ title: m.title, sharePercent: m.shareBp / 100 })),
    status: row.status,
    statusName: row.goodsStatus === null ? '草稿' : (LISTING_NAMES[row.goodsStatus] ?? '已下架'),
    isOnSale: row.goodsStatus === GoodsStatus.OnSale,
    soldNum: row.soldCount,
    reviewNote: row.goodsStatus === GoodsStatus.Rejected ? row.rejectNote : null,
  };
}

/** Takes all packages of a provider off sale, when the provider leaves. */
export async function withdrawPackages(ctx: Context, trx: Trx, provider: ProviderRow): Promise<void> {
  const all = await catalogue(ctx);
  for (const row of await loadPackages(trx, provider.id)) {
    const game = all.game(row.gameId);
    if (!game || row.goodsId === null || row.status !== PackageStatus.On) continue;
    await sql`update service_package set status = ${PackageStatus.Off}, updated_at = now() where id = ${row.id}`.execute(
      trx,
    );
    await saveServiceListing(ctx, trx, {
      goodsId: row.goodsId,
      distId: provider.distId,
      sellerId: provider.userId,
      game,
      typeId: row.typeId,
      title: row.title,
      scope: row.scope,
      priceFen: row.priceFen,
      attrs: listingAttrs(row, row.typeId),
      onSale: 'off',
      changed: null,
    });
  }
}
