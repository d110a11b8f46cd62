import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GAMES } from '#db/catalogue/index.ts';
import type { AreaSeed, GameSeed, GoodsTypeId } from '#db/catalogue/types.ts';
import { type AttrValue, type FieldPlan, makeAttrs, planField, roundAmount } from './attrs.ts';
import { cumulative, mixSeed, normal, pick, type Random, random, weighted, integer, zipf } from './random.ts';
import { accountDescription, accountTitle, compile, fillIn, type Phrase } from './sentences.ts';
import {
  COIN_TEXTS,
  COIN_TITLES,
  FLAG,
  FIRST_TEXTS,
  FIRST_TITLES,
  INGOT_TEXTS,
  INGOT_TITLES,
  ITEM_TEXTS,
  ITEM_TITLES,
} from './texts.ts';
import { GAME_TERMS } from './texts-games.ts';

export interface GoodsSeed {
  index: number;
  gameId: number;
  goodsTypeId: GoodsTypeId;
  areaId: number;
  serverId: number | null;
  /** 20 to 60 characters. */
  title: string;
  /** 2 to 6 sentences. */
  description: string;
  priceFen: number;
  attrs: Record<string, AttrValue>;
  /** 0 to 12 screenshots, drawn from `artSeed`; a listing without any has only its cover. */
  pictureCount: number;
  artSeed: number;
  stock: number;
  inspected: boolean;
  guaranteeOk: boolean;
  bargainOk: boolean;
  /** Sold by the platform itself (isOfficialSell). */
  official: boolean;
  createdAgoMinutes: number;
  /** How much dearer than others of its worth an account is, in standard deviations; 0 for everything else. */
  dear: number;
  viewCount: number;
  followCount: number;
}

interface GamePlan {
  game: GameSeed;
  types: GoodsTypeId[];
  typeSums: Float64Array;
  areaSums: Float64Array;
  fields: Map<GoodsTypeId, FieldPlan[]>;
  byKey: Map<string, FieldPlan>;
  /** Servers whose name alone identifies them. */
  wellKnown: Set<string>;
  phrases: Phrase[];
  extras: readonly string[];
}

/** How common each goods type is where a game has it; services are offered elsewhere. */
const TYPE_WEIGHTS: readonly (readonly [GoodsTypeId, number])[] = [
  [50, 54],
  [1, 30],
  [2, 9],
  [27, 5],
  [8, 3],
  [22, 2],
];

function wellKnownServers(game: GameSeed): Set<string> {
  const names = game.areas.flatMap((area) => area.servers.map((server) => server.name));
  const once = names.filter((name, i) => names.indexOf(name) === i && names.lastIndexOf(name) === i);
  return new Set(once.filter((name) => name.length > 2 && !/^\d|大区$/.test(name)));
}

function planGame(game: GameSeed): GamePlan {
  const has = new Set(game.goodsTypes.map((t) => t.id));
  const weights = TYPE_WEIGHTS.filter(([id]) => has.has(id));
  const plans = game.fields.map((field) => ({ field, plan: planField(field) }));
  const terms = GAME_TERMS[game.code];
  if (terms === undefined) throw new RangeError(`no words for ${game.code}`);
  return {
    game,
    types: weights.map(([id]) => id),
    // In games whose search starts with first-charge accounts, most listings are of that type.
    typeSums: cumulative(weights.map(([id, weight]) => (id === game.defaultGoodsTypeId && id !== 1 ? 110 : weight))),
    areaSums: cumulative(zipf(game.areas.length, 0.8)),
    fields: new Map(
      weights.map(([id]) => [id, plans.filter((p) => p.field.goodsTypes.includes(id)).map((p) => p.plan)]),
    ),
    wellKnown: wellKnownServers(game),
    byKey: new Map(plans.map((p) => [p.plan.key, p.plan])),
    phrases: terms.phrases.map(compile),
    extras: terms.extras,
  };
}

/** Games by demand: the hot ones by their rank, then the others. */
const PLANS = GAMES.toSorted((a, b) => (a.hot || 99) - (b.hot || 99)).map(planGame);
const GAME_SUMS = cumulative(zipf(PLANS.length, 0.95));

/** Price as sellers set it: rounded, often to an 8 or a 9, seldom with a tail of fen. */
function sellerPrice(next: Random, yuan: number, min: number, max: number): number {
  let y = Math.min(max, Math.max(min, yuan));
  const habit = next();
  if (habit < 0.12) return Math.round(y * 100);
  const step = y < 100 ? 1 : y < 1_000 ? 10 : y < 10_000 ? 50 : 500;
  y = Math.round(y / step) * step;
  if (habit < 0.4) y -= step === 1 ? 0 : 2;
  else if (habit < 0.62) y -= 1;
  else if (habit < 0.78 && step > 1) y += 8;
  return Math.min(max, Math.max(min, y)) * 100;
}

function regionOf(
  next: Random,
  plan: GamePlan,
  type: GoodsTypeId,
): { area: AreaSeed; serverId: number | null; text: string } {
  const area = plan.game.areas[weighted(next, plan.areaSums)];
  if (area === undefined) throw new RangeError('a game without areas');
  const numbered = area.servers.length > 99;
  // Gold of 地下城与勇士 is traded per 跨区, not per server (facts: peers 4.2); sellers on numbered servers often leave the number out.
  const without = area.servers.length === 0 || (plan.game.code === 'dnf' && type === 2) || (numbered && next() < 0.4);
  if (without) return { area, serverId: null, text: area.name };
  const server = pick(next, area.servers);
  return {
    area,
    serverId: server.id,
    text: !plan.wellKnown.has(server.name) || next() < 0.4 ? `${area.name} ${server.name}` : server.name,
  };
}

interface Draft {
  attrs: Record<string, AttrValue>;
  title: string;
  description: string;
  priceFen: number;
  flags: number;
  dear: number;
}

function accountDraft(next: Random, plan: GamePlan, type: GoodsTypeId, region: string, baseFlags: number): Draft {
  const { medianYuan, sigma, minYuan, maxYuan } = plan.game.price;
  const rich = normal(next);
  const attrs = makeAttrs(next, plan.fields.get(type) ?? [], rich, 0.78);
  const dear = normal(next);
  const yuan = medianYuan * Math.exp(sigma * (0.97 * rich + 0.12 * dear));
  let flags = baseFlags;
  if (attrs.account_source === 1) flags |= FLAG.own;
  if (attrs.account_source === 3) flags |= FLAG.resold;
  if (attrs.penalty === 1) flags |= FLAG.clean;
  if (attrs.second_realname === true) flags |= FLAG.realname;
  if (attrs.phone_bind === 1 || attrs.phone_bind === 2) flags |= FLAG.rebind;
  const source = { attrs, phrases: plan.phrases, extras: plan.extras, byKey: plan.byKey, region, flags };
  return {
    attrs,
    title: accountTitle(next, source),
    description: accountDescription(next, source),
    priceFen: sellerPrice(next, yuan, minYuan, maxYuan),
    flags,
    dear,
  };
}

interface OtherKind {
  titles: readonly string[];
  texts: readonly string[];
}

const OTHERS: Readonly<Partial<Record<GoodsTypeId, OtherKind>>> = {
  [OrderType.Coin]: { titles: COIN_TITLES, texts: COIN_TEXTS },
  [OrderType.FirstTopup]: { titles: FIRST_TITLES, texts: FIRST_TEXTS },
  [OrderType.Ingots]: { titles: INGOT_TITLES, texts: INGOT_TEXTS },
  [OrderType.Items]: { titles: ITEM_TITLES, texts: ITEM_TEXTS },
};

/** Coin, ingots, first-charge accounts and items: the title is a template filled from the attributes. */
function otherDraft(next: Random, plan: GamePlan, type: GoodsTypeId, region: string, flags: number): Draft {
  const { game } = plan;
  const attrs = makeAttrs(next, plan.fields.get(type) ?? [], normal(next), 1);
  const fields: Record<string, string> = {
    place: region,
    game: game.name,
    minutes: String(integer(next, 2, 12) * 5),
    unit: game.coinUnit ?? '',
    ratio: '',
  };
  let yuan: number;
  if (type === 2 || type === 22) {
    const [low, high] = game.fields.find((f) => f.key === 'amount')?.typical ?? [1, 100];
    const ratio = (type === 2 ? (game.coinRatio ?? 1) : 10) * (1 + 0.04 * normal(next));
    const amount = type === 2 ? roundAmount(next, low, high) : roundAmount(next, 300, 20_000);
    attrs.amount = amount;
    if (attrs.min_lot !== undefined) attrs.min_lot = Math.max(1, Math.round(amount / 10));
    fields.ratio = ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
    yuan = amount / ratio;
  } else yuan = (type === 8 ? 26 : 110) * Math.exp(0.9 * normal(next));
  for (const key of Object.keys(attrs)) fields[key] = plan.byKey.get(key)?.render(attrs[key] ?? '', false) ?? '';
  const kind = OTHERS[type];
  if (kind === undefined) throw new RangeError(`no words for goods type ${type}`);
  const texts = kind.texts.filter(() => next() < 0.6);
  return {
    attrs,
    title: fillIn(next, pick(next, kind.titles), fields),
    description: fillIn(next, (texts.length < 2 ? kind.texts.slice(0, 2) : texts.slice(0, 6)).join(''), fields, ''),
    priceFen: type === 2 || type === 22 ? Math.max(100, Math.round(yuan * 100)) : sellerPrice(next, yuan, 3, 8_000),
    flags,
    dear: 0,
  };
}

/** Views and followers grow with the age of the listing; a few are very popular. */
function attention(next: Random, ageDays: number): { viewCount: number; followCount: number } {
  const viewCount = Math.min(99_999, Math.floor(Math.exp(2.6 + 1.1 * normal(next)) * (1 + 0.35 * ageDays)));
  return { viewCount, followCount: Math.floor(viewCount * next() ** 3 * 0.09) };
}

/** The salt that decides whether a seller took screenshots. */
const SHOTS = 41;

/**
 * Goods number `index` of the demo market `seed`: the same two numbers give the same goods, on any machine and in any order.
 * Games follow Zipf's law, prices are log-normal in the game's range and go with how rich the account is.
 */
export function generateGoods({ seed, index }: { seed: number; index: number }): GoodsSeed {
  const artSeed = mixSeed(seed, index);
  const next = random(artSeed);
  const plan = PLANS[weighted(next, GAME_SUMS)];
  const type = plan?.types[weighted(next, plan.typeSums)];
  if (plan === undefined || type === undefined) throw new RangeError('the catalogue is empty');
  const account = type === 1 || type === 50;
  const bargainOk = account ? next() < 0.46 : next() < 0.15;
  const guaranteeOk = account && next() < 0.8;
  const inspected = account && next() < (type === 50 ? 0.72 : 0.2);
  const flags =
    (bargainOk ? FLAG.bargain : FLAG.firm) |
    (guaranteeOk ? FLAG.guarantee : 0) |
    (inspected ? FLAG.inspected : 0) |
    (type === 50 ? FLAG.consigned : 0);
  const region = regionOf(next, plan, type);
  const draft = account
    ? accountDraft(next, plan, type, region.text, flags)
    : otherDraft(next, plan, type, region.text, flags);
  const createdAgoMinutes = Math.min(260_000, Math.floor(-Math.log(1 - next()) * 18 * 1440));
  const shots = account ? 1 + Math.floor(Math.min(next(), next() * 1.3) * 12) : integer(next, 1, 3);
  return {
    index,
    gameId: plan.game.id,
    goodsTypeId: type,
    areaId: region.area.id,
    serverId: region.serverId,
    title: draft.title,
    description: draft.description,
    priceFen: draft.priceFen,
    attrs: draft.attrs,
    pictureCount: account && mixSeed(artSeed, SHOTS) % 2 === 0 ? shots : 0,
    artSeed,
    stock: account ? 1 : integer(next, 1, type === 27 ? 9 : 60),
    inspected,
    guaranteeOk,
    bargainOk,
    official: plan.game.code === 'zyq' || (type === 50 && next() < 0.006),
    createdAgoMinutes,
    dear: draft.dear,
    ...attention(next, createdAgoMinutes / 1440),
  };
}
