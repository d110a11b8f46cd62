/** Attempts to use proofs and deposits that no longer count: a wrong password after an earlier proof, a deposit on its way back. */
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { type Action, isFair, onSale, rogues } from './actions-trade.ts';
import { names, type Who } from '../worlds/model.ts';
import type { World } from '../worlds/world.ts';

const WRONG_PASSWORD = '000000';

const roleOf = (w: World): 'booster' | 'seller' => (w.setting.service === 'boosting' ? 'booster' : 'seller');

/** Accomplice B asks for the deposit back, or takes that request back. */
const releasing: Action = {
  name: 'depositRelease',
  weight: 1,
  theme: 'settle',
  also: ['boosting', 'claims', 'debts'],
  options: (w) =>
    rogues(w).includes('b') && (w.setting.deposit || w.setting.service === 'boosting')
      ? [
          ['b', 'ask'],
          ['b', 'cancel'],
        ]
      : [],
  async run(w, [who, act]) {
    const done = await w.call(w.client(who as Who), depositRelease, { role: roleOf(w), act: act as 'ask' });
    if (done)
      w.log(`${names[who as Who]} ${act === 'ask' ? 'asks for the deposit back' : 'keeps the deposit after all'}.`);
    return done !== undefined;
  },
};

/** Somebody pays in the session of a person who has just proved to be the owner, and types any password. */
const wrongPassword: Action = {
  name: 'wrongPassword',
  weight: 1,
  theme: 'thief',
  options: (w) =>
    w.setting.cast.includes('hb') && w.state.orders.length === 0
      ? w.goods.flatMap((g, n) => (onSale(w, n) && isFair(w, g) ? [[n]] : []))
      : [],
  async run(w, [n]) {
    const goods = w.goods[Number(n)];
    if (!goods) return false;
    await w.givePayPassword('hb');
    const placed = await w.call(w.client('hb'), placeOrder, { goodsSn: goods.sn });
    if (!placed) return false;
    const paid = await w.call(w.client('hb'), balancePay, { orderId: placed.orderId, payPassword: WRONG_PASSWORD });
    if (!paid) {
      await w.call(w.client('hb'), cancelOrder, { orderId: placed.orderId });
      return false;
    }
    await w.assign(placed.orderId);
    w.log(`In the honest buyer's browser account ${n} is paid with a wrong pay password.`);
    w.breakRule('a wrong pay password was accepted');
    return true;
  },
};

export const proofActions: readonly Action[] = [releasing, wrongPassword];
