/** Ground rules about accounts as they are in the game, whatever names the market was given for them. */
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import { RULES_OF_ACCOUNTS } from './findings.ts';
import type { Account } from '../worlds/model.ts';
import type { Order } from '../worlds/snapshot.ts';
import type { Goods, World } from '../worlds/world.ts';

const OFFERED: readonly number[] = [GoodsStatus.Reviewing, GoodsStatus.OnSale, GoodsStatus.Locked];
/** States in which anybody can order now. A listing that was ordered before the claim stays with its order. */
const ON_OFFER: readonly number[] = [GoodsStatus.Reviewing, GoodsStatus.OnSale];
const OPEN_DEAL: readonly number[] = [OrderStatus.Unpaid, OrderStatus.Paid, OrderStatus.Shipped];
const RUNNING_REQUEST = ['bidding', 'quoted', 'accepted', 'reconfirm'];
const isNamed = ({ writing }: Goods): boolean => writing !== 'false name';
const LOST = ['checking', 'chasing', 'escalated', 'paid'];

/**
 * Where an account is offered now under a separate name: listings, private deals, requests to recyclers. `typed`: not in a deal that names no
 * type. A false name is found when the log-in is checked, not here.
 */
function offersOf(w: World): Map<Account, { typed: number; untyped: number }> {
  const offers = new Map<Account, { typed: number; untyped: number }>();
  const add = (account: Account, isTyped: boolean): void => {
    const known = offers.get(account) ?? { typed: 0, untyped: 0 };
    offers.set(account, isTyped ? { ...known, typed: known.typed + 1 } : { ...known, untyped: known.untyped + 1 });
  };
  const statuses = new Map(w.state.goods.map((g) => [g.id, g.status]));
  for (const g of w.goods) if (isNamed(g) && OFFERED.includes(statuses.get(g.id) ?? 0)) add(g.account, true);
  for (const o of w.state.orders) {
    const goods = w.deals.get(o.id);
    if (goods && isNamed(goods) && OPEN_DEAL.includes(o.status) && o.typeId !== RECYCLED_ACCOUNT)
      add(goods.account, !w.untyped.has(o.id));
  }
  for (const r of w.services.requests) {
    const goods = w.recycles.get(r.sn);
    if (goods && isNamed(goods) && RUNNING_REQUEST.includes(r.status)) add(goods.account, true);
  }
  return offers;
}

/** Whether a claim says that an account was lost: it is open, or was paid. */
const isLost = (w: World, account: Account): boolean =>
  w.state.claims.some((k) => {
    const o = w.state.orders.find((x) => x.id === k.orderId);
    return o !== undefined && LOST.includes(k.status) && w.goodsOf(o)?.account === account;
  });

/** Checks that each account is offered once, and that none is offered whose loss was claimed. */
export function checkOffers(w: World): void {
  for (const { typed, untyped } of offersOf(w).values()) {
    if (typed > 1) w.breakRule(RULES_OF_ACCOUNTS.offeredTwice);
    if (untyped > 1 || (untyped > 0 && typed > 0)) w.breakRule(RULES_OF_ACCOUNTS.dealOfNothing);
  }
  if (w.state.claims.length === 0) return;
  const statuses = new Map(w.state.goods.map((g) => [g.id, g.status]));
  const isHidden = (id: number): boolean => !ON_OFFER.includes(statuses.get(id) ?? 0);
  for (const g of w.goods)
    if (g.writing !== 'plain' && isNamed(g) && !isHidden(g.id) && isLost(w, g.account))
      w.breakRule(RULES_OF_ACCOUNTS.lostAndSold);
}

/** Records that staff have checked what is sealed for an order now. */
export function noteChecked(w: World, o: Order): void {
  const form = w.sealed.get(o.id)?.at(-1);
  const goods = w.goodsOf(o);
  if (!form || !goods) return;
  if (form.account !== goods.account) w.breakRule(RULES_OF_ACCOUNTS.otherChecked);
  else if (!isNamed(goods)) w.breakRule(RULES_OF_ACCOUNTS.falseName);
}

/** Records that staff have read an account for the inspection of a listing. */
export function noteRead(w: World, goodsId: number, account: Account | undefined): void {
  const goods = w.goods.find((g) => g.id === goodsId);
  if (account && goods && goods.account !== account) w.breakRule(RULES_OF_ACCOUNTS.otherRead);
}
