/** Actions of the coalition with recycling: they ask for bids with true or false numbers, bid, accept, answer a cut, say that they took over. */
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { yuanText } from '#contract/wire.ts';
import type { Action } from './actions-trade.ts';
import { openAsStaff } from '../worlds/credentials.ts';
import { doStep, mine, rogues, submitCredential } from './actions-trade.ts';
import { yuan } from '../format.ts';
import { canChange, isHonest, names, SAID_SKINS, TRUE_SKINS, type Who } from '../worlds/model.ts';
import { BOUND_GAME } from '../worlds/market.ts';
import { asWritten, canWrite, type Writing, written } from '../worlds/names.ts';
import type { RecycleRequest } from '../worlds/snapshot-services.ts';
import type { World } from '../worlds/world.ts';

const RUNNING = ['bidding', 'quoted', 'accepted', 'reconfirm'];
const BIDS = [1000, 30_000, 70_000] as const;
/** How the name of an account is written that is recycled a second time. */
const SPELLINGS = ['invisible', 'mail', 'confusable', 'false name'] as const satisfies readonly Writing[];

export const request = (w: World, n: number): RecycleRequest | undefined => w.services.requests[n];
const requestsWhere = (w: World, matches: (r: RecycleRequest) => boolean): number[][] =>
  w.services.requests.flatMap((r, n) => (matches(r) ? [[n]] : []));
const label = (w: World, r: RecycleRequest): string =>
  `request ${w.services.requests.findIndex((x) => x.id === r.id) + 1}`;
const isMine = (w: World, r: RecycleRequest): boolean => mine(w.whoIs(r.userId));

/** Asks recyclers for bids on an account, with so many skins. */
export async function askRecyclers(
  w: World,
  n: number,
  who: Who,
  skins: number,
  writing: Writing = 'plain',
): Promise<boolean> {
  const goods = w.goods[n];
  if (!goods) return false;
  const details = { skins, clean: true } as never;
  const accountNo = written(goods.account.name, writing);
  const made = await w.call(w.client(who), c.recycleApply, { gameId: BOUND_GAME, details, accountNo });
  if (!made) return false;
  w.says.set(made.requestSn, skins);
  w.recycles.set(made.requestSn, { ...goods, writing });
  w.log(
    `${names[who]} asks recyclers for bids on account ${n}${asWritten(writing)} and says that it has ${skins} skins (it has ${goods.account.skins}).`,
  );
  return true;
}

const asking: Action = {
  name: 'recycleAsk',
  weight: 8,
  theme: 'recycling',
  options: (w) =>
    w.setting.service !== 'recycling' || w.services.requests.length > 3
      ? []
      : w.goods.flatMap((g, n) => {
          const isAsked = w.services.requests.some(
            (r) => RUNNING.includes(r.status) && w.recycles.get(r.sn)?.account === g.account,
          );
          const writings = SPELLINGS.filter((writing) => canWrite(g.account.name, writing));
          return rogues(w)
            .filter((who) => g.owner === who && canChange(g.account, who))
            .flatMap((who) => [
              ...(isAsked
                ? []
                : [
                    [n, who, TRUE_SKINS, 'plain'],
                    [n, who, SAID_SKINS, 'plain'],
                  ]),
              ...writings.map((writing) => [n, who, TRUE_SKINS, writing]),
            ]);
        }),
  run: (w, [n, who, skins, writing]) => askRecyclers(w, Number(n), who as Who, Number(skins), writing as Writing),
};

/** Bids on a request, with the money in escrow. */
export async function bid(w: World, r: RecycleRequest, who: Who, fen: number): Promise<boolean> {
  const done = await w.call(w.client(who), c.recycleBid, { requestSn: r.sn, price: yuanText(fen) });
  if (done) w.log(`${names[who]} bids ${yuan(fen)} on ${label(w, r)}.`);
  return done !== undefined;
}

const bidding: Action = {
  name: 'recycleBid',
  weight: 5,
  theme: 'recycling',
  options: (w) =>
    requestsWhere(w, (r) => r.status === 'bidding').flatMap(([n]) =>
      rogues(w)
        .filter((who) => (who === 'a' || who === 'c') && !request(w, n ?? 0)?.bidders.includes(w.idOf(who)))
        .flatMap((who) => BIDS.map((fen) => [n ?? 0, who, fen])),
    ),
  async run(w, [n, who, fen]) {
    const r = request(w, Number(n));
    return r !== undefined && (await bid(w, r, who as Who, Number(fen)));
  },
};

/** Sells at the best bid, or at the platform's floor. */
export async function sell(w: World, r: RecycleRequest, floor: boolean): Promise<boolean> {
  const fen = floor ? r.floorFen : r.bestFen;
  if (fen === null) return false;
  const who = w.whoIs(r.userId);
  const done = await w.call(w.client(who), c.recycleAccept, {
    requestSn: r.sn,
    price: yuanText(fen),
    ...(floor && { floor: true }),
  });
  if (!done) return false;
  const goods = w.recycles.get(r.sn);
  if (goods) w.deals.set(done.orderId, goods);
  await w.assign(done.orderId);
  w.log(
    `${names[who]} sells at ${floor ? "the platform's floor" : 'the best bid'}, ${yuan(fen)} (${label(w, r)}, order ${w.state.orders.length + 1}).`,
  );
  return true;
}

const selling: Action = {
  name: 'recycleSell',
  weight: 8,
  theme: 'recycling',
  options: (w) => [
    ...requestsWhere(w, (r) => isMine(w, r) && r.status === 'quoted').map(([n]) => [n ?? 0, 0]),
    ...requestsWhere(w, (r) => isMine(w, r) && r.status === 'bidding' && r.floorFen !== null).map(([n]) => [n ?? 0, 1]),
  ],
  async run(w, [n, floor]) {
    const r = request(w, Number(n));
    return r !== undefined && (await sell(w, r, floor === 1));
  },
};

/** Whether the sealed form was handed over, so that staff may read. */
const isHandedOver = (w: World, r: RecycleRequest): boolean =>
  w.state.orders.find((o) => o.id === r.orderId)?.steps[0]?.done === true;

/** The seller seals the true log-in and reports it, in one action. */
const handing: Action = {
  name: 'recycleHandOver',
  weight: 8,
  theme: 'recycling',
  options: (w) => requestsWhere(w, (r) => isMine(w, r) && r.status === 'accepted' && !isHandedOver(w, r)),
  async run(w, [n]) {
    const r = request(w, Number(n));
    const o = r && w.state.orders.find((x) => x.id === r.orderId);
    return o !== undefined && (await submitCredential(w, o, 'true')) && (await doStep(w, o, w.seller(o), true));
  },
};

const withdrawing: Action = {
  name: 'recycleWithdraw',
  weight: 1,
  theme: 'recycling',
  options: (w) => requestsWhere(w, (r) => isMine(w, r) && RUNNING.includes(r.status)),
  async run(w, [n]) {
    const r = request(w, Number(n));
    const done = r && (await w.call(w.client(w.whoIs(r.userId)), c.recycleWithdraw, { requestSn: r.sn }));
    if (r && done) w.log(`${names[w.whoIs(r.userId)]} takes ${label(w, r)} back.`);
    return done !== undefined;
  },
};

/** Answers a lower price. */
export async function answerCut(w: World, r: RecycleRequest, agree: boolean): Promise<boolean> {
  const who = w.whoIs(r.userId);
  const done = await w.call(w.client(who), c.recycleAnswer, { requestSn: r.sn, agree });
  if (done) w.log(`${names[who]} ${agree ? 'takes the lower price' : 'keeps the account'} (${label(w, r)}).`);
  return done !== undefined;
}

const answering: Action = {
  name: 'recycleAnswer',
  weight: 6,
  theme: 'recycling',
  options: (w) =>
    requestsWhere(w, (r) => isMine(w, r) && r.status === 'reconfirm').flatMap(([n]) => [
      [n ?? 0, 1],
      [n ?? 0, 0],
    ]),
  async run(w, [n, agree]) {
    const r = request(w, Number(n));
    return r !== undefined && (await answerCut(w, r, agree === 1));
  },
};

/** Says that the account was taken over. */
export async function takeOver(w: World, r: RecycleRequest, who: Who): Promise<boolean> {
  const done = await w.call(w.client(who), c.recycleTaken, { requestSn: r.sn });
  if (done) w.log(`${names[who]} says that the account of ${label(w, r)} was taken over.`);
  return done !== undefined;
}

const taking: Action = {
  name: 'recycleTaken',
  weight: 3,
  theme: 'recycling',
  options: (w) =>
    requestsWhere(
      w,
      (r) =>
        r.held && r.bestUser !== null && !r.isPlatform && mine(w.whoIs(r.bestUser)) && !isHonest(w.whoIs(r.bestUser)),
    ),
  async run(w, [n]) {
    const r = request(w, Number(n));
    const who = r?.bestUser;
    return r !== undefined && typeof who === 'number' && (await takeOver(w, r, w.whoIs(who)));
  },
};

/** The dishonest member of staff reads what the coalition says, or says that there is less of an honest seller's. */
const badReading: Action = {
  name: 'badRecycleRead',
  weight: 6,
  theme: 'recycling',
  also: ['staff'],
  options: (w) =>
    w.setting.bad === 'service'
      ? requestsWhere(w, (r) => r.status === 'accepted' && isHandedOver(w, r)).flatMap(([n]) => [
          [n ?? 0, SAID_SKINS],
          [n ?? 0, TRUE_SKINS],
          [n ?? 0, 1],
        ])
      : [],
  async run(w, [n, skins]) {
    const r = request(w, Number(n));
    const staff = w.market.staff.badService;
    const o = w.state.orders.find((x) => x.id === r?.orderId);
    if (!r || !o) return false;
    await openAsStaff(w, staff, o);
    const done = await w.call(staff.client, c.staffRecycleInspect, {
      requestSn: r.sn,
      details: { skins, clean: true } as never,
      pictures: (await w.staffProof(staff)) as never,
    });
    if (done?.waits === false) w.log(`A dishonest member of staff reads ${skins} skins (${label(w, r)}).`);
    return done?.waits === false;
  },
};

/** He says that the platform has taken an account over. */
const badTaken: Action = {
  name: 'badRecycleTaken',
  weight: 4,
  theme: 'recycling',
  also: ['staff'],
  options: (w) => (w.setting.bad === 'service' ? requestsWhere(w, (r) => r.held && r.isPlatform) : []),
  async run(w, [n]) {
    const r = request(w, Number(n));
    const staff = w.market.staff.badService;
    const o = w.state.orders.find((x) => x.id === r?.orderId);
    if (!r || !o) return false;
    await openAsStaff(w, staff, o);
    const done = await w.call(staff.client, c.staffRecycleTaken, { requestSn: r.sn });
    const isFree =
      done?.waits === false && (await w.market.watch.services(w.ids)).requests.some((x) => x.id === r.id && !x.held);
    if (isFree) w.log(`A dishonest member of staff says that the platform took the account of ${label(w, r)} over.`);
    return isFree;
  },
};

export const recyclingActions: readonly Action[] = [
  asking,
  bidding,
  selling,
  handing,
  withdrawing,
  answering,
  taking,
  badReading,
  badTaken,
];
