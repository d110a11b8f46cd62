/** Actions of the coalition besides the stages of a boosting order: additions, cases and bans, and the deposits through dishonest staff. */
import { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import * as c from '#subjects/services/contract/boosting.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { boost, boostsWhere, isRunning, label, ownSides, REASON } from './actions-boosting.ts';
import { openDispute } from './actions-cases.ts';
import type { Action } from './actions-trade.ts';
import { names, type Who } from '../worlds/model.ts';
import type { Order } from '../worlds/snapshot.ts';
import type { World } from '../worlds/world.ts';

const ADD = '60.00';
/** More money or time: either asks, the other agrees, the buyer pays. */
export async function addition(w: World, o: Order, who: Who, act: string): Promise<boolean> {
  const [name, what] = act.split(':');
  const done = await w.call(w.client(who), c.boostAddition, {
    orderId: o.id,
    act: name as 'ask',
    ...(what === 'money' && { price: ADD }),
    ...(what === 'time' && { minutes: 600 }),
    ...(name === 'ask' && { reason: '再打到十星' }),
  } as never);
  if (done) w.log(`${names[who]} does '${act}' on an addition to ${label(w, o)}.`);
  return done !== undefined;
}

const adding: Action = {
  name: 'boostAddition',
  weight: 2,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(w, (b) => isRunning(b) && b.job.state !== 'waiting' && !b.job.parent).flatMap(([n]) => {
      const b = boost(w, n ?? 0);
      if (!b) return [];
      const acts = b.job.addition === null ? ['ask:money', 'ask:time'] : ['agree', 'decline', 'withdraw', 'pay'];
      return ownSides(w, b.o).flatMap((role) => acts.map((act) => [n ?? 0, role, act]));
    }),
  async run(w, [n, role, act]) {
    const o = w.state.orders[Number(n)];
    return o !== undefined && (await addition(w, o, role === 'buyer' ? w.buyer(o) : w.seller(o), String(act)));
  },
};

/** A case: by the ordinary form, or by reporting a ban that there is not. */
const disputing: Action = {
  name: 'boostDispute',
  weight: 3,
  theme: 'boosting',
  also: ['dispute'],
  options: (w) =>
    boostsWhere(
      w,
      ({ o }) => !o.disputed && (o.status === OrderStatus.Paid || o.status === OrderStatus.Shipped || o.held),
    ).flatMap(([n]) => {
      const b = boost(w, n ?? 0);
      return b
        ? ownSides(w, b.o).flatMap((role) => [
            [n ?? 0, role, 'case'],
            ...(b.job.parent || b.job.state === 'waiting' ? [] : [[n ?? 0, role, 'ban']]),
          ])
        : [];
    }),
  async run(w, [n, role, what]) {
    const o = w.state.orders[Number(n)];
    if (!o) return false;
    const who = role === 'buyer' ? w.buyer(o) : w.seller(o);
    if (what === 'case') return await openDispute(w, o, who, role === 'buyer' ? 'refund' : 'release');
    const done = await w.call(w.client(who), c.boostBan, {
      orderId: o.id,
      punishment: '封号 7 天',
      text: '登录时提示账号被封停',
      pictures: await w.proof(who),
    } as never);
    if (done) w.log(`${names[who]} reports a ban that there is not (${label(w, o)}).`);
    return done !== undefined;
  },
};

/** The dishonest member of staff decides who gets the deposits. */
const badDeposits: Action = {
  name: 'badDeposits',
  weight: 5,
  theme: 'boosting',
  also: ['staff'],
  options: (w) =>
    w.setting.bad === 'service'
      ? boostsWhere(w, ({ o }) => o.disputed).flatMap(([n]) => [
          [n ?? 0, 'buyer'],
          [n ?? 0, 'booster'],
        ])
      : [],
  async run(w, [n, side]) {
    const o = w.state.orders[Number(n)];
    if (!o) return false;
    const to = side as 'buyer';
    const done = await w.call(w.market.staff.badService.client, staffBoostingDeposits, {
      orderSn: o.sn,
      safety: to,
      efficiency: to,
      reason: REASON,
    });
    if (done?.waits === true) w.drafts += 1;
    if (done?.waits === false)
      w.log(`A dishonest member of staff gives both deposits of ${label(w, o)} to the ${side}.`);
    return done?.waits === false;
  },
};

export const boostingCaseActions: readonly Action[] = [adding, disputing, badDeposits];
