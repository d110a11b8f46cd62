import { SettlementStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/promotions/contract/staff-campaigns.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import { account, loadDebts, maturingByOrder, post } from '#subjects/ledger/server/service.ts';
import { secondPersonFen } from '#server/staff/approvals.ts';
import { audit } from '#server/audit/audit.ts';
import { amounting, type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { ownSite, requirePermission, requirePlatform } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

const DAYS = 60;
const STATUS_NAMES = ['待打款', '已打款', '已退回'] as const;

/** The distributors visible to a member of staff: their own, or for platform staff all that earn commission. */
async function loadDists(db: Trx, distId: number | null) {
  const { rows } = await sql<{ distId: number; name: string; balance: number; maturing: number }>`
    select d.id as "distId", d.name, coalesce(a.balance, 0) as balance, coalesce(m.balance, 0) as maturing from distributor d
      left join ledger_account a on a.key = 'dist:' || d.id || ':commission'
      left join ledger_account m on m.key = 'dist:' || d.id || ':maturing'
    where d.id > 1 and ${distId === null ? sql`true` : sql`d.id = ${distId}`} order by d.id`.execute(db);
  return rows;
}

/**
 * A distributor's commission by day (China time), with the amounts that can be settled, are not yet due, and are owed.
 * Read from the postings, so that a statement cannot differ from the ledger. A past day never changes, since postings
 * have their own time. Throws FORBIDDEN, NOT_FOUND.
 */
export async function loadDays(
  call: StaffCall,
  input: Parsed<typeof c.commissionDays>,
): Promise<HandlerResult<typeof c.commissionDays>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'commission.read');
  const dists = await loadDists(ctx.db, staff.distId);
  const dist = input.distId === undefined ? dists[0] : dists.find((d) => d.distId === input.distId);
  if (!dist) throw new AppError('NOT_FOUND');
  const { rows } = await sql<{
    day: string;
    orders: number;
    paid: number;
    share: number;
    settled: number;
    closed: boolean;
  }>`
    select (t.created_at at time zone 'Asia/Shanghai')::date::text as day, count(*) filter (where t.code = 'dist_share') as orders,
      coalesce(sum(o.total_fen) filter (where t.code = 'dist_share'), 0)::bigint as paid,
      coalesce(sum(case when t.code = 'dist_share' then t.amount_fen else -t.amount_fen end) filter (where t.code <> 'dist_settle'), 0)::bigint as share,
      coalesce(sum(t.amount_fen) filter (where t.code = 'dist_settle'), 0)::bigint as settled,
      (t.created_at at time zone 'Asia/Shanghai')::date < (now() at time zone 'Asia/Shanghai')::date as closed
    from ledger_transfer t left join orders o on o.id = t.order_id
    where t.dist_id = ${dist.distId} and t.code in ('dist_share', 'dist_share_back', 'claim_share_back', 'dist_settle') and t.created_at > now() - make_interval(days => ${DAYS})
    group by 1, 6 order by 1 desc`.execute(ctx.db);
  const maturing = await maturingByOrder(ctx.db, { distId: dist.distId });
  const debts = (await loadDebts(ctx.db, { distId: dist.distId })).filter((d) => d.settledAt === null);
  return {
    dists: dists.map(({ distId, name, balance }) => ({ distId, name, balance })),
    distId: dist.distId,
    balance: dist.balance,
    maturing: dist.maturing,
    maturingOrders: maturing.map((m) => ({ orderSn: m.orderSn, share: m.fen, releaseTime: m.releaseAt })),
    debts: debts.map((d) => ({
      reason: d.reason,
      amount: d.amountFen,
      rest: d.amountFen - d.paidFen,
      time: d.createdAt,
    })),
    days: rows,
  };
}

/** SQL: other payments to the distributor of settlement `x` within a day, in fen, so that a large sum cannot be split. */
const WITHIN_DAY = sql`(select coalesce(sum(y.amount_fen), 0)::bigint from dist_settlement y
  where y.dist_id = x.dist_id and y.id <> x.id and y.status = ${sql.lit(SettlementStatus.Paid)} and y.decided_at > now() - interval '1 day')`;

/** A settlement, with the payments to its distributor within a day. */
interface Settlement {
  id: number;
  sn: string;
  dist_id: number;
  amount_fen: number;
  day_fen: number;
  status: number;
  asked_by: number;
  first_by: number | null;
  decided_by: number | null;
  decided_at: Date | null;
  receipt_no: string | null;
  note: string | null;
  created_at: Date;
}

interface Row extends Settlement {
  sort_key: string;
  dist_name: string;
  asked_name: string;
  first_name: string | null;
  decided_name: string | null;
}

/** Whether a settlement needs two people: above the limit including payments within a day, or approved by one before. */
const needsSecond = (call: StaffRead, x: Settlement): boolean =>
  (x.status === SettlementStatus.Pending && x.first_by !== null) || x.amount_fen + x.day_fen > secondPersonFen(call);

const SORTS = {
  time: { by: sql`x.created_at`, kind: 'time' },
  amount: { by: sql`x.amount_fen`, kind: 'number' },
} as const;

function filterOf({ staff }: StaffRead, input: Parsed<typeof c.settlementList>): RawBuilder<unknown> {
  const parts = [sql`true ${ownSite(staff, sql`x.dist_id`)}`];
  if (input.status !== undefined) parts.push(sql`x.status = any(${input.status.map(Number)}::smallint[])`);
  if (input.distId !== undefined) parts.push(sql`x.dist_id = any(${input.distId}::int[])`);
  if (input.amount !== undefined) parts.push(amounting(sql`x.amount_fen`, input.amount));
  if (input.time !== undefined) parts.push(during(sql`x.created_at`, input.time));
  if (input.second === true) parts.push(sql`x.status = ${SettlementStatus.Pending} and x.first_by is not null`);
  if (input.newerThan !== undefined) parts.push(sql`x.created_at > ${input.newerThan}`);
  if (input.keyWord !== undefined)
    parts.push(sql`(x.sn = ${input.keyWord.toUpperCase()} or x.receipt_no = ${input.keyWord})`);
  return sql.join(parts, sql` and `);
}

/** Settlements; operators see their own distributor's. Throws FORBIDDEN. */
export async function listSettlements(
  call: StaffRead,
  input: Parsed<typeof c.settlementList>,
  batch?: Batch,
): Promise<HandlerResult<typeof c.settlementList>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'commission.read');
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`x.id`, batch);
  const { rows } = await sql<Row>`
    select x.*, ${page.key} as sort_key, ${WITHIN_DAY} as day_fen, d.name as dist_name, a.name as asked_name, f.name as first_name, z.name as decided_name
    from dist_settlement x join distributor d on d.id = x.dist_id join staff a on a.id = x.asked_by
      left join staff f on f.id = x.first_by left join staff z on z.id = x.decided_by
    where ${filter} ${page.behind} ${page.tail}`.execute(ctx.db);
  const result = page.cut(rows);
  const totals = await loadTotals(ctx.db, sql`dist_settlement x where ${filter}`, { fen: sql`x.amount_fen`, batch });
  return {
    list: result.rows.map((x) => ({
      settlementSn: x.sn,
      distId: x.dist_id,
      distName: x.dist_name,
      amount: x.amount_fen,
      status: x.status,
      statusName:
        x.status === SettlementStatus.Pending && x.first_name !== null ? '待复核' : (STATUS_NAMES[x.status as 0] ?? ''),
      askedBy: x.asked_name,
      firstBy: x.first_name,
      decidedBy: x.decided_name,
      isMine: x.first_by === staff.id,
      needsSecond: needsSecond(call, x),
      receiptNo: x.receipt_no,
      note: x.note,
      time: x.created_at,
      decidedTime: x.decided_at,
    })),
    ...totals,
    next: result.next,
    now: new Date(),
    sites: (await loadDists(ctx.db, staff.distId)).map(({ distId, name }) => ({ distId, name })),
  };
}

/** Requests a settlement, one at a time for each distributor, at most its balance. Throws FORBIDDEN, BALANCE_LOW, SETTLEMENT_OPEN. */
export async function createSettlement(
  call: StaffCall,
  input: Parsed<typeof c.requestSettlement>,
): Promise<HandlerResult<typeof c.requestSettlement>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'commission.ask');
  const dist = (await loadDists(ctx.db, staff.distId)).find((d) => d.distId === input.distId);
  if (!dist) throw new AppError('FORBIDDEN');
  if (dist.balance < input.amount) throw new AppError('BALANCE_LOW', { text: '超过可结算的佣金余额' });
  return await inTransaction(ctx.db, async (trx) => {
    const sn = channelNo('C', new Date());
    const { rows } = await sql`
      insert into dist_settlement (sn, dist_id, amount_fen, asked_by) values (${sn}, ${dist.distId}, ${input.amount}, ${staff.id})
      on conflict do nothing returning id`.execute(trx);
    if (rows.length === 0) throw new AppError('SETTLEMENT_OPEN');
    await audit(trx, staff, 'commission.ask', `settlement:${sn}`, { amountFen: input.amount }, ip);
    return { settlementSn: sn };
  });
}

/**
 * Finance records that the bank has paid. Above the limit the first person only approves. The posting fails when the
 * commission account has less than the amount. Throws FORBIDDEN, FACTOR_REQUIRED, SETTLEMENT_STATE, SECOND_PERSON,
 * BALANCE_LOW.
 */
export async function pay(
  call: StaffCall,
  { settlementSn, receiptNo }: Parsed<typeof c.paySettlement>,
): Promise<HandlerResult<typeof c.paySettlement>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'commission.pay');
  requireFactor(call);
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } =
      await sql<Settlement>`select x.*, ${WITHIN_DAY} as day_fen from dist_settlement x where sn = ${settlementSn} and status = ${sql.lit(SettlementStatus.Pending)} for update`.execute(
        trx,
      );
    const x = rows[0];
    if (!x) throw new AppError('SETTLEMENT_STATE');
    const detail = { amountFen: x.amount_fen, note: receiptNo };
    if (needsSecond(call, x)) {
      if (x.first_by === null) {
        await sql`update dist_settlement set first_by = ${staff.id}, receipt_no = ${receiptNo} where id = ${x.id}`.execute(
          trx,
        );
        await audit(trx, staff, 'commission.first', `settlement:${x.sn}`, detail, ip);
        return { status: SettlementStatus.Pending, needsSecond: true };
      }
      if (x.first_by === staff.id) throw new AppError('SECOND_PERSON');
    }
    await sql`update dist_settlement set status = ${sql.lit(SettlementStatus.Paid)}, decided_by = ${staff.id}, decided_at = now(), receipt_no = ${receiptNo} where id = ${x.id}`.execute(
      trx,
    );
    await post(trx, [
      {
        code: 'dist_settle',
        ref: `settlement:${x.id}`,
        debit: account.commission(x.dist_id),
        credit: account.clearing('bank', x.id),
        fen: x.amount_fen,
        dist: x.dist_id,
      },
    ]);
    await audit(trx, staff, 'commission.pay', `settlement:${x.sn}`, detail, ip);
    return { status: SettlementStatus.Paid, needsSecond: false };
  });
}

/** Rejects a settlement; no money has moved. Throws FORBIDDEN, SETTLEMENT_STATE. */
export async function reject(
  call: StaffCall,
  { settlementSn, reason }: Parsed<typeof c.rejectSettlement>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'commission.pay');
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ sn: string }>`
      update dist_settlement set status = ${sql.lit(SettlementStatus.Returned)}, first_by = null, decided_by = ${staff.id}, decided_at = now(), note = ${reason}
      where sn = ${settlementSn} and status = ${sql.lit(SettlementStatus.Pending)} returning sn`.execute(trx);
    if (!rows[0]) throw new AppError('SETTLEMENT_STATE');
    await audit(trx, staff, 'commission.refuse', `settlement:${rows[0].sn}`, { reason }, ip);
    return {};
  });
}
