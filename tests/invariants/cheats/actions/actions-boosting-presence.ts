/** Actions of attendance in boosting orders, and of opening the account that was handed over. */
import { revealSecret } from '#subjects/orders/contract/order.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import {
  answerStage,
  boost,
  boostsWhere,
  canWork,
  come,
  isRunning,
  isTogether,
  label,
  report,
  runningStage,
} from './actions-boosting.ts';
import { type Action, mine, OPEN } from './actions-trade.ts';
import { react } from '../honest/honest.ts';
import { names } from '../worlds/model.ts';

const coming: Action = {
  name: 'boostCome',
  weight: 6,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(w, (b) => isTogether(b) && isRunning(b) && b.job.state === 'working').flatMap(([n = 0]) => {
      const b = boost(w, n);
      if (!b) return [];
      return [
        ...(!b.job.buyerCame && mine(w.buyer(b.o)) ? [[n, 'buyer']] : []),
        ...(!b.job.sellerCame && mine(w.seller(b.o)) ? [[n, 'seller']] : []),
      ];
    }),
  async run(w, [n, role]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await come(w, b, role === 'buyer' ? w.buyer(b.o) : w.seller(b.o)));
  },
};

const MAX_STAGES = 6;

/** All stages are done, reported and confirmed among the coalition: what comes after the delivery is reached in one action. */
const delivering: Action = {
  name: 'boostDeliver',
  weight: 4,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(
      w,
      (b) => isRunning(b) && b.job.state === 'working' && canWork(w, b) && mine(w.buyer(b.o)) && mine(w.seller(b.o)),
    ),
  async run(w, [n]) {
    const first = boost(w, Number(n));
    let isDone =
      first !== undefined && isTogether(first) && !first.job.sellerCame && (await come(w, first, w.seller(first.o)));
    if (isDone) await react(w);
    for (let i = 0; i < 2 * MAX_STAGES; i++) {
      const b = boost(w, Number(n));
      const stage = b && isRunning(b) ? runningStage(b) : undefined;
      if (!b || !stage) return isDone;
      const isSubmitted = stage.state === 'submitted';
      if (!(await (isSubmitted ? answerStage(w, b, w.buyer(b.o), true) : report(w, b, 100, true)))) return isDone;
      isDone = true;
      await react(w);
    }
    return isDone;
  },
};

/** The booster opens the account that was handed over, also after everything was delivered. */
const opening: Action = {
  name: 'boostOpen',
  weight: 3,
  theme: 'boosting',
  options: (w) => boostsWhere(w, ({ o, job }) => job.sealed && OPEN.includes(o.status) && mine(w.seller(o))),
  async run(w, [n]) {
    const b = boost(w, Number(n));
    const step = b?.o.steps.find((x) => x.secret);
    if (!b || !step) return false;
    const form = await w.call(w.client(w.seller(b.o)), revealSecret, { orderId: b.o.id, step: step.step });
    if (!form) return false;
    if (b.o.status === OrderStatus.Shipped) w.breakRule('a booster opened the account after the final delivery');
    w.log(`${names[w.seller(b.o)]} opens the account of ${label(w, b.o)}.`);
    return true;
  },
};

export const presenceActions: readonly Action[] = [coming, delivering, opening];
