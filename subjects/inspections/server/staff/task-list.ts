import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/inspections/contract/inspection.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import type { Db } from '#server/db/client.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { taskRows, type TaskRow } from '../rows.ts';
import { OPEN_STATES, STAFF_STATES, UNREAD_STATES } from '../rules.ts';
import { taskView } from '../view.ts';

/** The states in which a task waits for staff, for `status in ${FOR_STAFF}`. */
export const FOR_STAFF = sql`(${sql.join(STAFF_STATES.map((status) => sql.lit(status)))})`;

type List = HandlerResult<typeof c.staffInspectionList>;

/**
 * A task in the view of staff. Its title, which states the seller's values, is shown when the account is read: who sees them can copy
 * instead of reading them in the game (decision 747).
 */
export const staffTaskView = (t: TaskRow, all: Parameters<typeof taskView>[1], staffId: number) => ({
  ...taskView(t, all),
  ...(UNREAD_STATES.includes(t.status) && { title: '' }),
  sellerId: t.sellerId,
  price: t.priceFen,
  isSealed: t.isSealed,
  inspector: t.staffName,
  isMine: t.staffId === staffId,
});

/** Pending tasks, and the results of the last 30 days by person. Amounts in fen. */
async function loadFigures(db: Db, staff: StaffCall['staff']): Promise<List['figures']> {
  const site = ownSite(staff, sql`t.dist_id`);
  const paid = sql`inspection_claim k where k.status = 'paid' and k.decided_at > now() - interval '30 days' ${ownSite(staff, sql`k.dist_id`)}`;
  const [{ rows }, { rows: inspectors }] = await Promise.all([
    sql<Omit<List['figures'], 'inspectors'>>`
      select count(*) filter (where t.status = any(${[...OPEN_STATES]}::text[]))::int as open,
        count(*) filter (where t.status in ${FOR_STAFF} and t.due_at < now() + interval '4 hours')::int as late,
        coalesce(max(extract(epoch from now() - t.sealed_at)) filter (where t.status in ${FOR_STAFF}) / 60, 0)::int as "oldestMinutes",
        count(*) filter (where t.done_at > now() - interval '30 days')::int as "done30",
        count(*) filter (where t.done_at > now() - interval '30 days' and t.differs > 0)::int as "differs30",
        (select count(*)::int from ${paid}) as "wrong30",
        (select coalesce(sum(k.amount_fen), 0)::bigint from ${paid}) as "wrongPaid30"
      from inspection_task t where true ${site}`.execute(db),
    sql<List['figures']['inspectors'][number]>`
      select s.name, count(*)::int as done, count(*) filter (where t.differs > 0)::int as differs,
        count(k.id) filter (where k.status = 'paid')::int as wrong,
        coalesce(avg(extract(epoch from t.done_at - t.claimed_at)) / 60, 0)::int as minutes
      from inspection_task t join staff s on s.id = t.staff_id left join inspection_claim k on k.task_id = t.id
      where t.done_at > now() - interval '30 days' ${site} group by s.id, s.name order by count(*) desc, s.name limit 20`.execute(
      db,
    ),
  ]);
  const row = rows[0];
  if (!row) throw new Error('the query for inspection statistics returned no row');
  return { ...row, inspectors };
}

const PAGE = 20;

/** Tasks by state and game; those that wait for staff oldest first, others newest first. Throws FORBIDDEN. */
export async function staffTaskList(call: StaffCall, input: Parsed<typeof c.staffInspectionList>): Promise<List> {
  const { ctx, staff } = call;
  requirePermission(staff, 'inspection.read');
  const all = await catalogue(ctx);
  const limit = input.pageSize ?? PAGE;
  const offset = ((input.pages ?? 1) - 1) * limit;
  const site = ownSite(staff, sql`t.dist_id`);
  const where = sql`(${input.status ?? ''} = '' or t.status = ${input.status ?? ''})
    and (${input.gameId ?? 0} = 0 or g.game_id = ${input.gameId ?? 0}) ${site}`;
  const [rows, counts, games, figures, total] = await Promise.all([
    taskRows(ctx.db, where, limit + 1, {
      offset,
      isOldestFirst: STAFF_STATES.some((status) => status === input.status),
    }),
    sql<{ status: string; n: number }>`
      select t.status, count(*)::int as n from inspection_task t where true ${site} group by 1`.execute(ctx.db),
    sql<{ gameId: number; open: number }>`
      select g.game_id as "gameId", count(*)::int as open from inspection_task t join goods g on g.id = t.goods_id
      where t.status in ${FOR_STAFF} ${site} group by 1 order by 2 desc, 1`.execute(ctx.db),
    loadFigures(ctx.db, staff),
    sql<{ n: number }>`
      select count(*)::int as n from (select from inspection_task t join goods g on g.id = t.goods_id where ${where} limit 1001) x`.execute(
      ctx.db,
    ),
  ]);
  const n = total.rows[0]?.n ?? 0;
  return {
    list: rows.slice(0, limit).map((t) => staffTaskView(t, all, staff.id)),
    counts: Object.fromEntries(counts.rows.map((r) => [r.status, r.n])),
    games: games.rows.map((g) => ({ ...g, name: all.game(g.gameId)?.name ?? '' })),
    figures,
    total: Math.min(n, 1000),
    totalCapped: n > 1000,
    next: null,
  };
}
