import { sql } from 'kysely';
import type { AuditAction, AuditTarget } from '#subjects/back-office/rules/audit.ts';
import type { Trx } from '#server/db/client.ts';

/**
 * Records one action of staff on money, people or configuration, in the transaction of the action itself. `target` names the subject of
 * the action ('user:10001'); `detail` holds what changed, without secrets. Rows never change (db/migrations/0001_baseline.sql).
 */
export async function audit(
  trx: Trx,
  staff: { id: number } | null,
  action: AuditAction,
  target: AuditTarget,
  detail: Record<string, unknown> = {},
  ip?: string,
): Promise<void> {
  await sql`insert into audit_log (staff_id, act, target, detail, ip)
    values (${staff?.id ?? null}, ${action}, ${target}, ${JSON.stringify(detail)}::jsonb, ${ip ?? null})`.execute(trx);
}
