/**
 * Things that belong to a user: every call that names one is made by another user of the same site and by one of another site, with
 * input that is right in everything else. Both get "not found", and nothing changes. A call that names a thing in a
 * field that is not listed here fails the last test.
 */
import { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import { uploadDone } from '#subjects/media/contract/direct-uploads.ts';
import { noticeList, noticeRead } from '#subjects/notices/contract/inbox.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { followGoods } from '#subjects/goods/contract/follows.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as accounts from '#subjects/recycling/contract/account-recycling.ts';
import * as alerts from '#subjects/offers/contract/alerts.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import * as coupon from '#subjects/promotions/contract/coupon.ts';
import * as dispute from '#subjects/disputes/contract/dispute.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import * as goods from '#subjects/goods/contract/goods.ts';
import * as offers from '#subjects/offers/contract/offers.ts';
import * as guarantee from '#subjects/guarantees/contract/guarantee.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as middleman from '#subjects/middleman/contract/middleman.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as pay from '#subjects/payments/contract/pay.ts';
import * as coin from '#subjects/quick-coin/contract/quick-coin.ts';
import * as inspections from '#subjects/inspections/contract/inspection.ts';
import * as recycling from '#subjects/recycling/contract/recycling.ts';
import { endpoints } from '#contract/registry.ts';
import * as review from '#subjects/reviews/contract/review.ts';
import * as roleCard from '#subjects/games/contract/role-card.ts';
import * as timeSale from '#subjects/time-sale/contract/time-sale.ts';
import * as user from '#subjects/accounts/contract/user.ts';
import * as trust from '#subjects/verification/contract/verification.ts';
import { jsonSchema } from '#server/http/openapi/openapi-schema.ts';
import type { TestApp, TestUser } from '#tests/support/servers/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/database/row-changes.ts';
import { COIN_GAME } from '#tests/support/services/coins.ts';
import { complaint, type Court, openCourt } from '#tests/support/orders/disputes.ts';
import { blackReport, everything, type Owned } from '#tests/support/calls/ownership.ts';

let court: Court;
let t: TestApp;
let watch: ChangeWatch;
let owned: Owned;
let stranger: TestUser;
let abroad: TestUser;

const TEXT = '情况说明写在这里，请核对一下';

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
  await sql`update distributor m set conf = d.conf, theme = d.theme from distributor d where d.id = 1 and m.id = 2`.execute(
    t.ctx.db,
  );
  await sql`insert into dist_host (host, dist_id) values ('moon.example', 2)`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  owned = await everything(court);
  await t.relay();
  stranger = await t.newUser({ balanceFen: 1_000_000, stepUp: true });
  abroad = await t.newUser({ balanceFen: 1_000_000, stepUp: true, host: 'moon.example' });
  // A user who is no party to this trade gets that error before any other.
  for (const { id } of [stranger, abroad])
    await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values (${id}, 1, '别的回收', 10000000, 1)`.execute(
      t.ctx.db,
    );
  watch = await watchChanges(t.ctx);
});
afterAll(async () => await t.close());

const FAKE = { kind: 'qq', value: '812345670', content: '冒充客服让我扫码付款' };
const SHOP = { name: '阿市金币铺', intro: '只做跨一区', gameIds: [COIN_GAME], contact: 'QQ 12345678' };

/** A field of a call that names a user's thing, and the call as its owner would make it; the error's name where it is no 404. */
type Row = readonly [field: string, endpoint: Endpoint, input: (o: Owned) => object, error?: ErrorName | 'empty'];

const rows: readonly Row[] = [
  ['disputeSn', dispute.disputeDetail, ({ disputeSn }) => ({ disputeSn })],
  ['disputeSn', dispute.answerDispute, ({ disputeSn }) => ({ disputeSn, answers: { sent: '100' }, text: TEXT })],
  ['disputeSn', dispute.addDisputeEvidence, ({ disputeSn }) => ({ disputeSn, text: TEXT })],
  ['disputeSn', dispute.withdrawDispute, ({ disputeSn }) => ({ disputeSn })],
  ['disputeSn', dispute.acceptRuling, ({ disputeSn }) => ({ disputeSn })],
  ['disputeSn', dispute.appealRuling, ({ disputeSn }) => ({ disputeSn, text: TEXT })],
  ['orderSn', dispute.disputeEntry, ({ orderSn }) => ({ orderSn })],
  ['orderSn', dispute.openDispute, ({ orderSn }) => complaint(orderSn)],
  ['coverId', guarantee.coverDetail, ({ coverId }) => ({ coverId })],
  ['claimSn', guarantee.claimDetail, ({ claimSn }) => ({ claimSn })],
  ['claimSn', guarantee.addClaimEvidence, ({ claimSn }) => ({ claimSn, text: TEXT })],
  ['claimSn', guarantee.withdrawClaim, ({ claimSn }) => ({ claimSn })],
  ['bargainId', offers.sellerAgreedBargain, ({ bargainId }) => ({ bargainId })],
  ['bargainId', offers.sellerCounterofferPrice, ({ bargainId }) => ({ bargainId, price: '90.00' })],
  ['bargainId', offers.buyCounterofferPriceHandle, ({ bargainId }) => ({ bargainId, act: 'withdraw' })],
  ['bargainId', order.quoteOrder, (o) => ({ goodsSn: o.goodsOfSeller, bargainId: o.bargainId }), 'BARGAIN_STATE'],
  ['bargainId', order.placeOrder, (o) => ({ goodsSn: o.goodsOfSeller, bargainId: o.bargainId }), 'BARGAIN_STATE'],
  ['couponId', order.placeOrder, (o) => ({ goodsSn: o.goodsOfSeller, couponId: o.couponId }), 'COUPON_UNUSABLE'],
  ['couponId', order.quoteOrder, (o) => ({ goodsSn: o.goodsOfSeller, couponId: o.couponId }), 'COUPON_UNUSABLE'],
  [
    'couponId',
    coin.placeQuickCoinOrder,
    (o) => ({
      quickCoinSn: o.quickCoinSn,
      num: 2,
      version: 1,
      delivery: 1,
      roleName: '听风',
      couponId: o.couponId,
    }),
    'COUPON_UNUSABLE',
  ],
  ['wantSn', offers.updateWantGoodsStatus, ({ wantSn }) => ({ wantSn, status: 2 })],
  [
    'wantSn',
    offers.releaseWantGoods,
    ({ wantSn }) => ({
      wantSn,
      gameId: 1,
      goodsTypeId: 1,
      bigTitle: '求一个王者段位的号',
      details: {},
      budget: '150',
    }),
  ],
  ['wantSn', offers.findSelfWantGoodsList, ({ wantSn }) => ({ wantSn }), 'empty'],
  ['alertId', alerts.updateSearchAlert, ({ alertId }) => ({ alertId, act: 'remove' })],
  ['id', roleCard.removeRoleCard, ({ cardId }) => ({ id: cardId })],
  ['id', roleCard.addUserRoleCardInfo, ({ cardId }) => ({ id: cardId, gameId: '1', roleName: '偷来的' })],
  [
    'roleCardId',
    coin.placeQuickCoinOrder,
    (o) => ({
      quickCoinSn: o.quickCoinSn,
      num: 2,
      version: 1,
      delivery: 1,
      roleName: '听风',
      roleCardId: o.cardId,
    }),
  ],
  ['quickCoinSn', coin.updateQuickCoin, ({ quickCoinSn }) => ({ quickCoinSn, act: 'pull' })],
  ['requestSn', accounts.recycleInfo, ({ requestSn }) => ({ requestSn })],
  ['requestSn', accounts.recycleAccept, ({ requestSn }) => ({ requestSn, price: '100.00' })],
  ['requestSn', accounts.recycleWithdraw, ({ requestSn }) => ({ requestSn })],
  ['requestSn', accounts.recycleAnswer, ({ requestSn }) => ({ requestSn, agree: 1 })],
  ['requestSn', accounts.recycleTaken, ({ requestSn }) => ({ requestSn })],
  ['goodsSn', inspections.inspectionAsk, ({ goodsSn }) => ({ goodsSn, fields: { account: 'abc', password: 'def' } })],
  ['taskId', inspections.inspectionSeal, ({ taskId }) => ({ taskId, fields: { account: 'abc', password: 'def' } })],
  ['taskId', inspections.inspectionWithdraw, ({ taskId }) => ({ taskId })],
  ['taskId', inspections.inspectionCorrect, ({ taskId }) => ({ taskId })],
  ['offerSn', recycling.saveCoinRecycle, ({ offerSn }) => ({ offerSn, act: 'pull' })],
  ['dealSn', middleman.middlemanInfo, ({ dealSn }) => ({ dealSn })],
  ['dealSn', middleman.middlemanInfo, ({ dealSn }) => ({ dealSn, code: 'a'.repeat(43) })],
  ['dealSn', middleman.respondMiddleman, ({ dealSn }) => ({ dealSn, act: 'withdraw' })],
  ['dealSn', middleman.respondMiddleman, ({ dealSn }) => ({ dealSn, act: 'accept', code: 'a'.repeat(43) })],
  [
    'goodsSn',
    goods.updatetGoods,
    ({ goodsSn }) => ({ goodsSn, bigTitle: '换成我的标题', description: '', price: '1.00', details: {}, pictures: [] }),
  ],
  ['goodsSn', goods.selfGoods, ({ goodsSn }) => ({ goodsSn })],
  ['goodsSn', goods.onlySetupGoodsPrice, ({ goodsSn }) => ({ goodsSn, price: '1.00' })],
  ['goodsSn', goods.pushOrPullGoods, ({ goodsSn }) => ({ goodsSn, act: 'pull' })],
  ['goodsSn', goods.userUpdateGoodsTime, ({ goodsSn }) => ({ goodsSn })],
  ['goodsSn', timeSale.saveTimeSale, (o) => ({ goodsSn: o.goodsOfSeller, price: '80.00', hours: 2 })],
  ['goodsSn', alerts.followAlerts, ({ goodsSn }) => ({ goodsSn, drop: true, back: true })],
  ['draftKey', goods.getDraft, () => ({ draftKey: 'sell:1:1' }), 'empty'],
  ['groupId', im.groupInfo, ({ groupId }) => ({ groupId }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.history, ({ groupId }) => ({ groupId }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.isOfflineRemind, ({ groupId }) => ({ groupId }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.muteGroup, ({ groupId }) => ({ groupId, muted: true }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.readGroup, ({ groupId }) => ({ groupId, seq: 1 }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.recallMessage, ({ groupId }) => ({ groupId, seq: 1 }), 'CHAT_RECALL'],
  ['groupId', im.searchGroup, ({ groupId }) => ({ groupId, keyWord: '订单' }), 'CHAT_NOT_MEMBER'],
  ['groupId', im.typingIn, ({ groupId }) => ({ groupId }), 'CHAT_NOT_MEMBER'],
  [
    'groupId',
    im.sendMessage,
    ({ groupId }) => ({
      groupId,
      clientMsgId: 'x-1',
      messageType: 'text',
      content: '你好',
    }),
    'CHAT_NOT_MEMBER',
  ],
  ['groupId', serSatiEval, ({ groupId }) => ({ groupId, score: 5 }), 'CHAT_NOT_MEMBER'],
  ['orderSn', serSatiEval, ({ orderSn }) => ({ orderSn, score: 5 }), 'CHAT_NOT_MEMBER'],
  ['orderSn', order.orderDetail, ({ orderSn }) => ({ orderSn })],
  ['orderSn', order.listOrderProcess, ({ orderSn }) => ({ orderSn })],
  ['orderSn', review.orderReviews, ({ orderSn }) => ({ orderSn })],
  ['orderSn', orderEval, ({ orderSn }) => ({ orderSn, score: 5 })],
  ['orderSn', transactionCacheContactInfo, ({ orderSn }) => ({ orderSn, qq: '12345678' })],
  ['orderSn', pay.refundInfo, ({ orderSn }) => ({ orderSn })],
  ['orderSn', pay.chooseRefundTarget, ({ orderSn }) => ({ orderSn, toBalance: '1' })],
  ['orderSn', pay.refundToSource, ({ orderSn }) => ({ orderSn, amount: '1.00' })],
  ['orderId', pay.balancePay, ({ orderId }) => ({ orderId })],
  ['orderId', pay.recPay, ({ orderId }) => ({ amount: '101.00', orderId })],
  ['orderId', order.requestCancel, ({ orderId }) => ({ orderId, act: 'ask', reason: '不想要了' })],
  ['orderId', order.cancelOrder, ({ orderId }) => ({ orderId })],
  ['orderId', order.confirmRecGoods, ({ orderId }) => ({ orderId })],
  ['orderId', order.deleteOrder, ({ orderId }) => ({ orderId })],
  ['orderId', order.handoverDone, ({ orderId }) => ({ orderId, step: 1 })],
  ['orderId', order.handoverSkip, ({ orderId }) => ({ orderId, step: 1 })],
  ['orderId', order.exchangeMove, ({ orderId }) => ({ orderId, step: 1, act: 'more' })],
  ['orderId', order.exchangeOpen, ({ orderId }) => ({ orderId, step: 1, part: 'target' })],
  ['orderId', order.offlineTranSub, ({ orderId }) => ({ orderId })],
  ['orderId', order.offlineTranSub, ({ orderId }) => ({ orderId, isRecovery: 1 })],
  ['orderId', order.offlineTranAnswer, ({ orderId }) => ({ orderId, agree: 1 })],
  ['orderId', order.revealSecret, ({ orderId }) => ({ orderId, step: 1 })],
  ['orderId', order.sealSecret, ({ orderId }) => ({ orderId, step: 1, fields: { account: 'abc', password: 'def' } })],
  ['payRand', pay.queryPayStatus, ({ payRand }) => ({ payRand })],
  ['payInterSn', pay.findPayState, ({ payInterSn }) => ({ payInterSn })],
  ['blackSn', trust.blackInfo, ({ blackSn }) => ({ blackSn })],
  ['blackSn', trust.appealBlack, ({ blackSn }) => ({ blackSn, content: TEXT })],
  // Pictures that another user uploaded are no evidence, and cannot be seen this way.
  ['key', uploadDone, ({ uploadKey }) => ({ key: uploadKey, purpose: 'evidence' }), 'PICTURE_BROKEN'],
  ['pictures', trust.releaseBlack, ({ evidenceKey }) => blackReport([evidenceKey]), 'PICTURE_BROKEN'],
  ['pictures', trust.reportFakeService, ({ evidenceKey }) => ({ ...FAKE, pictures: [evidenceKey] }), 'PICTURE_BROKEN'],
  ['avatar', user.changeUserUsualInfo, ({ goodsKey }) => ({ avatar: goodsKey }), 'PICTURE_BROKEN'],
  ['pictures', coin.shopQuickCoinApply, ({ evidenceKey }) => ({ ...SHOP, pictures: [evidenceKey] }), 'PICTURE_BROKEN'],
];

/** Returns the contents of a response: rows of lists, values that are no number of things. */
const thingsIn = (data: object): unknown[] =>
  Object.values(data)
    .flat()
    .filter((value) => value !== null && typeof value !== 'number' && typeof value !== 'boolean' && !isCounts(value));
const isCounts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((n) => n === 0);

const LOSES = / (limit_counter|sms_code|verify_query|session|app_user)$/;

describe('another user', () => {
  test.each(rows.map((r) => [`${r[1].path} by ${r[0]}`, ...r] as const))(
    '%s',
    async (_name, _field, endpoint, input, error) => {
      for (const person of [stranger, abroad]) {
        await watch.take();
        const { status, code, data, msg } = await person.client.call(endpoint, input(owned) as Input<typeof endpoint>);
        const changed = (await watch.take()).filter((what) => !LOSES.test(what));
        expect([msg, changed]).toEqual([msg, []]);
        if (error === 'empty') expect([code, thingsIn(data as object)]).toEqual([0, []]);
        else if (error) expect([code, msg]).toEqual([codes[error][0], msg]);
        else expect([status, msg]).toEqual([404, msg]);
      }
    },
  );

  test('sees own lists only', async () => {
    const mine = [
      offers.bargainingList,
      offers.findSelfWantGoodsList,
      alerts.searchAlertList,
      coupon.userCouponList,
      order.queryOrderList,
      guarantee.coverList,
      dispute.disputeList,
      noticeList,
      trust.myBlackList,
      pay.bill,
      pay.withdrawList,
      coin.queryQuickOrderList,
      coin.selfPublishQuickCoinList,
      accounts.recycleList,
      accounts.recycleBoard,
      inspections.inspectionList,
      middleman.middlemanList,
      roleCard.roleCardInfoList,
      goods.selfPublishGoodsList,
      goods.getUserLookGoodsHistory,
      followGoods,
    ] as const;
    const newcomer = await t.newUser();
    for (const endpoint of mine) {
      const data = await newcomer.client.ok(endpoint as Endpoint, {} as never);
      const lists = Object.values(data as object).filter((value): value is unknown[] => Array.isArray(value));
      expect([endpoint.path, lists.flat()]).toEqual([endpoint.path, []]);
    }
    expect(
      (await newcomer.client.ok(findDiscount, { goodsSn: owned.goodsOfSeller })).list.filter(
        (c) => c.couponId !== null,
      ),
    ).toEqual([]);
  });
});

/** Field names that identify one row. */
const NAMES_A_THING = /(Sn|SnList|Id|Ids|Rand|Key|^id|^ids|^key|^pictures|^avatar|^groups)$/;
/** Names of what is everybody's: the catalogue, tiers of cover, sites. */
const PUBLIC = /^(game|goodsType|area|server|league|ensure|fixEnsure|dist|case|seller|device|open)Ids?$/;

/** Fields that need no row in every call, and why. Calls that want the thing's owner have rows all the same. */
const FIELDS: Readonly<Record<string, string>> = {
  keyId: 'tests/http/open-api/open-api.test.ts',
  endpointId: 'tests/http/open-api/webhooks.test.ts',
  importId: 'tests/http/listing-import/listing-import.test.ts',
  deliveryId: 'tests/http/open-api/webhooks.test.ts',
  pictures: 'read only by ownPictures (media/service.ts)',
  avatar: 'the same',
  goodsSn: 'what is on sale is everybody’s',
  quickCoinSn: 'the same',
  offerSn: 'the same',
};
/** The same for single calls. */
const CALLS: Readonly<Record<string, string>> = {
  'goods/saveDraft draftKey': 'one’s own drafts',
  'recycle/accountBid requestSn': 'every recycler may bid; tests/http/recycling/account.test.ts',
  'inspection/wrong orderId': 'tests/http/inspections/wrong-readings.test.ts',
  'booster/requestWithdraw requestSn': 'tests/http/services/boosting/requests.test.ts',
  'booster/requestTake requestSn': 'every approved booster may claim; tests/http/services/boosting/requests.test.ts',
  'booster/addition orderId':
    'lockedService reads it only for its parties (services/actions.ts); tests/http/services/boosting/way.test.ts',
  'booster/reportBan orderId': 'the same',
  'service/order orderSn': 'tests/http/services/boosting/boosting.test.ts',
  'service/act orderId': 'tests/http/services/boosting/boosting.test.ts',
  'service/block orderId': 'tests/http/services/companion.test.ts',
  'service/tip orderId': 'tests/http/services/companion-calendar.test.ts',
  'service/progress orderId': 'lockedService reads it only for its parties (services/actions.ts)',
  'service/answerMilestone orderId': 'the same',
  'service/cancel orderId': 'the same',
  'goods/bulkGoods goodsSnList': 'tests/http/goods/bulk.test.ts',
  'guarantee/claim coverId': 'tests/http/guarantees/guarantees.test.ts',
  'black/releaseBlack orderSn': 'tests/http/verification/trust.test.ts',
  'user/sessionEnd sessionId': 'tests/http/accounts/lockouts.test.ts',
  'pay/cashAdvance reqId': 'a key of one’s own request',
  'pay/acceptWithdrawal withdrawSn': 'tests/http/payments/payout-wechat.test.ts',
  'pay/bill orderSn': 'a filter of one’s own bill',
  'quickCoin/queryQuickOrderList orderSn': 'a filter of one’s own orders',
  'im/sendMessage clientMsgId': 'the sender’s own messages',
  'im/sendMessage imageKey': 'tests/http/chat/chat.test.ts',
  'im/unreadCount groups': 'counts groups that one is in',
  'im/lastMessages groups': 'tests/http/chat/list.test.ts',
  'im/getImCenterToken orderSn': 'tests/http/chat/gateway.test.ts',
  'im/getImGroupIdMap orderSnList': 'tests/http/requests/bad-input.test.ts',
  'review/answer reviewId': 'tests/http/reviews/reviews.test.ts',
  'goods/question/answer questionId': 'tests/http/questions/questions.test.ts',
  'goods/question/merge questionId': 'the same',
  'goods/report questionId': 'the same; what everybody reads, anybody reports',
  'review/report reviewId': 'the same; what everybody reads, anybody reports',
  'comm/noticeRead ids': 'the test of notices',
};

test('notices of another user stay unread', async () => {
  const unread = sql<{
    id: number;
  }>`select id from notice where read_at is null and user_id not in (${stranger.id}, ${abroad.id}) order by id limit 100`;
  const before = (await unread.execute(t.ctx.db)).rows.map(({ id }) => Number(id));
  expect(before.length).toBeGreaterThan(3);
  await stranger.client.ok(noticeRead, { ids: before });
  expect((await unread.execute(t.ctx.db)).rows.map(({ id }) => Number(id))).toEqual(before);
});

test('every field that names an owned thing is tested', () => {
  const checked = new Set(rows.map(([field, { path }]) => `${path.slice(5)} ${field}`));
  const names = endpoints
    .filter((e) => e.auth === 'login')
    .flatMap((e) => Object.keys(jsonSchema(e.input, 'input').properties ?? {}).map((field) => [e, field] as const))
    .filter(([, field]) => NAMES_A_THING.test(field) && !PUBLIC.test(field))
    .map(([e, field]) => [`${e.path.slice(5)} ${field}`, field] as const);
  const missing = names.filter(([name, field]) => !checked.has(name) && !(field in FIELDS) && !(name in CALLS));
  expect(missing).toEqual([]);
});
