/** One thing of each kind that a market stores, each owned by a user: for tests of who can see them. */
import { imagesTempUploadToken } from '#subjects/media/contract/direct-uploads.ts';
import { sql } from 'kysely';
import * as alerts from '#subjects/offers/contract/alerts.ts';
import * as coupon from '#subjects/promotions/contract/coupon.ts';
import type { Input } from '#contract/endpoint.ts';
import * as goods from '#subjects/goods/contract/goods.ts';
import * as offers from '#subjects/offers/contract/offers.ts';
import * as guarantee from '#subjects/guarantees/contract/guarantee.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as middleman from '#subjects/middleman/contract/middleman.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as pay from '#subjects/payments/contract/pay.ts';
import { inspectionAsk } from '#subjects/inspections/contract/inspection.ts';
import { recycleApply } from '#subjects/recycling/contract/account-recycling.ts';
import * as recycling from '#subjects/recycling/contract/recycling.ts';
import * as roleCard from '#subjects/games/contract/role-card.ts';
import * as trust from '#subjects/verification/contract/verification.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addCampaign } from '../goods/campaigns.ts';
import { addCoinGame, addDeposit, COIN_AREA, COIN_GAME, offered, openedShop } from '../services/coins.ts';
import type { Court } from '../orders/disputes.ts';
import { addGoods } from '../goods/goods.ts';
import { pictureFile, sendPicture } from '../goods/offers.ts';

const TEXT = '情况说明写在这里，请核对一下';

/** One thing of each kind, each owned by a user. */
export interface Owned {
  orderId: number;
  orderSn: string;
  disputeSn: string;
  coverId: number;
  claimSn: string;
  bargainId: number;
  couponId: number;
  wantSn: string;
  alertId: number;
  cardId: number;
  quickCoinSn: string;
  offerSn: string;
  requestSn: string;
  taskId: number;
  dealSn: string;
  goodsSn: string;
  goodsOfSeller: string;
  groupId: string;
  uploadKey: string;
  evidenceKey: string;
  chatKey: string;
  goodsKey: string;
  blackSn: string;
  payRand: string;
  payInterSn: string;
  ownerId: number;
  /** How the owners are called. */
  names: string[];
}

/** A report of a bad account. */
export const blackReport = (pictures: string[]): Input<typeof trust.releaseBlack> => ({
  reason: 'fraud',
  title: '收款后失联',
  content: '约定站外交易，付款之后就把我删除了',
  accounts: [{ kind: 'qq', value: '812345678' }],
  pictures,
});

/** Uploads a picture for a purpose; returns its key. */
export async function pictureOf(owner: TestUser, purpose: string): Promise<string> {
  return (await sendPicture(owner.client, await pictureFile('png', 64, 64), { purpose })).data.key;
}

/** An account with 找回包赔 that was delivered, and a claim of its buyer on it. `print` tells one account from another. */
export async function claimed(
  t: TestApp,
  { print }: { print: string },
): Promise<Pick<Owned, 'coverId' | 'claimSn' | 'evidenceKey'> & { holder: TestUser }> {
  const [holder, seller] = [await t.newUser({ balanceFen: 100_000 }), await t.newUser()];
  const sold = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27 });
  await sql`update goods set fingerprint = ${Buffer.from(print)}, guarantee_ok = true where id = ${sold.id}`.execute(
    t.ctx.db,
  );
  const { orderId } = await holder.client.ok(order.placeOrder, { goodsSn: sold.sn, fixEnsureId: 11 });
  await holder.client.ok(pay.balancePay, { orderId });
  await seller.client.ok(order.offlineTranSub, { orderId });
  await holder.client.ok(order.confirmRecGoods, { orderId });
  await t.relay();
  const coverId = (await holder.client.ok(guarantee.coverList, {})).list[0]?.coverId ?? 0;
  const evidenceKey = await pictureOf(holder, 'evidence');
  const claim = { coverId, reason: 'recovered', explain: TEXT, amount: '100.00', pictures: [evidenceKey] } as const;
  const { claimSn } = await holder.client.ok(guarantee.openClaim, { ...claim, pictures: [evidenceKey] });
  return { coverId, claimSn, evidenceKey, holder };
}

async function offersOf(
  t: TestApp,
  owner: TestUser,
): Promise<Pick<Owned, 'bargainId' | 'wantSn' | 'alertId' | 'goodsOfSeller'>> {
  const seller = await t.newUser();
  const listing = await addGoods(t.ctx, { sellerId: seller.id });
  await sql`update goods set bargain_ok = true, created_at = now() - interval '9 days' where id = ${listing.id}`.execute(
    t.ctx.db,
  );
  const { bargainId } = await owner.client.ok(offers.bargaining, { goodsSn: listing.sn, price: '80.00' });
  await seller.client.ok(offers.sellerAgreedBargain, { bargainId });
  const wantInput = { gameId: 1, goodsTypeId: 1, bigTitle: '求一个王者段位的号', details: {}, budget: '150' };
  const { wantSn } = await owner.client.ok(offers.releaseWantGoods, wantInput);
  const search = { gameId: 1, goodsTypeId: 1, keyWord: '皮肤', title: '皮肤', path: '/wares?gt=1&gid=1' };
  const { alertId } = await owner.client.ok(alerts.saveSearchAlert, search);
  return { bargainId, wantSn, alertId, goodsOfSeller: listing.sn };
}

async function coinsOf(t: TestApp, staff: TestStaff): Promise<Pick<Owned, 'quickCoinSn' | 'offerSn'>> {
  await addCoinGame(t);
  const quickCoinSn = await offered(await openedShop(t, staff));
  const buyer = await t.newUser({ balanceFen: 100_000 });
  await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values (${buyer.id}, 1, '安心回收', 10000000, 1)`.execute(
    t.ctx.db,
  );
  await addDeposit(t, buyer.id, 1_000_000, 'recycler');
  const offer = { gameId: COIN_GAME, areaId: COIN_AREA, lotUnits: 1000, lotPrice: '16.00', wantedNum: 10, minNum: 2 };
  const { offerSn } = await buyer.client.ok(recycling.saveCoinRecycle, { ...offer, delivery: [1] });
  return { quickCoinSn, offerSn };
}

/** Makes everything in a court's market, of its first distributor. */
export async function everything(court: Court): Promise<Owned> {
  const { t } = court;
  const trade = await court.trade('paid');
  const { buyer } = trade;
  const disputeSn = await court.opened(trade);
  await t.relay();
  const groups = await buyer.client.ok(im.getImGroupIdMap, { orderSnList: trade.orderSn });
  await addCampaign(t.ctx, { code: 'HERS' });
  const userCoupon = await buyer.client.ok(coupon.distributeUserCoupon, { code: 'HERS' });
  const card = await buyer.client.ok(roleCard.addUserRoleCardInfo, { gameId: '1', roleName: '听风' });
  const { dealSn } = await buyer.client.ok(middleman.openMiddleman, {
    belong: 1,
    title: '一套典藏皮肤礼包',
    price: '1000.00',
    feeSide: 'half',
  });
  const input = { gameId: 1, details: {}, accountNo: 'an-account-of-hers' };
  const { requestSn } = await buyer.client.ok(recycleApply, input);
  const evidence = await pictureOf(buyer, 'evidence');
  const { blackSn } = await buyer.client.ok(trust.releaseBlack, blackReport([evidence]));
  const payment = await buyer.client.ok(pay.recPay, { amount: '12.00' });
  const own = await addGoods(t.ctx, { sellerId: buyer.id });
  const { taskId } = await buyer.client.ok(inspectionAsk, {
    goodsSn: own.sn,
    fields: { account: 'hers', password: 'Lantern-River-58' },
  });
  await buyer.client.ok(goods.saveDraft, { draftKey: 'sell:1:1', body: { bigTitle: '草稿里的秘密' } });
  const ticket = await buyer.client.ok(imagesTempUploadToken, { purpose: 'evidence' });
  const { holder: _holder, ...claim } = await claimed(t, { print: 'print-1' });
  return {
    orderId: trade.orderId,
    orderSn: trade.orderSn,
    disputeSn,
    ...claim,
    ...(await offersOf(t, buyer)),
    ...(await coinsOf(t, court.other)),
    couponId: userCoupon.coupon?.couponId ?? 0,
    cardId: card.id,
    dealSn,
    requestSn,
    taskId,
    goodsSn: own.sn,
    groupId: groups[trade.orderSn]?.[0]?.groupId ?? '0',
    uploadKey: ticket.key,
    chatKey: await pictureOf(buyer, 'chat'),
    goodsKey: await pictureOf(buyer, 'goods'),
    blackSn,
    payRand: payment.payRand,
    payInterSn: payment.payInterSn,
    ownerId: buyer.id,
    names: [buyer.nickName, trade.seller.nickName],
  };
}
