import { StaffStatus, SwitchStatus, GameStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { saveMaxChats, saveRule, saveShift, serviceSetup } from '#subjects/chat/contract/im-support.ts';
import { orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requirePermission, staffHolds } from '#server/access/permissions.ts';

const FEN = 100;
const MAX_SHIFT_HOURS = 24;

const ofDist = (staff: SessionStaff) => sql`dist_id is not distinct from ${staff.distId}::int`;

/** Staff, assignment rules, and shifts that have not ended. Throws FORBIDDEN. */
export async function loadSetup(ctx: Context, staff: SessionStaff): Promise<HandlerResult<typeof serviceSetup>> {
  requirePermission(staff, 'chat.supervise');
  const people = await sql<{ staffId: number; name: string; maxChats: number; onDuty: boolean }>`
    select id as "staffId", name, max_chats as "maxChats", on_duty as "onDuty" from staff
    where status = ${sql.lit(StaffStatus.Active)} and ${staffHolds(sql`staff`, 'chat.serve')} and not ${staffHolds(sql`staff`, 'chat.supervise')} and (${staff.distId}::int is null or dist_id = ${staff.distId}) order by id limit 200`.execute(
    ctx.db,
  );
  const rules = await sql<HandlerResult<typeof serviceSetup>['rules'][number]>`
    select id, name, game_id as "gameId", coalesce(order_types, '{}')::int[] as "orderTypes", min_fen as "minPrice", max_fen as "maxPrice",
      staff_ids as "staffIds", keep_same as "keepSame", sort
    from assignment_rule where status = ${sql.lit(SwitchStatus.On)} and duty = 'trade' and ${ofDist(staff)} order by sort, id limit 100`.execute(
    ctx.db,
  );
  const shifts = await sql<{ id: number; staffId: number; startsAt: Date; endsAt: Date }>`
    select h.id, h.staff_id as "staffId", h.starts_at as "startsAt", h.ends_at as "endsAt" from staff_shift h
    where h.ends_at > now() and h.staff_id = any(${people.rows.map((p) => p.staffId)}::bigint[]) order by h.starts_at limit 500`.execute(
    ctx.db,
  );
  const games = await sql<{ id: number; name: string }>`
    select id, name from game where status = ${sql.lit(GameStatus.Open)} order by hot nulls last, id limit 300`.execute(
    ctx.db,
  );
  const ids = (list: readonly number[]) => list.map(Number);
  return {
    staff: people.rows,
    rules: rules.rows.map((rule) => ({ ...rule, staffIds: ids(rule.staffIds), orderTypes: ids(rule.orderTypes) })),
    shifts: shifts.rows,
    games: games.rows,
  };
}

/** Creates, updates or (status 2) removes an assignment rule. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function saveAssignmentRule(
  ctx: Context,
  staff: SessionStaff,
  input: Parsed<typeof saveRule>,
): Promise<{ id: number }> {
  requirePermission(staff, 'chat.supervise');
  const { maxYuan, minYuan = 0 } = input;
  if (maxYuan !== undefined && maxYuan <= minYuan) throw new AppError('BAD_INPUT', { text: '最高金额要大于最低金额' });
  if (input.orderTypes.some((type) => orderTypeNames[type] === undefined))
    throw new AppError('BAD_INPUT', { text: '订单类型不正确' });
  const types = input.orderTypes.length === 0 ? null : input.orderTypes;
  const game = input.gameId ?? null;
  const max = maxYuan === undefined ? null : maxYuan * FEN;
  return await inTransaction(ctx.db, async (trx) => {
    const games = await sql`select 1 from game where ${game}::int is null or id = ${game} limit 1`.execute(trx);
    if (games.rows.length === 0) throw new AppError('BAD_INPUT', { text: '游戏不存在' });
    const { rows } =
      input.id === undefined
        ? await sql<{ id: number }>`
            insert into assignment_rule (name, dist_id, game_id, order_types, min_fen, max_fen, staff_ids, keep_same, sort)
            values (${input.name}, ${staff.distId}, ${game}, ${types}::smallint[], ${minYuan * FEN}, ${max}, ${input.staffIds}::bigint[],
              ${input.keepSame ?? false}, ${input.sort}) returning id`.execute(trx)
        : await sql<{ id: number }>`
            update assignment_rule set name = ${input.name}, game_id = ${game}, order_types = ${types}::smallint[], min_fen = ${minYuan * FEN},
              max_fen = ${max}, staff_ids = ${input.staffIds}::bigint[], keep_same = ${input.keepSame ?? false}, sort = ${input.sort},
              status = ${input.status}
            where id = ${input.id} and status = ${sql.lit(SwitchStatus.On)} and ${ofDist(staff)} returning id`.execute(
            trx,
          );
    const id = rows[0]?.id;
    if (id === undefined) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'chat.rule', `rule:${id}`, input);
    return { id };
  });
}

/** Whether this administrator manages a member of customer service. */
async function isMine(trx: Trx, staff: SessionStaff, staffId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from staff where id = ${staffId} and status = ${sql.lit(StaffStatus.Active)} and ${staffHolds(sql`staff`, 'chat.serve')} and not ${staffHolds(sql`staff`, 'chat.supervise')}
    and (${staff.distId}::int is null or dist_id = ${staff.distId})`.execute(trx);
  return rows.length > 0;
}

/** Creates, updates or (without times) removes a shift of up to 24 hours. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function saveStaffShift(
  ctx: Context,
  staff: SessionStaff,
  input: Parsed<typeof saveShift>,
): Promise<{ id: number }> {
  requirePermission(staff, 'chat.supervise');
  const { id, staffId, startsAt, endsAt } = input;
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await isMine(trx, staff, staffId))) throw new AppError('NOT_FOUND');
    if (startsAt === undefined || endsAt === undefined) {
      const removed =
        await sql`delete from staff_shift where id = ${id ?? 0} and staff_id = ${staffId} returning id`.execute(trx);
      if (id === undefined || removed.rows.length === 0) throw new AppError('NOT_FOUND');
      await audit(trx, staff, 'chat.shift', `staff:${staffId}`, { removed: id });
      return { id };
    }
    const hours = (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000;
    if (!(hours > 0 && hours <= MAX_SHIFT_HOURS))
      throw new AppError('BAD_INPUT', { text: '班次要在 24 小时以内，结束晚于开始' });
    const { rows } =
      id === undefined
        ? await sql<{ id: number }>`
            insert into staff_shift (staff_id, starts_at, ends_at) values (${staffId}, ${startsAt}, ${endsAt}) returning id`.execute(
            trx,
          )
        : await sql<{ id: number }>`
            update staff_shift set starts_at = ${startsAt}, ends_at = ${endsAt} where id = ${id} and staff_id = ${staffId} returning id`.execute(
            trx,
          );
    const savedId = rows[0]?.id;
    if (savedId === undefined) throw new AppError('NOT_FOUND');
    await audit(trx, staff, 'chat.shift', `staff:${staffId}`, { startsAt, endsAt });
    return { id: savedId };
  });
}

/** Sets the maximum number of concurrent groups of a member of staff. Throws FORBIDDEN, NOT_FOUND. */
export async function setMaxChats(
  ctx: Context,
  staff: SessionStaff,
  { staffId, maxChats }: Parsed<typeof saveMaxChats>,
): Promise<void> {
  requirePermission(staff, 'chat.supervise');
  await inTransaction(ctx.db, async (trx) => {
    if (!(await isMine(trx, staff, staffId))) throw new AppError('NOT_FOUND');
    await sql`update staff set max_chats = ${maxChats} where id = ${staffId}`.execute(trx);
    await audit(trx, staff, 'chat.maxChats', `staff:${staffId}`, { maxChats });
  });
}
