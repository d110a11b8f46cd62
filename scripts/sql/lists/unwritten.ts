/**
 * Which tables the program cannot write: only the demo's seed or a migration fills them, so an operator cannot either. Such a table is
 * a feature that does not exist. `npm run check` holds this list, and it may only become shorter (docs/decisions/249).
 */
import type { Report } from '../check.ts';
import { partOf } from '../ownership.ts';

/** A table without a writer, and why that is so. */
export interface Unwritten {
  table: string;
  reason: string;
}

export const UNWRITTEN_FILE = 'scripts/sql/lists/unwritten.ts';

/** Configuration tables without a page yet. Must become empty. */
export const PENDING_WRITERS: readonly Unwritten[] = [];

/** Tables that are no configuration: what the program is, what the database fills itself, and features that are not built yet. */
export const NO_WRITERS: readonly Unwritten[] = [
  { table: 'order_transition', reason: 'the transitions that the program knows, for the database to enforce' },
  { table: 'recycle_transition', reason: 'the steps that the program knows, for the database to enforce' },
  { table: 'inspection_transition', reason: 'the steps that the program knows, for the database to enforce' },
  { table: 'boost_transition', reason: 'the steps that the program knows, for the database to enforce' },
  { table: 'companion_transition', reason: 'the steps that the program knows, for the database to enforce' },
  { table: 'provider_hours', reason: 'boosting and companion play' },
];

/** Code that fills separate databases; everything else is available to an operator. */
const SEEDS = new Set(['seed', 'bench', 'demo']);

const isSeed = (location: string): boolean => SEEDS.has(partOf(location)) || /^server\/seed\.ts\b/.test(location);

/** The tables (views left out) that no statement of the program and no function of the database writes, in order. */
export function unwrittenTables(
  { uses, database }: Pick<Report, 'uses' | 'database'>,
  views: readonly string[] = VIEWS,
): string[] {
  const written = new Set<string>();
  for (const { location, writes } of uses) if (!isSeed(location)) for (const table of writes) written.add(table);
  for (const { writes } of database.functions.values()) for (const table of writes) written.add(table);
  return [...database.tables].filter((table) => !written.has(table) && !views.includes(table)).toSorted();
}

const VIEWS: readonly string[] = [
  'channel_movement',
  'deal_figure',
  'deposit_level',
  'on_sale_figure',
  'order_figure',
  'seller_figure',
];

/** Returns the problems of tables that no subject can write, one sentence each. */
export function unwrittenProblems(
  report: Pick<Report, 'uses' | 'database'>,
  listed: readonly Unwritten[] = [...PENDING_WRITERS, ...NO_WRITERS],
): string[] {
  const unwritten = unwrittenTables(report);
  const known = new Set(listed.map(({ table }) => table));
  return [
    ...unwritten
      .filter((table) => !known.has(table))
      .map(
        (table) =>
          `table ${table} is written only by the seed or a migration: add a page or command, no operator should write SQL`,
      ),
    ...listed
      .filter(({ table }) => !unwritten.includes(table))
      .map(
        ({ table }) =>
          `${UNWRITTEN_FILE}: table ${table} is written by the program now, or does not exist; delete it from the list`,
      ),
  ];
}
