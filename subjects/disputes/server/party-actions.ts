import { sql } from 'kysely';
import type * as c from '#subjects/disputes/contract/dispute.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { addProcess, type OrderTerms, resumeClocks } from '#subjects/orders/server/service.ts';
import { announce, clearTimers, conclude, onCase, setTimer, addEvent } from './case.ts';
import { disputeForParty, type DisputeRow } from './queries.ts';
import { actionsOf, checkedResponses, LATE_REASON, type Party, partyNames } from './rules.ts';
import { concludeRuling } from './ruling.ts';
import { stateOf } from './view.ts';

interface ActionContext {
  trx: Trx;
  d: DisputeRow;
  order: OrderTerms;
  party: Party;
  actor: string;
}

/** Runs `work` for a party when the rules allow the action `name` now. Throws DISPUTE_NOT_FOUND, DISPUTE_STATE. */
async function performAction(
  call: UserCall,
  disputeSn: string,
  name: string,
  work: (at: ActionContext) => Promise<void>,
): Promise<Record<string, never>> {
  const { ctx, user } = call;
  await onCase(
    ctx,
    (trx) => disputeForParty(trx, disputeSn, user.id),
    async (trx, d, order) => {
      const party = d.buyerId === user.id ? 'buyer' : 'seller';
      if (!actionsOf(stateOf(d), party, new Date()).includes(name)) throw new AppError('DISPUTE_STATE');
      await work({ trx, d, order, party, actor: `user:${user.id}` });
    },
  );
  return {};
}

async function addStatement(
  { trx, d, party }: ActionContext,
  userId: number,
  statement: { kind: 'form' | 'evidence'; answers: object; text: string; pictures: readonly string[] },
): Promise<void> {
  const pictures = await ownPictures(trx, userId, 'evidence', statement.pictures);
  await sql`insert into dispute_statement (dispute_id, belong, user_id, kind, answers, text, pictures)
    values (${d.id}, ${party === 'buyer' ? 1 : 0}, ${userId}, ${statement.kind}, ${JSON.stringify(statement.answers)}::jsonb, ${statement.text},
      ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb)`.execute(trx);
}

/** The response of the other party: its form, or its agreement, which executes the request. Throws BAD_INPUT, DISPUTE_STATE. */
export async function respond(call: UserCall, input: Parsed<typeof c.answerDispute>): Promise<Record<string, never>> {
  const { ctx, user } = call;
  if (input.agree) return await agree(call, input.disputeSn);
  return await performAction(call, input.disputeSn, 'answer', async (at) => {
    const { trx, d, party, actor } = at;
    if (input.text.length < 5) throw new AppError('BAD_INPUT', { text: '说明至少 5 个字', field: 'text' });
    const answers = checkedResponses(d.form, party, input.answers);
    await addStatement(at, user.id, { kind: 'form', answers, text: input.text, pictures: input.pictures });
    await sql`update dispute set status = 'evidence' where id = ${d.id} and status in ('open', 'answering')`.execute(
      trx,
    );
    await clearTimers(trx, d.id, 'dispute.answer');
    await addEvent(trx, d, 'answered', actor, `${partyNames[party]}已答复，进入裁决`);
    await announce(trx, 'dispute.answered', d);
    ctx.log.debug({ dispute: d.id }, 'answered');
  });
}

async function agree(call: UserCall, disputeSn: string): Promise<Record<string, never>> {
  return await performAction(call, disputeSn, 'agree', async ({ trx, d, order, party, actor }) => {
    await addEvent(trx, d, 'settled', actor, `${partyNames[party]}同意对方的诉求`);
    const note = `${partyNames[party]}同意对方的诉求，双方协商结案`;
    await conclude(call.ctx, trx, d, order, { outcome: 'settled', backFen: d.wantFen, actor, note });
  });
}

const MAX_EVIDENCE = 20;

/** Adds evidence from either party, until the ruling. Throws DISPUTE_STATE, BAD_INPUT. */
export async function addEvidence(
  call: UserCall,
  input: Parsed<typeof c.addDisputeEvidence>,
): Promise<Record<string, never>> {
  return await performAction(call, input.disputeSn, 'evidence', async (at) => {
    const { trx, d, party, actor } = at;
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from dispute_statement where dispute_id = ${d.id} and user_id = ${call.user.id}`.execute(
      trx,
    );
    if ((rows[0]?.n ?? 0) >= MAX_EVIDENCE) throw new AppError('BAD_INPUT', { text: `每方最多补充 ${MAX_EVIDENCE} 次` });
    await addStatement(at, call.user.id, { kind: 'evidence', answers: {}, text: input.text, pictures: input.pictures });
    await addEvent(trx, d, 'evidence', actor, `${partyNames[party]}补充了证据`);
    await announce(trx, 'dispute.evidence', d);
  });
}

/**
 * Whether the timer of a late order opened the case. Withdrawing it grants one more day, but only once; otherwise the money could stay frozen
 * indefinitely.
 */
async function hasLastDay(trx: Trx, { id, orderId, reasonCode }: DisputeRow): Promise<boolean> {
  if (reasonCode !== LATE_REASON) return false;
  const { rows } = await sql`
    select from dispute where order_id = ${orderId} and id <> ${id} and reason_code = ${LATE_REASON} and outcome = 'withdrawn' limit 1`.execute(
    trx,
  );
  return rows.length === 0;
}

/** The opener withdraws: the order's timers continue with the time they had left. Throws DISPUTE_STATE. */
export async function withdraw(
  call: UserCall,
  { disputeSn }: Parsed<typeof c.withdrawDispute>,
): Promise<Record<string, never>> {
  return await performAction(call, disputeSn, 'withdraw', async ({ trx, d, order, party, actor }) => {
    await resumeClocks(trx, order, d.stopped, { hasLastDay: await hasLastDay(trx, d) });
    await sql`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where id = ${d.id}`.execute(
      trx,
    );
    await addEvent(trx, d, 'withdrawn', actor, `${partyNames[party]}撤回申诉，订单继续，计时恢复`);
    await addProcess(trx, order, `${partyNames[party]}撤回申诉，计时恢复`, actor);
    await clearTimers(trx, d.id);
    await announce(trx, 'dispute.closed', d);
  });
}

/** A party accepts the first ruling; when both have, it is carried out immediately. Throws DISPUTE_STATE. */
export async function accept(
  call: UserCall,
  { disputeSn }: Parsed<typeof c.acceptRuling>,
): Promise<Record<string, never>> {
  return await performAction(call, disputeSn, 'accept', async ({ trx, d, order, party, actor }) => {
    const column = sql.ref(party === 'buyer' ? 'buyer_accepted_at' : 'seller_accepted_at');
    await sql`update dispute set ${column} = now() where id = ${d.id}`.execute(trx);
    await addEvent(trx, d, 'accepted', actor, `${partyNames[party]}接受裁决`);
    const both = party === 'buyer' ? d.sellerAccepted : d.buyerAccepted;
    if (both) await concludeRuling(call.ctx, trx, d, order, 'timer');
  });
}

/** The one appeal of a case, by either party; the case goes to another member of staff with a new time limit. Throws DISPUTE_STATE. */
export async function appeal(call: UserCall, input: Parsed<typeof c.appealRuling>): Promise<Record<string, never>> {
  const { ctx, user } = call;
  return await performAction(call, input.disputeSn, 'appeal', async ({ trx, d, party, actor }) => {
    const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
    await sql`insert into dispute_appeal (dispute_id, user_id, reason, pictures)
      values (${d.id}, ${user.id}, ${input.text}, ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb)`.execute(
      trx,
    );
    const seconds = ctx.dir.setting('disputes').ruleSeconds;
    await sql`update dispute set status = 'appealed', rule_by = now() + make_interval(secs => ${seconds}), escalated = false,
      buyer_accepted_at = null, seller_accepted_at = null where id = ${d.id}`.execute(trx);
    await clearTimers(trx, d.id, 'dispute.execute');
    await setTimer(trx, 'dispute.rule', d.id, seconds);
    await addEvent(trx, d, 'appealed', actor, `${partyNames[party]}上诉，由另一位工作人员重新裁决`);
    await announce(trx, 'dispute.appealed', d);
  });
}
