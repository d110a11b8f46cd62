import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { InspectionState } from './rules.ts';

/** A task with its listing. Amounts in fen. */
export interface TaskRow {
  id: number;
  distId: number;
  goodsId: number;
  goodsSn: string;
  title: string;
  goodsStatus: number;
  gameId: number;
  typeId: number;
  attrs: Record<string, unknown>;
  priceFen: number;
  sellerId: number;
  kind: 'first' | 'again';
  requestedBy: 'seller' | 'staff' | 'buyer';
  buyerId: number | null;
  feeFen: number;
  status: InspectionState;
  staffId: number | null;
  staffName: string | null;
  isSealed: boolean;
  openedCount: number;
  claimedAt: Date | null;
  dueAt: Date | null;
  doneAt: Date | null;
  differs: number;
  pictures: string[];
  closedReason: string | null;
  createdAt: Date;
}

const COLUMNS = sql`t.id, t.dist_id as "distId", t.goods_id as "goodsId", g.sn as "goodsSn", g.title, g.status as "goodsStatus", g.game_id as "gameId",
  g.type_id as "typeId", g.attrs, g.price_fen as "priceFen", g.seller_id as "sellerId", t.kind, t.asked_by as "requestedBy", t.buyer_id as "buyerId",
  t.fee_fen as "feeFen", t.status, t.staff_id as "staffId", s.name as "staffName", t.sealed_enc is not null as "isSealed",
  t.opened_count as "openedCount", t.claimed_at as "claimedAt", t.due_at as "dueAt", t.done_at as "doneAt", t.differs, t.pictures,
  t.closed_reason as "closedReason", t.created_at as "createdAt"`;

/** Tasks by a condition over `t` and its listing `g`; newest first unless `isOldestFirst`. */
export async function taskRows(
  db: Trx,
  where: RawBuilder<unknown>,
  limit: number,
  { offset = 0, isOldestFirst = false }: { offset?: number; isOldestFirst?: boolean } = {},
): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${COLUMNS} from inspection_task t join goods g on g.id = t.goods_id left join staff s on s.id = t.staff_id
    where ${where} order by t.id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/**
 * One task with its listing's row and its own locked, in that order, as orders and edits of the listing lock. Throws NOT_FOUND.
 */
export async function lockedTask(trx: Trx, where: RawBuilder<unknown>): Promise<TaskRow> {
  const seen = (await taskRows(trx, where, 1))[0];
  if (!seen) throw errorOf('NOT_FOUND', 'inspection');
  await sql`select from goods where id = ${seen.goodsId} for update`.execute(trx);
  await sql`select from inspection_task where id = ${seen.id} for update`.execute(trx);
  const row = (await taskRows(trx, sql`t.id = ${seen.id}`, 1))[0];
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** The reading of a field. */
export interface ReadingRow {
  taskId: number;
  field: string;
  label: string;
  said: string;
  found: string;
  value: unknown;
  differs: boolean;
}

/** Readings by task; fields that neither the seller nor the inspector filled in are omitted. */
export async function readingRows(db: Trx, taskIds: readonly number[]): Promise<ReadingRow[]> {
  const { rows } = await sql<ReadingRow>`
    select task_id as "taskId", field, label, said, found, value, differs from inspection_reading
    where task_id = any(${[...taskIds]}::bigint[]) and (said <> '' or found <> '') order by differs desc, field`.execute(
    db,
  );
  return rows;
}
