import { StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { loserOf, lossPenalty, refundableFen, rulingOutcome } from '../rules/ruling.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OrderTerms } from '#subjects/orders/server/service.ts';
import { announce, clearTimers, conclude, onCase, setTimer, addEvent } from './case.ts';
import { disputeById, disputeForStaff, type DisputeRow, rulesInForce, loadRulings } from './queries.ts';
import { depositRoleOf } from './rules.ts';

export interface RulingDraft {
  /** The part of the goods' price that is refunded to the buyer, in fen. */
  backFen: number;
  rules: readonly string[];
  reason: string;
  publicText: string | null;
  /** The loser is at fault and pays a penalty from the deposit (rule 8.3). */
  penalty?: boolean | undefined;
}

interface Who {
  id: number;
  distId: number | null;
  /** The approval by a second person; with it the fund may advance the shortfall. */
  approvalId?: number;
}

type Also = (trx: Trx, d: DisputeRow, order: OrderTerms) => Promise<void>;

/**
 * Assigns the case to a member of staff; the first time this asks the other party to respond. May be repeated, also by others, while the case
 * is open. Throws DISPUTE_STATE.
 */
export async function takeCase(ctx: Context, staff: Who, sn: string, also: Also): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeForStaff(trx, sn, staff.distId),
    async (trx, d, order) => {
      if (d.status === 'appealed') {
        if (d.staffId === staff.id) throw new AppError('DISPUTE_OTHER_PERSON');
        await sql`update dispute set appeal_staff_id = ${staff.id} where id = ${d.id}`.execute(trx);
      } else if (d.status === 'open' || d.status === 'answering' || d.status === 'evidence') {
        await sql`update dispute set status = case when status = 'open' then 'answering' else status end, staff_id = ${staff.id},
          first_look_at = coalesce(first_look_at, now()) where id = ${d.id}`.execute(trx);
        await clearTimers(trx, d.id, 'dispute.look');
      } else throw new AppError('DISPUTE_STATE');
      await addEvent(trx, d, 'looked', `staff:${staff.id}`, d.status === 'appealed' ? '上诉已受理' : '客服已受理');
      await announce(trx, 'dispute.looked', d);
      await also(trx, d, order);
    },
  );
}

/** Asks the parties for more evidence, on the timeline. Throws DISPUTE_STATE. */
export async function requestEvidence(ctx: Context, staff: Who, sn: string, text: string, also: Also): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeForStaff(trx, sn, staff.distId),
    async (trx, d, order) => {
      if (d.status === 'closed' || d.status === 'ruled') throw new AppError('DISPUTE_STATE');
      await addEvent(trx, d, 'asked', `staff:${staff.id}`, `要求补充：${text}`);
      await announce(trx, 'dispute.asked', d);
      await also(trx, d, order);
    },
  );
}

/** Why this member of staff may not rule on a case now; null when allowed. */
export function closedToRuling(d: DisputeRow, staffId: number): 'DISPUTE_STATE' | 'DISPUTE_OTHER_PERSON' | null {
  if (d.status === 'appealed') return d.staffId === staffId ? 'DISPUTE_OTHER_PERSON' : null;
  return d.status === 'evidence' ? null : 'DISPUTE_STATE';
}

/** Throws BAD_INPUT when a ruling refunds more than `refundableFen`: the price minus the amounts already paid out or deducted. */
export function requireRefundable(order: Parameters<typeof refundableFen>[0], backFen: number): void {
  const mostFen = refundableFen(order);
  if (backFen <= mostFen) return;
  const less = order.status === OrderStatus.Completed ? '减价后的商品价' : '尚未确认的部分';
  const name = mostFen < order.goodsFen ? less : '商品价';
  throw new AppError('BAD_INPUT', { text: `退款不能超过${name} ${yuanLabel(mostFen)} 元`, field: 'refund' });
}

/**
 * Writes a ruling. The first one may be appealed within the time to appeal; the ruling on an appeal is carried out immediately. Of two
 * concurrent rulings the second throws DISPUTE_STATE, because the case is locked. Throws DISPUTE_STATE, DISPUTE_OTHER_PERSON, BAD_INPUT.
 */
export async function ruleCase(ctx: Context, staff: Who, sn: string, draft: RulingDraft, also: Also): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeForStaff(trx, sn, staff.distId),
    async (trx, d, order) => {
      const closed = closedToRuling(d, staff.id);
      if (closed) throw new AppError(closed);
      requireRefundable(order, draft.backFen);
      const stage = d.status === 'appealed' ? 2 : 1;
      const penalty = penaltyOf(ctx, order, draft);
      await storeRuling(trx, d, order, { staff, stage, draft, penalty });
      const setting = ctx.dir.setting('disputes');
      await sql`update dispute set status = 'ruled',
          staff_id = ${stage === 1 ? staff.id : d.staffId}, appeal_staff_id = ${stage === 2 ? staff.id : null},
          first_look_at = coalesce(first_look_at, now()),
          appeal_until = ${stage === 1 ? sql`now() + make_interval(secs => ${setting.appealSeconds})` : sql`appeal_until`}
        where id = ${d.id}`.execute(trx);
      await clearTimers(trx, d.id, 'dispute.rule', 'dispute.look', 'dispute.answer');
      const { buyerFen } = rulingOutcome(order, order.status, draft.backFen);
      const what = draft.backFen === 0 ? '不支持退款' : `退回买家 ${yuanLabel(buyerFen)} 元`;
      await addEvent(trx, d, 'ruled', `staff:${staff.id}`, `${stage === 1 ? '裁决' : '上诉裁决（最终）'}：${what}`);
      await announce(trx, 'dispute.ruled', d);
      if (stage === 1) await setTimer(trx, 'dispute.execute', d.id, setting.appealSeconds);
      else
        await conclude(
          ctx,
          trx,
          d,
          order,
          decidedBy({ ...draft, penalty, approvalId: staff.approvalId }, `staff:${staff.id}`),
        );
      await also(trx, d, order);
    },
  );
}

type Penalty = { userId: number; fen: number } | undefined;

const decidedBy = (
  ruling: { backFen: number; rules: readonly string[]; penalty: Penalty; approvalId?: number | undefined },
  actor: string,
): Parameters<typeof conclude>[4] => ({
  outcome: 'ruled',
  backFen: ruling.backFen,
  actor,
  note: `依据平台规则 ${ruling.rules.join('、')}`,
  penalty: ruling.penalty,
  approvalId: ruling.approvalId,
});

/** The payer and amount of the penalty of rule 8.3, when the ruling finds fault. Throws BAD_INPUT when the loser has no deposit role. */
function penaltyOf(ctx: Context, order: OrderTerms, draft: RulingDraft): Penalty {
  if (draft.penalty !== true) return undefined;
  const loser = loserOf(draft.backFen);
  if (!depositRoleOf(order.typeId, loser))
    throw new AppError('BAD_INPUT', { text: '败诉方没有保证金角色，不能扣除保证金' });
  const fen = lossPenalty(order.goodsFen, draft.backFen, ctx.dir.setting('deposit'));
  return { userId: loser === 'buyer' ? order.buyerId : order.sellerId, fen };
}

async function storeRuling(
  trx: Trx,
  d: DisputeRow,
  order: OrderTerms,
  { staff, stage, draft, penalty }: { staff: Who; stage: 1 | 2; draft: RulingDraft; penalty: Penalty },
): Promise<void> {
  const book = await rulesInForce(trx);
  const cited = [...new Set(draft.rules)].map((no) => book.find((r) => r.no === no));
  if (cited.some((r) => r === undefined))
    throw new AppError('BAD_INPUT', { text: '引用的规则不存在或已停用', field: 'rules' });
  const { buyerFen, sellerFen } = rulingOutcome(order, order.status, draft.backFen);
  const { rows } = await sql<{ id: number }>`
    insert into dispute_ruling (dispute_id, stage, staff_id, back_fen, refund_fen, release_fen, reason, public_text, penalty_fen, penalty_user, approval_id)
    values (${d.id}, ${stage}, ${staff.id}, ${draft.backFen}, ${buyerFen}, ${sellerFen}, ${draft.reason}, ${draft.publicText},
      ${penalty?.fen ?? 0}, ${penalty?.userId ?? null}, ${staff.approvalId ?? null}) returning id`.execute(trx);
  for (const rule of cited)
    await sql`insert into dispute_ruling_rule (ruling_id, rule_no, rule_version) values (${rows[0]?.id}, ${rule?.no}, ${rule?.version})`.execute(
      trx,
    );
}

/** Carries out the latest ruling, which is final. */
export async function concludeRuling(
  ctx: Context,
  trx: Trx,
  d: DisputeRow,
  order: OrderTerms,
  actor: string,
): Promise<void> {
  const last = (await loadRulings(trx, d.id)).at(-1);
  if (!last) throw new AppError('DISPUTE_STATE');
  await conclude(
    ctx,
    trx,
    d,
    order,
    decidedBy(
      {
        backFen: last.backFen,
        rules: last.rules.map((r) => r.no),
        penalty: last.penaltyUser === null ? undefined : { userId: last.penaltyUser, fen: last.penaltyFen },
        approvalId: last.approvalId ?? undefined,
      },
      actor,
    ),
  );
}

/** Carries out the ruling after the time to appeal. Does nothing when there was an appeal or the ruling was carried out before. */
export async function executeRuling(ctx: Context, id: number): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeById(trx, id),
    async (trx, d, order) => {
      if (d.status !== 'ruled') return;
      // The database's clock set the appeal deadline, so it also decides whether the deadline has passed; this process's clock may differ.
      const rescheduled = await scheduleFrom(trx, 'dispute.execute', {
        key: sql`id`,
        at: sql`appeal_until`,
        from: sql`from dispute where id = ${d.id} and appeal_until > now()`,
      });
      if (rescheduled === 0) await concludeRuling(ctx, trx, d, order, 'timer');
    },
  );
}

const OVERDUE_TEXT = {
  look: '超过受理时限，已升级给主管',
  rule: '超过裁决时限，已升级给主管',
} as const;

/** Whether the case was already escalated for this time limit. After an appeal the limit starts again. */
async function isEscalated(trx: Trx, id: number, clock: keyof typeof OVERDUE_TEXT): Promise<boolean> {
  const { rows } = await sql`
    select 1 from dispute_event e where e.dispute_id = ${id} and e.kind = 'late' and e.explain = ${OVERDUE_TEXT[clock]}
      and e.id > coalesce((select max(id) from dispute_event where dispute_id = ${id} and kind = 'appealed'), 0)`.execute(
    trx,
  );
  return rows.length > 0;
}

/**
 * Escalates a case that was not triaged, or not ruled on, in time: assigns it to the administrator with the fewest open cases. Happens
 * once for each time limit, even if its timer runs again.
 */
export async function escalate(ctx: Context, id: number, clock: keyof typeof OVERDUE_TEXT): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeById(trx, id),
    async (trx, d) => {
      const isOverdue =
        clock === 'look'
          ? d.firstLookAt === null && ['open', 'answering', 'evidence'].includes(d.status)
          : d.status === 'evidence' || d.status === 'appealed';
      if (!isOverdue || (await isEscalated(trx, d.id, clock))) return;
      const column = sql.ref(d.status === 'appealed' ? 'appeal_staff_id' : 'staff_id');
      await sql`update dispute set escalated = true, ${column} = coalesce((
          select f.id from staff f where f.status = ${sql.lit(StaffStatus.Active)} and f.role = 'admin' and (f.dist_id is null or f.dist_id = ${d.distId})
            and (${d.status !== 'appealed'} or f.id is distinct from ${d.staffId}::bigint)
          order by (select count(*) from dispute x where x.staff_id = f.id and x.status <> 'closed'), f.id limit 1), ${column})
        where id = ${d.id}`.execute(trx);
      await addEvent(trx, d, 'late', 'timer', OVERDUE_TEXT[clock]);
      await announce(trx, 'dispute.late', d);
    },
  );
}

/** The time to respond is over: the case continues without the form of the other party (platform rule 4.2). */
export async function responseOverdue(ctx: Context, id: number): Promise<void> {
  await onCase(
    ctx,
    (trx) => disputeById(trx, id),
    async (trx, d) => {
      if (d.status !== 'open' && d.status !== 'answering') return;
      await sql`update dispute set status = 'evidence' where id = ${d.id}`.execute(trx);
      await addEvent(trx, d, 'late', 'timer', '对方超时未答复，按现有证据进入裁决');
      await announce(trx, 'dispute.answered', d);
    },
  );
}
