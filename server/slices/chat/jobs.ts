import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { bindCaseCards } from './case-cards.ts';
import {
  assignPending,
  postStateCards,
  closeGroup,
  ensureGroup,
  paidOrder,
  reachGroup,
  systemMessage,
  postCancelRequestCard,
} from './groups.ts';
import { groupById } from './queries.ts';
import { closedCard, declinedCard, handoverCard } from './rules.ts';
import { dropOldTickets } from './tickets.ts';

const SWEEP = 'chat.sweep';
const SWEEP_SECONDS = 600;

const orderIdOf = (payload: Record<string, unknown>): number => Number(payload.orderId);

/** Creates the group of a paid order and posts the cards of its state; an order that was never paid has none. */
async function followOrder(ctx: Context, payload: Record<string, unknown>): Promise<void> {
  const orderId = orderIdOf(payload);
  const group = await reachGroup(ctx, orderId);
  if (group && !group.isNew) await postStateCards(ctx, orderId, group.id);
}

/** Posts that a step of the hand-over is done. */
async function postHandoverCard(ctx: Context, payload: Record<string, unknown>): Promise<void> {
  const groupId = await ensureGroup(ctx, orderIdOf(payload));
  if (groupId === undefined) return;
  const step = Number(payload.step);
  await systemMessage(ctx, groupId, { key: `handover-${step}`, card: handoverCard(step, String(payload.title)) });
}

/** Posts that the seller declined to cancel; keyed by minute, since nothing else tells two such events apart. */
async function postDeclinedCard(ctx: Context, payload: Record<string, unknown>): Promise<void> {
  const groupId = await ensureGroup(ctx, orderIdOf(payload));
  if (groupId === undefined) return;
  const key = `cancel-declined-${Math.floor(Date.now() / 60_000)}`;
  await systemMessage(ctx, groupId, { key, card: declinedCard });
}

/** Closes a completed order's group; an open dispute keeps it open for another day. */
async function close(ctx: Context, ref: string): Promise<void> {
  const group = await groupById(ctx.db, Number(ref));
  if (!group || group.status !== ChatGroupStatus.Open) return;
  const order = group.orderId === null ? undefined : await paidOrder(ctx.db, group.orderId);
  if (order?.disputed) {
    await sql`update timer set due_at = now() + interval '1 day' where kind = 'chat.close' and ref = ${ref}`.execute(
      ctx.db,
    );
    return;
  }
  await closeGroup(ctx, group.id, { key: 'closed', card: closedCard });
}

/** Posts a card of another slice into the group of a paid order, once for each `key`. */
async function postCard(ctx: Context, payload: Record<string, unknown>): Promise<void> {
  const groupId = await ensureGroup(ctx, orderIdOf(payload));
  if (groupId === undefined) return;
  const { key, card, title, content } = payload;
  await systemMessage(ctx, groupId, {
    key: String(key),
    card: { card: String(card), title: String(title), content: String(content) },
  });
}

async function sweep(ctx: Context): Promise<void> {
  await dropOldTickets(ctx);
  await sql`update timer set due_at = now() + make_interval(secs => ${SWEEP_SECONDS}), attempts = 0 where kind = ${SWEEP}`.execute(
    ctx.db,
  );
}

/** Event listeners and timers of the chat. */
export async function bindChatJobs(ctx: Context, effects: Effects): Promise<void> {
  for (const topic of ['order.paid', 'order.shipped', 'order.completed', 'order.cancelled'])
    effects.on(topic, followOrder);
  effects.on('order.handover', postHandoverCard);
  effects.on('order.cancelAsked', (ctx, payload) => postCancelRequestCard(ctx, orderIdOf(payload)));
  effects.on('order.cancelDeclined', postDeclinedCard);
  effects.on('chat.card', postCard);
  bindCaseCards(effects);
  effects.timer('chat.assign', (ctx, ref) => assignPending(ctx, Number(ref)));
  effects.timer('chat.close', close);
  effects.every(SWEEP, '', sweep);
  await sql`insert into timer (kind, ref, due_at) values (${SWEEP}, '', now() + make_interval(secs => ${SWEEP_SECONDS})) on conflict do nothing`.execute(
    ctx.db,
  );
}
