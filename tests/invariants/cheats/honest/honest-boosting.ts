/** Actions of honest people in orders of boosting: a buyer who confirms what was done, a booster who does what he reports, and a fair ruling. */
import { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { serviceAct } from '#subjects/services/contract/services.ts';
import { addition } from '../actions/actions-boosting-cases.ts';
import { openDispute } from '../actions/actions-cases.ts';
import {
  answerStage,
  boost,
  type Boost,
  isTogether,
  lacksBuyer,
  cancelBoost,
  claimPost,
  doneOf,
  handOver,
  label,
  receive,
  report,
  runningStage,
  workFen,
  come,
} from '../actions/actions-boosting.ts';
import type { Order } from '../worlds/snapshot.ts';
import type { World } from '../worlds/world.ts';

const MAX_REFUSALS = 3;
const once = (w: World, what: string): boolean => !w.tried.has(what) && w.tried.add(what).size > 0;

/** Refund of a fair ruling: the price of what was not done, as far as it was not confirmed. */
export function fairBack(w: World, o: Order): number | undefined {
  const b = boost(
    w,
    w.state.orders.findIndex((x) => x.id === o.id),
  );
  if (!b) return undefined;
  const confirmed =
    o.status === OrderStatus.Completed ? 0 : b.job.milestones.reduce((sum, m) => sum + (m.paid ? m.shareFen : 0), 0);
  return Math.max(0, Math.min(o.goodsFen - workFen(w, b), o.goodsFen - confirmed));
}

/** Whether every stage that counts as progress was truly done as far as it was reported. */
const isTrue = (w: World, { o, job }: Boost): boolean =>
  job.milestones.every((m) => doneOf(w, o.id, m.seq) >= m.percent);

async function asBuyer(w: World, b: Boost): Promise<boolean> {
  const { o, job } = b;
  if (isTogether(b) && o.status === OrderStatus.Paid && job.state === 'working' && !job.buyerCame)
    return await come(w, b, 'hb');
  if (job.mode === 'account' && !job.sealed && !job.parent && once(w, `seal:${o.id}`)) return await handOver(w, b);
  const stage = runningStage(b);
  const isDone = stage !== undefined && doneOf(w, o.id, stage.seq) === 100;
  if (o.status === OrderStatus.Shipped) {
    const all = job.milestones.every((m) => doneOf(w, o.id, m.seq) === 100);
    return once(w, `end:${o.id}`) && (all ? await receive(w, b) : await openDispute(w, o, 'hb', 'refund'));
  }
  // An absent buyer looks when the whole is delivered or late, and answers nothing before.
  if (w.setting.away && !job.late) return false;
  if (stage?.state === 'submitted') {
    const again = `stage:${o.id}:${stage.seq}:${stage.refused}`;
    if (!once(w, again)) return false;
    if (isDone) return await answerStage(w, b, 'hb', true);
    return stage.refused < MAX_REFUSALS
      ? await answerStage(w, b, 'hb', false)
      : await openDispute(w, o, 'hb', 'refund');
  }
  // False reports count as progress: he agrees to no split that pays for it.
  if (job.cancel?.requestedBy === 1 && once(w, `cancel:${o.id}:${job.cancel.payFen}`))
    return await cancelBoost(w, o, 'hb', isTrue(w, b) ? 'agree' : 'decline');
  if (job.late && job.cancel === null && once(w, `late:${o.id}`))
    return isTrue(w, b) ? await cancelBoost(w, o, 'hb', 'ask', 'late') : await openDispute(w, o, 'hb', 'refund');
  // A declined cancellation becomes a case.
  if (job.late && job.cancel === null && once(w, `case:${o.id}`)) return await openDispute(w, o, 'hb', 'refund');
  if (job.addition?.requestedBy === 1 && once(w, `add:${o.id}:${job.addition.addFen}`))
    return await addition(w, o, 'hb', 'decline');
  return false;
}

/** The honest booster gives up an order whose account did not come. */
async function leave(w: World, { o }: Boost): Promise<boolean> {
  const done = await w.call(w.client('hs'), serviceAct, { orderId: o.id, act: 'giveUp', reason: '账号一直没有来' });
  if (done) w.log(`The honest booster gives up ${label(w, o)}, whose account did not come.`);
  return done !== undefined;
}

async function asBooster(w: World, b: Boost): Promise<boolean> {
  const { o, job } = b;
  if (o.status !== OrderStatus.Paid) return false;
  // The account did not come in time: he goes, which costs nothing.
  if (job.free && once(w, `free:${o.id}`)) return await leave(w, b);
  const { cancel } = job;
  if (cancel?.requestedBy === 0 && once(w, `answer:${o.id}:${cancel.payFen}:${cancel.reason}`))
    return await cancelBoost(w, o, 'hs', cancel.reason === 'plan' ? 'agree' : 'decline');
  if (job.addition?.requestedBy === 0 && once(w, `add:${o.id}:${job.addition.addFen}`))
    return await addition(w, o, 'hs', 'agree');
  const stage = runningStage(b);
  // He is there as agreed and confirms it; without the buyer he can do nothing.
  if (isTogether(b) && job.state === 'working' && !job.sellerCame) return await come(w, b, 'hs');
  if (!stage || stage.state === 'submitted' || job.state !== 'working' || lacksBuyer(w, b)) return false;
  if (stage.refused > MAX_REFUSALS) return once(w, `case:${o.id}`) && (await openDispute(w, o, 'hs', 'release'));
  return once(w, `work:${o.id}:${stage.seq}:${stage.refused}`) && (await report(w, b, 100, true));
}

/** Does one pending thing that an honest person has to do in boosting; returns whether there was one. */
export async function boostingOnce(w: World): Promise<boolean> {
  if (w.setting.service !== 'boosting') return false;
  for (const [n, r] of w.services.posts.entries())
    if (
      r.status === 'open' &&
      w.setting.cast.includes('hs') &&
      once(w, `claim:${r.id}`) &&
      (await claimPost(w, n, 'hs'))
    )
      return true;
  for (const n of w.state.orders.keys()) {
    const b = boost(w, n);
    if (!b || b.o.disputed) continue;
    if (
      w.buyer(b.o) === 'hb' &&
      (b.o.status === OrderStatus.Paid || b.o.status === OrderStatus.Shipped) &&
      (await asBuyer(w, b))
    )
      return true;
    if (w.seller(b.o) === 'hs' && (await asBooster(w, b))) return true;
  }
  return false;
}

/** Before honest staff rule on boosting, the deposits are decided fairly: both go back to a booster who has not given up. */
export async function fairDeposits(w: World, o: Order): Promise<void> {
  const b = boost(
    w,
    w.state.orders.findIndex((x) => x.id === o.id),
  );
  if (!b?.job.toBuyer || (!b.job.toBuyer.safety && !b.job.toBuyer.efficiency)) return;
  const decision = {
    orderSn: o.sn,
    safety: 'booster',
    efficiency: 'booster',
    reason: '没有证据表明打手有过错',
  } as const;
  const { service, admin } = w.market.staff;
  const first = await w.call(service.client, staffBoostingDeposits, decision);
  if (first?.waits !== false) await w.call(admin.client, staffBoostingDeposits, decision);
}

/** Whether staff have decided that a booster who did nothing wrong loses a deposit. */
export function losesDeposit(w: World, o: Order): boolean {
  const b = boost(
    w,
    w.state.orders.findIndex((x) => x.id === o.id),
  );
  return b?.job.toBuyer?.safety === true || b?.job.toBuyer?.efficiency === true;
}
