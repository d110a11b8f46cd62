import { dayAfter } from '#contract/rules/time/china-time.ts';
import { yuanLabel } from '#contract/wire.ts';

/** The figures of a listing on sale; prices in fen. */
export interface ListingFigures {
  priceFen: number;
  /** The reference; null where there is none, or where similar accounts differ too much. */
  band: { low: number; typical: number; high: number } | null;
  /** Views since it was published. */
  views: number;
  follows: number;
  orders: number;
  waitingQuestions: number;
  days: number;
  usualDays: number | null;
  pictures: number;
  descriptionChars: number;
  bargainOpen: boolean;
}

const ADVICE_MAX = 2;
/** Minimum age of a listing for suggestions: a newer one has too few views. */
const YOUNG_DAYS = 7;
const FEW_VIEWS = 10;
const MANY_VIEWS = 50;
const FEW_PICTURES = 3;
const SHORT_DESCRIPTION = 20;

/**
 * Suggestions for a listing, the most promising first, at most two. Each compares a figure of the listing with one of the market; without
 * such a figure there is no suggestion.
 */
export function adviceFor(l: ListingFigures): string[] {
  const advice: string[] = [];
  const isOld = l.days >= YOUNG_DAYS;
  if (l.waitingQuestions > 0) advice.push(`有 ${l.waitingQuestions} 个提问没有回答，回答后买家更容易下单`);
  if (l.band && l.priceFen > l.band.high)
    advice.push(
      `价格高于同类成交的大多数（${yuanLabel(l.band.low)} 到 ${yuanLabel(l.band.high)} 元），参考价 ${yuanLabel(l.band.typical)} 元`,
    );
  else if (l.band && l.priceFen < l.band.low)
    advice.push(
      `价格比参考价低 ${yuanLabel(l.band.typical - l.priceFen)} 元，同类八成卖在 ${yuanLabel(l.band.low)} 到 ${yuanLabel(l.band.high)} 元，可以试着提价`,
    );
  else if (isOld && l.views >= MANY_VIEWS && l.orders === 0 && l.band && l.priceFen > l.band.typical)
    advice.push(`${l.views} 次浏览没有成交，参考价是 ${yuanLabel(l.band.typical)} 元，可以试着降价`);
  else if (isOld && l.views >= MANY_VIEWS && l.orders === 0 && !l.bargainOpen)
    advice.push(`${l.views} 次浏览没有成交，可以打开“接受议价”`);
  if (isOld && l.views < FEW_VIEWS && l.pictures < FEW_PICTURES)
    advice.push(`上架 ${l.days} 天只有 ${l.views} 次浏览，图片只有 ${l.pictures} 张，加到 ${FEW_PICTURES} 张以上`);
  else if (isOld && l.views < FEW_VIEWS && l.descriptionChars < SHORT_DESCRIPTION)
    advice.push(`上架 ${l.days} 天只有 ${l.views} 次浏览，描述太短，写上买家常问的内容`);
  if (l.usualDays !== null && l.days > 2 * l.usualDays + YOUNG_DAYS)
    advice.push(`已上架 ${l.days} 天，同类商品一半在 ${l.usualDays} 天内卖出`);
  return advice.slice(0, ADVICE_MAX);
}

/** Orders per 100 views with one decimal; null without views. */
export const conversionOf = (orders: number, views: number): number | null =>
  views === 0 ? null : Math.round((orders / views) * 1000) / 10;

/** The Mondays of the given number of weeks, oldest first, the week of `today` (2026-11-25) last. */
export function mondays(today: string, count: number): string[] {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: count }, (_, i) => dayAfter(today, -sinceMonday - (count - 1 - i) * 7));
}
