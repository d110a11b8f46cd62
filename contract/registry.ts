/**
 * Every declared call, in groups for the reference page. Add a new file of calls here once; all its calls are then
 * included.
 */
import * as accompanyer from '#subjects/services/contract/accompanyer.ts';
import * as companions from '#subjects/services/contract/companions.ts';
import * as accountRecycling from '#subjects/recycling/contract/account-recycling.ts';
import * as emailAndClosing from '#subjects/accounts/contract/email-and-closing.ts';
import * as alerts from '#subjects/offers/contract/alerts.ts';
import * as backstage from '#subjects/back-office/contract/sign-in.ts';
import * as backstageBoosting from '#subjects/services/contract/staff-boosting.ts';
import * as backstageServices from '#subjects/services/contract/staff-services.ts';
import * as backstageBrands from '#subjects/distributors/contract/staff-brands.ts';
import * as backstageClaims from '#subjects/guarantees/contract/staff-claims.ts';
import * as backstageDeadLetters from '#subjects/back-office/contract/dead-letters.ts';
import * as backstageRetention from '#subjects/back-office/contract/retention.ts';
import * as backstageBoard from '#subjects/back-office/contract/board.ts';
import * as backstageOverview from '#subjects/back-office/contract/overview.ts';
import * as backstageDisputes from '#subjects/disputes/contract/staff-disputes.ts';
import * as backstageContent from '#subjects/content/contract/staff-content.ts';
import * as backstageGoods from '#subjects/goods/contract/staff-review.ts';
import * as backstageGames from '#subjects/games/contract/staff-games.ts';
import * as backstageImport from '#subjects/back-office/contract/import.ts';
import * as backstageLeagues from '#subjects/content/contract/staff-leagues.ts';
import * as backstageLinkPush from '#subjects/link-push/contract/staff-link-push.ts';
import * as backstageListings from '#subjects/goods/contract/staff-listings.ts';
import * as backstageLists from '#subjects/back-office/contract/lists.ts';
import * as backstageMoney from '#subjects/payments/contract/staff-money.ts';
import * as backstagePasskeys from '#subjects/back-office/contract/passkeys.ts';
import * as backstagePending from '#subjects/payments/contract/staff-pending.ts';
import * as backstageTopups from '#subjects/payments/contract/staff-topups.ts';
import * as backstagePayouts from '#subjects/payments/contract/staff-payouts.ts';
import * as backstagePromos from '#subjects/promotions/contract/staff-campaigns.ts';
import * as backstageOrders from '#subjects/orders/contract/staff-orders.ts';
import * as backstageQuarantine from '#subjects/back-office/contract/quarantine.ts';
import * as backstageProviders from '#subjects/providers/contract/staff-providers.ts';
import * as backstageSetup from '#subjects/back-office/contract/setup.ts';
import * as backstageStaff from '#subjects/back-office/contract/staff.ts';
import * as backstageSettings from '#subjects/settings/contract/staff-settings.ts';
import * as backstageTexts from '#subjects/notices/contract/staff-texts.ts';
import * as backstageTrust from '#subjects/verification/contract/staff-trust.ts';
import * as backstageRules from '#subjects/content/contract/staff-rules.ts';
import * as backstageReasons from '#subjects/disputes/contract/staff-reasons.ts';
import * as backstageBlockedWords from '#subjects/back-office/contract/blocked-words.ts';
import * as backstageSynonyms from '#subjects/goods/contract/staff-synonyms.ts';
import * as backstageQuestions from '#subjects/questions/contract/staff-reports.ts';
import * as backstageReviews from '#subjects/reviews/contract/staff-reviews.ts';
import * as backstageReconcile from '#subjects/payments/contract/staff-reconcile.ts';
import * as backstageTrial from '#subjects/back-office/contract/trial.ts';
import * as backstageVendors from '#subjects/back-office/contract/vendors.ts';
import * as backstagePerson from '#subjects/back-office/contract/person.ts';
import * as backstageUsers from '#subjects/accounts/contract/staff-users.ts';
import * as booster from '#subjects/services/contract/booster.ts';
import * as boosting from '#subjects/services/contract/boosting.ts';
import * as cashier from '#subjects/payments/contract/cashier.ts';
import * as challenge from '#subjects/accounts/contract/challenge.ts';
import * as consent from '#subjects/accounts/contract/consent.ts';
import * as content from '#subjects/content/contract/content.ts';
import * as coupon from '#subjects/promotions/contract/coupon.ts';
import * as dataExport from '#subjects/data-export/contract/data-export.ts';
import * as deposit from '#subjects/deposits/contract/deposit.ts';
import * as dispute from '#subjects/disputes/contract/dispute.ts';
import * as dist from '#subjects/distributors/contract/dist.ts';
import type { Endpoint } from './endpoint.ts';
import * as evaluation from '#subjects/valuation/contract/evaluation.ts';
import * as goods from '#subjects/goods/contract/goods.ts';
import * as goodsBulk from '#subjects/goods/contract/goods-bulk.ts';
import * as goodsFront from '#subjects/goods/contract/front-page.ts';
import * as goodsOffers from '#subjects/offers/contract/offers.ts';
import * as goodsSearch from '#subjects/goods/contract/goods-search.ts';
import * as guarantee from '#subjects/guarantees/contract/guarantee.ts';
import * as im from '#subjects/chat/contract/im.ts';
import * as imSupport from '#subjects/chat/contract/im-support.ts';
import * as imService from '#subjects/chat/contract/im-service.ts';
import * as imStaff from '#subjects/chat/contract/im-staff.ts';
import * as listingImport from '#subjects/listing-import/contract/listing-import.ts';
import * as notice from '#subjects/notices/contract/notice.ts';
import * as middleman from '#subjects/middleman/contract/middleman.ts';
import * as invite from '#subjects/orders/contract/invite.ts';
import * as openApi from '#subjects/open-api/contract/open-api.ts';
import * as openKeys from '#subjects/open-api/contract/open-keys.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as pay from '#subjects/payments/contract/pay.ts';
import * as question from '#subjects/questions/contract/question.ts';
import * as quickCoin from '#subjects/quick-coin/contract/quick-coin.ts';
import * as quickCoinMatch from '#subjects/quick-coin/contract/quick-coin-match.ts';
import * as inspection from '#subjects/inspections/contract/inspection.ts';
import * as recycling from '#subjects/recycling/contract/recycling.ts';
import * as review from '#subjects/reviews/contract/review.ts';
import * as services from '#subjects/services/contract/services.ts';
import * as roleCard from '#subjects/games/contract/role-card.ts';
import * as sellerLevel from '#subjects/seller-levels/contract/seller-level.ts';
import * as sellerStatistics from '#subjects/seller-statistics/contract/seller-statistics.ts';
import * as selfCheck from '#subjects/back-office/contract/self-check.ts';
import * as sessions from '#subjects/accounts/contract/sessions.ts';
import * as stepUp from '#subjects/accounts/contract/step-up.ts';
import * as timeSale from '#subjects/time-sale/contract/time-sale.ts';
import * as todo from '#subjects/notices/contract/todo.ts';
import * as user from '#subjects/accounts/contract/user.ts';
import * as verification from '#subjects/verification/contract/verification.ts';
import * as webhooks from '#subjects/open-api/contract/webhooks.ts';
import * as wechat from '#subjects/accounts/contract/wechat.ts';
import * as wechatPhone from '#subjects/accounts/contract/wechat-phone.ts';
import * as adverts from '#subjects/content/contract/adverts.ts';
import * as backstageAudit from '#subjects/back-office/contract/audit.ts';
import * as backstageUserSearch from '#subjects/accounts/contract/staff-user-search.ts';
import * as contact from '#subjects/orders/contract/contact.ts';
import * as depositPay from '#subjects/payments/contract/deposit-pay.ts';
import * as directUploads from '#subjects/media/contract/direct-uploads.ts';
import * as discount from '#subjects/orders/contract/discount.ts';
import * as follows from '#subjects/goods/contract/follows.ts';
import * as games from '#subjects/games/contract/games.ts';
import * as freeze from '#subjects/back-office/contract/freeze.ts';
import * as identity from '#subjects/verification/contract/identity.ts';
import * as imRating from '#subjects/chat/contract/im-rating.ts';
import * as inbox from '#subjects/notices/contract/inbox.ts';
import * as leagues from '#subjects/content/contract/leagues.ts';
import * as netAmount from '#subjects/goods/contract/net-amount.ts';
import * as orderReview from '#subjects/reviews/contract/order-review.ts';
import * as payee from '#subjects/verification/contract/payee.ts';
import * as pictures from '#subjects/media/contract/pictures.ts';
import * as recyclerFigures from '#subjects/recycling/contract/recycler-figures.ts';
import * as serviceNumbers from '#subjects/verification/contract/service-numbers.ts';
import * as shopFigures from '#subjects/quick-coin/contract/shop-figures.ts';
import * as siteFigures from '#subjects/orders/contract/site-figures.ts';
import * as sms from '#subjects/accounts/contract/sms.ts';
import * as staffLedger from '#subjects/ledger/contract/staff-ledger.ts';
import * as staffUploads from '#subjects/media/contract/staff-uploads.ts';
import * as staffValuations from '#subjects/valuation/contract/staff-valuations.ts';
import * as voice from '#subjects/media/contract/voice.ts';
import * as wechatPush from '#subjects/notices/contract/wechat-push.ts';

export interface EndpointGroup {
  /** Used in the URLs of the reference page. */
  readonly name: string;
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
}

/** The export name of a call; clients and named schemas use it. */
const exportNames = new Map<Endpoint, string>();
export const nameOfEndpoint = (endpoint: Endpoint): string => exportNames.get(endpoint) ?? '';

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'input' in value;
}

type Calls = Readonly<Record<string, unknown>>;

/** The calls of one file, or of several that the document lists as one: by name, as the exports of a file are sorted. */
const callsOf = (files: Calls | readonly Calls[]): [string, Endpoint][] =>
  (Array.isArray(files) ? (files as readonly Calls[]) : [files as Calls])
    .flatMap((file) => Object.entries(file))
    .filter((one): one is [string, Endpoint] => isEndpoint(one[1]))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

function group(name: string, title: string, ...files: readonly (Calls | readonly Calls[])[]): EndpointGroup {
  const named = files.flatMap(callsOf);
  for (const [exported, one] of named) exportNames.set(one, exported);
  return { name, title, endpoints: named.map(([, one]) => one) };
}

/** The calls by subject, in the order of the specification's list. */
export const endpointGroups: readonly EndpointGroup[] = [
  group(
    'user',
    '用户',
    [user, follows, netAmount, payee],
    invite,
    [emailAndClosing, contact],
    consent,
    stepUp,
    sessions,
    sellerLevel,
    todo,
    dataExport,
  ),
  group('role-card', '角色卡', roleCard),
  group('wechat', '微信与第三方', [wechat, wechatPush], wechatPhone),
  group(
    'goods',
    '商品',
    goods,
    goodsSearch,
    goodsBulk,
    [goodsFront, adverts, discount, leagues],
    listingImport,
    sellerStatistics,
  ),
  group('offers', '议价、求购与订阅', goodsOffers, alerts),
  group('coupon', '优惠券与抽奖', coupon),
  group('order', '订单', [order, orderReview]),
  group('review', '评价', review),
  group('question', '商品问答', question),
  group('guarantee', '包赔', guarantee),
  group('dispute', '申诉', dispute),
  group('im', '聊天', im, imService),
  group('common, challenge', '公共', [sms, games, identity, pictures], challenge, [directUploads, inbox, imRating]),
  group('content', '公告与案例', content),
  group('notice', '消息提醒', notice),
  group('dist', '站点', [dist, siteFigures, serviceNumbers]),
  group('verification', '客服验真与黑号', verification),
  group('evaluation', '估价', evaluation),
  group('pay', '支付', pay, cashier),
  group('deposit', '保证金', [deposit, depositPay]),
  group('quick-coin, quick-coin-match', '极速金币', quickCoin, quickCoinMatch),
  group('recycling', '金币回收', recycling),
  group('accountRecycling', '账号回收', [accountRecycling, staffValuations]),
  group('inspection', '验号', inspection),
  group('time-sale', '限时价', timeSale),
  group('middleman', '担保中介', middleman),
  group('open', '开放接口', openApi),
  group('openKeys', '开放接口密钥', openKeys),
  group('webhooks', '事件推送', webhooks),
  group('service', '代练与陪玩订单', services),
  group('booster', '代练', booster, boosting),
  group('accompanyer', '陪玩', [accompanyer, voice], companions),
  group(
    'backstage',
    '后台',
    [backstage, backstageUserSearch],
    backstageOverview,
    backstageBoard,
    backstageGoods,
    backstageLeagues,
    backstageListings,
    backstageLists,
    [backstageOrders, { staffEvidenceUpload: staffUploads.staffEvidenceUpload }],
    backstagePayouts,
    backstageDisputes,
    backstageBoosting,
    backstageProviders,
    [shopFigures, recyclerFigures],
    backstageServices,
    [backstageBrands, { staffContentUpload: staffUploads.staffContentUpload }],
    backstageLinkPush,
    [backstageGames, { uploadGameIcon: staffUploads.uploadGameIcon }],
    backstageClaims,
    backstageUsers,
    backstagePerson,
    [backstageMoney, backstageAudit, staffLedger],
    backstagePasskeys,
    backstagePending,
    backstageTopups,
    backstagePromos,
    [backstageReconcile, freeze],
    backstageImport,
    backstageSetup,
    backstageStaff,
    backstageSettings,
    backstageTexts,
    backstageRules,
    backstageReasons,
    backstageBlockedWords,
    backstageSynonyms,
    backstageTrust,
    backstageQuestions,
    backstageReviews,
    backstageContent,
    backstageDeadLetters,
    backstageRetention,
    backstageTrial,
    backstageVendors,
    backstageQuarantine,
    [imStaff, { staffImUpload: staffUploads.staffImUpload }],
    imSupport,
  ),
  group('self-check', '自检', selfCheck),
];

/** Every declared call. A server serves only the calls it binds; see its published document. */
export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((g) => g.endpoints);
