import { type RawBuilder, sql } from 'kysely';
import { ownSite } from '#server/access/permissions.ts';

/** SQL: the unpaid debts of user `u` in fen; for staff of a distributor, those from its own trades. */
export const openDebtSql = (staff: { distId: number | null }): RawBuilder<unknown> =>
  sql`(select coalesce(sum(e.amount_fen - e.paid_fen), 0)::bigint from debt e where e.debtor_user = u.id and e.settled_at is null ${ownSite(staff, sql`e.dist_id`)})`;
