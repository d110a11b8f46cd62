/** Actions of the coalition with orders and in the game: buy, pay, hand over truly or falsely, take back, cancel, confirm. */
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as pay from '#subjects/payments/contract/pay.ts';
import { openAsBuyer, storeSealed } from '../worlds/credentials.ts';
import {
  type Account,
  canChange,
  canLogIn,
  changePassword,
  hasAlone,
  isHonest,
  learn,
  names,
  rebind,
  type Sealed,
  sideOf,
  type Who,
} from '../worlds/model.ts';
import { yuan } from '../format.ts';
import type { Goods, World } from '../worlds/world.ts';
import type { Order } from '../worlds/snapshot.ts';

/** A kind of action. `options` lists where it can be tried now; `run` performs it and returns whether it had an effect. */
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
/** The numbers of the orders that satisfy a condition; services have their own actions. */
export const ordersWhere = (w: World, matches: (o: Order, n: number) => boolean): number[][] =>
  w.state.orders.flatMap((o, n) => (o.typeId !== BOOSTING && matches(o, n) ? [[n]] : []));

/** The current step, while the order's state allows one. */
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

/**
 * Whether the honest buyer would have an account for its price: not more expensive than it is worth, and neither bought before nor being bought.
 * The market cannot refuse the second for him: a private deal without a game does not name its account.
 */
export const isFair = (w: World, g: Goods): boolean =>
  g.fen <= g.account.worthFen &&
  !w.state.orders.some(
    (o) =>
      w.buyer(o) === 'hb' &&
      (OPEN.includes(o.status) || o.status === OrderStatus.Completed) &&
      w.goodsOf(o)?.account === g.account,
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
  // A buyer of goods that the first owner can take back also buys the cover against that.
  run: (w, [n]) => buy(w, 'hb', Number(n), w.goods[Number(n)]?.account.recoverable === true ? 11 : 0, false),
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

/** Contents that a seller can seal: the true log-in, one that opens nothing, or the true log-in of another account. */
type Content = 'true' | 'false' | 'other';
const CONTENT_TEXTS: Readonly<Record<Content, string>> = {
  true: 'the true password',
  false: 'a false password',
  other: 'the true log-in of another account',
};

/** Another account that the seller of an order can log in to. */
const otherAccount = (w: World, o: Order): Account | undefined =>
  w.goods.find(({ account }) => account !== w.goodsOf(o)?.account && canLogIn(account, w.seller(o)))?.account;

/** Seals what the seller writes. */
export async function submitCredential(w: World, o: Order, content: Content): Promise<boolean> {
  const seller = w.seller(o);
  const account = content === 'other' ? otherAccount(w, o) : w.goodsOf(o)?.account;
  if (!account) return false;
  const isAgain = w.sealed.has(o.id);
  const version = content === 'false' ? 0 : (account.knows.get(seller) ?? 0);
  if (!(await storeSealed(w, o, { account, version }))) return false;
  w.log(`${names[seller]} seals ${CONTENT_TEXTS[content]} for ${orderLabel(w, o)}${isAgain ? ' anew' : ''}.`);
  return true;
}

/** A form can be sealed at any time: before and after it was checked, inspected, delivered or paid for. */
const sealing: Action = {
  name: 'seal',
  weight: 5,
  theme: 'trade',
  also: ['reseal', 'recycling'],
  options: (w) =>
    ordersWhere(w, (o) => (OPEN.includes(o.status) || o.held) && mine(w.seller(o)) && o.steps.some((s) => s.secret))
      .filter(([n]) => (w.sealed.get(w.order(n ?? 0)?.id ?? 0)?.length ?? 0) < 3)
      .flatMap(([n]) => {
        const o = w.order(n ?? 0);
        return [[n ?? 0, 'true'], [n ?? 0, 'false'], ...(o && otherAccount(w, o) ? [[n ?? 0, 'other']] : [])];
      }),
  async run(w, [n, content]) {
    const o = w.order(Number(n));
    return o !== undefined && (await submitCredential(w, o, content as Content));
  },
};

/** Opens what was sealed for the buyer, who then knows the password of the account that the form names. */
export async function openFor(w: World, o: Order): Promise<Sealed | undefined> {
  const form = await openAsBuyer(w, o);
  if (!form) return undefined;
  learn(form.account, w.buyer(o), form.version);
  w.log(`${names[w.buyer(o)]} opens the sealed password of ${orderLabel(w, o)}.`);
  return form;
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

/** Whether an order is about an account, and says so: the log-in check refuses a false name. */
const isAbout = (goods: Goods | undefined, account: Account): boolean =>
  goods?.account === account && goods.writing !== 'false name';

const recover: Action = {
  name: 'recover',
  weight: 3,
  theme: 'claims',
  also: ['debts'],
  // Only while the sale is protected or covered: nothing was promised against what comes later, or by a deal under a false name.
  options: (w) =>
    w.goods.flatMap((g, n) =>
      g.account.recoverable &&
      mine(g.account.firstOwner) &&
      !hasAlone(g.account, sideOf(g.account.firstOwner)) &&
      (w.state.covers.some((c) => c.goodsId === g.id && c.status === 'active') ||
        w.state.orders.some((o) => isAbout(w.goodsOf(o), g.account) && (OPEN.includes(o.status) || o.held)))
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
