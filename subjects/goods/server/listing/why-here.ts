import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { whyHere } from '#subjects/goods/contract/goods-search.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { NO_STANDING, standingOf } from '#subjects/valuation/rules/price-reference.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Catalogue, catalogue, type Game, showsGame } from '#subjects/games/server/service.ts';
import { synonymsIn, loadSynonyms } from '../correct/synonyms.ts';
import { POINTS_PER_DAY, trustParts } from '../search/index-row.ts';
import type { Sort } from '../search/search.ts';
import { pinyinOf, queryTokens, tokensOf } from '../search/tokenize.ts';
import { pricesOfReference, REFERENCE_COLUMNS, type ReferenceRow } from '../prices/references.ts';
import { regionText } from './cards.ts';
import type { VisibleGames } from './list.ts';

type Why = HandlerResult<typeof whyHere>;

interface Row extends ReferenceRow {
  priceFen: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  attrs: Record<string, unknown>;
  official: boolean;
  guaranteeOk: boolean;
  inspected: boolean;
  pictureCount: number;
  sellerLevel: number;
  refreshedAt: Date;
}

const ORDERS: Readonly<Record<Sort, string>> = {
  default: '综合排序：越新越靠前，信任信息加分，价格明显偏高或偏低的靠后、离谱的排在最后',
  priceAsc: '按全包价从低到高',
  priceDesc: '按全包价从高到低',
  newest: '按更新时间，新的在前',
  views: '按浏览次数，多的在前',
};

const COMPANION_ORDER = `陪玩列表按最早能预约的时间，其次是完成过订单的，每人先列一个；其他列表按${ORDERS.default}`;

/** The texts of a listing, by the part that contains them. */
function placesOf(all: Catalogue, game: Game, row: Row): [place: string, tokens: ReadonlySet<string>][] {
  const names = [game.name, game.code, ...game.aliases];
  const attrs = all
    .fieldsOf(game.id, row.typeId)
    .map((field): [string, string[]] => [field.label, tokensOf(showValue(field, row.attrs[field.key], false))]);
  const places: [string, string[]][] = [
    ['标题', tokensOf(row.title)],
    ['游戏名', [...names.flatMap((n) => [...tokensOf(n), ...pinyinOf(n)]), game.pinyin, game.initials]],
    ['区服', tokensOf(regionText(all, row))],
    ...attrs,
  ];
  return places.map(([field, tokens]) => [field, new Set(tokens)]);
}

/** Where a listing contains a word; empty when only parts of the word occur in different places. */
function placesWith(word: string, places: ReturnType<typeof placesOf>): string[] {
  const wanted = queryTokens(word);
  if (wanted.length === 0) return [];
  const has = (tokens: ReadonlySet<string>): boolean =>
    wanted.every(({ token, prefix }) => tokens.has(token) || (prefix && [...tokens].some((t) => t.startsWith(token))));
  return places.flatMap(([field, tokens]) => (has(tokens) ? [field] : []));
}

async function loadMatch(ctx: Context, keyWord: string, places: ReturnType<typeof placesOf>): Promise<string> {
  const synonyms = synonymsIn(keyWord, await loadSynonyms(ctx));
  const words = keyWord.split(/\s+/).filter((word) => word !== '');
  const texts = words.map((word) => {
    const at = placesWith(word, places);
    if (at.length > 0) return `“${word}”在${at.slice(0, 3).join('、')}中`;
    const synonym = synonyms.find(({ meant }) => placesWith(meant, places).length > 0);
    return synonym ? `“${synonym.term}”按同义词“${synonym.meant}”匹配` : `“${word}”的各部分都能在商品信息中找到`;
  });
  return `${[...new Set(texts)].join('；')}。关键词只决定是否出现，不影响先后`;
}

async function loadRow(ctx: Context, sn: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId", g.title, g.attrs, g.official,
      g.guarantee_ok as "guaranteeOk", g.inspected_at is not null as inspected, jsonb_array_length(g.pictures) as "pictureCount",
      u.seller_level as "sellerLevel", g.refreshed_at as "refreshedAt", g.price_fen as "priceFen", ${REFERENCE_COLUMNS}
    from goods g join app_user u on u.id = g.seller_id left join goods_reference rf on rf.goods_id = g.id where g.sn = ${sn.toUpperCase()} and g.status = ${sql.lit(GoodsStatus.OnSale)}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The effect of the price on the position; empty for a usual price. */
function priceReason(row: Row): Why['reasons'] {
  const prices = pricesOfReference(row);
  const { outlier, diffPercent, lostPoints } = prices ? standingOf(row.priceFen, prices) : NO_STANDING;
  if (outlier) return [{ label: '价格', text: '与参考价相差一倍以上，排在其他商品之后' }];
  const side = diffPercent > 0 ? '高于' : '低于';
  if (lostPoints > 0) return [{ label: '价格', text: `${side}参考价 ${Math.abs(diffPercent)}%，减 ${lostPoints} 分` }];
  return [];
}

/**
 * Explains as text why a listing on sale has its position in a list. Throws NOT_FOUND for one that is not on sale or that the site does not
 * show.
 */
export async function reasonsForPlace(
  ctx: Context,
  dist: VisibleGames,
  { goodsSn, keyWord, sort = 'default' }: Parsed<typeof whyHere>,
): Promise<Why> {
  const [all, row] = await Promise.all([catalogue(ctx), loadRow(ctx, goodsSn)]);
  const game = row && all.game(row.gameId);
  if (!row || !game || !showsGame(dist, game.id)) throw new AppError('NOT_FOUND');
  const parts = trustParts(row);
  const level = parts.find(({ name }) => name === 'level')?.points ?? 0;
  const others = parts.filter(({ name, points }) => name !== 'level' && points !== 0);
  const signed = (points: number): string => (points < 0 ? `减 ${-points} 分` : `加 ${points} 分`);
  const counts = sort === 'default';
  return {
    order: counts && row.typeId === COMPANION_PLAY ? COMPANION_ORDER : ORDERS[sort],
    reasons: [
      ...(keyWord === undefined
        ? []
        : [{ label: '匹配', text: await loadMatch(ctx, keyWord, placesOf(all, game, row)) }]),
      {
        label: '新旧',
        text: `${fullTime(row.refreshedAt.getTime())} 更新${counts ? `，每新一天多 ${POINTS_PER_DAY} 分` : ''}`,
      },
      ...(counts
        ? [
            { label: '卖家等级', text: `${sellerLevelName(row.sellerLevel)}，${signed(level)}` },
            {
              label: '商品信息',
              text: others.map(({ label, points }) => `${label}${signed(points)}`).join('，') || '没有加分项',
            },
          ]
        : []),
      ...(counts ? priceReason(row) : []),
      { label: '推广', text: '没有付费推广，任何卖家都不能花钱靠前' },
    ],
  };
}
