/** Actions of the coalition's one dishonest member of staff, alone. */
import { releaseHoldEarly } from '#subjects/ledger/contract/staff-ledger.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import * as bc from '#subjects/guarantees/contract/staff-claims.ts';
import * as bd from '#subjects/disputes/contract/staff-disputes.ts';
import * as bo from '#subjects/orders/contract/staff-orders.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { disputesWhere, orderOf, RULES, RUNNING, orderLabel, TEXT } from './actions-cases.ts';
import { type Action, ordersWhere } from './actions-trade.ts';
import { openAsStaff, staffStep } from '../worlds/credentials.ts';
import { noteChecked } from '../rules/physical.ts';
import type { World } from '../worlds/world.ts';

const bad = (w: World): TestStaff | undefined =>
  w.setting.bad === 'none'
    ? undefined
    : w.setting.bad === 'service'
      ? w.market.staff.badService
      : w.market.staff.badFinance;
const BAD_SERVICE = 'the dishonest member of customer service';

/** A draft that waits for a second person, who will not let it through; in the way of the honest ones it is all the same. */
function drafted(w: World): boolean {
  w.drafts += 1;
  w.log('A dishonest member of staff drafts a decision, which waits for a second person.');
  return true;
}

const badOpen: Action = {
  name: 'badOpen',
  weight: 2,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'service'
      ? ordersWhere(w, (o) => o.sealed && (o.status === OrderStatus.Paid || o.status === OrderStatus.Shipped))
      : [],
  async run(w, [n]) {
    const o = w.order(Number(n));
    const staff = bad(w);
    const step = o?.steps.find((s) => s.secret);
    if (!o || !staff || !step) return false;
    const done = await w.call(staff.client, bo.staffReveal, { orderId: o.id, step: step.step, reason: TEXT });
    if (done?.form) w.log(`${BAD_SERVICE} opens the sealed password of ${orderLabel(w, o.id)}.`);
    return done?.form !== null && done !== undefined;
  },
};

const badSteps: Action = {
  name: 'badStep',
  weight: 4,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'service'
      ? ordersWhere(w, (o) =>
          o.steps.some(
            (s) => !s.done && (o.status === OrderStatus.Shipped || (o.status === OrderStatus.Paid && s.beforeShip)),
          ),
        )
      : [],
  async run(w, [n]) {
    const o = w.order(Number(n));
    const now = o?.steps.find((s) => !s.done);
    const staff = bad(w);
    if (!o || !now || !staff) return false;
    await openAsStaff(w, staff, o);
    const done = await staffStep(w, staff, o, now);
    if (done) noteChecked(w, o);
    if (done) w.log(`${BAD_SERVICE} marks the step '${now.key}' of ${orderLabel(w, o.id)} done, which was not.`);
    return done;
  },
};

const badOrder: Action = {
  name: 'badOrder',
  weight: 3,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'service'
      ? ordersWhere(w, (o) => o.status === OrderStatus.Paid || o.status === OrderStatus.Shipped).flatMap(([n]) => [
          [n ?? 0, 'ship'],
          [n ?? 0, 'staffClose'],
        ])
      : [],
  async run(w, [n, action]) {
    const o = w.order(Number(n));
    const staff = bad(w);
    if (!o || !staff) return false;
    const done = await w.call(staff.client, bo.staffOrderStep, {
      orderId: o.id,
      act: action as 'ship',
      reason: TEXT,
      pictures: await w.staffProof(staff),
    });
    if (done && !done.waits)
      w.log(
        `${BAD_SERVICE} ${action === 'ship' ? 'ships' : 'closes, with all money back,'} ${orderLabel(w, o.id)} alone.`,
      );
    return done?.waits === false;
  },
};

const badRuling: Action = {
  name: 'badRuling',
  weight: 5,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'service'
      ? disputesWhere(w, (d) => RUNNING.includes(d.status) || d.status === 'appealed').flatMap(([n]) => [
          [n ?? 0, 'all'],
          [n ?? 0, 'none'],
        ])
      : [],
  async run(w, [n, back]) {
    const d = w.dispute(Number(n));
    const o = d && orderOf(w, d.orderId);
    const staff = bad(w);
    if (!d || !o || !staff) return false;
    await w.call(staff.client, bd.staffDisputeFirstResponse, { disputeSn: d.sn });
    const refund = back === 'all' ? (o.goodsFen / 100).toFixed(2) : '0';
    const done = await w.call(staff.client, bd.staffDisputeRule, {
      disputeSn: d.sn,
      refund,
      rules: RULES,
      reason: TEXT,
    });
    if (done?.waits === true) return drafted(w);
    if (done)
      w.log(
        `${BAD_SERVICE} rules alone on ${orderLabel(w, o.id)}: ${back === 'all' ? 'all money back to the buyer' : 'nothing back'}.`,
      );
    return done?.waits === false;
  },
};

const badClaim: Action = {
  name: 'badClaim',
  weight: 4,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'none'
      ? []
      : w.state.claims.flatMap((k, n) =>
          ['checking', 'chasing', 'escalated'].includes(k.status)
            ? [
                [n, 'pay'],
                [n, 'refuse'],
                [n, 'recovered'],
              ]
            : [],
        ),
  async run(w, [n, action]) {
    const k = w.claim(Number(n));
    const staff = bad(w);
    if (!k || !staff) return false;
    const done = await w.call(staff.client, bc.staffClaimAction, {
      claimSn: k.sn,
      act: action as 'pay' | 'refuse' | 'recovered',
      text: TEXT,
      ...(action === 'refuse' && { ruleNo: '5.1' }),
      ...(action === 'pay' && { sparesSeller: true }),
    });
    if (done?.waits === true) return drafted(w);
    if (done)
      w.log(
        `A dishonest member of staff ${action === 'pay' ? 'pays' : action === 'refuse' ? 'refuses' : 'closes as recovered'} the claim on ${orderLabel(w, k.orderId)} alone.`,
      );
    return done?.waits === false;
  },
};

const badRelease: Action = {
  name: 'badRelease',
  weight: 3,
  theme: 'staff',
  options: (w) =>
    w.setting.bad === 'finance'
      ? w.state.holds.map((h, n) => (h.orderId === null ? [-1] : [n])).filter(([n]) => n !== -1)
      : [],
  async run(w, [n]) {
    const hold = w.state.holds[Number(n)];
    const staff = bad(w);
    if (!hold || !staff) return false;
    const done = await w.call(staff.client, releaseHoldEarly, { holdId: hold.id, reason: TEXT });
    if (done?.released === true) w.log(`A dishonest member of finance ends the protection of a sale early.`);
    return done?.released === true;
  },
};

export const staffActions: readonly Action[] = [badOpen, badSteps, badOrder, badRuling, badClaim, badRelease];
