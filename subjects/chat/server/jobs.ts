import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import { reschedule, schedule } from '#server/jobs/effect-writer.ts';
import type { Effects } from '#server/jobs/events.ts';
import { type EventPayload, orderIdsOf } from '#server/jobs/topics.ts';
import { bindCaseCards } from './staff/case-cards.ts';
import { assignPending, closeGroup, systemMessage } from './groups/groups.ts';
import { ensureGroup, followOrders, paidOrder, postCancelRequestCard } from './groups/order-groups.ts';
import { closeIdleService } from './groups/customer-service.ts';
import { groupById } from './queries.ts';
import { closedCard, declinedCard, handoverCard } from './rules.ts';
import { dropOldTickets } from './transport/tickets.ts';

const SWEEP = 'chat.sweep';
const SWEEP_SECONDS = 600;

/** Posts that a step of the hand-over is done. */
async function postHandoverCard(
  ctx: Context,
  { orderId, step, title, isSkipped }: EventPayload<'order.handover'>,
): Promise<void> {
  const groupId = await ensureGroup(ctx, orderId);
  if (groupId === undefined) return;
  await systemMessage(ctx, groupId, { key: `handover-${step}`, card: handoverCard(step, title, isSkipped === true) });
}

/** Posts that the seller declined to cancel; keyed by minute, since nothing else tells two such events apart. */
async function postDeclinedCard(ctx: Context, { orderId }: EventPayload<'order.cancelDeclined'>): Promise<void> {
  const groupId = await ensureGroup(ctx, orderId);
  if (groupId === undefined) return;
  const key = `cancel-declined-${Math.floor(Date.now() / 60_000)}`;
  await systemMessage(ctx, groupId, { key, card: declinedCard });
}

/** Closes a completed order's group, or an idle conversation with customer service; an open dispute keeps it open for another day. */
async function close(ctx: Context, groupId: number): Promise<void> {
  const group = await groupById(ctx.db, groupId);
  if (!group || group.status !== ChatGroupStatus.Open) return;
  if (group.orderId === null) return await closeIdleService(ctx, group.id);
  const order = await paidOrder(ctx.db, group.orderId);
  if (order?.disputed) {
    await reschedule(ctx.db, 'chat.close', groupId, { seconds: 86_400 });
    return;
  }
  await closeGroup(ctx, group.id, { key: 'closed', card: closedCard });
}

/** Posts a card of another subject into the group of a paid order, once for each `key`. */
async function postCard(
  ctx: Context,
  { orderId, key, card, title, content }: EventPayload<'chat.card'>,
): Promise<void> {
  const groupId = await ensureGroup(ctx, orderId);
  if (groupId === undefined) return;
  await systemMessage(ctx, groupId, { key, card: { card, title, content } });
}

async function sweep(ctx: Context): Promise<void> {
  await dropOldTickets(ctx);
  await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_SECONDS });
}

/** Event listeners and timers of the chat. */
export async function bindChatJobs(ctx: Context, effects: Effects): Promise<void> {
  for (const topic of ['order.paid', 'order.shipped', 'order.completed', 'order.cancelled'] as const)
    effects.onMany(topic, async (ctx, events) => await followOrders(ctx, orderIdsOf(events)));
  effects.on('order.handover', postHandoverCard);
  effects.on('order.cancelAsked', (ctx, { orderId }) => postCancelRequestCard(ctx, orderId));
  effects.on('order.cancelDeclined', postDeclinedCard);
  effects.on('chat.card', postCard);
  bindCaseCards(effects);
  effects.timer('chat.assign', assignPending);
  effects.timer('chat.close', close);
  effects.every(SWEEP, sweep);
  await schedule(ctx.db, SWEEP, '', { seconds: SWEEP_SECONDS }, 'keep');
}
