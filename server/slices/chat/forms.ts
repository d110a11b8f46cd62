import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { staffImSidebar } from '#contract/im-desk.ts';
import { audit } from '#server/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Effects } from '#server/jobs/events.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { AppError } from '#server/kernel/errors.ts';
import { tell } from './bus.ts';
import { ensureGroup, newUid, systemMessage } from './groups.ts';
import { remindAbsent, storeSystem } from './queries.ts';
import { formCard, LIMITS, needsOf, type OpenStep } from './rules.ts';
import { staffReads } from './staff.ts';

/** A seller who is there begins at once, and is not asked for what is on its way. */
const ASKED_AFTER_SECONDS = 300;

const LACKING = sql`actor = 'seller' and before_ship and done_at is null and (secret or evidence)`;

/** Sets the clock after which the conversation asks for what the hand-over lacks; an order without such steps has none. */
async function askLater(ctx: Context, orderId: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) select 'chat.form', ${String(orderId)}, now() + make_interval(secs => ${ASKED_AFTER_SECONDS})
    where exists (select from order_handover where order_id = ${orderId} and ${LACKING}) on conflict (kind, ref) do nothing`.execute(
    ctx.db,
  );
}

/**
 * Asks the seller in the conversation for what the hand-over of a paid order still lacks: credentials under seal and proofs, as the catalogue's steps of
 * this order name them (domain.md 5, form card). An order without such steps is asked nothing.
 */
async function tellForm(ctx: Context, orderId: number): Promise<void> {
  const { rows } = await sql<OpenStep>`
    select step, title, actor, secret, evidence from order_handover
    where order_id = ${orderId} and ${LACKING} and exists (select from orders where id = ${orderId} and status = 1) order by step`.execute(
    ctx.db,
  );
  const groupId = rows.length > 0 ? await ensureGroup(ctx, orderId) : undefined;
  if (groupId !== undefined) await systemMessage(ctx, groupId, { key: 'form', card: formCard(rows) });
}

/** What the two sides of a group's order have still to hand in, as far as the order's state lets them. */
async function openSteps(db: Trx, groupId: number): Promise<OpenStep[]> {
  const { rows } = await sql<OpenStep>`
    select h.step, h.title, h.actor, h.secret, h.evidence from chat_group g join orders o on o.id = g.order_id
    join order_handover h on h.order_id = o.id
    where g.id = ${groupId} and g.status = 1 and o.status in (1, 2) and h.actor in ('seller', 'buyer') and h.done_at is null
      and (h.secret or h.evidence) and (h.before_ship or o.status = 2) order by h.step`.execute(db);
  return rows;
}

const budgetOf = (groupId: number): string => `chat.form:${groupId}`;

/** What can be asked for in a group, and from when on; for the workbench. */
export async function formOf(ctx: Context, groupId: number): Promise<HandlerResult<typeof staffImSidebar>['form']> {
  const steps = await openSteps(ctx.db, groupId);
  const { rows } = await sql<{ at: Date }>`
    select reset_at as at from limit_counter where key = ${budgetOf(groupId)} and reset_at > now()`.execute(ctx.db);
  const items = steps.map(({ step, title, actor, ...one }) => ({ step, title, actor, needs: needsOf(one) }));
  return { items, againAt: rows[0]?.at ?? null };
}

/**
 * Asks in a group for steps of its hand-over that are still open, once in ten minutes; whoever of them is away is reminded. The one who
 * asks has the group, or is an administrator. Throws FORBIDDEN, CHAT_NOT_MEMBER, BAD_INPUT when none of the steps is open, RATE_LIMITED.
 */
export async function askForm(
  ctx: Context,
  staff: SessionStaff,
  groupId: number,
  wanted: readonly number[],
  ip: string,
): Promise<void> {
  await staffReads(ctx, staff, groupId);
  const stored = await inTransaction(ctx.db, async (trx) => {
    const steps = (await openSteps(trx, groupId)).filter(({ step }) => wanted.includes(step));
    if (steps.length === 0) throw new AppError('BAD_INPUT', { text: '所选的资料已经填好，请刷新后再看' });
    const { rows } = await sql<{ ok: boolean }>`
      select limit_hit(${budgetOf(groupId)}, 1, ${LIMITS.formEverySeconds}) as ok`.execute(trx);
    if (!rows[0]?.ok) {
      const text = '十分钟内已经请求过，请先等对方填写';
      throw new AppError('RATE_LIMITED', { text, retryAfterSeconds: LIMITS.formEverySeconds });
    }
    await audit(trx, staff, 'chat.form', `group:${groupId}`, { steps: steps.map(({ step }) => step) }, ip);
    const uid = newUid();
    return await storeSystem(trx, { groupId, key: `form-${uid}`, uid, card: formCard(steps, staff.name) });
  });
  tell(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  await remindAbsent(ctx.db, groupId, 'system');
}

/** The forms of the hand-over: asked for by themselves once, five minutes after the payment. */
export function bindForms(effects: Effects): void {
  effects.on('order.paid', async (ctx, { orderId }) => await askLater(ctx, Number(orderId)));
  effects.timer('chat.form', async (ctx, ref) => await tellForm(ctx, Number(ref)));
}
