import type { Field } from '#subjects/games/contract/games.ts';
import type { Sale } from './features.ts';
import { fitModel, MIN_SALES, priceAt, valueOf } from './model.ts';

/** The accuracy of a model fitted on earlier sales for later ones. Losses are sums in fen. */
export interface Score {
  /** Sales that were valued. */
  sales: number;
  /** Of them, those within the 80 % band. */
  hits: number;
  /** Pinball loss of low quartile, median and high quartile by the model. */
  loss: number;
  /** The same by plain quartiles of the earlier sales. */
  plainLoss: number;
}

const QUARTILES = [0.25, 0.5, 0.75];

/** Pinball loss: the distance of a price from a quantile, weighted differently on each side. */
const pinball = (price: number, at: number, level: number): number =>
  price >= at ? level * (price - at) : (1 - level) * (at - price);

function plainQuartiles(prices: readonly number[]): number[] {
  const sorted = prices.toSorted((a, b) => a - b);
  return QUARTILES.map((q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0);
}

export const NO_SCORE: Score = { sales: 0, hits: 0, loss: 0, plainLoss: 0 };

/** Adds two scores. */
export const addScores = (a: Score, b: Score): Score => ({
  sales: a.sales + b.sales,
  hits: a.hits + b.hits,
  loss: a.loss + b.loss,
  plainLoss: a.plainLoss + b.plainLoss,
});

/**
 * Fits on the sales older than `fromDaysAgo` and values those between then and `toDaysAgo`, as of the start of that period. Below MIN_SALES
 * earlier sales nothing is valued.
 */
export function backTest(
  fields: readonly Field[],
  sales: readonly Sale[],
  time: { fromDaysAgo: number; toDaysAgo: number },
): Score {
  const earlier = sales
    .filter((s) => s.daysAgo > time.fromDaysAgo)
    .map((s) => ({ ...s, daysAgo: s.daysAgo - time.fromDaysAgo }));
  const later = sales.filter((s) => s.daysAgo <= time.fromDaysAgo && s.daysAgo > time.toDaysAgo);
  const body = earlier.length < MIN_SALES ? undefined : fitModel(fields, earlier);
  if (!body) return NO_SCORE;
  const plain = plainQuartiles(earlier.map((s) => s.priceFen));
  return later.reduce((score, sale) => {
    const value = valueOf(body, sale);
    const isHit = sale.priceFen >= priceAt(body, value, 0.1) && sale.priceFen <= priceAt(body, value, 0.9);
    return {
      sales: score.sales + 1,
      hits: score.hits + (isHit ? 1 : 0),
      loss: score.loss + QUARTILES.reduce((sum, q) => sum + pinball(sale.priceFen, priceAt(body, value, q), q), 0),
      plainLoss: score.plainLoss + QUARTILES.reduce((sum, q, i) => sum + pinball(sale.priceFen, plain[i] ?? 0, q), 0),
    };
  }, NO_SCORE);
}
