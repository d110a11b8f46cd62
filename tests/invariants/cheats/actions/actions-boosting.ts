/** Actions of the coalition with open orders of boosting: post, claim, report what was done or not, answer, add, pause, cancel, give up, report a ban. */
import * as c from '#subjects/services/contract/boosting.ts';
import { confirmRecGoods, sealSecret } from '#subjects/orders/contract/order.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { type CancelReason } from '#subjects/services/rules/service.ts';
import * as s from '#subjects/services/contract/services.ts';
import { yuanText } from '#contract/wire.ts';
import { BOOST_GAME } from '#tests/support/services/boosting.ts';
import type { Action } from './actions-trade.ts';
import { mine } from './actions-trade.ts';
import { yuan } from '../format.ts';
import { names, type Who } from '../worlds/model.ts';
import type { Order } from '../worlds/snapshot.ts';
import type { Job, Milestone } from '../worlds/snapshot-services.ts';
import type { World } from '../worlds/world.ts';

const PRICES = [20_000, 290_000] as const;
const MODES = ['account', 'together', 'online'] as const;
export const REASON = '情况有变，说明写在这里';
export const label = (w: World, o: Order): string => `order ${w.numberOf(o)}`;

/** An order of boosting with its service. */
export interface Boost {
  o: Order;
  job: Job;
}
export function boost(w: World, n: number): Boost | undefined {
  const o = w.state.orders[n];
  const job = o && w.services.jobs.find((j) => j.orderId === o.id);
  return o && job ? { o, job } : undefined;
}
/** The numbers of the boosting orders that satisfy a condition. */
export const boostsWhere = (w: World, matches: (b: Boost) => boolean): number[][] =>
  w.setting.service === 'boosting'
    ? w.state.orders.flatMap((_, n) => {
        const b = boost(w, n);
        return b && matches(b) ? [[n]] : [];
      })
    : [];
/** Whether its parties can act on it. */
export const isRunning = ({ o, job }: Boost): boolean =>
  o.status === OrderStatus.Paid && !o.disputed && ['waiting', 'working', 'paused'].includes(job.state);
export const runningStage = ({ job }: Boost): Milestone | undefined =>
  job.milestones.find((m) => m.state !== 'accepted');

/** How much of a stage was truly done, in percent. */
export const doneOf = (w: World, orderId: number, seq: number): number => w.work.get(orderId)?.get(seq) ?? 0;
function work(w: World, orderId: number, seq: number, percent: number): void {
  const stages = w.work.get(orderId) ?? new Map<number, number>();
  stages.set(seq, Math.max(percent, stages.get(seq) ?? 0));
  w.work.set(orderId, stages);
}
/** The value of the truly completed work of an order, in fen. */
export const workFen = (w: World, { o, job }: Boost): number =>
  job.milestones.reduce((sum, m) => sum + Math.floor((m.shareFen * doneOf(w, o.id, m.seq)) / 100), 0);

/** Posts an open order: its money is in escrow. */
export async function post(w: World, who: Who, fen: number, mode: string): Promise<boolean> {
  const deposits = fen > 100_000 ? fen : 4000;
  const posted = await w.call(w.client(who), c.boostPost, {
    gameId: BOOST_GAME,
    scopeKind: 'rank',
    fromRank: '钻石一',
    toRank: '最强王者',
    num: 1,
    area: '微信一区',
    mode,
    // Long enough for two stages without a response.
    hours: 48,
    milestones: [
      { title: '星耀三', sharePercent: 30 },
      { title: '最强王者', sharePercent: 30 },
      { title: '王者十星', sharePercent: 40 },
    ],
    price: yuanText(fen),
    safetyDeposit: yuanText(deposits),
    efficiencyDeposit: yuanText(deposits),
    openHours: 24,
  } as never);
  if (posted)
    w.log(
      `${names[who]} posts an open order of boosting for ${yuan(fen)}${mode === 'account' ? '' : `, to be played '${mode}'`}.`,
    );
  return posted !== undefined;
}

const posting: Action = {
  name: 'boostPost',
  weight: 3,
  theme: 'boosting',
  options: (w) =>
    w.setting.service !== 'boosting' || w.services.posts.length > 2 || w.services.posts.some((r) => r.status === 'open')
      ? []
      : w.setting.cast
          .filter((who) => who === 'a' || who === 'hb')
          .flatMap((who) => PRICES.flatMap((fen) => MODES.map((mode) => [who, fen, mode]))),
  run: (w, [who, fen, mode]) => post(w, who as Who, Number(fen), String(mode)),
};

const retract: Action = {
  name: 'boostWithdraw',
  weight: 1,
  theme: 'boosting',
  options: (w) => w.services.posts.flatMap((r, n) => (r.status === 'open' && mine(w.whoIs(r.buyerId)) ? [[n]] : [])),
  async run(w, [n]) {
    const r = w.services.posts[Number(n)];
    const done = r && (await w.call(w.client(w.whoIs(r.buyerId)), c.boostWithdraw, { requestSn: r.sn }));
    if (done) w.log(`An open order of boosting is taken back.`);
    return done !== undefined;
  },
};

/** Claims an open order. */
export async function claimPost(w: World, n: number, who: Who): Promise<boolean> {
  const r = w.services.posts[n];
  const done = r && (await w.call(w.client(who), c.boostTake, { requestSn: r.sn }));
  if (!r || !done) return false;
  if (w.services.releases.some(({ userId, role }) => userId === w.idOf(who) && role === 'booster'))
    w.breakRule('a booster took an order on a deposit that is being released');
  await w.assign(done.orderId);
  w.log(`${names[who]} claims the open order of ${names[w.whoIs(r.buyerId)]} (order ${w.state.orders.length + 1}).`);
  return true;
}

const claiming: Action = {
  name: 'boostClaim',
  weight: 10,
  theme: 'boosting',
  options: (w) =>
    w.setting.cast.includes('b') ? w.services.posts.flatMap((r, n) => (r.status === 'open' ? [[n]] : [])) : [],
  run: (w, [n]) => claimPost(w, Number(n), 'b'),
};

/** Whether this order is played together, so that both confirm presence. */
export const isTogether = ({ job }: Boost): boolean => job.mode !== 'account' && !job.parent;

/** Whether the booster can work: the account was handed over, or the buyer came to play. */
export const canWork = (w: World, { o, job }: Boost): boolean =>
  job.parent || (job.mode === 'account' ? job.sealed : w.came.has(o.id));

/** Whether the buyer still has to do something before the booster can work. */
export const lacksBuyer = (w: World, b: Boost): boolean => !b.job.parent && !canWork(w, b);

/** The buyer hands the account over. */
export async function handOver(w: World, { o }: Boost): Promise<boolean> {
  const step = o.steps.find((x) => x.secret);
  const who = w.buyer(o);
  const done =
    step && (await w.call(w.client(who), sealSecret, { orderId: o.id, step: step.step, fields: { account: 'hero' } }));
  if (done) w.log(`${names[who]} seals the account for ${label(w, o)}.`);
  return done !== undefined;
}

const sealing: Action = {
  name: 'boostSeal',
  weight: 8,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(
      w,
      (b) => isRunning(b) && b.job.mode === 'account' && !b.job.sealed && !b.job.parent && mine(w.buyer(b.o)),
    ),
  async run(w, [n]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await handOver(w, b));
  },
};

/** The booster reports the running stage; `truly`: it was done. */
export async function report(w: World, b: Boost, percent: number, truly: boolean, isNew = true): Promise<boolean> {
  const stage = runningStage(b);
  const who = w.seller(b.o);
  if (!stage) return false;
  const done = await w.call(w.client(who), s.serviceProgress, {
    orderId: b.o.id,
    seq: stage.seq,
    percent,
    pictures: (await w.proof(who, isNew)) as never,
  });
  if (!done) return false;
  if (truly) work(w, b.o.id, stage.seq, percent);
  w.log(
    `${names[who]} reports ${percent} % of stage ${stage.seq} of ${label(w, b.o)}${truly ? '' : ', which was not done'}.`,
  );
  return true;
}

const reporting: Action = {
  name: 'boostReport',
  weight: 9,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(
      w,
      (b) => isRunning(b) && b.job.state === 'working' && mine(w.seller(b.o)) && runningStage(b)?.state !== 'submitted',
    ).flatMap(([n]) => {
      const b = boost(w, n ?? 0);
      return [
        [n ?? 0, 50, 0],
        [n ?? 0, 100, 0],
        ...(b && canWork(w, b) ? [[n ?? 0, 100, 1]] : []),
        [n ?? 0, 100, 0, 'old'],
      ];
    }),
  async run(w, [n, percent, truly, picture]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await report(w, b, Number(percent), truly === 1, picture !== 'old'));
  },
};

/** Confirms a submitted stage, or sends it back; `who` need not be the buyer. */
export async function answerStage(w: World, b: Boost, who: Who, confirm: boolean): Promise<boolean> {
  const stage = runningStage(b);
  if (stage?.state !== 'submitted') return false;
  const done = await w.call(w.client(who), s.answerMilestone, {
    orderId: b.o.id,
    seq: stage.seq,
    act: confirm ? 'confirm' : 'refuse',
    ...(!confirm && { reason: '截图与约定不符' }),
  });
  if (done) w.log(`${names[who]} ${confirm ? 'confirms' : 'sends back'} stage ${stage.seq} of ${label(w, b.o)}.`);
  return done !== undefined;
}

const confirming: Action = {
  name: 'boostAnswer',
  weight: 12,
  theme: 'boosting',
  // The booster tries it on his own stages as well.
  options: (w) =>
    boostsWhere(w, (b) => isRunning(b) && runningStage(b)?.state === 'submitted').flatMap(([n]) => [
      ...(mine(w.buyer(w.state.orders[n ?? 0] as Order))
        ? [
            [n ?? 0, 'buyer', 1],
            [n ?? 0, 'buyer', 0],
          ]
        : []),
      ...(mine(w.seller(w.state.orders[n ?? 0] as Order)) ? [[n ?? 0, 'seller', 1]] : []),
    ]),
  async run(w, [n, role, confirm]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await answerStage(w, b, role === 'buyer' ? w.buyer(b.o) : w.seller(b.o), confirm === 1));
  },
};

/** Pays a stage whose money waits since silence confirmed it; the booster tries it as well. */
export async function payKept(w: World, { o, job }: Boost, who: Who): Promise<boolean> {
  const accepted = job.milestones.find((m) => m.state === 'accepted' && !m.paid);
  if (!accepted) return false;
  const done = await w.call(w.client(who), s.answerMilestone, { orderId: o.id, seq: accepted.seq, act: 'confirm' });
  if (done) w.log(`${names[who]} pays stage ${accepted.seq} of ${label(w, o)}, whose money waited.`);
  return done !== undefined;
}

const payingKept: Action = {
  name: 'boostPayKept',
  weight: 6,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(w, (b) => isRunning(b) && b.job.milestones.some((m) => m.state === 'accepted' && !m.paid)).flatMap(
      ([n]) => ownSides(w, w.state.orders[n ?? 0] as Order).map((role) => [n ?? 0, role]),
    ),
  async run(w, [n, role]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await payKept(w, b, role === 'buyer' ? w.buyer(b.o) : w.seller(b.o)));
  },
};

/** Receives an order whose last stage was delivered. */
export async function receive(w: World, { o }: Boost): Promise<boolean> {
  const done = await w.call(w.client(w.buyer(o)), confirmRecGoods, { orderId: o.id });
  if (done) w.log(`${names[w.buyer(o)]} confirms ${label(w, o)}.`);
  return done !== undefined;
}

const receiving: Action = {
  name: 'boostConfirm',
  weight: 3,
  theme: 'boosting',
  options: (w) => boostsWhere(w, ({ o }) => o.status === OrderStatus.Shipped && mine(w.buyer(o))),
  async run(w, [n]) {
    const b = boost(w, Number(n));
    return b !== undefined && (await receive(w, b));
  },
};

const acting: Action = {
  name: 'boostAct',
  weight: 6,
  theme: 'boosting',
  options: (w) =>
    boostsWhere(w, isRunning).flatMap(([n]) => {
      const b = boost(w, n ?? 0);
      if (!b) return [];
      const act = b.job.state === 'paused' ? 'resume' : 'pause';
      const isBegun = b.job.state !== 'waiting';
      return [
        ...(mine(w.buyer(b.o)) && isBegun ? [[n ?? 0, 'buyer', act]] : []),
        ...(mine(w.seller(b.o)) ? [...(isBegun ? [[n ?? 0, 'seller', act]] : []), [n ?? 0, 'seller', 'giveUp']] : []),
      ];
    }),
  async run(w, [n, role, act]) {
    const o = w.state.orders[Number(n)];
    if (!o) return false;
    const who = role === 'buyer' ? w.buyer(o) : w.seller(o);
    const done = await w.call(w.client(who), s.serviceAct, { orderId: o.id, act: act as 'pause', reason: REASON });
    if (done) w.log(`${names[who]} does '${act}' on ${label(w, o)}.`);
    return done !== undefined;
  },
};

/** Requests a cancellation, or answers a request. */
export async function cancelBoost(
  w: World,
  o: Order,
  who: Who,
  act: 'ask' | 'agree' | 'decline' | 'withdraw',
  reason: CancelReason = 'plan',
): Promise<boolean> {
  const done = await w.call(w.client(who), s.serviceCancel, { orderId: o.id, act, ...(act === 'ask' && { reason }) });
  if (done) w.log(`${names[who]} does '${act}' on a cancel of ${label(w, o)}${act === 'ask' ? ` ('${reason}')` : ''}.`);
  return done !== undefined;
}

/** The sides of the coalition in an order. */
export const ownSides = (w: World, o: Order): ('buyer' | 'seller')[] => [
  ...(mine(w.buyer(o)) ? ['buyer' as const] : []),
  ...(mine(w.seller(o)) ? ['seller' as const] : []),
];

const cancelling: Action = {
  name: 'boostCancel',
  weight: 4,
  theme: 'boosting',
  also: ['cancel'],
  options: (w) =>
    boostsWhere(w, isRunning).flatMap(([n]) => {
      const b = boost(w, n ?? 0);
      if (!b) return [];
      const acts =
        b.job.cancel === null ? ['ask:plan', ...(b.job.late ? ['ask:late'] : [])] : ['agree', 'decline', 'withdraw'];
      return ownSides(w, b.o).flatMap((role) => acts.map((act) => [n ?? 0, role, act]));
    }),
  async run(w, [n, role, what]) {
    const o = w.state.orders[Number(n)];
    if (!o) return false;
    const [act, reason] = String(what).split(':');
    return await cancelBoost(w, o, role === 'buyer' ? w.buyer(o) : w.seller(o), act as 'ask', reason as CancelReason);
  },
};

export const boostingActions: readonly Action[] = [
  posting,
  retract,
  claiming,
  sealing,
  reporting,
  confirming,
  payingKept,
  receiving,
  acting,
  cancelling,
];
export const isBoost = (o: Order): boolean => o.typeId === BOOSTING;

/** One of those who play together comes to the agreed game and confirms it. */
export async function come(w: World, { o }: Boost, who: Who): Promise<boolean> {
  const done = await w.call(w.client(who), s.serviceAct, { orderId: o.id, act: 'start' });
  if (!done) return false;
  if (who === w.buyer(o)) w.came.add(o.id);
  w.log(`${names[who]} comes to play (${label(w, o)}).`);
  return true;
}
