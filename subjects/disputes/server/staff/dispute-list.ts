import { type RawBuilder, sql } from 'kysely';
import type { staffDisputeList } from '#subjects/disputes/contract/staff-disputes.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffRead } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { type DisputeRow, disputesWhere } from '../queries.ts';
import { openerParty, statusName, wantName } from '../rules.ts';
import { pendingFor } from '../view.ts';
import { DISPUTE_PENDING, DISPUTE_TODO } from './case-filters.ts';
import { amounting, type Batch, during, inOrder, NEVER, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { auditUserSearch, userIdsFor } from '#subjects/accounts/server/service.ts';

type ListInput = Parsed<typeof staffDisputeList>;

const RULE = 'dispute.rule';

/** The time limit in force, by state; a case beyond it is overdue. */
const CLOCK = sql`case d.status when 'open' then d.first_look_by when 'answering' then d.answer_by when 'ruled' then d.appeal_until when 'closed' then null else d.rule_by end`;

const SORTS = {
  openTime: { by: sql`d.opened_at`, kind: 'time' },
  deadline: { by: sql`coalesce(${CLOCK}, ${NEVER})`, kind: 'time' },
  goodsPrice: { by: sql`o.goods_fen`, kind: 'number' },
} as const;

function keywordFilter(call: StaffRead, keyword: string): RawBuilder<unknown> {
  const person = userIdsFor(call, keyword);
  if (person) return sql`(o.buyer_id in (${person}) or o.seller_id in (${person}))`;
  return sql`(d.sn = ${keyword.toUpperCase()} or o.sn = ${keyword})`;
}

function filterOf(call: StaffRead, input: ListInput): RawBuilder<unknown> {
  const { staff } = call;
  const parts = [sql`true ${ownSite(staff, sql`d.dist_id`)}`];
  if (input.status !== undefined) parts.push(sql`d.status = any(${input.status}::text[])`);
  if (input.reason !== undefined) parts.push(sql`d.reason_code = any(${input.reason}::text[])`);
  if (input.goodsPrice !== undefined) parts.push(amounting(sql`o.goods_fen`, input.goodsPrice));
  if (input.openTime !== undefined) parts.push(during(sql`d.opened_at`, input.openTime));
  if (input.active === true) parts.push(sql`d.status <> 'closed'`);
  if (input.todo === true) parts.push(DISPUTE_TODO);
  // The author of the first ruling has no further action after an appeal.
  if (input.mine === true)
    parts.push(
      sql`d.status <> 'closed' and (d.appeal_staff_id = ${staff.id} or d.staff_id = ${staff.id} and d.status <> 'appealed')`,
    );
  if (input.unassigned === true)
    parts.push(sql`d.status <> 'closed' and coalesce(d.appeal_staff_id, d.staff_id) is null`);
  if (input.late === true)
    parts.push(sql`d.status in ('open', 'answering', 'evidence', 'appealed') and (d.escalated or ${CLOCK} < now())`);
  if (input.second === true) parts.push(DISPUTE_PENDING);
  if (input.newerThan !== undefined) parts.push(sql`d.opened_at > ${input.newerThan}`);
  if (input.keyWord !== undefined) parts.push(keywordFilter(call, input.keyWord));
  return sql.join(parts, sql` and `);
}

/** Disputes for staff; staff of a distributor see only its disputes. A search for a user is audited. Throws FORBIDDEN. */
export async function listDisputes(
  call: StaffRead,
  input: ListInput,
  batch?: Batch,
): Promise<HandlerResult<typeof staffDisputeList>> {
  const { staff, ctx } = call;
  requirePermission(staff, 'dispute.read');
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`d.id`, batch);
  const { rows: keys } = await sql<{ id: number; sort_key: string }>`
    select d.id, ${page.key} as sort_key from dispute d join orders o on o.id = d.order_id where ${filter} ${page.behind} ${page.tail}`.execute(
    ctx.db,
  );
  const result = page.cut(keys);
  const ids = result.rows.map(({ id }) => id);
  const rows = inOrder(ids, await disputesWhere(ctx.db, sql`d.id = any(${ids}::bigint[])`));
  await auditUserSearch(
    call,
    'dispute',
    input.keyWord,
    rows.map((d) => d.sn),
  );
  const pendingSns = await pendingAmong(call, rows);
  const dists = new Map(ctx.dir.all().map((d) => [d.id, d.name]));
  const now = new Date();
  const reasons = await sql<{
    code: string;
    name: string;
  }>`select code, name from dispute_reason order by sort, code`.execute(ctx.db);
  const totals = await loadTotals(ctx.db, sql`dispute d join orders o on o.id = d.order_id where ${filter}`, {
    fen: sql`o.goods_fen`,
    batch,
  });
  return {
    list: rows.map((d) => itemOf(d, pendingSns, dists.get(d.distId) ?? '', now)),
    ...totals,
    next: result.next,
    now,
    reasons: reasons.rows,
  };
}

async function pendingAmong(call: StaffRead, rows: readonly DisputeRow[]): Promise<ReadonlySet<string>> {
  const found = await sql<{ target: string }>`
    select target from approval where act = ${RULE} and status = 'waiting' and expires_at > now() and target = any(${rows.map((d) => `dispute:${d.sn}`)})`.execute(
    call.ctx.db,
  );
  return new Set(found.rows.map((r) => r.target));
}

function itemOf(
  d: DisputeRow,
  pendingSns: ReadonlySet<string>,
  distName: string,
  now: Date,
): HandlerResult<typeof staffDisputeList>['list'][number] {
  const pending = pendingFor(d, 'staff');
  return {
    disputeSn: d.sn,
    orderSn: d.orderSn,
    bigTitle: d.snapshot.title,
    gameName: d.snapshot.gameName,
    reasonName: d.reasonName,
    wantName: wantName(d.want),
    goodsPrice: d.goodsFen,
    status: d.status,
    statusName: statusName(d.status),
    outcomeName: d.status === 'closed' ? pending.text : null,
    openerSide: openerParty(d.openerBelong),
    buyerId: String(d.buyerId),
    buyerName: d.buyerName,
    sellerId: String(d.sellerId),
    sellerName: d.sellerName,
    staffName: d.staffName,
    distName,
    clockName: pending.text,
    deadline: pending.at,
    late: d.status !== 'ruled' && pending.at !== null && pending.at < now,
    escalated: d.escalated,
    waitsForSecond: pendingSns.has(`dispute:${d.sn}`),
    openTime: d.openedAt,
  };
}
