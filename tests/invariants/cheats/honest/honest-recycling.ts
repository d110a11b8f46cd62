/** Actions of honest people with recycling: a seller who says what there is, a recycler who bids less than that is worth, staff who read and take over. */
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { openDispute } from '../actions/actions-cases.ts';
import { answerCut, askRecyclers, bid, sell, takeOver } from '../actions/actions-recycling.ts';
import { openFor, RECYCLED } from '../actions/actions-trade.ts';
import { openAsStaff } from '../worlds/credentials.ts';
import { canLogIn, changePassword, opens, TRUE_SKINS } from '../worlds/model.ts';
import { noteChecked } from '../rules/physical.ts';
import { WORTH_RECYCLED_FEN } from '../worlds/setting.ts';
import type { Order } from '../worlds/snapshot.ts';
import type { RecycleRequest } from '../worlds/snapshot-services.ts';
import type { World } from '../worlds/world.ts';

/** A recycler's offer by number of skins. */
const OFFER_FEN: Readonly<Record<number, number>> = { 100: WORTH_RECYCLED_FEN, 300: 56_000 };

/** Whether what was paid for an account was more than it is worth: its reading was false, and nothing was taken off for it. */
export function isMisread(w: World, o: Order): boolean {
  const r = w.services.requests.find((x) => x.orderId === o.id);
  return r !== undefined && (w.says.get(r.sn) ?? TRUE_SKINS) > TRUE_SKINS && r.cutFen === 0;
}

const once = (w: World, what: string): boolean => !w.tried.has(what) && w.tried.add(what).size > 0;

async function asOwner(w: World, r: RecycleRequest): Promise<boolean> {
  if (w.whoIs(r.userId) !== 'hs') return false;
  if (r.status === 'quoted' && once(w, `sell:${r.id}`))
    return (r.bestFen ?? 0) >= WORTH_RECYCLED_FEN && (await sell(w, r, false));
  // The seller's statement is true: a cut is false, and the account goes back.
  if (r.status === 'reconfirm' && once(w, `cut:${r.id}`)) return await answerCut(w, r, false);
  return false;
}

/** The recycler's own orders, after the payment: opens, changes the password, and says so, or opens a case. */
async function asRecycler(w: World, r: RecycleRequest): Promise<boolean> {
  if (
    r.status === 'bidding' &&
    w.setting.cast.includes('hb') &&
    !r.bidders.includes(w.idOf('hb')) &&
    once(w, `bid:${r.id}`)
  )
    return await bid(w, r, 'hb', OFFER_FEN[w.says.get(r.sn) ?? TRUE_SKINS] ?? 1000);
  const o = w.state.orders.find((x) => x.id === r.orderId);
  const acc = o && w.goodsOf(o)?.account;
  if (!o || !acc || r.bestUser !== w.idOf('hb') || o.status !== OrderStatus.Completed || !r.held || o.disputed)
    return false;
  if (!w.opened.has(o.id)) {
    w.opened.add(o.id);
    return (await openFor(w, o)) !== undefined;
  }
  if (!canLogIn(acc, 'hb') || isMisread(w, o))
    return once(w, `after:${o.id}`) && (await openDispute(w, o, 'hb', 'refund'));
  if (!once(w, `taken:${o.id}`)) return false;
  changePassword(acc, 'hb');
  return await takeOver(w, r, 'hb');
}

/** Staff read what is sealed, when it opens the account. */
async function asInspector(w: World, r: RecycleRequest): Promise<boolean> {
  const o = w.state.orders.find((x) => x.id === r.orderId);
  const { service } = w.market.staff;
  if (!o || r.status !== 'accepted' || !o.sealed || o.disputed || o.staffId !== service.id) return false;
  if (o.steps[0]?.done !== true) return false;
  if (!once(w, `read:${o.id}:${w.sealed.get(o.id)?.length ?? 0}`)) return false;
  const form = await openAsStaff(w, service, o);
  if (!form || !opens(form)) return false;
  const done = await w.call(service.client, c.staffRecycleInspect, {
    requestSn: r.sn,
    details: { skins: form.account.skins, clean: true } as never,
    pictures: (await w.staffProof(service)) as never,
  });
  if (done) w.log(`Honest staff read ${form.account.skins} skins of order ${w.numberOf(o)}.`);
  if (done) noteChecked(w, o);
  return done !== undefined;
}

/**
 * Colleagues of the inspector open what the platform has bought and take it over, or contest it. They know only what the form says: who may not
 * open it can do neither.
 */
async function asPlatform(w: World, r: RecycleRequest): Promise<boolean> {
  const o = w.state.orders.find((x) => x.id === r.orderId);
  if (!o || !r.isPlatform || !r.held || r.disputed || !once(w, `house:${r.id}`)) return false;
  const { admin } = w.market.staff;
  const form = await openAsStaff(w, admin, o);
  if (!form) return false;
  const isGood = opens(form) && form.account === w.goodsOf(o)?.account && !isMisread(w, o);
  if (isGood) changePassword(form.account, 'house');
  const say = { requestSn: r.sn, ...(!isGood && { failed: true, note: '登录后与验号结果不符' }) };
  const done = await w.call(admin.client, c.staffRecycleTaken, say);
  if (done?.waits === true) {
    const { service2 } = w.market.staff;
    await openAsStaff(w, service2, o);
    await w.call(service2.client, c.staffRecycleTaken, say);
  }
  if (done)
    w.log(`Honest staff ${isGood ? 'take over' : 'contest'} what the platform bought (order ${w.numberOf(o)}).`);
  return done !== undefined;
}

/** Does one pending thing that an honest person has to do about recycling; returns whether there was one. */
export async function recyclingOnce(w: World): Promise<boolean> {
  if (w.setting.service !== 'recycling') return false;
  if (w.setting.cast.includes('hs') && w.services.requests.length === 0 && once(w, 'ask'))
    return await askRecyclers(
      w,
      w.goods.findIndex((g) => g.owner === 'hs'),
      'hs',
      TRUE_SKINS,
    );
  for (const r of w.services.requests)
    for (const work of [asOwner, asRecycler, asInspector, asPlatform]) if (await work(w, r)) return true;
  return false;
}

export const isRecycled = (o: Order): boolean => o.typeId === RECYCLED;
