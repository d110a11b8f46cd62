/** Listings by the coalition, and a whole hand-over in one action. */
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import * as goodsCalls from '#subjects/goods/contract/goods.ts';
import {
  type Action,
  confirm,
  doStep,
  mine,
  onSale,
  OPEN,
  openFor,
  ordersWhere,
  rogues,
  submitCredential,
  ship,
  turnOf,
} from './actions-trade.ts';
import { react } from '../honest/honest.ts';
import type { Order } from '../worlds/snapshot.ts';
import { hasServers, placeOf } from '../worlds/market.ts';
import { type Account, canChange, names, type Who } from '../worlds/model.ts';
import { asWritten, canWrite, type Writing, WRITINGS, written } from '../worlds/names.ts';
import { yuan } from '../format.ts';
import { sql } from 'kysely';
import { AppError } from '#server/kernel/errors.ts';
import { approveGoods, reviewItem } from '#subjects/goods/server/service.ts';
import { LATE_STEP } from '../worlds/setting.ts';
import type { World } from '../worlds/world.ts';

/** The other ways in which a thief can write the name of an account. */
const spellings = (w: World, account: Account): Writing[] =>
  WRITINGS.filter(
    (writing) =>
      writing !== 'plain' && canWrite(account.name, writing) && (writing !== 'server' || hasServers(w.gameOf(account))),
  );

const DEAR_FEN = 620_000;
const NEW_SELLER_FEN = 300_000;
/** Whether the market can know that a person is one of accomplice C's. */
const isLinked = (w: World, who: Who): boolean => w.setting.linked && (who === 'a' || who === 'b');
/** Publishes an account again, which honest reviewers let through unless the market stops them. */
async function publishAgain(w: World, n: number, who: Who, fen: number, writing: Writing): Promise<boolean> {
  const from = w.goods[n];
  if (!from) return false;
  const { ctx } = w.market.t;
  const created = await w.call(w.client(who), goodsCalls.releaseGoods, {
    gameId: w.gameOf(from.account),
    ...placeOf(w.gameOf(from.account), writing === 'server'),
    goodsTypeId: 1,
    bigTitle: '荣耀王者 全英雄 贵族八级',
    price: (fen / 100).toFixed(2),
    accountNo: written(from.account.name, writing),
  });
  if (!created) return false;
  const { version } = await reviewItem(ctx, created.goodsSn, null);
  const decision = { goodsSn: created.goodsSn, version, distId: null, staffId: w.market.staff.admin.id };
  const passed = await approveGoods(ctx, decision).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
  const { rows } = await sql<{ id: number }>`select id from goods where sn = ${created.goodsSn}`.execute(ctx.db);
  w.goods.push({ id: rows[0]?.id ?? 0, sn: created.goodsSn, owner: who, account: from.account, fen, writing });
  w.log(
    `${names[who]} publishes account ${n}${asWritten(writing)} again for ${yuan(fen)} (as ${w.goods.length - 1})${passed ? '' : ', which is not let through'}.`,
  );
  return passed;
}

const publish: Action = {
  name: 'publish',
  weight: 1,
  theme: 'resale',
  also: ['identity'],
  options: (w) =>
    w.goods.flatMap((g, n) =>
      rogues(w)
        .filter(
          (who) =>
            canChange(g.account, who) && who !== 'i' && w.goods.filter((x) => x.account === g.account).length < 3,
        )
        .flatMap((who) => [
          ...(w.goods.some((x, m) => x.account === g.account && x.owner === who && onSale(w, m))
            ? []
            : [
                [n, who, g.fen, 'plain'],
                [n, who, DEAR_FEN, 'plain'],
              ]),
          ...spellings(w, g.account).map((writing) => [n, who, g.fen, writing]),
        ]),
    ),
  async run(w, [n, who, fen, writing]) {
    const done = await publishAgain(w, Number(n), who as Who, Number(fen), writing as Writing);
    // Sales to linked people do not count: they do not end a seller's new status.
    if (
      done &&
      who === 'c' &&
      Number(fen) > NEW_SELLER_FEN &&
      !w.state.orders.some((o) => w.seller(o) === 'c' && o.status === OrderStatus.Completed && !isLinked(w, w.buyer(o)))
    )
      w.broken.push({
        promise: 5,
        text: 'a new seller offers above the limit of new sellers, with sales to friends alone',
      });
    return done;
  },
};

const push: Action = {
  name: 'push',
  weight: 2,
  theme: 'resale',
  options: (w) =>
    w.goods.flatMap((g, n) =>
      mine(g.owner) && w.state.goods.some((x) => x.id === g.id && x.status === OrderStatus.Completed)
        ? [
            [n, 1],
            [n, 0],
          ]
        : [],
    ),
  async run(w, [n, says]) {
    const goods = w.goods[Number(n)];
    if (!goods) return false;
    const due = w.state.goods.some((x) => x.id === goods.id && x.passwordDue);
    const done = await w.call(w.client(goods.owner), goodsCalls.pushOrPullGoods, {
      goodsSn: goods.sn,
      act: 'push',
      ...(says === 1 && { passwordChanged: true }),
    });
    if (!done) return false;
    w.log(`${names[goods.owner]} puts account ${n} on sale again.`);
    if (due && says === 0)
      w.broken.push({
        promise: 5,
        text: 'an account whose password somebody has seen is on sale, and its seller did not say that it was changed',
      });
    return true;
  },
};

const FAR = 14;
const SHIPPED = 2;

/** One action of a correct hand-over; false when the coalition has nothing left to do. */
async function transferAccount(w: World, o: Order): Promise<boolean> {
  const now = turnOf(o);
  const [buyer, seller] = [w.buyer(o), w.seller(o)];
  const isOurs = now && ((now.actor === 'seller' && mine(seller)) || (now.actor === 'buyer' && mine(buyer)));
  if (o.status === OrderStatus.Paid && mine(seller) && !o.sealed && o.steps.some((s) => s.secret))
    return await submitCredential(w, o, 'true');
  if (o.status === OrderStatus.Shipped && mine(buyer) && o.sealed && !w.opened.has(o.id)) {
    w.opened.add(o.id);
    return (await openFor(w, o)) !== undefined;
  }
  if (now) return isOurs === true && (await doStep(w, o, now.actor === 'seller' ? seller : buyer, true));
  const call =
    o.status === OrderStatus.Paid && mine(seller)
      ? ship
      : o.status === OrderStatus.Shipped && mine(buyer)
        ? confirm
        : undefined;
  return call !== undefined && (await call.run(w, [w.numberOf(o) - 1]));
}

/** The whole hand-over as it should be, as far as the coalition has a part in it: what comes after it is reached in one action. */
const giveAccount: Action = {
  name: 'handOver',
  weight: 6,
  theme: 'trade',
  also: ['debts', 'reading'],
  options: (w) =>
    ordersWhere(w, (o) => OPEN.includes(o.status) && !o.disputed && (mine(w.buyer(o)) || mine(w.seller(o)))),
  async run(w, [n]) {
    let done = false;
    for (let i = 0; i < FAR; i++) {
      const o = w.order(Number(n));
      if (!o || o.disputed || (o.status === SHIPPED && w.setting.omits.includes(LATE_STEP))) return done;
      if (!(await transferAccount(w, o))) return done;
      done = true;
      await react(w);
    }
    return done;
  },
};

export const listingActions: readonly Action[] = [giveAccount, publish, push];
