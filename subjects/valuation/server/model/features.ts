import type { Field } from '#subjects/games/contract/games.ts';

/** An account as input of the model: its fields, its region, and whether it is in the platform's custody. */
export interface Account {
  attrs: Readonly<Record<string, unknown>>;
  areaId: number | null;
}

/** A completed sale that the model learns from. Prices in fen; days are whole days before the fit. */
export interface Sale extends Account {
  orderId: number;
  priceFen: number;
  /** Days between the sale and the time of the fit. */
  daysAgo: number;
  /** Hours from publication to payment; null where it was never published. */
  hours: number | null;
}

/** One column of the model. Stored with the model, so an old model is read as it was fitted. */
export type Column =
  /** The rank of a number among the sales, as a standard normal score: robust against one huge number. */
  | { field: string; kind: 'score'; knots: number[] }
  /** Whether an option is chosen, or a yes/no field is yes; `isOneOfSeveral` where several can be chosen together. */
  | { field: string; kind: 'is'; value: string; isOneOfSeveral?: boolean }
  /** Months before the fit, so that the model follows a changing market instead of old sales. */
  | { field: typeof AGE; kind: 'age' };

export const AREA = '$area';
export const AGE = '$age';

/** An option counts once this many sales have it. */
const MIN_OPTION = 8;
/** A column needs this share of the sales to state its field. */
const MIN_STATED = 0.3;
const KNOTS = 40;
const MAX_OPTIONS = 40;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number that represents a value: itself, or its number of options or items; undefined when it has none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.length;
  if (isRecord(value)) return Object.values(value).reduce<number>((sum, n) => sum + (typeof n === 'number' ? n : 0), 0);
  return undefined;
}

/** The options that a value has, as texts. */
function optionsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (isRecord(value)) return Object.keys(value);
  if (typeof value === 'boolean') return value ? ['yes'] : [];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Inverse of the standard normal distribution by a rational approximation (error below 0.005), enough for scores. */
function normalScore(share: number): number {
  const p = Math.min(0.995, Math.max(0.005, share));
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)));
  const z = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
  return p < 0.5 ? -z : z;
}

/** The quantile of a number among the knots, interpolated; equal knots count half. */
function shareOf(knots: readonly number[], value: number): number {
  const last = knots.length - 1;
  const below = knots.findIndex((k) => k >= value);
  if (below === -1) return 1;
  let upTo = below;
  while (upTo < last && knots[upTo + 1] === value) upTo++;
  if (knots[below] === value) return (below + upTo) / 2 / last;
  if (below === 0) return 0;
  const [from, to] = [knots[below - 1] ?? 0, knots[below] ?? 0];
  return (below - 1 + (value - from) / Math.max(1e-9, to - from)) / last;
}

function knotsOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from({ length: KNOTS + 1 }, (_, i) => sorted[Math.round((i / KNOTS) * (sorted.length - 1))] ?? 0);
}

function scoreColumn(field: Field, sales: readonly Sale[]): Column[] {
  const values = sales.flatMap((s) => numberOf(s.attrs[field.key]) ?? []);
  if (values.length < Math.max(MIN_OPTION * 2, sales.length * MIN_STATED)) return [];
  const knots = knotsOf(values);
  return knots[0] === knots.at(-1) ? [] : [{ field: field.key, kind: 'score', knots }];
}

function optionColumns(key: string, values: readonly unknown[]): Extract<Column, { kind: 'is' }>[] {
  const stated = values.filter((v) => v !== undefined && v !== null);
  if (stated.length < values.length * MIN_STATED) return [];
  const counts = new Map<string, number>();
  for (const value of stated) for (const o of optionsOf(value)) counts.set(o, (counts.get(o) ?? 0) + 1);
  return [...counts]
    .filter(([, n]) => n >= MIN_OPTION && n <= stated.length - MIN_OPTION)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_OPTIONS)
    .map(([value]) => ({ field: key, kind: 'is', value }));
}

/** The columns that the sales of a game support; texts have none. */
export function columnsOf(fields: readonly Field[], sales: readonly Sale[]): Column[] {
  const columns: Column[] = [{ field: AGE, kind: 'age' }];
  for (const field of fields) {
    const values = sales.map((s) => s.attrs[field.key]);
    if (field.kind === 'range' || field.kind === 'multi' || field.kind === 'item_count')
      columns.push(...scoreColumn(field, sales));
    if (field.kind === 'single' && isScale(field)) columns.push(...scoreColumn(field, sales));
    if (field.kind !== 'range' && field.kind !== 'text')
      columns.push(
        ...optionColumns(field.key, values).map((column) =>
          field.kind === 'multi' || field.kind === 'item_count' ? { ...column, isOneOfSeveral: true } : column,
        ),
      );
  }
  columns.push(
    ...optionColumns(
      AREA,
      sales.map((s) => s.areaId),
    ),
  );
  return columns;
}

/** A list of options with ascending numbers is also treated as a scale: ranks, VIP levels. */
const isScale = (field: Field): boolean =>
  (field.options?.length ?? 0) >= 5 &&
  (field.options ?? []).every((o, i, all) => typeof o.v === 'number' && (i === 0 || o.v > Number(all[i - 1]?.v)));

const DAYS_A_MONTH = 30;

/** Whether an account states a field. */
export const isStated = (value: unknown): boolean => value !== undefined && value !== null;

/** One cell; undefined when the account does not state the field, which then counts as the average. */
function cellOf(column: Column, account: Account, daysAgo: number): number | undefined {
  if (column.kind === 'age') return daysAgo / DAYS_A_MONTH;
  const value = column.field === AREA ? (account.areaId ?? undefined) : account.attrs[column.field];
  if (!isStated(value)) return undefined;
  if (column.kind === 'is') return optionsOf(value).includes(column.value) ? 1 : 0;
  const n = numberOf(value);
  return n === undefined ? undefined : normalScore(shareOf(column.knots, n));
}

/** An account as a row of numbers; fields that it does not state get the column's mean, so they have no effect. */
export function rowOf(
  columns: readonly Column[],
  account: Account,
  daysAgo: number,
  means: ArrayLike<number>,
): Float64Array {
  return Float64Array.from(columns, (column, j) => cellOf(column, account, daysAgo) ?? means[j] ?? 0);
}

/** Means of the columns over the sales that state them. */
export function statedMeans(columns: readonly Column[], sales: readonly Sale[]): number[] {
  return columns.map((column) => {
    const cells = sales.flatMap((s) => cellOf(column, s, s.daysAgo) ?? []);
    return cells.length === 0 ? 0 : cells.reduce((sum, c) => sum + c, 0) / cells.length;
  });
}

/** The lowest or highest cell of a number. Zero is its lowest value. */
export function extremeCell({ knots }: Extract<Column, { kind: 'score' }>, highest: boolean): number {
  return normalScore(highest ? 1 : shareOf(knots, Math.min(0, knots[0] ?? 0)));
}

/**
 * The direction of each column, 1 or -1, derived from the sales: whether a higher value goes with a higher price. Each option of a field with
 * a number (how many are chosen) has the direction of the number, so adding one never has the opposite effect. 0 leaves a column
 * unconstrained.
 */
export function signsOf(columns: readonly Column[], rows: readonly Float64Array[], logs: readonly number[]): Int8Array {
  const mean = logs.reduce((sum, y) => sum + y, 0) / Math.max(1, logs.length);
  const own = columns.map((_, j) =>
    Math.sign(rows.reduce((sum, row, i) => sum + (row[j] ?? 0) * ((logs[i] ?? 0) - mean), 0)),
  );
  const numbers = new Map(columns.flatMap((c, j) => (c.kind === 'score' ? [[c.field, own[j] ?? 0] as const] : [])));
  return Int8Array.from(columns, (column, j) => {
    if (column.kind === 'age') return 0;
    return column.kind === 'is' && column.isOneOfSeveral ? (numbers.get(column.field) ?? own[j] ?? 0) : (own[j] ?? 0);
  });
}
