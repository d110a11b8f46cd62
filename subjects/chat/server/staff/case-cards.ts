import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { bindForms } from './forms.ts';
import { systemMessage } from '../groups/groups.ts';
import { ensureGroup } from '../groups/order-groups.ts';
import { groupOfOrder } from '../queries.ts';
import { type Card, disputeTitles, moment } from '../rules.ts';

interface DisputeEvent {
  orderId: number;
  sn: string;
  /** The text of the timeline entry. */
  explain: string;
  eventId: number;
  answerBy: Date | null;
  appealUntil: Date | null;
  refundedFen: number | null;
}

/** The newest timeline entry of a kind in a dispute. */
async function latestDisputeEvent(ctx: Context, disputeId: number, kind: string): Promise<DisputeEvent | undefined> {
  const { rows } = await sql<DisputeEvent>`
    select d.order_id as "orderId", d.sn, e.explain, e.id as "eventId", d.answer_by as "answerBy", d.appeal_until as "appealUntil",
      d.refunded_fen as "refundedFen"
    from dispute d join dispute_event e on e.dispute_id = d.id where d.id = ${disputeId} and e.kind = ${kind} order by e.id desc limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The next step after a timeline entry, as text. */
function nextOf(kind: string, event: DisputeEvent): string {
  if (kind === 'opened' && event.answerBy) return `，计时与放款已停止，对方请在 ${moment(event.answerBy)} 前说明`;
  if (kind === 'ruled' && event.appealUntil)
    return `。不同意可在 ${moment(event.appealUntil)} 前上诉一次，到期自动执行`;
  if (kind === 'closed' && (event.refundedFen ?? 0) > 0) return `，退回买家 ${yuanLabel(event.refundedFen ?? 0)} 元`;
  return '';
}

async function postDisputeCard(ctx: Context, disputeId: number, kind: keyof typeof disputeTitles): Promise<void> {
  const event = await latestDisputeEvent(ctx, disputeId, kind);
  if (!event) return;
  const groupId = await ensureGroup(ctx, event.orderId);
  if (groupId === undefined) return;
  const card: Card = {
    card: `dispute.${kind}`,
    title: disputeTitles[kind],
    content: `${event.explain}${nextOf(kind, event)}`,
    ref: event.sn,
  };
  await systemMessage(ctx, groupId, { key: `dispute-${event.eventId}`, card });
}

/** Posts that a ruling moved the money of a completed order, unless the closing of its case was posted before. */
async function postRulingCard(ctx: Context, orderId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from dispute where order_id = ${orderId} and status = 'closed' order by closed_at desc limit 1`.execute(
    ctx.db,
  );
  if (rows[0]) await postDisputeCard(ctx, rows[0].id, 'closed');
}

const CLAIM_TITLES = { opened: '买家申请了包赔理赔', paid: '包赔已赔付', refused: '包赔理赔未通过' } as const;

/**
 * Posts the state of a claim into the group of its order, if there is one. The amount is in the order's record, visible
 * to both parties.
 */
async function postClaimCard(ctx: Context, claimId: number, kind: keyof typeof CLAIM_TITLES): Promise<void> {
  const { rows } = await sql<{ orderId: number; paidFen: number }>`
    select order_id as "orderId", paid_fen as "paidFen" from guarantee_claim where id = ${claimId}`.execute(ctx.db);
  const claim = rows[0];
  const group = claim && (await groupOfOrder(ctx.db, claim.orderId));
  if (!group) return;
  const content = {
    opened: '平台正在核实，尚未放出的货款停止计时，请双方保留聊天与登录记录',
    paid: `包赔基金已赔付买家 ${yuanLabel(claim.paidFen)} 元`,
    refused: '原因与依据见理赔详情，本单继续',
  }[kind];
  const card: Card = { card: `claim.${kind}`, title: CLAIM_TITLES[kind], content };
  await systemMessage(ctx, group.id, { key: `claim-${claimId}-${kind}`, card });
}

/** Cards about decisions of other subjects: disputes, rulings, claims. */
export function bindCaseCards(effects: Effects): void {
  bindForms(effects);
  for (const kind of ['opened', 'ruled', 'appealed', 'closed'] as const)
    effects.on(`dispute.${kind}`, async (ctx, { disputeId }) => await postDisputeCard(ctx, disputeId, kind));
  effects.on('order.ruled', async (ctx, { orderId }) => await postRulingCard(ctx, orderId));
  for (const kind of ['opened', 'paid', 'refused'] as const)
    effects.on(`claim.${kind}`, async (ctx, { claimId }) => await postClaimCard(ctx, claimId, kind));
}
