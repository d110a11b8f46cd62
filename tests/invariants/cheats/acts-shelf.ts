/** What the coalition puts on sale, and the hand-over that goes as it should, in one act. */
import * as goodsCalls from '#contract/goods.ts';
import {
  type Act,
  confirm,
  doStep,
  mine,
  onSale,
  OPEN,
  openFor,
  ordersWhere,
  rogues,
  sealFor,
  ship,
  turnOf,
} from './acts-trade.ts';
import { react } from './honest.ts';
import type { Order } from './look.ts';
import { BOUND_GAME, LOOSE_GAME } from './market.ts';
import { canChange, names, type Who } from './model.ts';
import { yuan } from './words.ts';
import { sql } from 'kysely';
import { AppError } from '#server/kernel/errors.ts';
import { approveGoods, reviewItem } from '#server/slices/goods/service.ts';
import type { World } from './world.ts';

const DEAR_FEN = 620_000;
const NEW_SELLER_FEN = 300_000;
/** Whether the market can know that somebody is one of accomplice C's. */
const isLinked = (w: World, who: Who): boolean => w.setting.linked && (who === 'a' || who === 'b');
/** Publishes an account anew, which honest reviewers let through unless the market stops them. */
async function publishAgain(w: World, n: number, who: Who, fen: number): Promise<boolean> {
  const from = w.goods[n];
  if (!from) return false;
  const { ctx } = w.market.t;
  const made = await w.call(w.client(who), goodsCalls.releaseGoods, {
    gameId: from.account.loose ? LOOSE_GAME : BOUND_GAME,
    goodsTypeId: 1,
    bigTitle: '荣耀王者 全英雄 贵族八级',
    price: (fen / 100).toFixed(2),
    accountNo: w.accountNo(from.account),
  });
  if (!made) return false;
  const { version } = await reviewItem(ctx, made.goodsSn, null);
  const decision = { goodsSn: made.goodsSn, version, distId: null, staffId: w.market.staff.admin.id };
  const passed = await approveGoods(ctx, decision).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
  const { rows } = await sql<{ id: number }>`select id from goods where sn = ${made.goodsSn}`.execute(ctx.db);
  w.goods.push({ id: rows[0]?.id ?? 0, sn: made.goodsSn, owner: who, account: from.account, fen });
  w.tell(
    `${names[who]} publishes account ${n} again for ${yuan(fen)} (as ${w.goods.length - 1})${passed ? '' : ', which is not let through'}.`,
  );
  return passed;
}

const publish: Act = {
  name: 'publish',
  weight: 1,
  theme: 'resale',
  options: (w) =>
    w.goods.flatMap((g, n) =>
      rogues(w)
        .filter(
          (who) =>
            canChange(g.account, who) && who !== 'i' && w.goods.filter((x) => x.account === g.account).length < 3,
        )
        .filter((who) => !w.goods.some((x, m) => x.account === g.account && x.owner === who && onSale(w, m)))
        .flatMap((who) => [
          [n, who, g.fen],
          [n, who, DEAR_FEN],
        ]),
    ),
  async run(w, [n, who, fen]) {
    const done = await publishAgain(w, Number(n), who as Who, Number(fen));
    // Sales to people who are linked are none: they make no new seller an old one.
    if (
      done &&
      who === 'c' &&
      Number(fen) > NEW_SELLER_FEN &&
      !w.state.orders.some((o) => w.seller(o) === 'c' && o.status === 3 && !isLinked(w, w.buyer(o)))
    )
      w.broken.push({
        promise: 5,
        text: 'a new seller offers above the limit of new sellers, with sales to friends alone',
      });
    return done;
  },
};

const push: Act = {
  name: 'push',
  weight: 2,
  theme: 'resale',
  options: (w) =>
    w.goods.flatMap((g, n) =>
      mine(g.owner) && w.state.goods.some((x) => x.id === g.id && x.status === 3) ? [[n]] : [],
    ),
  async run(w, [n]) {
    const goods = w.goods[Number(n)];
    if (!goods) return false;
    const done = await w.call(w.client(goods.owner), goodsCalls.pushOrPullGoods, {
      goodsSn: goods.sn,
      act: 'push',
      passwordChanged: true,
    });
    if (done) w.tell(`${names[goods.owner]} puts account ${n} on sale again.`);
    return done !== undefined;
  },
};

const FAR = 14;

/** One act of a hand-over that goes as it should; false when nothing is left that the coalition can do. */
async function handOn(w: World, o: Order): Promise<boolean> {
  const now = turnOf(o);
  const [buyer, seller] = [w.buyer(o), w.seller(o)];
  const isOurs = now && ((now.actor === 'seller' && mine(seller)) || (now.actor === 'buyer' && mine(buyer)));
  if (o.status === 1 && mine(seller) && !o.sealed && o.steps.some((s) => s.secret)) return await sealFor(w, o, true);
  if (o.status === 2 && mine(buyer) && o.sealed && !w.opened.has(o.id)) {
    w.opened.add(o.id);
    return (await openFor(w, o)) !== undefined;
  }
  if (now) return isOurs === true && (await doStep(w, o, now.actor === 'seller' ? seller : buyer, true));
  const call = o.status === 1 && mine(seller) ? ship : o.status === 2 && mine(buyer) ? confirm : undefined;
  return call !== undefined && (await call.run(w, [w.numberOf(o) - 1]));
}

/** The whole hand-over as it should be, as far as the coalition has a part in it: what comes after it is reached in one act. */
const handOver: Act = {
  name: 'handOver',
  weight: 6,
  theme: 'trade',
  options: (w) =>
    ordersWhere(w, (o) => OPEN.includes(o.status) && !o.disputed && (mine(w.buyer(o)) || mine(w.seller(o)))),
  async run(w, [n]) {
    let done = false;
    for (let i = 0; i < FAR; i++) {
      const o = w.order(Number(n));
      if (!o || o.disputed || !(await handOn(w, o))) return done;
      done = true;
      await react(w);
    }
    return done;
  },
};

export const shelfActs: readonly Act[] = [handOver, publish, push];
