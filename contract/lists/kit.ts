/**
 * A back-office list is declared once: its rows, columns, filters and orders. The call, the page, the count, the sum and
 * the export are all derived from that declaration.
 */
import { z } from 'zod';
import { amountError } from '../rules/amounts.ts';
import { rangeOf } from '../rules/time/date-range.ts';
import { typedKeyword } from '../rules/texts/typed.ts';
import type { ListName } from './names.ts';
import { flag, listTail, money, optionalTyped, paging, parseYuan, time } from '../wire.ts';

/** The type of a column's value; decides how it is aligned, displayed and exported. */
export type CellKind = 'text' | 'number' | 'money' | 'time';

/** One column. `cell` is its value on the wire: amounts as yuan text, times as ISO text. */
export interface Column<Item, S extends string = string> {
  key: string;
  name: string;
  /** The column's name in the column chooser. */
  group: string;
  kind: CellKind;
  cell: (item: Item) => string | number | null;
  /** The order selected by clicking the heading. */
  sort?: S;
  /** Hidden until the user chooses it. */
  isExtra?: boolean;
}

/** The fields of a row that a column can display unchanged. */
type CellField<Item> = {
  [K in keyof Item & string]: Item[K] extends string | number | null ? K : never;
}[keyof Item & string];

/** A column as a list declares it; without `cell` it displays the row field with its key. */
type DeclaredColumn<Item, S extends string> =
  | Column<Item, S>
  | (Omit<Column<Item, S>, 'key' | 'cell'> & { key: CellField<Item>; cell?: never });

/** One of several values of a filter, with its name. */
type Option = readonly [value: string, name: string];

/** A filter as the page edits it. Its text in the URL is the input of the call. */
export type FilterForm =
  | { kind: 'choice'; name: string; options: readonly Option[] }
  | { kind: 'flag'; name: string }
  | { kind: 'time'; name: string }
  | { kind: 'money'; name: string }
  | { kind: 'word'; name: string };

type Filter<S extends z.ZodType = z.ZodType> = FilterForm & { schema: S };

const blank = z.literal('').transform(() => undefined);

/** One or more of some values, joined by commas. */
export function choice<const V extends string>(name: string, options: readonly (readonly [V, string])[]) {
  const known = new Set<string>(options.map(([value]) => value));
  const schema = z
    .union([z.string(), z.number()], { error: `${name}不正确` })
    .transform((typed) => String(typed).split(','))
    .refine((values) => values.every((value) => known.has(value)), `${name}不正确`)
    .transform((values) => values as V[]);
  return { kind: 'choice' as const, name, options, schema: z.union([blank, schema]).optional() };
}

/** The largest integer of the database's columns for games, sites and staff. */
const MAX_ID = 2_147_483_647;

/** One or more items by number, whose names the page only knows at run time. */
export function ids(name: string) {
  const schema = z
    .union([z.string(), z.number()], { error: `${name}不正确` })
    .transform((typed) => String(typed).split(','))
    .refine((values) => values.every((value) => /^\d{1,10}$/.test(value) && Number(value) <= MAX_ID), `${name}不正确`)
    .transform((values) => values.map(Number));
  return {
    kind: 'choice' as const,
    name,
    options: [] as readonly Option[],
    schema: z.union([blank, schema]).optional(),
  };
}

/** One or more items by code, whose names the page only knows at run time. */
export function codes(name: string) {
  const schema = z
    .string({ error: `${name}不正确` })
    .transform((typed) => typed.split(','))
    .refine((values) => values.every((value) => /^[a-z][a-z0-9_]{0,39}$/.test(value)), `${name}不正确`);
  return {
    kind: 'choice' as const,
    name,
    options: [] as readonly Option[],
    schema: z.union([blank, schema]).optional(),
  };
}

/** Rows with a given property. */
export const onlyIf = (name: string) => ({ kind: 'flag' as const, name, schema: flag.optional() });

/** A range of times (contract/rules/time/date-range.ts). */
export function period(name: string) {
  const schema = z.string().transform((typed, ctx) => {
    const range = rangeOf(typed, new Date());
    if (range) return range;
    ctx.addIssue({ code: 'custom', message: `${name}不正确，例如 2026-11-16~2026-11-22` });
    return z.NEVER;
  });
  return { kind: 'time' as const, name, schema: z.union([blank, schema]).optional() };
}

/** A range of amounts in yuan, joined by '~': 100~500, 100~. Returns the amounts in fen. */
export function sums(name: string) {
  const schema = z.string().transform((typed, ctx) => {
    const ends = typed.split('~');
    const [least = '', most = ''] = ends;
    const isAmount = (text: string) => text === '' || amountError(text) === null;
    const [from, to] = [least, most].map((text) => parseYuan(text) ?? undefined);
    const inOrder = from === undefined || to === undefined || from <= to;
    if (ends.length === 2 && typed !== '~' && isAmount(least) && isAmount(most) && inOrder) return { from, to };
    ctx.addIssue({ code: 'custom', message: `${name}不正确，例如 100~500` });
    return z.NEVER;
  });
  return { kind: 'money' as const, name, schema: z.union([blank, schema]).optional() };
}

/** A keyword. */
export const keyword = (name: string, max = 40) => ({
  kind: 'word' as const,
  name,
  schema: optionalTyped(typedKeyword, max, '关键词'),
});

type Filters = Readonly<Record<string, Filter>>;
type Schemas<F extends Filters> = { [K in keyof F]: F[K]['schema'] };

/** The order of a list as written in the URL and the call: '-createTime' is newest first. */
export interface SortOrder<S extends string> {
  key: S;
  desc: boolean;
}

function sortSchema<const S extends string>(sorts: readonly S[], initial: S | `-${S}`) {
  return z
    .enum(sorts.flatMap((key) => [key, `-${key}` as const]) as [S | `-${S}`, ...(S | `-${S}`)[]], {
      error: '排序不正确',
    })
    .default(initial as never)
    .transform((text): SortOrder<S> => {
      const desc = text.startsWith('-');
      return { key: (desc ? text.slice(1) : text) as S, desc };
    });
}

interface Declared<I extends z.ZodObject, F extends Filters, S extends string> {
  /** The list's name in views, exports and the audit. */
  name: ListName;
  title: string;
  /** The measure word of its rows. */
  unit: string;
  item: I;
  /** Identifies a row in URLs, selections and actions. */
  idOf: (item: z.output<I>) => string;
  filters: F;
  sorts: readonly S[];
  initialSort: S | `-${S}`;
  columns: readonly DeclaredColumn<z.output<I>, S>[];
  /** The value that is summed up in the line of results. */
  sumName?: string;
}

/** A declared list with the input and the response of its call. `extra` are the fields of the response besides the rows. */
export function declareList<
  I extends z.ZodObject,
  const F extends Filters,
  const S extends string,
  X extends z.ZodRawShape = Record<never, never>,
>(spec: Declared<I, F, S>, extra: X = {} as X) {
  type Item = z.output<I>;
  const schemas = Object.fromEntries(Object.entries(spec.filters).map(([key, { schema }]) => [key, schema]));
  const columns = spec.columns.map(
    (column): Column<Item, S> =>
      column.cell === undefined ? { ...column, cell: (item) => item[column.key] as string | number | null } : column,
  );
  return {
    ...spec,
    columns,
    input: z.object({
      ...paging,
      sort: sortSchema(spec.sorts, spec.initialSort),
      /** Only rows created after this time; a page uses it to announce new rows. */
      newerThan: z.iso.datetime({ offset: true, error: '时间不正确' }).optional(),
      ...(schemas as Schemas<F>),
    }),
    data: z.object({
      list: z.array(spec.item),
      ...listTail,
      /** The sum of all matching rows; null if there are more than are counted, or nothing is summed. */
      sum: money.nullable(),
      /** The server's time, which clocks are based on. */
      now: time,
      ...extra,
    }),
  };
}

/** The parts of a declared list that pages and exports need. */
export interface AnyList<Item = never> {
  name: ListName;
  title: string;
  unit: string;
  idOf: (item: Item) => string;
  filters: Readonly<Record<string, FilterForm & { schema: z.ZodType }>>;
  sorts: readonly string[];
  initialSort: string;
  columns: readonly Column<Item>[];
  sumName?: string;
}
