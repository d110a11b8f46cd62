import { WantStatus } from '#subjects/offers/rules/want.ts';
import { sql } from 'kysely';
import type { evaluation, evaluationForm } from '#subjects/valuation/contract/evaluation.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isCollection } from '#contract/rules/catalogue.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { offerMoney } from '#subjects/goods/rules/listing-states.ts';
import type { Call } from '#server/access/call.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { accountFields, checkedDetails } from './fields.ts';
import { type Floor, floorOf } from './floor.ts';
import { linesOf } from './lines.ts';
import type { Account } from './model/features.ts';
import { type Model, loadModel, MODELS_CHANNEL, monthRates } from './models.ts';
import { cautiousValue, MIN_SALES, type PriceModel } from './model/model.ts';
import { saleTitles, soldAccounts } from './sales.ts';
import { rounded } from './references.ts';
import { alike, type Band, bandAt, bandOf, chartOf, daysAt, sellPrices, usualDays } from './value.ts';

type Result = HandlerResult<typeof evaluation>;

const COMPARABLES = 5;
/** The number of sales listed when there are too few for a price. */
const FEW = 12;
const SN_LENGTH = 10;
const HOURS_A_DAY = 24;

/** A price with its complete basis; undefined below 30 sales. */
export interface Valuation {
  model: Model;
  band: Band;
  days: number | null;
  floor: Floor | null;
}

/** Covered sales from which the rate of a game is measured. The platform's average counts like as many again, so a few sales change little. */
const MIN_COVERS = 50;
/** Covered sales between the same two people that count. */
const SAME_PAIR = 2;
const RATE_TTL_MS = 3_600_000;

const recoveryRates = cacheKind(
  'valuation.recovery',
  () => new TtlCache<number | null>({ ttlMs: RATE_TTL_MS, max: 100 }),
  { dropOn: [MODELS_CHANNEL] },
);

/**
 * Share of covered sales of a game whose cover was paid in the last year, in basis points; null while too few are known. A sale that was paid
 * for counts in any case, another one only between people who are not linked, and not more often than prices count a pair: covered sales
 * among accomplices would otherwise take the risk out of the floor.
 */
async function loadRecoveryRate(ctx: Context, gameId: number): Promise<number | null> {
  const { rows } = await sql<{ count: number; paid: number }>`
    select count(*)::int as count, count(*) filter (where s.paid)::int as paid from (
      select o.id, p.paid, row_number() over (partition by o.seller_id, o.buyer_id, p.paid order by o.completed_at desc, v.id) as nth
      from guarantee_cover v join orders o on o.id = v.order_id
        cross join lateral (select exists (select from guarantee_claim c where c.order_id = o.id and c.status = 'paid') as paid) p
      where o.game_id = ${gameId} and o.completed_at > now() - interval '1 year') s
    where s.paid or (s.nth <= ${SAME_PAIR} and review_exclusion(s.id) is null)`.execute(ctx.db);
  const { count = 0, paid = 0 } = rows[0] ?? {};
  if (count < MIN_COVERS) return null;
  return Math.round((10_000 * paid + ctx.dir.setting('recycling').recoveryBp * MIN_COVERS) / (count + MIN_COVERS));
}

/** The recovery rate of a game, up to an hour old: links between the parties of every covered sale are examined for it. */
async function recoveryRate(ctx: Context, gameId: number): Promise<number | null> {
  return await cacheOf(ctx, recoveryRates).get(String(gameId), () => loadRecoveryRate(ctx, gameId));
}

/** Values an account by its game's model, with what the platform would pay immediately. Undefined below 30 sales. */
export async function valueAccount(ctx: Context, gameId: number, account: Account): Promise<Valuation | undefined> {
  const model = await loadModel(ctx, gameId);
  if (!model) return undefined;
  const band = bandOf(model.body, account);
  const days = daysAt(model.body, band.value, band.typicalFen);
  const all = await catalogue(ctx);
  const required = accountFields(all, gameId).filter((f) => f.required);
  const cautiousBand = (body: PriceModel): Band =>
    bandAt(body, cautiousValue(body, account, new Set(required.map((f) => f.key))));
  const past = model.body.past?.[0];
  const facts = {
    trend: model.body.trend,
    // The same for every account of the game: otherwise a more expensive account could get a lower floor only because it may sell a day later.
    days: usualDays(model.body),
    recoveryBp: await recoveryRate(ctx, gameId),
    typicalFen: band.typicalFen,
    past: past && cautiousBand(past),
  };
  return { model, band, days, floor: floorOf(cautiousBand(model.body), facts, ctx.dir.setting('recycling')) };
}

type Comparable = Result['comparables'][number];

async function comparables(ctx: Context, gameId: number, valuation: Valuation | undefined): Promise<Comparable[]> {
  const near = valuation && alike(valuation.model.body, valuation.band.value, COMPARABLES).map((s) => s.orderId);
  const sales = await saleTitles(ctx.db, near ? { orderIds: near } : { gameId, limit: FEW });
  return sales.map((s) => ({
    title: visibleTitle(s.title),
    price: s.priceFen,
    days: s.hours === null ? null : Math.round((s.hours / HOURS_A_DAY) * 10) / 10,
    dealTime: rounded(s.at),
  }));
}

function prices(
  ctx: Context,
  valuation: Valuation,
): Pick<Result, 'low' | 'typical' | 'high' | 'errorPercent' | 'days' | 'offers' | 'chart'> {
  const { band, model, days } = valuation;
  const fees = ctx.dir.setting('fees');
  return {
    low: band.lowFen,
    typical: band.typicalFen,
    high: band.highFen,
    errorPercent: Math.round(model.errorBp / 10) / 10,
    days,
    offers: sellPrices(model.body, band).map(({ fen, ...o }) => ({
      ...o,
      price: fen,
      net: offerMoney(fen, fees).netFen,
    })),
    chart: chartOf(model.body, band, model.madeAt),
  };
}

const NO_PRICES = { low: null, typical: null, high: null, errorPercent: null, days: null, offers: [], chart: null };

interface Request {
  gameId: number;
  account: Account;
  sn: string;
  createdAt: Date;
}

async function loadResult(call: Call, { gameId, account, sn, createdAt }: Request): Promise<Result> {
  const { ctx } = call;
  const [all, valuation, months] = await Promise.all([
    catalogue(ctx),
    valueAccount(ctx, gameId, account),
    monthRates(ctx, gameId),
  ]);
  const similar = await comparables(ctx, gameId, valuation);
  const { rows } = await sql<{ wants: number; sold: number }>`
    select (select count(*)::int from want where game_id = ${gameId} and status = ${sql.lit(WantStatus.Open)}) as wants,
      (select count(*)::int from (select from orders where ${soldAccounts(gameId)} limit ${MIN_SALES}) s) as sold`.execute(
    ctx.db,
  );
  const model = valuation?.model;
  const { baseFen, lines } = valuation
    ? linesOf(all, gameId, valuation.model.body, account, valuation.band.typicalFen)
    : { baseFen: null, lines: [] };
  return {
    evaluationSn: sn,
    gameId,
    gameName: all.game(gameId)?.name ?? '',
    areaId: account.areaId,
    details: account.attrs,
    enough: valuation !== undefined,
    ...(valuation ? prices(ctx, valuation) : NO_PRICES),
    samples: model?.samples ?? rows[0]?.sold ?? 0,
    fromDay: model?.fromDay ?? null,
    toDay: model?.toDay ?? null,
    base: baseFen,
    lines,
    comparables: similar,
    months,
    recycleFloor: valuation?.floor?.floorFen ?? null,
    wantsNum: rows[0]?.wants ?? 0,
    modelTime: model?.madeAt ?? null,
    stale: model?.isStale ?? false,
    createTime: createdAt,
  };
}

async function store(call: Call, gameId: number, account: Account): Promise<{ sn: string; createdAt: Date }> {
  const { ctx, dist, caller } = call;
  const valuation = await valueAccount(ctx, gameId, account);
  const sn = `GJ${readableCode(SN_LENGTH)}`;
  const band = valuation?.band;
  const { rows } = await sql<{ createdAt: Date }>`
    insert into valuation (sn, dist_id, user_id, game_id, area_id, model_version, details, low_fen, typical_fen, high_fen, samples)
    values (${sn}, ${dist.id}, ${caller.user?.id ?? null}, ${gameId}, ${account.areaId}, ${valuation?.model.version ?? null},
      ${JSON.stringify(account.attrs)}::jsonb, ${band?.lowFen ?? null}, ${band?.typicalFen ?? null}, ${band?.highFen ?? null},
      ${valuation?.model.samples ?? 0}) returning created_at as "createdAt"`.execute(ctx.db);
  return { sn, createdAt: rows[0]?.createdAt ?? new Date() };
}

/**
 * Values an account and stores the result, except for a preview. Throws NOT_FOUND for a game that the site does not show and for a collection
 * of other games' listings, BAD_INPUT by field.
 */
export async function evaluate(call: Call, input: Parsed<typeof evaluation>): Promise<Result> {
  const { ctx, dist } = call;
  const all = await catalogue(ctx);
  const { gameId, areaId } = input;
  if (!all.game(gameId) || !showsGame(dist, gameId)) throw errorOf('NOT_FOUND', 'game');
  // Its listings are of other games, and only those determine the value of an account.
  if (isCollection(all.fieldsOf(gameId))) throw errorOf('NOT_FOUND', 'game');
  if (areaId !== undefined && all.area(areaId)?.gameId !== gameId)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏', field: 'areaId' });
  const account = { attrs: checkedDetails(accountFields(all, gameId), input.details), areaId: areaId ?? null };
  const { sn, createdAt } =
    input.preview === true ? { sn: '', createdAt: new Date() } : await store(call, gameId, account);
  return await loadResult(call, { gameId, account, sn, createdAt });
}

/** A stored valuation, computed with the current model. Throws NOT_FOUND. */
export async function readEvaluation(call: Call, input: { evaluationSn: string }): Promise<Result> {
  const { rows } = await sql<{
    gameId: number;
    areaId: number | null;
    attrs: Record<string, unknown>;
    createdAt: Date;
  }>`
    select game_id as "gameId", area_id as "areaId", details as attrs, created_at as "createdAt" from valuation where sn = ${input.evaluationSn}`.execute(
    call.ctx.db,
  );
  const row = rows[0];
  if (!row || !showsGame(call.dist, row.gameId)) throw errorOf('NOT_FOUND', 'valuation');
  const { gameId, areaId, attrs, createdAt } = row;
  return await loadResult(call, { gameId, account: { attrs, areaId }, sn: input.evaluationSn, createdAt });
}

/** The fields of a valuation form of a game. Throws NOT_FOUND. */
export async function evaluationFields(
  call: Call,
  { gameId }: { gameId: number },
): Promise<HandlerResult<typeof evaluationForm>> {
  const all = await catalogue(call.ctx);
  const game = all.game(gameId);
  if (!game || !showsGame(call.dist, gameId)) throw errorOf('NOT_FOUND', 'game');
  return { gameId, gameName: game.name, fields: accountFields(all, gameId).map((f) => ({ ...f })) };
}
