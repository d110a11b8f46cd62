import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import {
  type ExchangeKind,
  exchangeKinds,
  type ExchangeState,
  nextMove,
  stepActor,
} from '#subjects/orders/rules/exchange.ts';
import { exchangeColumn } from '#subjects/orders/server/service.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Effects } from '#server/jobs/events.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { SessionStaff } from '#server/access/session.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { publish } from '../transport/bus.ts';
import { newUid, systemMessage } from '../groups/groups.ts';
import { ensureGroup } from '../groups/order-groups.ts';
import { remindAbsent, storeSystem } from '../queries.ts';
import { formCard, LIMITS, needsOf, type OpenStep } from '../rules.ts';
import { staffReads } from './groups.ts';
import { ORDERS_IN_PROGRESS, SERVICES } from '#server/states/order-states.ts';

/** The form is posted only after this, since a seller who is present starts the hand-over without it. */
const FORM_DELAY_SECONDS = 300;

const LACKING = sql`actor = 'seller' and before_ship and done_at is null and (secret or evidence)`;

/** Sets the timers of the form for orders; an order without such steps gets none, nor a service: a booster's pictures belong to its progress. */
async function scheduleForms(ctx: Context, orderIds: readonly number[]): Promise<void> {
  await scheduleFrom(
    ctx.relaxed,
    'chat.form',
    {
      key: sql`order_id`,
      at: sql`now() + make_interval(secs => ${FORM_DELAY_SECONDS})`,
      from: sql`from (select distinct h.order_id from order_handover h join orders o on o.id = h.order_id
        where h.order_id = any(${[...orderIds]}::bigint[]) and o.type_id not in ${SERVICES} and ${LACKING}) f order by order_id`,
    },
    'keep',
  );
}

/**
 * Posts a form that requests the missing parts of a paid order's hand-over from the seller: encrypted credentials and
 * proofs, by the order's hand-over steps (domain.md 5, form card). Nothing is posted for an order without such steps.
 */
async function postForm(ctx: Context, orderId: number): Promise<void> {
  const { rows } = await sql<OpenStep>`
    select step, title, actor, secret, evidence from order_handover
    where order_id = ${orderId} and ${LACKING} and exists (select from orders where id = ${orderId} and status = ${sql.lit(OrderStatus.Paid)} and type_id not in ${SERVICES}) order by step`.execute(
    ctx.db,
  );
  const groupId = rows.length > 0 ? await ensureGroup(ctx, orderId) : undefined;
  if (groupId !== undefined) await systemMessage(ctx, groupId, { key: 'form', card: formCard(rows) });
}

type Row = OpenStep & { kind: ExchangeKind | null; exchange: ExchangeState | null };

/** A step with its current actor: within an exchange the party of the next move, and the value that this move seals. */
function currentPart({ kind, exchange, ...row }: Row): OpenStep {
  if (!kind || !exchange) return row;
  const move = nextMove(exchange);
  const value = move === 'target' || move === 'code' ? exchangeKinds[kind][move] : undefined;
  return { ...row, actor: stepActor({ actor: row.actor, exchange }), ...(value !== undefined && { value }) };
}

/** The items that the parties of a group's order still have to submit, as far as the order's state allows. */
async function openSteps(db: Trx, groupId: number): Promise<OpenStep[]> {
  const { rows } = await sql<Row>`
    select h.step, h.title, h.actor, h.secret, h.evidence, h.exchange as kind, ${exchangeColumn} as exchange from chat_group g join orders o on o.id = g.order_id
    join order_handover h on h.order_id = o.id
    where g.id = ${groupId} and g.status = ${sql.lit(ChatGroupStatus.Open)} and o.status in ${ORDERS_IN_PROGRESS} and h.actor in ('seller', 'buyer') and h.done_at is null
      and (h.secret or (h.evidence and o.type_id not in ${SERVICES})) and (h.before_ship or o.status = ${sql.lit(OrderStatus.Shipped)}) order by h.step`.execute(
    db,
  );
  return rows.map(currentPart);
}

const budgetOf = (groupId: number): string => `chat.form:${groupId}`;

/** The items that staff can request in a group, and from what time; for the workbench. */
export async function loadForm(ctx: Context, groupId: number): Promise<HandlerResult<typeof staffImSidebar>['form']> {
  const steps = await openSteps(ctx.db, groupId);
  const { rows } = await sql<{ at: Date }>`
    select reset_at as at from limit_counter where key = ${budgetOf(groupId)} and reset_at > now()`.execute(ctx.db);
  const items = steps.map(({ step, title, actor, ...one }) => ({ step, title, actor, needs: needsOf(one) }));
  return { items, againAt: rows[0]?.at ?? null };
}

/**
 * Requests open steps of the hand-over in a group, once in ten minutes; absent members are reminded. The caller must be in charge of the
 * group or an administrator. Throws FORBIDDEN, CHAT_NOT_MEMBER, BAD_INPUT when none of the steps is open, RATE_LIMITED.
 */
export async function requestForm(
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
    if (!(await sharedHit(trx, budgetOf(groupId), 1, LIMITS.formEverySeconds))) {
      const text = '十分钟内已经请求过，请先等对方填写';
      throw new AppError('RATE_LIMITED', { text, retryAfterSeconds: LIMITS.formEverySeconds });
    }
    await audit(trx, staff, 'chat.form', `group:${groupId}`, { steps: steps.map(({ step }) => step) }, ip);
    const uid = newUid();
    return await storeSystem(trx, { groupId, key: `form-${uid}`, uid, card: formCard(steps, staff.name) });
  });
  publish(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  await remindAbsent(ctx.db, groupId, 'system');
}

/** The form of the hand-over: posted once, five minutes after the payment. */
export function bindForms(effects: Effects): void {
  effects.onMany('order.paid', async (ctx, events) => await scheduleForms(ctx, orderIdsOf(events)));
  effects.timer('chat.form', async (ctx, ref) => await postForm(ctx, ref));
}
