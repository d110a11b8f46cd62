import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { listingImportDetail, rowStates } from '#subjects/listing-import/contract/listing-import.ts';
import type { Trx } from '#server/db/client.ts';
import type { Mark } from '#server/import/files/raw-table.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import type { Problem } from './read-publish.ts';

export type Kind = 'publish' | 'stock';
export type Status = HandlerResult<typeof listingImportDetail>['status'];
export type RowState = (typeof rowStates)[number];

/** A file of a seller, without its rows. */
export interface ImportRecord {
  id: number;
  userId: number;
  distId: number;
  kind: Kind;
  gameId: number | null;
  typeId: number | null;
  fileName: string;
  columns: string[];
  /** Notes for the seller on how the file was read. */
  notes: string[];
  mapping: Record<string, number>;
  defaults: Record<string, string>;
  status: Status;
  waitsUntil: Date | null;
  failure: string | null;
  createdAt: Date;
}

/** A row as stored. */
export interface StoredRow {
  line: number;
  cells: string[] | null;
  /** Cells that a program may have altered, by column from 0. */
  marks: Record<number, Mark>;
  edits: Record<string, string>;
  state: RowState;
  problems: Problem[];
  notes: string[];
  goodsSn: string | null;
  /** The listing's title; null while there is no listing. */
  title: string | null;
}

/** The result of checking a row. */
export interface CheckedRow {
  line: number;
  state: RowState;
  problems: readonly Problem[];
  notes: readonly string[];
  goodsId: number | null;
}

const RECORD = sql.raw(
  'i.id, i.user_id as "userId", i.dist_id as "distId", i.kind, i.game_id as "gameId", i.type_id as "typeId", i.file_name as "fileName", ' +
    'i.columns, i.notes, i.mapping, i.defaults, i.status, i.waits_until as "waitsUntil", i.failure, i.created_at as "createdAt"',
);

/** The newest files of a seller. */
export async function ownImports(db: Trx, userId: number, limit: number): Promise<ImportRecord[]> {
  const { rows } = await sql<ImportRecord>`
    select ${RECORD} from listing_import i where i.user_id = ${userId} and i.removed_at is null order by i.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** A file of this seller. Throws NOT_FOUND, also for the file of another seller. */
export async function ownImport(db: Trx, userId: number, id: number): Promise<ImportRecord> {
  const { rows } = await sql<ImportRecord>`
    select ${RECORD} from listing_import i where i.id = ${id} and i.user_id = ${userId} and i.removed_at is null`.execute(
    db,
  );
  if (!rows[0]) throw errorOf('NOT_FOUND', 'listingImport');
  return rows[0];
}

/** The file of a run that is under way; undefined when it was stopped or removed. */
export async function runningImport(db: Trx, id: number): Promise<ImportRecord | undefined> {
  const { rows } = await sql<ImportRecord>`
    select ${RECORD} from listing_import i where i.id = ${id} and i.status = 'running' and i.removed_at is null`.execute(
    db,
  );
  return rows[0];
}

/** How many rows are in each state. */
export async function loadCounts(
  db: Trx,
  ids: readonly number[],
): Promise<Map<number, Partial<Record<RowState, number>>>> {
  const { rows } = await sql<{ id: number; state: RowState; n: number }>`
    select import_id as id, state, count(*)::int as n from listing_import_row where import_id = any(${ids}::bigint[])
    group by import_id, state`.execute(db);
  const counts = new Map<number, Partial<Record<RowState, number>>>();
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}

/** Rows in the order of the file. */
export async function loadRows(
  db: Trx,
  id: number,
  { state, after, limit }: { state?: RowState | undefined; after: number; limit: number },
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select r.line, r.cells, r.marks, r.edits, r.state, r.problems, r.notes, g.sn as "goodsSn", g.title
    from listing_import_row r left join goods g on g.id = r.goods_id
    where r.import_id = ${id} and r.line > ${after}::bigint ${state === undefined ? sql`` : sql`and r.state = ${state}`}
    order by r.line limit ${limit}`.execute(db);
  return rows;
}

/** One row; undefined when there is none. */
export async function loadRow(db: Trx, id: number, line: number): Promise<StoredRow | undefined> {
  const [row] = await loadRows(db, id, { after: line - 1, limit: 1 });
  return row?.line === line ? row : undefined;
}

/** Stores the results of a check, for rows that are not published and not being published. */
export async function saveChecks(db: Trx, id: number, checked: readonly CheckedRow[]): Promise<void> {
  await sql`
    update listing_import_row r set state = v.state, problems = v.problems, notes = v.notes, goods_id = v."goodsId"
    from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb) as v(line int, state text, problems jsonb, notes jsonb, "goodsId" bigint)
    where r.import_id = ${id} and r.line = v.line and r.state in ('refused', 'ready', 'existing')`.execute(db);
}

/** The values of a row, by target: the correction, otherwise the column's cell, otherwise the seller's default for all rows. */
export function valuesOf(
  { mapping, defaults }: Pick<ImportRecord, 'mapping' | 'defaults'>,
  { cells, edits }: Pick<StoredRow, 'cells' | 'edits'>,
): Record<string, string> {
  if (cells === null) return {};
  const values: Record<string, string> = { ...defaults };
  for (const [key, at] of Object.entries(mapping)) {
    const cell = cells[at] ?? '';
    if (cell !== '') values[key] = cell;
  }
  return { ...values, ...edits };
}
