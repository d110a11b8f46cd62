import type { Field } from '#subjects/games/contract/games.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { feeOf } from '#contract/rules/fee.ts';
import type { PriceStanding } from '#subjects/valuation/rules/price-reference.ts';
import { pinyinOf, tokensOf, vectorText } from './tokenize.ts';

/** The searchable data of a listing. `priceFen` is the seller's price. */
export interface Searchable {
  goodsId: number;
  sellerId: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  attrs: Readonly<Record<string, unknown>>;
  priceFen: number;
  official: boolean;
  bargainOk: boolean;
  guaranteeOk: boolean;
  inspected: boolean;
  pictureCount: number;
  sellerLevel: number;
  refreshedAt: Date;
  standing: PriceStanding;
}

/** The searchable data of its game, from the catalogue or from the seed. */
export interface SearchableGame {
  readonly name: string;
  readonly code: string;
  readonly pinyin: string;
  readonly initials: string;
  readonly aliases: readonly string[];
  readonly goodsTypes: readonly { id: number; name: string }[];
  readonly fields: readonly Pick<
    Field,
    'key' | 'kind' | 'label' | 'options' | 'inCard' | 'numericSlot' | 'goodsTypes'
  >[];
}

/** A row of goods_search; `tsv` is the text of a tsvector. */
export interface SearchRow {
  goodsId: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  sellerId: number;
  /** All-in: what a buyer pays without options. */
  priceFen: number;
  refreshedAt: Date;
  score: number;
  n: readonly [number | null, number | null, number | null, number | null];
  tsv: string;
}

/** Highest count with its own token; a search for more uses the highest. */
export const MAX_COUNT_TOKEN = 10;
const INT4_MAX = 2_147_483_647;
const MAX_BUCKET = 64;

/** Tokens that no keyword can produce, because words contain neither colon nor tilde. */
export const facet = {
  type: (id: number): string => `t:${id}`,
  area: (id: number): string => `a:${id}`,
  server: (id: number): string => `s:${id}`,
  option: (key: string, value: string | number): string => `${key}:${value}`,
  yes: (key: string, value: boolean): string => `${key}:${value ? 1 : 0}`,
  /** At least `count` of an option. */
  count: (key: string, value: string | number, count: number): string =>
    count > 1 ? `${key}:${value}:${Math.min(count, MAX_COUNT_TOKEN)}` : `${key}:${value}`,
  bucket: (slot: number, bucket: number): string => `n${slot}~${bucket}`,
  inspected: 'is:inspected',
  guaranteed: 'is:guaranteed',
  handedOver: 'is:platform',
  bargain: 'is:bargain',
} as const;

/** The half octave of a number: a coarse filter for the index, before the exact bounds are compared. */
export function bucketOf(value: number): number {
  return value < 1 ? 0 : Math.min(MAX_BUCKET, 1 + Math.floor(2 * Math.log2(value)));
}

/** The half octaves that a range covers. */
export function bucketsOf(min: number | undefined, max: number | undefined): number[] {
  const from = bucketOf(min ?? 0);
  const to = max === undefined ? MAX_BUCKET : bucketOf(max);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

/** The all-in price in fen: what a buyer pays without options, that is the price and the service fee, rounded half up (domain.md 3). */
export function allInFen(priceFen: number, buyerBp: number): number {
  return priceFen + feeOf(priceFen, buyerBp);
}

/** The lowest price in fen whose all-in price is at least an amount: the inverse of `allInFen`. */
export function leastPrice(allIn: number, buyerBp: number): number {
  // Exact except for rounding, which the two loops correct.
  let price = Math.max(0, Math.floor((allIn * 10_000) / (10_000 + buyerBp)) - 2);
  while (allInFen(price, buyerBp) < allIn) price += 1;
  return price;
}

const EPOCH_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** The score of one day of freshness in the default order. */
export const POINTS_PER_DAY = 10;

/** Divides the score of outliers, so that the newest outlier ranks below any listing of the last years. */
const OUTLIER_DIVISOR = 16;

/** Titles that shout instead of describing: words of urgency, repeated punctuation. */
const SHOUTED = /急[出售]|捡漏|跳楼|血亏|回血|清仓|[!！]{2,}|[~～★☆🔥]{2,}/u;

/** The factors of a listing's position in the default order. */
export type Scored = Pick<
  Searchable,
  | 'official'
  | 'typeId'
  | 'guaranteeOk'
  | 'inspected'
  | 'pictureCount'
  | 'sellerLevel'
  | 'title'
  | 'refreshedAt'
  | 'standing'
>;

/** The trust signals of a listing with the points that each adds or subtracts. */
export function trustParts(
  goods: Omit<Scored, 'refreshedAt' | 'standing'>,
): { name: string; label: string; points: number }[] {
  return [
    { name: 'inspected', label: '已验号', points: goods.inspected ? 60 : 0 },
    { name: 'official', label: '平台交付', points: isOfficial(goods) ? 30 : 0 },
    { name: 'guarantee', label: '可包赔', points: goods.guaranteeOk ? 25 : 0 },
    { name: 'pictures', label: `图片 ${goods.pictureCount} 张`, points: Math.min(goods.pictureCount, 2) },
    { name: 'level', label: '卖家等级', points: goods.sellerLevel * 12 },
    { name: 'shouted', label: '标题叫卖', points: SHOUTED.test(goods.title) ? -20 : 0 },
  ];
}

/**
 * Score of the default order: each day of freshness is worth ten points, so that newer listings pass older ones without recomputation;
 * trust signals are worth up to about three weeks of freshness, a shouting title costs two days, and a price far
 * from its reference up to a month. Outliers keep their relative order and are listed after all others.
 */
export function scoreOf(goods: Scored): number {
  const freshness = ((goods.refreshedAt.getTime() - EPOCH_MS) / DAY_MS) * POINTS_PER_DAY;
  const trust = trustParts(goods).reduce((sum, { points }) => sum + points, 0);
  const score = Math.max(0, Math.round(freshness) + trust - goods.standing.lostPoints);
  return goods.standing.outlier ? Math.floor(score / OUTLIER_DIVISOR) : score;
}

/** Whether the platform's staff hand the account over: consigned, or sold by the platform itself (isOfficialSell). */
export const isOfficial = (goods: { official: boolean; typeId: number }): boolean =>
  goods.official || goods.typeId === OrderType.Consigned;

interface IndexParts {
  tokens: string[];
  n: [number | null, number | null, number | null, number | null];
}

function optionTokens(field: SearchableGame['fields'][number], value: unknown): string[] {
  const label = field.options?.find((o) => String(o.v) === String(value))?.label;
  if (label === undefined) return [];
  return field.inCard ? [...tokensOf(label), ...pinyinOf(label)] : tokensOf(label);
}

function addField(field: SearchableGame['fields'][number], value: unknown, parts: IndexParts): void {
  const { tokens } = parts;
  switch (field.kind) {
    case 'single':
      // Fields that cards do not show (account source, penalties …) are filters, not search terms.
      tokens.push(facet.option(field.key, String(value)), ...(field.inCard ? optionTokens(field, value) : []));
      break;
    case 'multi':
      for (const v of Array.isArray(value) ? (value as (string | number)[]) : [])
        tokens.push(facet.option(field.key, v), ...optionTokens(field, v));
      break;
    case 'bool':
      tokens.push(facet.yes(field.key, value === true));
      // For a true value the label itself is a search term.
      if (value === true && field.inCard) tokens.push(...tokensOf(field.label));
      break;
    case 'item_count':
      for (const [v, count] of Object.entries(value as Record<string, number>)) {
        for (let n = 1; n <= Math.min(count, MAX_COUNT_TOKEN); n++) tokens.push(facet.count(field.key, v, n));
        tokens.push(...optionTokens(field, v));
      }
      break;
    case 'range': {
      const slot = field.numericSlot;
      if (typeof value !== 'number' || slot === undefined || slot < 1 || slot > 4) break;
      parts.n[(slot - 1) as 0 | 1 | 2 | 3] = Math.min(INT4_MAX, Math.max(-INT4_MAX, Math.trunc(value)));
      tokens.push(facet.bucket(slot, bucketOf(value)));
      break;
    }
    case 'text':
      if (typeof value === 'string') tokens.push(...tokensOf(value));
  }
}

/**
 * The search row of a listing: words of title, game, region and attributes; a token for each filter; and the all-in price, so that sort
 * and price filter use what the buyer pays (domain.md 4).
 */
export function searchRowOf(
  goods: Searchable,
  game: SearchableGame,
  region: { area: string; server: string },
  buyerBp: number,
): SearchRow {
  const typeName = game.goodsTypes.find((t) => t.id === goods.typeId)?.name ?? '';
  const tokens = [
    ...tokensOf(goods.title),
    ...[game.name, ...game.aliases].flatMap((name) => [...tokensOf(name), ...pinyinOf(name)]),
    game.code.toLowerCase(),
    game.pinyin,
    game.initials,
    ...tokensOf(region.area),
    ...tokensOf(region.server),
    ...tokensOf(typeName),
    facet.type(goods.typeId),
  ];
  if (goods.areaId !== null) tokens.push(facet.area(goods.areaId));
  if (goods.serverId !== null) tokens.push(facet.server(goods.serverId));
  if (goods.inspected) tokens.push(facet.inspected);
  if (goods.guaranteeOk) tokens.push(facet.guaranteed);
  if (goods.bargainOk) tokens.push(facet.bargain);
  if (isOfficial(goods)) tokens.push(facet.handedOver);
  const parts: IndexParts = { tokens, n: [null, null, null, null] };
  for (const field of game.fields) {
    const value = goods.attrs[field.key];
    if (value !== undefined && value !== null && field.goodsTypes.includes(goods.typeId)) addField(field, value, parts);
  }
  return {
    goodsId: goods.goodsId,
    gameId: goods.gameId,
    typeId: goods.typeId,
    areaId: goods.areaId,
    serverId: goods.serverId,
    sellerId: goods.sellerId,
    priceFen: allInFen(goods.priceFen, buyerBp),
    refreshedAt: goods.refreshedAt,
    score: scoreOf(goods),
    n: parts.n,
    tsv: vectorText(tokens),
  };
}
