/**
 * What honest people do, as the market asks them to and immediately: they respond to whatever the others did before any more of it happens, and
 * before a clock runs out on them. They are no part of the search: where they lose, the market's word was wrong.
 */
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import * as bc from '#subjects/guarantees/contract/staff-claims.ts';
import * as bd from '#subjects/disputes/contract/staff-disputes.ts';
import * as disputes from '#subjects/disputes/contract/dispute.ts';
import * as order from '#subjects/orders/contract/order.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { respondToRuling, openClaim, openDispute, orderOf, partyIn } from '../actions/actions-cases.ts';
import { doStep, openFor, submitCredential, turnOf } from '../actions/actions-trade.ts';
import {
  type Account,
  canChange,
  canLogIn,
  changePassword,
  returnAccount,
  hasAlone,
  holder,
  isHonest,
  names,
  opens,
  sideOf,
} from '../worlds/model.ts';
import { openAsStaff, staffStep } from '../worlds/credentials.ts';
import { checkOffers, noteChecked } from '../rules/physical.ts';
import { isBoost } from '../actions/actions-boosting.ts';
import { readingOnce } from '../actions/actions-reading.ts';
import { boostingOnce, fairBack, fairDeposits, losesDeposit } from './honest-boosting.ts';
import { isMisread, isRecycled, recyclingOnce } from './honest-recycling.ts';
import type { Claim, Dispute, Order } from '../worlds/snapshot.ts';
import type { World } from '../worlds/world.ts';

const TEXT = '情况说明写在这里，请核对一下，谢谢';
const RULES = ['2.2', '4.1'];
const RUNNING = ['open', 'answering', 'evidence'];
const CLOSED = [7, 8, 9];

/** The honest seller, on an order of his. */
async function asSeller(w: World, o: Order): Promise<boolean> {
  const acc = w.goodsOf(o)?.account;
  if (!acc || o.disputed) return false;
  if (o.status === OrderStatus.Paid && o.cancelAsked) {
    // He lets it go only while the account is his to keep.
    if (!canChange(acc, 'hs') || w.declined.has(o.id)) return false;
    changePassword(acc, 'hs');
    w.log(`The honest seller changes the password and agrees to cancel order ${w.numberOf(o)}.`);
    w.declined.add(o.id);
    return (await w.call(w.client('hs'), order.requestCancel, { orderId: o.id, act: 'agree' })) !== undefined;
  }
  if (o.status === OrderStatus.Paid && !o.sealed && o.steps.some((s) => s.secret))
    return await submitCredential(w, o, 'true');
  const now = turnOf(o);
  if (
    (o.status === OrderStatus.Paid || o.status === OrderStatus.Shipped) &&
    now?.actor === 'seller' &&
    (o.sealed || !now.secret)
  )
    return await doStep(w, o, 'hs', true);
  if (
    !isRecycled(o) &&
    o.status === OrderStatus.Paid &&
    o.steps.length > 0 &&
    !o.steps.some((s) => s.beforeShip && s.required && !s.done)
  ) {
    if (w.tried.has(`ship:${o.id}`)) return false;
    w.tried.add(`ship:${o.id}`);
    const shipped = await w.call(w.client('hs'), order.offlineTranSub, { orderId: o.id });
    if (shipped) w.log(`The honest seller ships order ${w.numberOf(o)}.`);
    return shipped !== undefined;
  }
  return false;
}

/** Whoever has his money back gives the account back, and its seller takes it as his again. */
function returned(w: World, o: Order): boolean {
  const goods = w.goodsOf(o);
  const back = CLOSED.includes(o.status) || (o.status === OrderStatus.Completed && w.refundedAll(o));
  if (!goods || !back || w.settled.has(o.id)) return false;
  w.settled.add(o.id);
  const acc = goods.account;
  const [buyer, seller] = [w.buyer(o), w.seller(o)];
  // A buyer who only opened the log-in returns nothing; an account that a later order is about stays.
  const busy = w.state.orders.some((x) => x.id > o.id && w.goodsOf(x)?.account === acc);
  if (busy || isKeptByAnother(w, o, acc)) return false;
  if (buyer === 'hb' && (holder(acc) === 'hb' || canLogIn(acc, 'hb'))) returnAccount(acc, seller);
  else if (seller === 'hs' && canChange(acc, 'hs')) changePassword(acc, 'hs');
  return false;
}

/** Whether the honest buyer has the account by another order, which he paid: a deal of the same account that came to nothing takes nothing away. */
const isKeptByAnother = (w: World, o: Order, acc: Account): boolean =>
  w.state.orders.some(
    (x) =>
      x.id !== o.id &&
      w.goodsOf(x)?.account === acc &&
      w.buyer(x) === 'hb' &&
      x.status === OrderStatus.Completed &&
      !w.refundedAll(x),
  );

/** Returns the fault of the account that the honest buyer got so far; undefined while there is none. */
function wrong(w: World, o: Order): string | undefined {
  const acc = w.goodsOf(o)?.account;
  if (!acc) return undefined;
  const phone = o.steps.find((s) => s.key === 'phone');
  if (w.opened.has(o.id) && !canLogIn(acc, 'hb') && acc.phone !== 'hb') return 'the password does not open it';
  if (phone?.done === true && acc.phone !== 'hb') return 'the binding was not changed';
  const now = turnOf(o);
  if (now?.key === 'accept' && !hasAlone(acc, 'hb')) return 'it is not his alone';
  return undefined;
}

/** The honest buyer, on an order of his. */
async function asBuyer(w: World, o: Order): Promise<boolean> {
  const acc = w.goodsOf(o)?.account;
  if (!acc || o.disputed) return false;
  const once = (what: string): boolean => !w.tried.has(`${what}:${o.id}`) && w.tried.add(`${what}:${o.id}`).size > 0;
  if (o.status === OrderStatus.Paid && o.late) {
    if (once('cancel') && (await w.call(w.client('hb'), order.cancelOrder, { orderId: o.id })) !== undefined) {
      w.log(`The honest buyer cancels order ${w.numberOf(o)}, which was not shipped in time.`);
      return true;
    }
    return once('late') && (await openDispute(w, o, 'hb', 'refund'));
  }
  // An account that he recycles is opened after it was paid for: honest-recycling.ts.
  if (isRecycled(o)) return false;
  if (o.status === OrderStatus.Shipped) return await asReceiver(w, o, once);
  if (o.status !== OrderStatus.Completed || holder(acc) === 'hb' || w.refundedAll(o)) return false;
  if (w.state.orders.some((x) => x.id > o.id && w.goodsOf(x)?.account === acc && w.seller(x) === 'hb')) return false;
  if (o.held && once('after')) return await openDispute(w, o, 'hb', 'refund');
  const n = w.state.covers.findIndex((c) => c.orderId === o.id && c.status === 'active' && c.holderId === w.idOf('hb'));
  const cover = w.cover(n);
  return (
    cover !== undefined && once('claim') && (await openClaim(w, n, 'recovered', Math.min(cover.priceFen, cover.maxFen)))
  );
}

async function asReceiver(w: World, o: Order, once: (what: string) => boolean): Promise<boolean> {
  const acc = w.goodsOf(o)?.account;
  if (!acc) return false;
  if (!w.opened.has(o.id) && o.sealed) {
    w.opened.add(o.id);
    return (await openFor(w, o)) !== undefined;
  }
  if (!o.sealed && o.steps.some((s) => s.secret)) return once('nothing') && (await openDispute(w, o, 'hb', 'refund'));
  const fault = wrong(w, o);
  if (fault !== undefined) return once(fault) && (await openDispute(w, o, 'hb', 'refund'));
  const now = turnOf(o);
  if (now?.actor === 'buyer') {
    if (now.key === 'password' && !canChange(acc, 'hb'))
      return once('shut') && (await openDispute(w, o, 'hb', 'refund'));
    return once(`step${now.step}`) && (await doStep(w, o, 'hb', true));
  }
  // The market says that the clock is stopped until what is missing arrives: he asks for his money.
  if (now && o.stopped) return once('stopped') && (await openDispute(w, o, 'hb', 'refund'));
  if (now || !hasAlone(acc, 'hb') || !once('confirm')) return false;
  const done = await w.call(w.client('hb'), order.confirmRecGoods, { orderId: o.id });
  if (done) w.log(`The honest buyer has the account alone and confirms order ${w.numberOf(o)}.`);
  return done !== undefined;
}

/** The game's own evidence in a dispute: whether the buyer has what he paid for. */
export function buyerHas(w: World, o: Order): boolean {
  const acc = w.goodsOf(o)?.account;
  return acc !== undefined && holder(acc) === sideOf(w.buyer(o)) && !isMisread(w, o);
}

/** An honest side of a dispute: contradicts what is untrue, agrees to what is true, appeals against a wrong ruling. */
async function inDispute(w: World, d: Dispute): Promise<boolean> {
  const o = orderOf(w, d.orderId);
  const [other, opener] = [partyIn(w, d, 'other'), partyIn(w, d, 'opener')];
  if (!o || !other || !opener) return false;
  const boosted = fairBack(w, o);
  const fair =
    boosted !== undefined
      ? d.want === 'release'
        ? boosted === 0
        : d.want === 'refund' && boosted >= o.goodsFen
      : d.want === 'release'
        ? buyerHas(w, o)
        : !buyerHas(w, o);
  if (RUNNING.includes(d.status) && isHonest(other)) {
    if (fair && d.want !== 'part_refund' && !w.tried.has(`agree:${d.id}`)) {
      w.tried.add(`agree:${d.id}`);
      return await respondToRuling(w, d, true);
    }
    if (!d.answered && !w.tried.has(`answer:${d.id}`)) {
      w.tried.add(`answer:${d.id}`);
      return await respondToRuling(w, d, false);
    }
  }
  if (d.status !== 'ruled') return false;
  for (const who of [other, opener].filter(isHonest)) {
    const forBuyer = (d.backFen ?? 0) >= o.goodsFen;
    const against =
      boosted !== undefined
        ? who === w.buyer(o)
          ? (d.backFen ?? 0) < boosted
          : (d.backFen ?? 0) > boosted || losesDeposit(w, o)
        : who === w.buyer(o)
          ? !forBuyer && !buyerHas(w, o)
          : (d.backFen ?? 0) > 0 && buyerHas(w, o);
    if (!against || !d.appealOpen || w.tried.has(`appeal:${d.id}:${who}`)) continue;
    w.tried.add(`appeal:${d.id}:${who}`);
    const done = await w.call(w.client(who), disputes.appealRuling, {
      disputeSn: d.sn,
      text: TEXT,
      pictures: await w.proof(who),
    });
    if (done) w.log(`${names[who]} appeals.`);
    if (done) return true;
  }
  return false;
}

/** Honest staff do the step that is theirs, once what was sealed opens the account. */
async function asStaff(w: World, o: Order): Promise<boolean> {
  const now = turnOf(o);
  if (
    (o.status !== OrderStatus.Paid && o.status !== OrderStatus.Shipped) ||
    now?.actor !== 'staff' ||
    o.disputed ||
    isRecycled(o)
  )
    return false;
  const once = `check:${o.id}:${w.sealed.get(o.id)?.length ?? 0}`;
  if (!o.sealed || w.tried.has(once)) return false;
  w.tried.add(once);
  const { service, admin } = w.market.staff;
  const staff = o.staffId === service.id ? service : o.staffId === admin.id ? admin : undefined;
  const form = staff && (await openAsStaff(w, staff, o));
  // Staff log in to the account that the form names: whether it is the one on sale is for the market to know.
  if (!staff || !form || !opens(form)) return false;
  const done = await staffStep(w, staff, o, now);
  if (done) w.log(`Honest staff do the step '${now.key}' of order ${w.numberOf(o)}.`);
  if (done) noteChecked(w, o);
  return done;
}

/** Rules as the evidence is, with the second person where one is needed. */
async function ruleHonestly(w: World, d: Dispute): Promise<boolean> {
  const o = orderOf(w, d.orderId);
  if (!o || (d.status !== 'evidence' && d.status !== 'appealed')) return false;
  if (w.setting.staffAway && w.amongThemselves(o)) return false;
  const [first, second] =
    d.stage === 0 ? [w.market.staff.service, w.market.staff.admin] : [w.market.staff.admin, w.market.staff.service];
  const once = `rule:${d.id}:${d.stage}:${w.drafts}`;
  if (w.tried.has(once)) return false;
  w.tried.add(once);
  const boosted = fairBack(w, o);
  if (boosted !== undefined) await fairDeposits(w, o);
  const refund =
    boosted === undefined ? (buyerHas(w, o) ? '0' : (o.refundableFen / 100).toFixed(2)) : (boosted / 100).toFixed(2);
  const ruling = { disputeSn: d.sn, refund, rules: RULES, reason: TEXT };
  await w.call(first.client, bd.staffDisputeFirstResponse, { disputeSn: d.sn });
  let done = await w.call(first.client, bd.staffDisputeRule, ruling);
  // A draft by another person is sent back first, unless it is right.
  if (!done) {
    const file = await w.call(second.client, bd.staffDisputeDetail, { disputeSn: d.sn });
    if (!file?.draft || file.draft.isMine) return false;
    const allow = Number(file.draft.refund) === Number(refund);
    const { draftId } = file.draft;
    const decided = await w.call(second.client, bd.staffDisputeSecond, { disputeSn: d.sn, draftId, allow, note: TEXT });
    if (decided && allow) {
      w.log(`Honest staff let a drafted ruling on order ${w.numberOf(o)} through.`);
      return true;
    }
    done = await w.call(first.client, bd.staffDisputeRule, ruling);
  }
  if (done?.waits === true) await secondRuling(w, d, second);
  if (done) w.log(`Honest staff rule on order ${w.numberOf(o)}: ${refund} yuan back.`);
  return done !== undefined;
}

async function secondRuling(w: World, d: Dispute, second: TestStaff): Promise<void> {
  const file = await w.call(second.client, bd.staffDisputeDetail, { disputeSn: d.sn });
  if (file?.draft)
    await w.call(second.client, bd.staffDisputeSecond, { disputeSn: d.sn, draftId: file.draft.draftId, allow: true });
}

/** Honest staff decide a claim: paid at most to the price where the account was taken back, refused where it was not. */
async function decideClaim(w: World, k: Claim): Promise<boolean> {
  const o = orderOf(w, k.orderId);
  if (!o || !['checking', 'chasing', 'escalated'].includes(k.status)) return false;
  if (w.setting.staffAway && w.amongThemselves(o)) return false;
  // Where the dishonest one is first at the case, the honest ones come before its clock runs out.
  const once = `claim:${k.id}:${w.drafts}`;
  if (w.tried.has(once)) return false;
  w.tried.add(once);
  const n = w.goods.findIndex((g) => g.id === o.goodsId);
  const acc = w.goods[n]?.account;
  const gone = acc !== undefined && w.tookBack(acc) && holder(acc) !== sideOf(w.whoIs(k.userId));
  const among = acc !== undefined && w.tookBack(acc) && w.amongThemselves(o);
  const isTrue = k.reason === 'recovered' && (gone || among);
  const { service, admin } = w.market.staff;
  const decision = {
    claimSn: k.sn,
    act: isTrue ? ('pay' as const) : ('refuse' as const),
    text: TEXT,
    ...(isTrue ? { amount: (Math.min(k.askedFen, o.goodsFen) / 100).toFixed(2) } : { ruleNo: '5.1' }),
  };
  let done = await w.call(service.client, bc.staffClaimAction, decision);
  if (!done) {
    const file = await w.call(admin.client, bc.staffClaimDetail, { claimSn: k.sn });
    if (!file?.draft || file.draft.isMine) return false;
    const { draftId } = file.draft;
    await w.call(admin.client, bc.staffClaimSecond, { claimSn: k.sn, draftId, allow: false, note: TEXT });
    done = await w.call(service.client, bc.staffClaimAction, decision);
  }
  if (done?.waits === true) {
    const file = await w.call(admin.client, bc.staffClaimDetail, { claimSn: k.sn });
    if (file?.draft)
      await w.call(admin.client, bc.staffClaimSecond, { claimSn: k.sn, draftId: file.draft.draftId, allow: true });
  }
  if (done) w.log(`Honest staff ${isTrue ? 'pay' : 'refuse'} the claim on order ${w.numberOf(o)}.`);
  return done !== undefined;
}

async function once(w: World): Promise<boolean> {
  if ((await recyclingOnce(w)) || (await boostingOnce(w)) || (await readingOnce(w))) return true;
  for (const o of w.state.orders) {
    if (isBoost(o)) continue;
    returned(w, o);
    if (w.seller(o) === 'hs' && (await asSeller(w, o))) return true;
    if (w.buyer(o) === 'hb' && (await asBuyer(w, o))) return true;
    if (await asStaff(w, o)) return true;
  }
  for (const d of w.state.disputes) {
    if (await inDispute(w, d)) return true;
    if (w.setting.bad !== 'service' || d.status === 'appealed') if (await ruleHonestly(w, d)) return true;
  }
  for (const k of w.state.claims) if (await decideClaim(w, k)) return true;
  return false;
}

const MOST = 40;

/** Carries out the pending actions of honest people: all of them, or at most `maxActions` while the others are quicker. */
export async function react(w: World, maxActions = MOST): Promise<void> {
  // Events of the last act are heard before anybody acts again: steps of a hand-over, say, are made by the payment's event.
  await w.settle();
  for (let i = 0; i < maxActions; i++) {
    await w.read();
    if (!(await once(w))) return checkOffers(w);
    await w.settle();
  }
  await w.read();
  checkOffers(w);
}

/** Actions of honest people before a deadline passes. */
export async function beforeClock(w: World, what: string): Promise<void> {
  const [kind, ref] = what.split(':');
  const o = w.state.orders.find((x) => String(x.id) === ref);
  if (kind === 'order.autoConfirm' && o && w.buyer(o) === 'hb' && o.status === OrderStatus.Shipped && !o.disputed) {
    const acc = w.goodsOf(o)?.account;
    const now = turnOf(o);
    // While a step is the seller's or the staff's to do, the market has promised him that the money stays where it is.
    const isTheirs = now !== undefined && now.actor !== 'buyer' && now.required;
    if (acc && !hasAlone(acc, 'hb') && (!isTheirs || w.tried.has(`waited:${o.id}`)))
      await openDispute(w, o, 'hb', 'refund');
    w.tried.add(`waited:${o.id}`);
  }
  if (kind?.startsWith('dispute') === true) for (const d of w.state.disputes) await ruleHonestly(w, d);
  await react(w);
}

/** Honest staff rule the cases whose clock ran out in the same moment as another one, before which they would have ruled. */
export async function ruleOpenCases(w: World): Promise<boolean> {
  let isRuled = false;
  for (const d of w.state.disputes) if (await ruleHonestly(w, d)) isRuled = true;
  return isRuled;
}
