/** Reasons of disputes as staff write them: each save is a version, and a dispute keeps the version that its parties were shown. */
import { SwitchStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import { withoutReason } from '../rules/dispute-reasons.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/** A version of a reason. */
export interface ReasonVersion {
  code: string;
  version: number;
  name: string;
  goodsTypes: number[] | null;
  orderStates: number[];
  form: DisputeField[];
  evidence: string;
  sort: number;
  isOn: boolean;
  changedBy: string | null;
  changeTime: Date;
  reason: string;
}

const VERSION = sql`v.code, v.version, v.name, v.goods_types as "goodsTypes", v.order_states as "orderStates", v.form, v.evidence, v.sort,
  v.status = ${sql.lit(SwitchStatus.On)} as "isOn", s.name as "changedBy", v.created_at as "changeTime", v.reason`;

/** Every reason in its newest version, with how often it was chosen. */
export async function allReasons(db: Trx): Promise<(ReasonVersion & { disputes: number; open: number })[]> {
  const { rows } = await sql<ReasonVersion & { disputes: number; open: number }>`
    select ${VERSION}, (select count(*)::int from dispute d where d.reason_code = r.code) as disputes,
      (select count(*)::int from dispute d where d.reason_code = r.code and d.status <> 'closed') as open
    from dispute_reason r join dispute_reason_version v on v.code = r.code and v.version = r.version left join staff s on s.id = v.created_by
    order by r.status, r.sort, r.code`.execute(db);
  return rows;
}

/** The versions of a reason, newest first. */
export async function reasonVersions(db: Trx, code: string): Promise<ReasonVersion[]> {
  const { rows } = await sql<ReasonVersion>`
    select ${VERSION} from dispute_reason_version v left join staff s on s.id = v.created_by
    where v.code = ${code} order by v.version desc`.execute(db);
  return rows;
}

export type NewReason = Omit<ReasonVersion, 'changedBy' | 'changeTime'> & { staffId: number };

/** Throws BAD_INPUT when some kind of order would be left without a reason. */
async function requireReasonForAll(trx: Trx): Promise<void> {
  const { rows } = await sql<{ types: number[] | null; states: number[] }>`
    select goods_types as types, order_states as states from dispute_reason where status = ${SwitchStatus.On}`.execute(
    trx,
  );
  const missing = withoutReason(rows);
  if (missing)
    throw new AppError('BAD_INPUT', {
      text: `这样修改后，${orderTypeName(missing.typeId)}的「${missing.state}」没有可选的原因`,
      field: 'orderStates',
    });
}

/**
 * Adds a version of a reason, or a reason (`version` 0), in the caller's transaction. Disputes that are open keep theirs. Throws TEXT_CHANGED
 * when a newer version exists, BAD_INPUT when some kind of order would be left without a reason.
 */
export async function saveReason(trx: Trx, input: NewReason): Promise<number> {
  // The check must see reasons that are disabled concurrently.
  await sql`select pg_advisory_xact_lock(hashtext('dispute_reason'))`.execute(trx);
  const { code, name, evidence, sort, staffId, reason } = input;
  const types = input.goodsTypes;
  const states = input.orderStates;
  const form = JSON.stringify(input.form);
  const status = input.isOn ? SwitchStatus.On : SwitchStatus.Off;
  const { rows } =
    input.version === 0
      ? await sql<{ version: number }>`
          insert into dispute_reason (code, name, goods_types, order_states, form, evidence, sort, status)
          values (${code}, ${name}, ${types}::smallint[], ${states}::smallint[], ${form}::jsonb, ${evidence}, ${sort}, ${status})
          on conflict do nothing returning version`.execute(trx)
      : await sql<{ version: number }>`
          update dispute_reason set name = ${name}, goods_types = ${types}::smallint[], order_states = ${states}::smallint[], form = ${form}::jsonb,
            evidence = ${evidence}, sort = ${sort}, status = ${status}, version = version + 1
          where code = ${code} and version = ${input.version} returning version`.execute(trx);
  const saved = rows[0];
  if (!saved)
    throw new AppError('TEXT_CHANGED', input.version === 0 ? { text: '已有这个代码的原因', field: 'code' } : {});
  await sql`insert into dispute_reason_version (code, version, name, goods_types, order_states, form, evidence, sort, status, reason, created_by)
    values (${code}, ${saved.version}, ${name}, ${types}::smallint[], ${states}::smallint[], ${form}::jsonb, ${evidence}, ${sort}, ${status}, ${reason}, ${staffId})`.execute(
    trx,
  );
  await requireReasonForAll(trx);
  return saved.version;
}
