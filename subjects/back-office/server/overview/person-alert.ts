import { UserStatus, WithdrawalStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { personHead } from '#subjects/back-office/contract/person.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { staffCan } from '../../rules/staff.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite } from '#server/access/permissions.ts';

type Alert = HandlerResult<typeof personHead>['alert'];

interface Signs {
  payee_of_restricted: boolean;
  browser_of_restricted: boolean;
  new_payee: boolean;
  pending_fen: number;
}

/** SQL: the user shares it with a restricted user, and staff did not mark the link as meaningless. */
const withRestricted = (id: number, table: ReturnType<typeof sql>, hash: ReturnType<typeof sql>, kind: string) => sql`
  exists (select from ${table} x join ${table} y on y.${hash} = x.${hash} and y.user_id <> x.user_id
    join app_user b on b.id = y.user_id and b.status = ${sql.lit(UserStatus.Restricted)}
    where x.user_id = ${id} and not exists (select from link_mark m
      where m.user_a = least(x.user_id, y.user_id) and m.user_b = greatest(x.user_id, y.user_id) and m.kind = ${kind}))`;

/**
 * The sentence that explains why staff should check a user now; null without a reason. The most serious reason wins.
 */
export async function loadAlert(call: StaffCall, id: number, debtFen: number): Promise<Alert> {
  const { rows } = await sql<Signs>`
    select ${withRestricted(id, sql`payout_account`, sql`account_hash`, 'payee')} as payee_of_restricted,
      ${withRestricted(id, sql`user_browser`, sql`browser_hash`, 'browser')} as browser_of_restricted,
      exists (select from payout_account p where p.user_id = ${id} and p.removed_at is null and p.created_at > now() - interval '3 days'
        and exists (select from payout_account q where q.user_id = p.user_id and q.id < p.id)) as new_payee,
      (select coalesce(sum(w.amount_fen), 0)::bigint from withdrawal w where w.user_id = ${id} and w.status = ${sql.lit(WithdrawalStatus.Pending)} ${ownSite(call.staff, sql`w.dist_id`)}) as pending_fen`.execute(
    call.ctx.db,
  );
  const signs = rows[0];
  if (!signs) return null;
  const seesMoney = staffCan(call.staff, 'withdrawal.read');
  const waits =
    signs.pending_fen > 0 && seesMoney ? `提现 ${yuanLabel(signs.pending_fen)} 元正在等审核，请先看关联。` : '';
  if (signs.payee_of_restricted)
    return { text: `收款账户是被限制的用户用过的。${waits}`, to: 'links', isSerious: true };
  if (signs.browser_of_restricted)
    return { text: `和被限制的用户用过同一个浏览器。${waits}`, to: 'links', isSerious: true };
  if (signs.new_payee && waits !== '')
    return {
      text: `三天内换过收款账户，提现 ${yuanLabel(signs.pending_fen)} 元正在等审核。`,
      to: 'withdrawals',
      isSerious: false,
    };
  if (debtFen > 0 && seesMoney)
    return { text: `还有 ${yuanLabel(debtFen)} 元欠款没有还清，提现已停用。`, to: 'money', isSerious: false };
  return null;
}
