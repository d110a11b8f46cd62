/** What people of the coalition do with orders and in the game: buy, pay, hand over truly or falsely, take back, cancel, confirm. */
import { OrderStatus, BOOSTING } from '#contract/rules/order-status.ts';
import * as order from '#contract/order.ts';
import * as pay from '#contract/pay.ts';
import { distributeUserCoupon } from '#contract/coupon.ts';
import { canChange, changePassword, hasAlone, isHonest, learn, names, rebind, sideOf, type Who } from './model.ts';
import { yuan } from './format.ts';
import { COUPON } from './market.ts';
import type { Goods, World } from './world.ts';
import type { Order } from './snapshot.ts';

/** A kind of act. `options` lists where it can be tried now; `run` does it and says whether anything came of it. */
export interface Action {
  name: string;
  weight: number;
  theme: string;
  /** Other themes in which it is tried more often. */
  also?: readonly string[];
  options(w: World): (string | number)[][];
  run(w: World, at: readonly (string | number)[]): Promise<boolean>;
}

/** The people of the coalition who are there. */
export const rogues = (w: World): Who[] => w.setting.cast.filter((who) => !isHonest(who) && !w.leftMarket.has(who));
const COVERS = [0, 11, 2, 3] as const;
export const OPEN = [1, 2];
/** The type of an order by which a recycler has bought. */
export const RECYCLED = 52;

export const mine = (who: Who): boolean => sideOf(who) === 'coalition';
/** The numbers of the orders that a condition holds for; services have acts of their own. */
export const ordersWhere = (w: World, matches: (o: Order, n: number) => boolean): number[][] =>
  w.state.orders.flatMap((o, n) => (o.typeId !== BOOSTING && matches(o, n) ? [[n]] : []));

/** The step whose turn it is, while the order's state lets one happen. */
export function turnOf(o: Order): Order['steps'][number] | undefined {
  if (!OPEN.includes(o.status)) return undefined;
  return o.steps.find((s) => !s.done && (o.status === OrderStatus.Shipped || s.beforeShip));
}

const title = (w: World, n: number): string => {
  const g = w.goods[n];
  return g
    ? `account ${n} (${g.account.loose ? 'bound to nothing' : 'bound to a phone'}, ${yuan(g.fen)})`
    : 'an account';
};
const orderLabel = (w: World, o: Order): string => `order ${w.numberOf(o)}`;

/** Places and pays an order. Of the honest buyer too: what he is led to is the search's choice, what he does then is not. */
export async function buy(w: World, who: Who, n: number, cover: number, coupon: boolean): Promise<boolean> {
  const goods = w.goods[n];
  if (!goods) return false;
  const couponId = coupon ? w.coupons.get(who)?.[0] : undefined;
  const placed = await w.call(w.client(who), order.placeOrder, {
    goodsSn: goods.sn,
    ...(cover === 11 && { fixEnsureId: 11 }),
    ...((cover === 2 || cover === 3) && { ensureId: cover }),
    ...(couponId !== undefined && { couponId }),
  });
  if (!placed) return false;
  if (couponId !== undefined) w.coupons.set(who, (w.coupons.get(who) ?? []).slice(1));
  const paid = await w.call(w.client(who), pay.balancePay, { orderId: placed.orderId }, `pay-${placed.orderId}`);
  if (!paid) {
    await w.call(w.client(who), order.cancelOrder, { orderId: placed.orderId });
    return false;
  }
  w.paid.add(placed.orderId);
  await w.assign(placed.orderId);
  const extras = `${cover === 0 ? '' : `, with cover ${cover}`}${couponId === undefined ? '' : ', with a coupon'}`;
  w.log(
    `${names[who]} buys ${title(w, n)} of ${names[goods.owner]} and pays${extras} (order ${w.state.orders.length + 1}).`,
  );
  return true;
}

export const onSale = (w: World, n: number): boolean =>
  w.state.goods.some((g) => g.id === w.goods[n]?.id && g.status === OrderStatus.Shipped);

const placing: Action = {
  name: 'buy',
  weight: 8,
  theme: 'trade',
  also: ['debts', 'reading'],
  options: (w) =>
    w.goods.flatMap((g, n) =>
      onSale(w, n)
        ? rogues(w)
            .filter((who) => who !== g.owner && who !== 'i')
            .flatMap((who) =>
              COVERS.flatMap((cover) => [
                [who, n, cover, 0],
                ...((w.coupons.get(who)?.length ?? 0) > 0 ? [[who, n, cover, 1]] : []),
              ]),
            )
        : [],
    ),
  run: (w, [who, n, cover, coupon]) => buy(w, who as Who, Number(n), Number(cover), coupon === 1),
};

/** Whether the honest buyer would have an account for its price: not dearer than it is worth, and none that he has bought before. */
export const isFair = (w: World, g: Goods): boolean =>
  g.fen <= g.account.worthFen &&
  !w.state.orders.some(
    (o) => w.buyer(o) === 'hb' && o.status === OrderStatus.Completed && w.goodsOf(o)?.account === g.account,
  );

const honestBuys: Action = {
  name: 'honestBuys',
  weight: 6,
  theme: 'honest',
  also: ['debts', 'reading'],
  options: (w) =>
    !w.setting.cast.includes('hb') || w.state.orders.some((o) => w.buyer(o) === 'hb' && OPEN.includes(o.status))
      ? []
      : w.goods.flatMap((g, n) => (onSale(w, n) && isFair(w, g) ? [[n]] : [])),
  // Who buys what its first owner can take back buys the cover against that.
  run: (w, [n]) => buy(w, 'hb', Number(n), w.goods[Number(n)]?.account.recoverable === true ? 11 : 0, false),
};

const coupon: Action = {
  name: 'coupon',
  weight: 1,
  theme: 'coupon',
  options: (w) =>
    rogues(w)
      .filter((who) => who !== 'b' && who !== 'i')
      .flatMap((who) => ((w.coupons.get(who)?.length ?? 0) === 0 ? [[who]] : [])),
  async run(w, [who]) {
    const got = await w.call(w.client(who as Who), distributeUserCoupon, { act: 'receive', code: COUPON });
    const id = got?.coupon?.couponId;
    if (id === undefined) return false;
    w.coupons.set(who as Who, [...(w.coupons.get(who as Who) ?? []), id]);
    w.log(`${names[who as Who]} takes a coupon.`);
    return true;
  },
};

const cancel: Action = {
  name: 'cancel',
  weight: 4,
  theme: 'cancel',
  options: (w) => [
    ...ordersWhere(w, (o) => o.status === OrderStatus.Paid && mine(w.buyer(o))).map(([n]) => [n ?? 0, 'buyer']),
    ...ordersWhere(w, (o) => OPEN.includes(o.status) && mine(w.seller(o))).map(([n]) => [n ?? 0, 'seller']),
  ],
  async run(w, [n, party]) {
    const o = w.order(Number(n));
    if (!o) return false;
    const who = party === 'buyer' ? w.buyer(o) : w.seller(o);
    const done = await w.call(w.client(who), order.cancelOrder, { orderId: o.id });
    if (done)
      w.log(
        `${names[who]} cancels ${orderLabel(w, o)}${o.late ? ', after the time to ship' : ''}; the money goes back.`,
      );
    return done !== undefined;
  },
};

const requestCancel: Action = {
  name: 'askCancel',
  weight: 2,
  theme: 'cancel',
  options: (w) => [
    ...ordersWhere(w, (o) => o.status === OrderStatus.Paid && !o.cancelAsked && mine(w.buyer(o))).map(([n]) => [
      n ?? 0,
      'ask',
    ]),
    ...ordersWhere(w, (o) => o.status === OrderStatus.Paid && o.cancelAsked && mine(w.seller(o))).map(([n]) => [
      n ?? 0,
      'agree',
    ]),
  ],
  async run(w, [n, action]) {
    const o = w.order(Number(n));
    if (!o) return false;
    const who = action === 'ask' ? w.buyer(o) : w.seller(o);
    const done = await w.call(w.client(who), order.requestCancel, { orderId: o.id, act: action as 'ask' | 'agree' });
    if (done) w.log(`${names[who]} ${action === 'ask' ? 'asks to cancel' : 'agrees to cancel'} ${orderLabel(w, o)}.`);
    return done !== undefined;
  },
};

/** Seals what the seller writes: the true password or a false one. */
export async function submitCredential(w: World, o: Order, truly: boolean): Promise<boolean> {
  const step = o.steps.find((s) => s.secret && s.actor === 'seller');
  const acc = w.goodsOf(o)?.account;
  const seller = w.seller(o);
  if (!step || !acc) return false;
  const version = truly ? (acc.knows.get(seller) ?? 0) : 0;
  const done = await w.submitCredential(o, step, version);
  if (!done) return false;
  w.sealed.set(o.id, [...(w.sealed.get(o.id) ?? []), version]);
  w.log(`${names[seller]} seals ${truly ? 'the true' : 'a false'} password for ${orderLabel(w, o)}.`);
  return true;
}

const sealing: Action = {
  name: 'seal',
  weight: 5,
  theme: 'trade',
  options: (w) =>
    ordersWhere(w, (o) => OPEN.includes(o.status) && mine(w.seller(o)) && o.steps.some((s) => s.secret))
      .filter(([n]) => (w.sealed.get(w.order(n ?? 0)?.id ?? 0)?.length ?? 0) < 3)
      .flatMap(([n]) => [
        [n ?? 0, 1],
        [n ?? 0, 0],
      ]),
  async run(w, [n, truly]) {
    const o = w.order(Number(n));
    return o !== undefined && (await submitCredential(w, o, truly === 1));
  },
};

/** Opens what was sealed for the buyer; he knows it then. */
export async function openFor(w: World, o: Order): Promise<number | undefined> {
  const step = o.steps.find((s) => s.secret && s.actor === 'seller');
  const acc = w.goodsOf(o)?.account;
  if (!step || !acc) return undefined;
  const version = await w.reveal(o, step);
  if (version === undefined) return undefined;
  learn(acc, w.buyer(o), version);
  w.log(`${names[w.buyer(o)]} opens the sealed password of ${orderLabel(w, o)}.`);
  return version;
}

const opening: Action = {
  name: 'open',
  weight: 6,
  theme: 'cancel',
  options: (w) =>
    ordersWhere(
      w,
      (o) =>
        (OPEN.includes(o.status) || (o.typeId === RECYCLED && o.status === OrderStatus.Completed)) &&
        mine(w.buyer(o)) &&
        o.sealed &&
        !w.opened.has(o.id),
    ),
  async run(w, [n]) {
    const o = w.order(Number(n));
    if (!o || (await openFor(w, o)) === undefined) return false;
    w.opened.add(o.id);
    return true;
  },
};

const take: Action = {
  name: 'changePassword',
  weight: 4,
  theme: 'cancel',
  options: (w) =>
    w.goods.flatMap((g, n) =>
      rogues(w)
        .filter(
          (who) =>
            canChange(g.account, who) && [...g.account.knows].some(([x, v]) => x !== who && v === g.account.version),
        )
        .map((who) => [n, who]),
    ),
  run(w, [n, who]) {
    const acc = w.goods[Number(n)]?.account;
    if (!acc || !canChange(acc, who as Who)) return Promise.resolve(false);
    changePassword(acc, who as Who);
    w.log(`${names[who as Who]} changes the password of account ${n} in the game.`);
    return Promise.resolve(true);
  },
};

const recover: Action = {
  name: 'recover',
  weight: 3,
  theme: 'claims',
  also: ['debts'],
  // Only while the sale is protected or covered: nothing was promised against what comes later.
  options: (w) =>
    w.goods.flatMap((g, n) =>
      g.account.recoverable &&
      mine(g.account.firstOwner) &&
      !hasAlone(g.account, sideOf(g.account.firstOwner)) &&
      (w.state.covers.some((c) => c.goodsId === g.id && c.status === 'active') ||
        w.state.orders.some((o) => w.goodsOf(o)?.account === g.account && (OPEN.includes(o.status) || o.held)))
        ? [[n]]
        : [],
    ),
  run(w, [n]) {
    const acc = w.goods[Number(n)]?.account;
    if (!acc) return Promise.resolve(false);
    rebind(acc, acc.firstOwner);
    changePassword(acc, acc.firstOwner);
    w.recovered.add(acc);
    w.log(`${names[acc.firstOwner]} takes account ${n} back from the game with the papers of its first owner.`);
    return Promise.resolve(true);
  },
};

/** Marks the current step of one's own done; `truly`: what it says was done in the game. */
export async function doStep(w: World, o: Order, who: Who, truly: boolean): Promise<boolean> {
  const role = w.buyer(o) === who ? 'buyer' : 'seller';
  const now = turnOf(o);
  const acc = w.goodsOf(o)?.account;
  if (now?.actor !== role || !acc) return false;
  const done = await w.call(w.client(who), order.handoverDone, {
    orderId: o.id,
    step: now.step,
    pictures: await w.proof(who),
  });
  if (!done) return false;
  if (truly && now.key === 'phone' && acc.phone === who) rebind(acc, w.buyer(o));
  if (truly && now.key === 'password' && canChange(acc, who)) changePassword(acc, who);
  w.log(`${names[who]} marks the step '${now.key}' of ${orderLabel(w, o)} done${truly ? '' : ' without doing it'}.`);
  return true;
}

const stepping: Action = {
  name: 'step',
  weight: 6,
  theme: 'trade',
  options: (w) =>
    ordersWhere(w, (o) => {
      const now = turnOf(o);
      return (
        now !== undefined &&
        ((now.actor === 'seller' && mine(w.seller(o))) || (now.actor === 'buyer' && mine(w.buyer(o))))
      );
    }).flatMap(([n]) => [
      [n ?? 0, 1],
      [n ?? 0, 0],
    ]),
  async run(w, [n, truly]) {
    const o = w.order(Number(n));
    const now = o && turnOf(o);
    if (!o || !now) return false;
    return await doStep(w, o, now.actor === 'seller' ? w.seller(o) : w.buyer(o), truly === 1);
  },
};

export const ship: Action = {
  name: 'ship',
  weight: 6,
  theme: 'trade',
  options: (w) => ordersWhere(w, (o) => o.status === OrderStatus.Paid && mine(w.seller(o))),
  async run(w, [n]) {
    const o = w.order(Number(n));
    if (!o) return false;
    const done = await w.call(w.client(w.seller(o)), order.offlineTranSub, { orderId: o.id });
    if (done) w.log(`${names[w.seller(o)]} ships ${orderLabel(w, o)}.`);
    return done !== undefined;
  },
};

export const confirm: Action = {
  name: 'confirm',
  weight: 5,
  theme: 'trade',
  options: (w) => ordersWhere(w, (o) => o.status === OrderStatus.Shipped && mine(w.buyer(o))),
  async run(w, [n]) {
    const o = w.order(Number(n));
    if (!o) return false;
    const done = await w.call(w.client(w.buyer(o)), order.confirmRecGoods, { orderId: o.id });
    if (done) w.log(`${names[w.buyer(o)]} confirms ${orderLabel(w, o)}.`);
    return done !== undefined;
  },
};

export const tradeActions: readonly Action[] = [
  placing,
  honestBuys,
  coupon,
  cancel,
  requestCancel,
  sealing,
  opening,
  take,
  recover,
  stepping,
  ship,
  confirm,
];
