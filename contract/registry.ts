/**
 * Every declared call, in groups for the reference page. Add a new file of calls here once; all its calls are then
 * included.
 */
import * as accompanyer from './accompanyer.ts';
import * as companions from './companions.ts';
import * as accountRecycling from './account-recycling.ts';
import * as accountMore from './account-more.ts';
import * as alerts from './alerts.ts';
import * as backstage from './backstage.ts';
import * as backstageBoosting from './backstage-boosting.ts';
import * as providerFigures from './provider-figures.ts';
import * as backstageServices from './backstage-services.ts';
import * as backstageBrands from './backstage-brands.ts';
import * as backstageClaims from './backstage-claims.ts';
import * as backstageDeadLetters from './backstage-dead-letters.ts';
import * as backstageRetention from './backstage-retention.ts';
import * as backstageBoard from './backstage-board.ts';
import * as backstageOverview from './backstage-overview.ts';
import * as backstageDisputes from './backstage-disputes.ts';
import * as backstageContent from './backstage-content.ts';
import * as backstageGoods from './backstage-goods.ts';
import * as backstageGames from './backstage-games.ts';
import * as backstageImport from './backstage-import.ts';
import * as backstageLeagues from './backstage-leagues.ts';
import * as backstageLinkPush from './backstage-link-push.ts';
import * as backstageListings from './backstage-listings.ts';
import * as backstageLists from './backstage-lists.ts';
import * as backstageMoney from './backstage-money.ts';
import * as backstagePasskeys from './backstage-passkeys.ts';
import * as backstagePending from './backstage-pending.ts';
import * as backstageTopups from './backstage-topups.ts';
import * as backstagePayouts from './backstage-payouts.ts';
import * as backstagePromos from './backstage-promos.ts';
import * as backstageOrders from './backstage-orders.ts';
import * as backstageQuarantine from './backstage-quarantine.ts';
import * as backstageProviders from './backstage-providers.ts';
import * as backstageSetup from './backstage-setup.ts';
import * as backstageStaff from './backstage-staff.ts';
import * as backstageSettings from './backstage-settings.ts';
import * as backstageTexts from './backstage-texts.ts';
import * as backstageTrust from './backstage-trust.ts';
import * as backstageRules from './backstage-rules.ts';
import * as backstageReasons from './backstage-reasons.ts';
import * as backstageBlockedWords from './backstage-blocked-words.ts';
import * as backstageSynonyms from './backstage-synonyms.ts';
import * as backstageQuestions from './backstage-questions.ts';
import * as backstageReviews from './backstage-reviews.ts';
import * as backstageReconcile from './backstage-reconcile.ts';
import * as backstageTrial from './backstage-trial.ts';
import * as backstageVendors from './backstage-vendors.ts';
import * as backstagePerson from './backstage-person.ts';
import * as backstageUsers from './backstage-users.ts';
import * as booster from './booster.ts';
import * as boosting from './boosting.ts';
import * as cashier from './cashier.ts';
import * as challenge from './challenge.ts';
import * as commMore from './comm-more.ts';
import * as common from './common.ts';
import * as consent from './consent.ts';
import * as content from './content.ts';
import * as coupon from './coupon.ts';
import * as dataExport from './data-export.ts';
import * as deposit from './deposit.ts';
import * as dispute from './dispute.ts';
import * as dist from './dist.ts';
import type { Endpoint } from './endpoint.ts';
import * as evaluation from './evaluation.ts';
import * as goods from './goods.ts';
import * as goodsBulk from './goods-bulk.ts';
import * as goodsFront from './goods-front.ts';
import * as goodsOffers from './goods-offers.ts';
import * as goodsSearch from './goods-search.ts';
import * as guarantee from './guarantee.ts';
import * as im from './im.ts';
import * as imSupport from './im-support.ts';
import * as imService from './im-service.ts';
import * as imStaff from './im-staff.ts';
import * as listingImport from './listing-import.ts';
import * as notice from './notice.ts';
import * as middleman from './middleman.ts';
import * as invite from './invite.ts';
import * as openApi from './open-api.ts';
import * as openKeys from './open-keys.ts';
import * as order from './order.ts';
import * as pay from './pay.ts';
import * as question from './question.ts';
import * as quickCoin from './quick-coin.ts';
import * as quickCoinMatch from './quick-coin-match.ts';
import * as inspection from './inspection.ts';
import * as recycling from './recycling.ts';
import * as review from './review.ts';
import * as services from './services.ts';
import * as roleCard from './role-card.ts';
import * as sellerLevel from './seller-level.ts';
import * as sellerStatistics from './seller-statistics.ts';
import * as selfCheck from './self-check.ts';
import * as sessions from './sessions.ts';
import * as stepUp from './step-up.ts';
import * as timeSale from './time-sale.ts';
import * as todo from './todo.ts';
import * as user from './user.ts';
import * as verification from './verification.ts';
import * as webhooks from './webhooks.ts';
import * as wechat from './wechat.ts';
import * as wechatPhone from './wechat-phone.ts';

export interface EndpointGroup {
  /** Used in URLs of the reference page. */
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

function group(name: string, title: string, ...modules: readonly object[]): EndpointGroup {
  const named = modules
    .flatMap((module) => Object.entries(module))
    .filter((one): one is [string, Endpoint] => isEndpoint(one[1]));
  for (const [exported, one] of named) exportNames.set(one, exported);
  return { name, title, endpoints: named.map(([, one]) => one) };
}

/** The calls by subject, in the order of the specification's list. */
export const endpointGroups: readonly EndpointGroup[] = [
  group('user', '用户', user, invite, accountMore, consent, stepUp, sessions, sellerLevel, todo, dataExport),
  group('role-card', '角色卡', roleCard),
  group('wechat', '微信与第三方', wechat, wechatPhone),
  group('goods', '商品', goods, goodsSearch, goodsBulk, goodsFront, listingImport, sellerStatistics),
  group('offers', '议价、求购与订阅', goodsOffers, alerts),
  group('coupon', '优惠券与抽奖', coupon),
  group('order', '订单', order),
  group('review', '评价', review),
  group('question', '商品问答', question),
  group('guarantee', '包赔', guarantee),
  group('dispute', '申诉', dispute),
  group('im', '聊天', im, imService),
  group('common, challenge', '公共', common, challenge, commMore),
  group('content', '公告与案例', content),
  group('notice', '消息提醒', notice),
  group('dist', '站点', dist),
  group('verification', '客服验真与黑号', verification),
  group('evaluation', '估价', evaluation),
  group('pay', '支付', pay, cashier),
  group('deposit', '保证金', deposit),
  group('quick-coin, quick-coin-match', '极速金币', quickCoin, quickCoinMatch),
  group('recycling', '金币回收', recycling),
  group('accountRecycling', '账号回收', accountRecycling),
  group('inspection', '验号', inspection),
  group('time-sale', '限时价', timeSale),
  group('middleman', '担保中介', middleman),
  group('open', '开放接口', openApi),
  group('openKeys', '开放接口密钥', openKeys),
  group('webhooks', '事件推送', webhooks),
  group('service', '代练与陪玩订单', services),
  group('booster', '代练', booster, boosting),
  group('accompanyer', '陪玩', accompanyer, companions),
  group(
    'backstage',
    '后台',
    backstage,
    backstageOverview,
    backstageBoard,
    backstageGoods,
    backstageLeagues,
    backstageListings,
    backstageLists,
    backstageOrders,
    backstagePayouts,
    backstageDisputes,
    backstageBoosting,
    backstageProviders,
    providerFigures,
    backstageServices,
    backstageBrands,
    backstageLinkPush,
    backstageGames,
    backstageClaims,
    backstageUsers,
    backstagePerson,
    backstageMoney,
    backstagePasskeys,
    backstagePending,
    backstageTopups,
    backstagePromos,
    backstageReconcile,
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
    imStaff,
    imSupport,
  ),
  group('self-check', '自检', selfCheck),
];

/** Every declared call. A server serves only those that it binds; see the document that it publishes. */
export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((g) => g.endpoints);
