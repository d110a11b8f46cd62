import { chinaDay } from '#contract/rules/time/china-time.ts';
import { valueOf, priceAt, type KeptSale, type ModelBody, type PriceModel } from './model/model.ts';
import type { Account } from './model/features.ts';

/** The prices of an account, in fen, rounded as sellers round. */
export interface Band {
  /** Logarithm of the model's price. */
  value: number;
  lowFen: number;
  typicalFen: number;
  highFen: number;
}

const YUAN = 100;
const LOW = 0.1;
const HIGH = 0.9;
/** The two kinds of seller: one who wants to sell soon, and one who has time. */
const FAST = 0.35;
const SLOW = 0.65;

/** Rounds to the usual step for such a price: one, ten or fifty yuan. At least one yuan. */
export function roundPrice(fen: number): number {
  const yuan = fen / YUAN;
  const unit = yuan < 1000 ? 1 : yuan < 10_000 ? 10 : 50;
  return Math.max(YUAN, Math.round(yuan / unit) * unit * YUAN);
}

/** Low, typical and high price of an account. */
export const bandOf = (body: PriceModel, account: Account): Band => bandAt(body, valueOf(body, account));

/** The band of the model's value. */
export function bandAt(body: PriceModel, value: number): Band {
  const at = (level: number): number => roundPrice(priceAt(body, value, level));
  return { value, lowFen: at(LOW), typicalFen: at(0.5), highFen: at(HIGH) };
}

/** Median days to sell at a price, interpolated between the measured ratios; null when too few sales have times. */
export function daysAt(body: ModelBody, value: number, fen: number): number | null {
  const ratio = fen / Math.exp(value);
  const above = body.days.findIndex((d) => d.ratio >= ratio);
  const to = above === -1 ? body.days.at(-1) : body.days[above];
  if (!to) return null;
  const from = above <= 0 ? to : (body.days[above - 1] ?? to);
  const share = to.ratio === from.ratio ? 0 : (ratio - from.ratio) / (to.ratio - from.ratio);
  return Math.max(0.1, Math.round((from.days + (to.days - from.days) * share) * 10) / 10);
}

/** Median days to sell at the model's own price; null when too few sales have times. */
export const usualDays = (body: ModelBody): number | null => daysAt(body, 0, 1);

/** Three prices to sell at, with the expected days. */
export function sellPrices(
  body: ModelBody,
  band: Band,
): { key: 'fast' | 'typical' | 'slow'; name: string; fen: number; days: number | null }[] {
  const at = (level: number): number => roundPrice(priceAt(body, band.value, level));
  const prices = [
    { key: 'fast', name: '快卖', fen: Math.min(at(FAST), band.typicalFen) },
    { key: 'typical', name: '参考价', fen: band.typicalFen },
    { key: 'slow', name: '慢卖', fen: Math.max(at(SLOW), band.typicalFen) },
  ] as const;
  return prices.map((p) => ({ ...p, days: daysAt(body, band.value, p.fen) }));
}

/** Sales of accounts with a similar model value, nearest first. */
export function alike(body: ModelBody, value: number, count: number): KeptSale[] {
  return body.kept.toSorted((a, b) => Math.abs(a.value - value) - Math.abs(b.value - value)).slice(0, count);
}

const CHARTED = 160;
const BINS = 18;
const POINTS = 90;
const EDGE = 0.03;
const DAY_MS = 86_400_000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const CURVE = [0.8, 0.9, 1, 1.1, 1.2, 1.35];

/** The shape of the sales behind a price: similar sales adjusted to the account, as bins, and by day. */
export function chartOf(body: ModelBody, band: Band, madeAt: Date) {
  const sales = alike(body, band.value, CHARTED).map((s) => ({
    ...s,
    fen: Math.round(s.priceFen * Math.exp(band.value - s.value)),
  }));
  const sorted = sales.map((s) => s.fen).toSorted((a, b) => a - b);
  const from = sorted[Math.floor(sorted.length * EDGE)] ?? band.lowFen;
  const to = sorted[Math.ceil(sorted.length * (1 - EDGE)) - 1] ?? band.highFen;
  const rough = (to - from) / BINS / YUAN;
  const step = (STEPS.find((s) => s >= rough) ?? 20_000) * YUAN;
  const start = Math.floor(Math.min(from, band.lowFen) / step) * step;
  const end = Math.ceil(Math.max(to, band.highFen) / step) * step;
  const bins = Array.from({ length: Math.max(1, Math.round((end - start) / step)) }, (_, i) => ({
    from: start + i * step,
    to: start + (i + 1) * step,
    count: sorted.filter((fen) => fen >= start + i * step && fen < start + (i + 1) * step).length,
  }));
  const dayOf = (daysAgo: number): string => chinaDay(new Date(madeAt.getTime() - daysAgo * DAY_MS));
  const points = sales
    .filter((s) => s.fen >= start && s.fen <= end)
    .slice(0, POINTS)
    .toSorted((a, b) => b.daysAgo - a.daysAgo)
    .map((s) => ({ day: dayOf(s.daysAgo), price: s.fen }));
  const days = CURVE.flatMap((ratio) => {
    const fen = roundPrice(band.typicalFen * ratio);
    const n = daysAt(body, band.value, fen);
    return n === null ? [] : [{ price: fen, days: n }];
  });
  return { bins, points, days };
}
