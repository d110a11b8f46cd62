import { sql } from 'kysely';
import type * as c from '#contract/dispute.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures } from '#server/slices/media/service.ts';
import { type OrderTerms, resumeClocks } from '#server/slices/orders/service.ts';
import { announce, clearTimers, conclude, onCase, setTimer, tell } from './case.ts';
import { disputeForParty, type DisputeRow } from './queries.ts';
import { actsOf, checkedResponses, type DisputeSetting, type Side, sideNames } from './rules.ts';
import { concludeRuling } from './ruling.ts';
import { stateOf } from './view.ts';

interface At {
  trx: Trx;
  d: DisputeRow;
  order: OrderTerms;
  side: Side;
  actor: string;
}

/** Lets a side act on its case when the rules open the act to it now. Throws DISPUTE_NOT_FOUND, DISPUTE_STATE. */
async function act(
  call: UserCall,
  disputeSn: string,
  name: string,
  work: (at: At) => Promise<void>,
): Promise<Record<string, never>> {
  const { ctx, user } = call;
  await onCase(
    ctx,
    (trx) => disputeForParty(trx, disputeSn, user.id),
    async (trx, d, order) => {
      const side = d.buyerId === user.id ? 'buyer' : 'seller';
      if (!actsOf(stateOf(d), side, new Date()).includes(name)) throw new AppError('DISPUTE_STATE');
      await work({ trx, d, order, side, actor: `user:${user.id}` });
    },
  );
  return {};
}

async function say(
  { trx, d, side }: At,
  userId: number,
  said: { kind: 'form' | 'evidence'; answers: object; text: string; pictures: readonly string[] },
): Promise<void> {
  const pictures = await ownPictures(trx, userId, 'evidence', said.pictures);
  await sql`insert into dispute_statement (dispute_id, belong, user_id, kind, answers, text, pictures)
    values (${d.id}, ${side === 'buyer' ? 1 : 0}, ${userId}, ${said.kind}, ${JSON.stringify(said.answers)}::jsonb, ${said.text},
      ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb)`.execute(trx);
}

/** The other side's form, or its agreement, which carries out at once what was asked for. Throws BAD_INPUT besides. */
export async function answer(call: UserCall, input: Parsed<typeof c.answerDispute>): Promise<Record<string, never>> {
  const { ctx, user } = call;
  if (input.agree) return await agree(call, input.disputeSn);
  return await act(call, input.disputeSn, 'answer', async (at) => {
    const { trx, d, side, actor } = at;
    if (input.text.length < 5) throw new AppError('BAD_INPUT', { text: '说明至少 5 个字' });
    const answers = checkedResponses(d.form, side, input.answers);
    await say(at, user.id, { kind: 'form', answers, text: input.text, pictures: input.pictures });
    await sql`update dispute set status = 'evidence' where id = ${d.id} and status in ('open', 'answering')`.execute(
      trx,
    );
    await clearTimers(trx, d.id, 'dispute.answer');
    await tell(trx, d, 'answered', actor, `${sideNames[side]}已答复，进入裁决`);
    await announce(trx, 'dispute.answered', d);
    ctx.log.debug({ dispute: d.id }, 'answered');
  });
}

async function agree(call: UserCall, disputeSn: string): Promise<Record<string, never>> {
  return await act(call, disputeSn, 'agree', async ({ trx, d, order, side, actor }) => {
    await tell(trx, d, 'settled', actor, `${sideNames[side]}同意对方的诉求`);
    const note = `${sideNames[side]}同意对方的诉求，双方协商结案`;
    await conclude(call.ctx, trx, d, order, { outcome: 'settled', backFen: d.wantFen, actor, note });
  });
}

const MAX_EVIDENCE = 20;

/** More evidence from either side, until the ruling. Throws DISPUTE_STATE, BAD_INPUT. */
export async function addEvidence(
  call: UserCall,
  input: Parsed<typeof c.addDisputeEvidence>,
): Promise<Record<string, never>> {
  return await act(call, input.disputeSn, 'evidence', async (at) => {
    const { trx, d, side, actor } = at;
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from dispute_statement where dispute_id = ${d.id} and user_id = ${call.user.id}`.execute(
      trx,
    );
    if ((rows[0]?.n ?? 0) >= MAX_EVIDENCE) throw new AppError('BAD_INPUT', { text: `每方最多补充 ${MAX_EVIDENCE} 次` });
    await say(at, call.user.id, { kind: 'evidence', answers: {}, text: input.text, pictures: input.pictures });
    await tell(trx, d, 'evidence', actor, `${sideNames[side]}补充了证据`);
    await announce(trx, 'dispute.evidence', d);
  });
}

/** The opener takes it back: the order's clocks go on with what was left of them. Throws DISPUTE_STATE. */
export async function withdraw(
  call: UserCall,
  { disputeSn }: Parsed<typeof c.withdrawDispute>,
): Promise<Record<string, never>> {
  return await act(call, disputeSn, 'withdraw', async ({ trx, d, order, side, actor }) => {
    await resumeClocks(trx, order, d.stopped);
    await sql`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where id = ${d.id}`.execute(
      trx,
    );
    await tell(trx, d, 'withdrawn', actor, `${sideNames[side]}撤回申诉，订单继续，计时恢复`);
    await sql`insert into order_process (order_id, order_status, explain, actor)
      values (${order.id}, ${order.status}, ${`${sideNames[side]}撤回申诉，计时恢复`}, ${actor})`.execute(trx);
    await clearTimers(trx, d.id);
    await announce(trx, 'dispute.closed', d);
  });
}

/** A side accepts the first ruling; when both have, it is carried out at once. Throws DISPUTE_STATE. */
export async function accept(
  call: UserCall,
  { disputeSn }: Parsed<typeof c.acceptRuling>,
): Promise<Record<string, never>> {
  return await act(call, disputeSn, 'accept', async ({ trx, d, order, side, actor }) => {
    const column = sql.ref(side === 'buyer' ? 'buyer_accepted_at' : 'seller_accepted_at');
    await sql`update dispute set ${column} = now() where id = ${d.id}`.execute(trx);
    await tell(trx, d, 'accepted', actor, `${sideNames[side]}接受裁决`);
    const both = side === 'buyer' ? d.sellerAccepted : d.buyerAccepted;
    if (both) await concludeRuling(call.ctx, trx, d, order, 'timer');
  });
}

/** One appeal, whoever makes it; the case goes to another person, with a new clock. Throws DISPUTE_STATE. */
export async function appeal(call: UserCall, input: Parsed<typeof c.appealRuling>): Promise<Record<string, never>> {
  const { ctx, user } = call;
  return await act(call, input.disputeSn, 'appeal', async ({ trx, d, side, actor }) => {
    const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
    await sql`insert into dispute_appeal (dispute_id, user_id, reason, pictures)
      values (${d.id}, ${user.id}, ${input.text}, ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb)`.execute(
      trx,
    );
    const seconds = ctx.dir.setting<DisputeSetting>('disputes').ruleSeconds;
    await sql`update dispute set status = 'appealed', rule_by = now() + make_interval(secs => ${seconds}), escalated = false,
      buyer_accepted_at = null, seller_accepted_at = null where id = ${d.id}`.execute(trx);
    await clearTimers(trx, d.id, 'dispute.execute');
    await setTimer(trx, 'dispute.rule', d.id, seconds);
    await tell(trx, d, 'appealed', actor, `${sideNames[side]}上诉，由另一位工作人员重新裁决`);
    await announce(trx, 'dispute.appealed', d);
  });
}
