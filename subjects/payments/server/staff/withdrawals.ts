import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { WithdrawalStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { approveWithdraw, rejectWithdraw, staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { linkTexts } from '#subjects/back-office/rules/links.ts';
import type { StaffCall, StaffRead } from '#server/access/call.ts';
import { approveWithdrawal, rejectWithdrawal, withdrawStatusNames, withinDayFen } from '../payouts/withdraw.ts';
import { audit } from '#server/audit/audit.ts';
import { auditUserSearch, ownerFilter } from '#subjects/accounts/server/service.ts';
import { openDebtSql } from '#subjects/ledger/server/service.ts';
import { amounting, type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { requireFactor } from '#server/access/staff-session.ts';

type List = HandlerResult<typeof staffWithdrawList>;

const kinds: Readonly<Record<string, string>> = { alipay: '支付宝', wechat: '微信', bank: '银行卡' };

interface Row {
  id: number;
  sort_key: string;
  sn: string;
  user_id: number;
  nick_name: string;
  name_mask: string | null;
  sold_count: number;
  debt_fen: number;
  links: string[];
  kind: string;
  account_mask: string;
  amount_fen: number;
  fee_fen: number;
  day_fen: number;
  status: number;
  approved_by: number | null;
  first_name: string | null;
  second_name: string | null;
  note: string | null;
  dist_name: string;
  created_at: Date;
  decided_at: Date | null;
  paid_at: Date | null;
}

const limitOf = (call: StaffRead): number => call.ctx.dir.setting('withdraw').secondPersonFen;

const SORTS = {
  createTime: { by: sql`w.created_at`, kind: 'time' },
  amount: { by: sql`w.amount_fen`, kind: 'number' },
} as const;

function filterOf(call: StaffRead, input: Parsed<typeof staffWithdrawList>): RawBuilder<unknown> {
  const { distId } = call.staff;
  const { keyWord } = input;
  const parts = [sql`true`];
  if (distId !== null) parts.push(sql`w.dist_id = ${distId}`);
  if (input.status !== undefined) parts.push(sql`w.status = any(${input.status.map(Number)}::smallint[])`);
  if (input.kind !== undefined) parts.push(sql`p.kind = any(${input.kind}::text[])`);
  if (input.amount !== undefined) parts.push(amounting(sql`w.amount_fen`, input.amount));
  if (input.createTime !== undefined) parts.push(during(sql`w.created_at`, input.createTime));
  if (input.paidTime !== undefined) parts.push(during(sql`w.paid_at`, input.paidTime));
  if (input.second === true)
    parts.push(sql`w.status = ${sql.lit(WithdrawalStatus.Pending)} and w.approved_by is not null`);
  if (input.todo === true)
    parts.push(
      sql`w.status = ${sql.lit(WithdrawalStatus.Pending)} and w.approved_by is distinct from ${call.staff.id}`,
    );
  if (input.newerThan !== undefined) parts.push(sql`w.created_at > ${input.newerThan}`);
  if (keyWord !== undefined) {
    parts.push(ownerFilter(call, keyWord, { owner: sql`w.user_id`, byNumber: sql`w.sn = ${keyWord.toUpperCase()}` }));
  }
  return sql.join(parts, sql` and `);
}

/** SQL: links of user `u` to recent trading partners in completed orders (domain: linked pairs are flagged on withdrawals). */
const LINKS = sql`array(select distinct link from (
    select distinct case when o.seller_id = u.id then o.buyer_id else o.seller_id end as other from orders o
    where (o.seller_id = u.id or o.buyer_id = u.id) and o.status = ${sql.lit(OrderStatus.Completed)} and o.created_at > now() - interval '90 days' limit 200
  ) x, unnest(user_links(u.id, x.other)) link order by link)`;
const FROM = sql`withdrawal w join app_user u on u.id = w.user_id join payout_account p on p.id = w.payout_account_id`;

function itemOf(call: StaffRead, row: Row): List['list'][number] {
  return {
    withdrawSn: row.sn,
    userId: String(row.user_id),
    nickName: row.nick_name,
    realNameMask: row.name_mask,
    soldNum: row.sold_count,
    debt: row.debt_fen,
    related: linkTexts(row.links),
    accountType: kinds[row.kind] ?? row.kind,
    accountMask: row.account_mask,
    amount: row.amount_fen,
    fee: row.fee_fen,
    status: row.status,
    statusName: withdrawStatusNames[row.status as 0] ?? '',
    needsSecond:
      row.approved_by !== null && row.status === WithdrawalStatus.Pending
        ? true
        : row.amount_fen + row.day_fen > limitOf(call),
    firstBy: row.first_name,
    secondBy: row.second_name,
    isMine: row.status === WithdrawalStatus.Pending && row.approved_by === call.staff.id,
    note: row.note,
    distName: row.dist_name,
    createTime: row.created_at,
    decidedTime: row.decided_at,
    paidTime: row.paid_at,
  };
}

/** Withdrawals for finance; operators see those of their own distributor. Throws FORBIDDEN. */
export async function listWithdrawals(
  call: StaffRead,
  input: Parsed<typeof staffWithdrawList>,
  batch?: Batch,
): Promise<List> {
  requirePermission(call.staff, 'withdrawal.read');
  const { db } = call.ctx;
  const filter = filterOf(call, input);
  const page = pageBy(input, SORTS, sql`w.id`, batch);
  const { rows } = await sql<Row>`
    select w.id, ${page.key} as sort_key, w.sn, w.user_id, u.nick_name, r.name_mask, u.sold_count, ${openDebtSql(call.staff)} as debt_fen, ${LINKS} as links, p.kind, p.account_mask, w.amount_fen, w.fee_fen, w.status, ${sql.raw(withinDayFen)} as day_fen,
      w.approved_by, a.name as first_name, b.name as second_name, w.note, d.name as dist_name, w.created_at, w.decided_at, w.paid_at
    from ${FROM} join distributor d on d.id = w.dist_id
      left join real_name r on r.user_id = u.id and r.status = ${sql.lit(AuthStatus.Verified)}
      left join staff a on a.id = w.approved_by left join staff b on b.id = w.second_by
    where ${filter} ${page.behind} ${page.tail}`.execute(db);
  const result = page.cut(rows);
  const sns = result.rows.map((row) => row.sn);
  await auditUserSearch(call, 'withdrawal', input.keyWord, sns, { byName: true });
  return {
    list: result.rows.map((row) => itemOf(call, row)),
    secondPerson: limitOf(call),
    ...(await loadTotals(db, sql`${FROM} where ${filter}`, { fen: sql`w.amount_fen`, batch })),
    next: result.next,
    now: new Date(),
  };
}

/** Approves a withdrawal; above the limit the first of two approvals. Throws FORBIDDEN, FACTOR_REQUIRED, NOT_FOUND, WITHDRAW_STATE, SECOND_PERSON. */
export async function approve(
  call: StaffCall,
  { withdrawSn }: Parsed<typeof approveWithdraw>,
): Promise<HandlerResult<typeof approveWithdraw>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'withdrawal.decide');
  requireFactor(call);
  return await approveWithdrawal(ctx, staff, withdrawSn, (trx, w) =>
    audit(
      trx,
      staff,
      w.status === WithdrawalStatus.Paying ? 'withdrawal.approve' : 'withdrawal.first',
      `withdrawal:${w.sn}`,
      { userId: w.user_id, amountFen: w.amount_fen },
      ip,
    ),
  );
}

/** Rejects a withdrawal with a reason shown to the user. Throws FORBIDDEN, WITHDRAW_STATE. */
export async function reject(
  call: StaffCall,
  { withdrawSn, reason }: Parsed<typeof rejectWithdraw>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'withdrawal.decide');
  await rejectWithdrawal(ctx, staff, withdrawSn, reason, (trx, w) =>
    audit(
      trx,
      staff,
      'withdrawal.refuse',
      `withdrawal:${w.sn}`,
      { userId: w.user_id, amountFen: w.amount_fen, reason },
      ip,
    ),
  );
  return {};
}
