import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { ServiceState } from '../rules/service.ts';
import type { answerMilestone, serviceProgress } from '#subjects/services/contract/services.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import {
  accountIsSealed,
  addProcess,
  applyTransition,
  finishServiceSteps,
  lockedOrder,
  markServiceDelivered,
  payServicePart,
} from '#subjects/orders/server/service.ts';
import { type ServiceActionResult, type PartyService, recordAnswer, notifyParty, partyAction } from './actions.ts';
import { loadMilestones, type MilestoneRow, openCancel, loadService } from './queries.ts';
import { requireBothPresent } from './presence.ts';
import { expectProof } from './proof.ts';

/** After this many rejections of one milestone the parties can only contact customer service. */
const MAX_REFUSALS = 3;

/** The first milestone that is not accepted; milestones are done in order. */
const running = (milestones: readonly MilestoneRow[]): MilestoneRow | undefined =>
  milestones.find((m) => m.state !== 'accepted');

/** The running milestone, if it is the one named. Throws ORDER_STATE. */
function named(milestones: readonly MilestoneRow[], seq: number): MilestoneRow {
  const now = running(milestones);
  if (!now) throw new AppError('ORDER_STATE');
  if (now.seq !== seq) throw new AppError('ORDER_STATE', { text: `请先完成第 ${now.seq} 段「${now.title}」` });
  return now;
}

/**
 * The booster reports the running milestone's progress with pictures; at 100 percent it is submitted, and confirmed automatically after the
 * set time. The last one ships the order. Throws ORDER_*, BAD_INPUT, PICTURE_BROKEN.
 */
export async function reportProgress(
  call: UserCall,
  input: Parsed<typeof serviceProgress>,
): Promise<ServiceActionResult> {
  const { ctx, user } = call;
  const { orderId, seq, percent } = input;
  if (input.pictures.length === 0) throw new AppError('BAD_INPUT', { text: '请上传进度截图', field: 'pictures' });
  const note = publishable(ctx.blockedWords, '说明', input.note ?? '', 'note');
  return await partyAction(call, orderId, 'submit', async (trx, current) => {
    const milestones = await loadMilestones(trx, orderId);
    const now = named(milestones, seq);
    if (now.state === 'submitted') throw errorOf('ORDER_STATE', 'milestoneSubmitted');
    if (percent < now.progressPercent)
      throw new AppError('BAD_INPUT', { text: `进度不能低于上次的 ${now.progressPercent}%`, field: 'percent' });
    if (current.service.mode === 'account' && !(await accountIsSealed(ctx, trx, orderId)))
      throw new AppError('ORDER_HANDOVER_OPEN', { text: '买家还没有提交账号资料' });
    requireBothPresent(current);
    const pictures = (await ownPictures(trx, user.id, 'evidence', input.pictures)).map(({ key }) => ({ key }));
    if (percent === 100) await requireNewPicture(trx, current, input.pictures);
    await storeProgress(trx, current, now, { percent, note, pictures });
    await expectProof(ctx, trx, orderId);
    if (percent < 100) return 'working';
    return await submit(ctx, trx, current, now, { pictures, isLast: now.seq === milestones.length });
  });
}

/**
 * Requires that a finished stage has pictures that no other stage of this booster has used (decision 381). Throws
 * BAD_INPUT.
 */
async function requireNewPicture(trx: Trx, { service }: PartyService, keys: readonly string[]): Promise<void> {
  // Reports of one booster are serialized here, so that two concurrent ones cannot use the same picture.
  await sql`select from provider where id = ${service.providerId} for update`.execute(trx);
  const { rows } = await sql`
    select from picture p where p.key = any(${[...keys]}::text[]) and not exists (
      select from service_order s join service_progress r on r.order_id = s.order_id
        cross join lateral jsonb_array_elements(r.pictures) e join picture q on q.key = e->>'key'
        where s.provider_id = ${service.providerId} and q.sha256 = p.sha256) limit 1`.execute(trx);
  if (rows.length === 0)
    throw new AppError('BAD_INPUT', { text: '这些截图以前提交过，请上传这一段完成后的新截图', field: 'pictures' });
}

async function storeProgress(
  trx: Trx,
  { order }: PartyService,
  now: MilestoneRow,
  report: { percent: number; note: string; pictures: readonly { key: string }[] },
): Promise<void> {
  const state = report.percent === 100 ? 'submitted' : 'pending';
  await sql`update service_milestone set state = ${state}, progress_percent = ${report.percent}, note = ${report.note},
      pictures = ${JSON.stringify(report.pictures)}::jsonb, submitted_at = case when ${state} = 'submitted' then now() else submitted_at end,
      refuse_reason = null
    where order_id = ${order.id} and seq = ${now.seq}`.execute(trx);
  await sql`insert into service_progress (order_id, actor, kind, text, pictures, seq, percent)
    values (${order.id}, ${`user:${order.sellerId}`}, 'progress', ${`第 ${now.seq} 段 ${report.percent}%：${report.note}`}, ${JSON.stringify(report.pictures)}::jsonb, ${now.seq}, ${report.percent})`.execute(
    trx,
  );
  await markServiceDelivered(trx, order.id);
}

async function submit(
  ctx: Context,
  trx: Trx,
  current: PartyService,
  now: MilestoneRow,
  done: { pictures: readonly { key: string }[]; isLast: boolean },
): Promise<ServiceState> {
  const { order, service } = current;
  const actor = `user:${order.sellerId}`;
  const { milestoneSeconds } = ctx.dir.setting('boosting');
  const hours = Math.round(milestoneSeconds / 3600);
  await addProcess(trx, order, `第 ${now.seq} 段「${now.title}」已提交，等待买家确认`, actor);
  if (done.isLast) {
    await finishServiceSteps(ctx, trx, order.id, {
      actor,
      pictures: done.pictures,
      needsAccount: service.mode === 'account',
    });
    await applyTransition(ctx, trx, { name: 'ship', order, role: 'service', actor });
    return 'checking';
  }
  await schedule(trx, 'service.milestone', order.id, { seconds: milestoneSeconds });
  await notifyParty(trx, current, 'buyer', {
    kind: 'service.progress',
    ref: `submitted:${now.seq}:${now.refusedCount}`,
    title: `第 ${now.seq} 段请您确认`,
    text:
      service.silencePaidAt === null
        ? `「${now.title}」已完成。确认后这一段的款项付给打手；${hours} 小时内未处理将自动确认并付款`
        : `「${now.title}」已完成。${hours} 小时内未处理视为确认，款项留在平台托管，订单完成时再付`,
  });
  return 'working';
}

/** The price of a stage is the buyer's payment; the booster receives it less the commission. */
const paidText = ({ seq, title, shareFen }: MilestoneRow, netFen: number): string => {
  const net = netFen < shareFen ? `，打手扣佣金后到手 ${yuanLabel(netFen)} 元` : '';
  return `第 ${seq} 段「${title}」已确认，${yuanLabel(shareFen)} 元已付给打手${net}`;
};

/** Pays an accepted milestone and notifies the booster. The caller holds the order. */
async function pay(trx: Trx, current: PartyService, now: MilestoneRow, actor: string): Promise<void> {
  const { order } = current;
  const ref = `order:${order.id}:${now.seq}`;
  const fen = await payServicePart(trx, order.id, { goodsFen: now.shareFen, ref });
  await sql`update service_milestone set state = 'accepted', answered_at = now(), paid_fen = ${fen}
    where order_id = ${order.id} and seq = ${now.seq}`.execute(trx);
  await addProcess(trx, order, paidText(now, fen), actor);
  if (now.state === 'submitted') await cancel(trx, 'service.milestone', current.order.id);
  await notifyParty(trx, current, 'seller', {
    kind: 'service.progress',
    ref: `paid:${now.seq}`,
    title: `第 ${now.seq} 段已确认`,
    text: `「${now.title}」的 ${yuanLabel(fen)} 元已到您的可用余额`,
  });
}

/** Whether a milestone was confirmed automatically and its money is still in escrow, until the buyer acts or the order ends. */
export const isKept = (m: Pick<MilestoneRow, 'state' | 'paidFen'>): boolean =>
  m.state === 'accepted' && m.paidFen === null;

/**
 * Confirms a milestone after one that was paid automatically: the booster continues, the money stays in escrow. The
 * caller holds the order.
 */
async function keep(trx: Trx, current: PartyService, now: MilestoneRow): Promise<void> {
  const { order } = current;
  await sql`update service_milestone set state = 'accepted', answered_at = now() where order_id = ${order.id} and seq = ${now.seq}`.execute(
    trx,
  );
  await addProcess(trx, order, `第 ${now.seq} 段「${now.title}」到期未处理，视为确认，款项留在平台托管`, 'timer');
  await notifyParty(trx, current, 'seller', {
    kind: 'service.progress',
    ref: `kept:${now.seq}`,
    title: `第 ${now.seq} 段视为确认，款项暂留托管`,
    text: `买家一直没有处理，「${now.title}」的款项在买家确认时或订单完成时付给您。可以继续下一段`,
  });
  await notifyParty(trx, current, 'buyer', {
    kind: 'service.progress',
    ref: `kept-buyer:${now.seq}`,
    title: `第 ${now.seq} 段已视为确认`,
    text: `「${now.title}」的款项还在平台托管，没有付给打手。请核对截图，有问题请申诉`,
  });
}

/**
 * The buyer confirms a submitted milestone, or one whose money waits, or sends a submitted one back with a reason. The
 * last one is confirmed with the order. Throws ORDER_*, BAD_INPUT.
 */
export async function answerOne(call: UserCall, input: Parsed<typeof answerMilestone>): Promise<ServiceActionResult> {
  const { orderId, seq, act: action } = input;
  const reason = publishable(call.ctx.blockedWords, '原因', input.reason ?? '', 'reason');
  if (action === 'refuse' && reason.length < 4)
    throw new AppError('BAD_INPUT', { text: '请写明哪里不符，至少 4 个字', field: 'reason' });
  return await partyAction(call, orderId, 'confirm', async (trx, current) => {
    await recordAnswer(trx, current);
    const milestones = await loadMilestones(trx, orderId);
    const stored = milestones.find((m) => m.seq === seq && isKept(m));
    if (stored && action === 'confirm') {
      await pay(trx, current, stored, `user:${call.user.id}`);
      return current.service.state;
    }
    const now = named(milestones, seq);
    if (now.state !== 'submitted') throw errorOf('ORDER_STATE', 'milestoneNotSubmitted');
    if (action === 'confirm') await pay(trx, current, now, `user:${call.user.id}`);
    else await refuse(trx, current, now, reason);
    return current.service.state;
  });
}

async function refuse(trx: Trx, current: PartyService, now: MilestoneRow, reason: string): Promise<void> {
  if (now.refusedCount >= MAX_REFUSALS) throw errorOf('ORDER_STATE', 'milestoneRejectedOften');
  await sql`update service_milestone set state = 'refused', answered_at = now(), refuse_reason = ${reason}, refused_count = refused_count + 1
    where order_id = ${current.order.id} and seq = ${now.seq}`.execute(trx);
  await cancel(trx, 'service.milestone', current.order.id);
  await addProcess(trx, current.order, `买家退回了第 ${now.seq} 段：${reason}`, `user:${current.order.buyerId}`);
  await notifyParty(trx, current, 'seller', {
    kind: 'service.progress',
    ref: `refused:${now.seq}:${now.refusedCount}`,
    title: `第 ${now.seq} 段被退回`,
    text: reason,
  });
}

const RECHECK_SECONDS = 3600;

/**
 * Confirms a milestone that its buyer has not checked in time; not while a dispute or a request to cancel is open. Only one is paid in this way
 * until the buyer acts or a ruling lets the order continue; the money of later ones stays in escrow (decision 381). A pause does not stop this
 * timer: the work is done, and the buyer could otherwise postpone the payment without limit.
 */
export async function confirmAutomatically(ctx: Context, orderId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    const service = await loadService(trx, orderId, true);
    const now = running(await loadMilestones(trx, orderId));
    if (!service || !now || now.state !== 'submitted' || !['working', 'paused'].includes(service.state)) return;
    if (order.disputed || (await openCancel(trx, orderId)))
      return await schedule(trx, 'service.milestone', orderId, { seconds: RECHECK_SECONDS });
    const current: PartyService = { order, service, role: 'buyer' };
    if (service.silencePaidAt !== null) return await keep(trx, current, now);
    await pay(trx, current, now, 'timer');
    await sql`update service_order set silence_paid_at = now() where order_id = ${orderId}`.execute(trx);
    await notifyParty(trx, current, 'buyer', {
      kind: 'service.progress',
      ref: `silent:${now.seq}`,
      title: `第 ${now.seq} 段到期未处理，已自动确认付款`,
      text: `「${now.title}」的款项已付给打手。之后的段如仍未处理，款项会留在托管，到订单完成时再付`,
    });
  });
}
