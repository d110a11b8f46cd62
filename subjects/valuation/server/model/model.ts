import type { Field } from '#subjects/games/contract/games.ts';
import {
  type Account,
  AGE,
  AREA,
  type Column,
  columnsOf,
  extremeCell,
  isStated,
  rowOf,
  type Sale,
  signsOf,
  statedMeans,
} from './features.ts';
import { fitRidge, FOLDS, type Linear, linearValue, prepare } from './ridge.ts';

/** Below this number of sales there is no model and no price (domain.md 4). */
export const MIN_SALES = 30;
/** Maximum number of sales that a model is fitted on, newest first. */
export const MAX_SALES = 4000;
/** Number of sales stored with a model for its chart and comparables. */
const KEPT = 400;

/** A sale as the model stores it: its price relative to the model's. */
export interface KeptSale {
  orderId: number;
  /** Days before the fit. */
  daysAgo: number;
  priceFen: number;
  /** Logarithm of the model's price. */
  value: number;
  hours: number | null;
}

/** Quantiles of the residuals of one part of the price range. */
interface Spread {
  /** Logarithm of the price below which this part ends; the last has none. */
  below: number | null;
  /** Residual at each of LEVELS. */
  at: number[];
}

/** What the prices of a model depend on. */
export interface PriceModel {
  columns: Column[];
  linear: Linear;
  spreads: Spread[];
}

/** An earlier model, which limits how fast floors rise (decision 768). */
export interface PastModel extends PriceModel {
  madeAt: string;
}

/** Everything a valuation needs, stored as one document (valuation_model.body). */
export interface ModelBody extends PriceModel {
  /** Earlier models, the oldest first. */
  past?: PastModel[];
  kept: KeptSale[];
  /** Median days to sell by the ratio of the price to the typical one, rising. */
  days: { ratio: number; days: number }[];
  /** Change of the market in the last 30 days, as a logarithm. */
  trend: number;
}

/** Levels of the residual quantiles that a model keeps. */
export const LEVELS: readonly number[] = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);
/** Shrinkage: a part of the price range is weighted against the whole by its sales relative to this number. */
const SHRINK_SALES = 60;
const PARTS = 3;

/** The quantile of sorted values with a small-sample correction, so that a band reaches its nominal coverage. */
function quantile(sorted: readonly number[], level: number): number {
  const n = sorted.length;
  const at = level * (n + 1) - 1;
  const low = Math.max(0, Math.min(n - 1, Math.floor(at)));
  const high = Math.max(0, Math.min(n - 1, low + 1));
  const share = Math.min(1, Math.max(0, at - low));
  return (sorted[low] ?? 0) * (1 - share) + (sorted[high] ?? 0) * share;
}

/** Residual quantiles by part of the price range, each shrunk towards the whole. */
function spreadsOf(values: readonly number[], residuals: readonly number[]): Spread[] {
  const all = residuals.toSorted((a, b) => a - b);
  const whole = LEVELS.map((level) => quantile(all, level));
  const order = values.map((_, i) => i).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const parts = residuals.length < MIN_SALES * PARTS ? 1 : PARTS;
  return Array.from({ length: parts }, (_, p) => {
    const from = Math.round((p * order.length) / parts);
    const to = Math.round(((p + 1) * order.length) / parts);
    const own = order
      .slice(from, to)
      .map((i) => residuals[i] ?? 0)
      .toSorted((a, b) => a - b);
    const trust = parts === 1 ? 0 : own.length / (own.length + SHRINK_SALES);
    const next = order[to];
    return {
      below: p === parts - 1 || next === undefined ? null : (values[next] ?? 0),
      at: LEVELS.map((level, i) => trust * quantile(own, level) + (1 - trust) * (whole[i] ?? 0)),
    };
  });
}

/** A price further than this many spreads from comparable sales is moved to this distance. */
const CLIP = 2;
/** A price further than this many spreads from comparable sales is no evidence: it counts as their price. */
const DROP = 3;

/** The prices that the model is fitted to: those far from comparable sales are moved closer, so that arranged sales have little effect. */
function drawnIn(logs: readonly number[], residuals: readonly number[]): number[] {
  const size = residuals.map(Math.abs).toSorted((a, b) => a - b);
  const spread = 1.48 * (size[Math.floor(size.length / 2)] ?? 0);
  return logs.map((y, i) => {
    const r = residuals[i] ?? 0;
    const counted = Math.abs(r) > DROP * spread ? 0 : Math.max(-CLIP * spread, Math.min(CLIP * spread, r));
    return y - r + counted;
  });
}

/** Similar rows are grouped in blocks; the number of blocks per fold. */
const BLOCKS_A_FOLD = 2;

/** Folds of rows, in blocks sorted by the price of a small model, so that near copies of an account are in the same fold. */
function foldsOf(columns: readonly Column[], rows: readonly Float64Array[], logs: readonly number[]): number[] {
  const core = columns.flatMap((c, j) => (c.kind === 'score' ? [j] : []));
  const small = rows.map((row) => Float64Array.from(core, (j) => row[j] ?? 0));
  const roundRobin = rows.map((_, i) => i % FOLDS);
  const { model } = fitRidge(prepare(small, core.length, roundRobin), logs);
  const values = small.map((row) => linearValue(model, row));
  const folds = [...roundRobin];
  const block = Math.max(1, Math.ceil(rows.length / (FOLDS * BLOCKS_A_FOLD)));
  values
    .map((_, i) => i)
    .toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
    .forEach((i, rank) => (folds[i] = Math.floor(rank / block) % FOLDS));
  return folds;
}

const RATIOS = [0.75, 0.85, 0.95, 1.05, 1.15, 1.3];
const HOURS_A_DAY = 24;

/** Median days to sell by the ratio of the price to the model's, forced to rise with it: a higher price never sells sooner. */
function daysOf(sales: readonly Sale[], values: readonly number[]): ModelBody['days'] {
  const timed = sales.flatMap((s, i) =>
    s.hours === null ? [] : [{ ratio: s.priceFen / Math.exp(values[i] ?? 0), hours: s.hours }],
  );
  if (timed.length < MIN_SALES) return [];
  const blocks = RATIOS.map((ratio) => {
    const near = timed.toSorted((a, b) => Math.abs(Math.log(a.ratio / ratio)) - Math.abs(Math.log(b.ratio / ratio)));
    const hours = near.slice(0, Math.max(10, Math.round(timed.length / 5))).map((t) => t.hours);
    const median = hours.toSorted((a, b) => a - b)[Math.floor(hours.length / 2)] ?? 0;
    return { ratio, days: median / HOURS_A_DAY, weight: 1, ratios: [ratio] };
  });
  // Pool adjacent violators: decreasing neighbours are replaced by their mean.
  const pooled: typeof blocks = [];
  for (const block of blocks) {
    let now = block;
    for (let last = pooled.at(-1); last && last.days > now.days; last = pooled.at(-1)) {
      const weight = last.weight + now.weight;
      now = {
        ...now,
        weight,
        days: (last.days * last.weight + now.days * now.weight) / weight,
        ratios: [...last.ratios, ...now.ratios],
      };
      pooled.pop();
    }
    pooled.push(now);
  }
  return pooled.flatMap((b) => b.ratios.map((ratio) => ({ ratio, days: Math.round(b.days * 10) / 10 })));
}

/**
 * Fits the model of a game's accounts on its sales: a ridge regression of the price's logarithm, and the spread of its residuals by part of
 * the price range, shrunk towards the whole. Undefined below MIN_SALES.
 */
export function fitModel(fields: readonly Field[], sales: readonly Sale[]): ModelBody | undefined {
  if (sales.length < MIN_SALES) return undefined;
  const columns = columnsOf(fields, sales);
  const means = statedMeans(columns, sales);
  const rows = sales.map((s) => rowOf(columns, s, s.daysAgo, means));
  const logs = sales.map((s) => Math.log(s.priceFen));
  const prepared = prepare(rows, columns.length, foldsOf(columns, rows, logs));
  const signs = signsOf(columns, rows, logs);
  const targets = drawnIn(logs, fitRidge(prepared, logs).residuals);
  const fit = fitRidge(prepared, targets, signs);
  const { model } = fit;
  // The band must cover the original prices.
  const residuals = fit.residuals.map((r, i) => r + (logs[i] ?? 0) - (targets[i] ?? 0));
  const values = rows.map((row) => linearValue(model, row));
  const ageAt = columns.findIndex((c) => c.field === AGE);
  const newest = sales.map((_, i) => i).toSorted((a, b) => (sales[a]?.daysAgo ?? 0) - (sales[b]?.daysAgo ?? 0));
  return {
    columns,
    linear: model,
    spreads: spreadsOf(
      logs.map((y, i) => y - (residuals[i] ?? 0)),
      residuals,
    ),
    kept: newest.slice(0, KEPT).map((i) => ({
      orderId: sales[i]?.orderId ?? 0,
      daysAgo: sales[i]?.daysAgo ?? 0,
      priceFen: sales[i]?.priceFen ?? 0,
      value: values[i] ?? 0,
      hours: sales[i]?.hours ?? null,
    })),
    days: daysOf(sales, values),
    trend: -(model.weights[ageAt] ?? 0),
  };
}

/** The logarithm of the model's price of an account now. */
export function valueOf(body: PriceModel, account: Account): number {
  return linearValue(body.linear, rowOf(body.columns, account, 0, body.linear.means));
}

function residualAt({ at: levels }: Spread, level: number): number {
  const at = level * 20 - 1;
  const low = Math.max(0, Math.min(LEVELS.length - 1, Math.floor(at + 1e-9)));
  const high = Math.min(LEVELS.length - 1, low + 1);
  const share = Math.max(0, at - low);
  return (levels[low] ?? 0) * (1 - share) + (levels[high] ?? 0) * share;
}

/**
 * The price of an account at a level between 0 and 1, in fen, not rounded. It never decreases as the value increases: where a part of the
 * price range starts with a lower residual than the end of the previous part, the price stays constant until the part has caught up.
 */
export function priceAt(body: PriceModel, value: number, level: number): number {
  let reached = Number.NEGATIVE_INFINITY;
  for (const spread of body.spreads) {
    const residual = residualAt(spread, level);
    if (spread.below === null || value < spread.below) return Math.exp(Math.max(reached, value + residual));
    reached = Math.max(reached, spread.below + residual);
  }
  return Math.exp(Math.max(reached, value));
}

/** The effect of each field of an account on the logarithm of the price, compared with the average account. */
export function effectsOf(body: ModelBody, account: Account): Map<string, number> {
  const { columns, linear } = body;
  const row = rowOf(columns, account, 0, linear.means);
  const effects = new Map<string, number>();
  columns.forEach((column, j) => {
    const effect = (linear.weights[j] ?? 0) * ((row[j] ?? 0) - (linear.means[j] ?? 0));
    effects.set(column.field, (effects.get(column.field) ?? 0) + effect);
  });
  return effects;
}

/** The quantile assumed for a number of an optional field that was not stated or is lower: the lower quartile. */
const CAUTIOUS_SCORE = 0.67;

/** The minimum effect of the options of one field on the logarithm of the price, compared with the average account. At most 0. */
function worstOptions(body: PriceModel, options: readonly number[]): number {
  const weight = (j: number): number => body.linear.weights[j] ?? 0;
  const none = -options.reduce((sum, j) => sum + weight(j) * (body.linear.means[j] ?? 0), 0);
  const falls = options.map((j) => Math.min(0, weight(j)));
  // For a multiple choice the sum of all negative options, for a single choice the worst option.
  const isSet = options.some((j) => {
    const column = body.columns[j];
    return column?.kind === 'is' && column.isOneOfSeveral;
  });
  return none + (isSet ? falls.reduce((sum, fall) => sum + fall, 0) : Math.min(0, ...falls));
}

/**
 * The conservative logarithm of the price of an account, used for a binding offer. Unstated fields count against it: an option as the worst
 * one, a number of an optional field as the lower quarter, of a required field as the lowest. A number below the lower quarter of an optional
 * field counts as the lower quarter as well. So no answer lowers this value compared with omitting it, and omitting a bad value gains
 * nothing.
 */
export function cautiousValue(body: PriceModel, account: Account, required: ReadonlySet<string>): number {
  const { columns, linear } = body;
  const row = rowOf(columns, account, 0, linear.means);
  const open = new Map<string, number[]>();
  let value = linear.intercept;
  columns.forEach((column, j) => {
    const weight = linear.weights[j] ?? 0;
    const mean = linear.means[j] ?? 0;
    const cell = row[j] ?? 0;
    const stated = column.field === AREA ? account.areaId !== null : isStated(account.attrs[column.field]);
    if (column.kind === 'is' && !stated) open.set(column.field, [...(open.get(column.field) ?? []), j]);
    else if (column.kind !== 'score') value += weight * (cell - mean);
    else if (required.has(column.field)) value += weight * ((stated ? cell : extremeCell(column, weight < 0)) - mean);
    else {
      const least = weight < 0 ? CAUTIOUS_SCORE : -CAUTIOUS_SCORE;
      const best = weight < 0 ? Math.min(cell, least) : Math.max(cell, least);
      value += weight * ((stated ? best : least) - mean);
    }
  });
  for (const options of open.values()) value += worstOptions(body, options);
  return value;
}
