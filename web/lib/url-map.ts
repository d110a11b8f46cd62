/** Who may open a page: everyone, a signed-in user, a user with a role flag, a member of staff. */
export type Access = 'public' | 'login' | 'isQuickShop' | 'isBooster' | 'isAccompanyer' | 'staff';

/**
 * The layout of a page (product.md 2, layouts), which also determines its scripts. `index` is the home page's, in the distributor's arrangement; `store` is the default;
 * `bare` has neither navigation nor footer; `single` has one column and nothing beside it.
 */
export type LayoutName =
  | 'index'
  | 'store'
  | 'black'
  | 'single'
  | 'login'
  | 'bare'
  | 'center'
  | 'centerCode'
  | 'shop'
  | 'chat'
  | 'backstage'
  | 'staff-plain';

/** Layouts of the storefront: their pages keep within its JavaScript budget. */
export const STOREFRONT: readonly LayoutName[] = ['index', 'store', 'black', 'single', 'login', 'bare'];

/** Addresses of the back office that have no page: its staff are told so in its own frame. */
export const LOST_STAFF_PAGE = '/backstage/*';

export interface UrlEntry {
  path: string;
  /** Name of the page in menus, titles and breadcrumbs. */
  name: string;
  access: Access;
  section: string;
  layout: LayoutName;
  /** The page's file under web/pages. A page exists once its file is set here. */
  file?: string;
}

function page(
  path: string,
  name: string,
  access: Access,
  section: string,
  layout: LayoutName,
  file?: string,
): UrlEntry {
  return { path, name, access, section, layout, ...(file && { file }) };
}

/**
 * Every URL of the site (product.md 2), and of the back office, which exists only on its own host. To add a page, set
 * its file.
 */
export const urlMap: readonly UrlEntry[] = [
  page('/', '首页', 'public', 'top', 'index', 'pages/home/home.tsx'),
  page('/allgame', '全部游戏', 'public', 'top', 'store', 'goods/web/all-games.tsx'),
  page('/black', '黑号查询', 'public', 'black', 'black', 'verification/web/black.tsx'),
  page('/black/blackList', '黑号名单', 'public', 'black', 'black', 'verification/web/black-list.tsx'),
  page('/black/center', '我的举报', 'login', 'black', 'black', 'verification/web/my-reports.tsx'),
  page('/black/releaseBlack', '举报黑号', 'login', 'black', 'black', 'verification/web/report.tsx'),
  page('/black/zhgs', '账号公示', 'public', 'black', 'black', 'verification/web/belonging.tsx'),
  page('/black/:sn', '黑号记录', 'public', 'black', 'black', 'verification/web/record.tsx'),
  page('/center', '个人中心', 'login', 'centre', 'center', 'pages/center/home/home.tsx'),
  page('/center/all', '全部功能', 'login', 'centre', 'center', 'pages/center/home/all.tsx'),
  page('/chatSystem', '交易群', 'login', 'chat', 'chat', 'chat/center/chat.tsx'),
  page('/competition', '赛事', 'public', 'activity', 'store', 'content/web/competition.tsx'),
  page('/customerService', '联系客服', 'login', 'chat', 'chat', 'chat/center/service.tsx'),
  page('/customerAssess', '评价订单', 'login', 'order', 'store', 'orders/web/rate.tsx'),
  page('/dealshow', '成交展示', 'public', 'trade', 'store', 'goods/web/sales/dealshow.tsx'),
  page('/dealshow/selltime', '售出时长', 'public', 'trade', 'store', 'goods/web/sales/selltime.tsx'),
  page('/eventCase', '事件案例', 'public', 'content', 'store', 'content/web/cases.tsx'),
  page('/eventCase/detail', '案例详情', 'public', 'content', 'store', 'content/web/case.tsx'),
  page('/fastGold/fastGoldOrder', '极速金币', 'public', 'quick coin', 'store', 'quick-coin/web/storefront.tsx'),
  page('/fastGold/:sn?/order', '金币下单', 'login', 'quick coin', 'store', 'quick-coin/web/order.tsx'),
  page('/forgetPassword', '找回密码', 'public', 'account', 'login', 'accounts/web/forget-password.tsx'),
  page('/gj-wzry', '王者荣耀估价', 'public', 'valuation', 'store', 'valuation/web/valuation.tsx'),
  page('/gj-wzry/hpjyEvaluator', '和平精英估价', 'public', 'valuation', 'store', 'valuation/web/valuation.tsx'),
  page('/intermediary/intermediary', '担保中介', 'public', 'trade', 'store', 'middleman/web/middleman.tsx'),
  page('/jump', '离开本站', 'public', 'top', 'bare', 'pages/top/jump.tsx'),
  page('/guarantee', '包赔基金公示', 'public', 'trust', 'store', 'guarantees/web/fund.tsx'),
  page('/guarantee/:no', '包赔证书', 'public', 'trust', 'store', 'verification/web/certificate.tsx'),
  page('/rulings', '公开裁决与平台规则', 'public', 'trust', 'store', 'disputes/web/rulings.tsx'),
  page('/rules/:code', '平台规则', 'public', 'trust', 'store', 'content/web/rule.tsx'),
  page('/kfyz', '客服验真', 'public', 'trust', 'single', 'verification/web/verify.tsx'),
  page('/login', '登录', 'public', 'account', 'login', 'accounts/web/login.tsx'),
  page('/register', '注册', 'public', 'account', 'login', 'accounts/web/register.tsx'),
  page('/lotterydraw', '抽奖与领券', 'public', 'activity', 'store', 'promotions/web/lottery.tsx'),
  page('/lotterydraw/myCoupon', '我的优惠券', 'login', 'activity', 'store', 'promotions/web/my-coupons.tsx'),
  page('/news', '公告中心', 'public', 'content', 'store', 'content/web/news-list.tsx'),
  page('/news/:code', '公告', 'public', 'content', 'store', 'content/web/news.tsx'),
  page('/openApi', '开放接口文档', 'public', 'content', 'store', 'open-api/web/open-api.tsx'),
  page('/recycle', '账号回收', 'public', 'recycle', 'store', 'recycling/web/recycle.tsx'),
  page('/test', '自检', 'public', 'top', 'store', 'pages/test.tsx'),
  page('/wares', '商品列表', 'public', 'goods', 'store', 'goods/web/list.tsx'),
  page('/wares/goldRecycling', '金币回收', 'public', 'goods', 'store', 'quick-coin/web/recycle.tsx'),
  page('/wares/hotShoppingMall', '热卖商城', 'public', 'goods', 'store', 'quick-coin/web/mall.tsx'),
  page('/wares/viewed', '看过的商品', 'public', 'goods', 'store', 'goods/web/viewed.tsx'),
  page('/wares/myBrowseGoods', '浏览记录', 'login', 'goods', 'store', 'goods/web/browsed.tsx'),
  page('/wares/:sn/order', '确认订单', 'login', 'order', 'store', 'orders/web/confirm.tsx'),
  page('/wares/:sn/pay', '支付订单', 'login', 'order', 'store', 'payments/web/pay.tsx'),
  page('/wares/:sn/success', '支付成功', 'login', 'order', 'store', 'orders/web/success.tsx'),
  page('/wares/:sn/timePurchase', '限时抢购', 'public', 'goods', 'store', 'goods/web/time-purchase.tsx'),
  page('/goods/:sn?/order', '确认订单', 'login', 'order', 'store', 'orders/web/confirm.tsx'),
  page('/goods/:sn?/pay', '支付订单', 'login', 'order', 'store', 'payments/web/pay.tsx'),
  page('/goods/:sn?/success', '支付成功', 'login', 'order', 'store', 'orders/web/success.tsx'),
  page('/detail/:sn?', '商品详情', 'public', 'goods', 'store', 'goods/web/detail.tsx'),
  page('/JDetail/:sn?', '商品详情', 'public', 'goods', 'store', 'goods/web/detail.tsx'),
  page('/h/', '首页', 'public', 'mobile', 'index', 'pages/home/home.tsx'),
  page('/h/goodsDetail/:sn', '商品详情', 'public', 'mobile', 'store', 'goods/web/detail.tsx'),
  page('/seller/:sellerId', '卖家主页', 'public', 'goods', 'store', 'goods/web/seller/seller.tsx'),
  page('/pay/go/:payRand', '收银台', 'public', 'order', 'bare', 'payments/web/cashier.tsx'),
  page('/pay/sandbox/:payRand', '沙箱付款', 'public', 'order', 'bare', 'payments/web/sandbox.tsx'),
  page('/login/:provider', '微信登录', 'public', 'account', 'bare', 'accounts/web/return.tsx'),
  page('/wechat/:code', '微信确认', 'public', 'account', 'bare', 'accounts/web/wechat-phone.tsx'),
  page('/wechat/follow/:scene?', '关注公众号', 'public', 'account', 'bare', 'notices/web/follow.tsx'),
  page('/specilPage/businessCooperation', '商务合作', 'public', 'special', 'single', 'content/web/cooperation.tsx'),
  page('/specilPage/businessRecycling', '商家回收', 'public', 'special', 'single', 'recycling/web/board.tsx'),
  page(
    '/specilPage/createAccountInfo',
    '创建账号信息',
    'public',
    'special',
    'single',
    'valuation/web/account-info.tsx',
  ),
  page('/specilPage/hpjyEvaluator', '和平精英估价', 'public', 'special', 'single', 'valuation/web/valuation.tsx'),
  page('/center/buyers', '买家中心', 'login', 'centre buyer', 'center', 'orders/center/buyers.tsx'),
  page('/center/buyGoodsOrder', '我买到的', 'login', 'centre buyer', 'center', 'orders/center/orders.tsx'),
  page('/center/buyLikedGoods', '我的收藏', 'login', 'centre buyer', 'center', 'goods/center/liked/liked.tsx'),
  page('/center/buyBlackList', '我的求购', 'login', 'centre buyer', 'center', 'offers/center/want/wants.tsx'),
  page('/center/buyBargainGoods', '我的议价', 'login', 'centre buyer', 'center', 'offers/center/bargain/buy.tsx'),
  page('/center/buyFastGold', '极速金币订单', 'login', 'centre buyer', 'center', 'quick-coin/center/bought.tsx'),
  page(
    '/center/buyFastGoldDetail',
    '金币订单详情',
    'login',
    'centre buyer',
    'center',
    'quick-coin/center/order-detail.tsx',
  ),
  page('/center/buyComplaint', '我的申诉', 'login', 'centre buyer', 'center', 'disputes/center/complaint.tsx'),
  page('/center/buyGuarantee', '我的包赔', 'login', 'centre buyer', 'center', 'guarantees/center/guarantee.tsx'),
  page('/center/buyOrderDetail', '订单详情', 'login', 'centre buyer', 'center', 'orders/center/order-detail.tsx'),
  page('/center/sell', '发布商品', 'login', 'centre seller', 'center', 'goods/center/sell/sell.tsx'),
  page('/center/sellOutGoods', '我的商品', 'login', 'centre seller', 'center', 'goods/center/selling/goods.tsx'),
  page('/center/goodsGrid', '批量编辑', 'login', 'centre seller', 'center', 'goods/center/selling/grid.tsx'),
  page('/center/goodsImport', '表格导入', 'login', 'centre seller', 'center', 'listing-import/center/import.tsx'),
  page('/center/statistics', '经营统计', 'login', 'centre seller', 'center', 'seller-statistics/center/statistics.tsx'),
  page('/center/sellOrder', '我卖出的', 'login', 'centre seller', 'center', 'orders/center/seller-orders.tsx'),
  page('/center/questions', '收到的提问', 'login', 'centre seller', 'center', 'questions/center/questions.tsx'),
  page('/center/openApi', '开放接口', 'login', 'centre seller', 'center', 'open-api/center/open-api.tsx'),
  page('/center/sellBargainGoods', '收到的议价', 'login', 'centre seller', 'center', 'offers/center/bargain/sell.tsx'),
  page('/center/myshop/joinshop', '申请开店', 'login', 'centre shop', 'shop', 'quick-coin/center/join.tsx'),
  page('/center/myshop/shopmanage', '店铺管理', 'isQuickShop', 'centre shop', 'shop', 'quick-coin/center/manage.tsx'),
  page('/center/myshop/shopOrder', '店铺订单', 'isQuickShop', 'centre shop', 'shop', 'quick-coin/center/sold.tsx'),
  page(
    '/center/boosting/requests',
    '代练发单',
    'login',
    'centre boosting',
    'center',
    'services/center/boosting/requests.tsx',
  ),
  page(
    '/center/boosting/board',
    '接单大厅',
    'isBooster',
    'centre boosting',
    'center',
    'services/center/boosting/board.tsx',
  ),
  page(
    '/center/boosting/booster',
    '申请代练',
    'login',
    'centre boosting',
    'center',
    'services/center/boosting/join.tsx',
  ),
  page(
    '/center/boosting/setMeal',
    '代练套餐',
    'isBooster',
    'centre boosting',
    'center',
    'services/center/boosting/packages.tsx',
  ),
  page(
    '/center/boosting/boosterOrder',
    '代练订单',
    'isBooster',
    'centre boosting',
    'center',
    'services/center/boosting/orders.tsx',
  ),
  page(
    '/center/accompanyer/accompanyer',
    '申请陪玩',
    'login',
    'centre companion',
    'center',
    'services/center/companion/join.tsx',
  ),
  page(
    '/center/accompanyer/setMeal',
    '陪玩套餐',
    'isAccompanyer',
    'centre companion',
    'center',
    'services/center/companion/packages.tsx',
  ),
  page(
    '/center/accompanyer/accompanyerOrder',
    '陪玩订单',
    'isAccompanyer',
    'centre companion',
    'center',
    'services/center/companion/orders.tsx',
  ),
  page('/center/recycler', '金币回收商', 'login', 'centre seller', 'center', 'quick-coin/center/recycler.tsx'),
  page('/center/inspections', '验号', 'login', 'centre other', 'center', 'inspections/center/inspections.tsx'),
  page('/center/buyback', '回收申请', 'login', 'centre other', 'center', 'recycling/center/buyback.tsx'),
  page(
    '/center/assets/assetsFinancing',
    '资金收支',
    'login',
    'centre other',
    'center',
    'payments/center/financing.tsx',
  ),
  page(
    '/center/extend/extendMyExtension',
    '我的推广',
    'login',
    'centre other',
    'center',
    'promotions/center/extend/extension.tsx',
  ),
  page(
    '/center/extend/qrCode',
    '推广二维码',
    'login',
    'centre other',
    'centerCode',
    'promotions/center/extend/qr-code.tsx',
  ),
  page('/center/myself/myselfInfo', '个人资料', 'login', 'centre account', 'center', 'accounts/center/info.tsx'),
  page(
    '/center/myself/accountSecurity',
    '账户安全',
    'login',
    'centre account',
    'center',
    'accounts/center/security.tsx',
  ),
  page(
    '/center/myself/cashWithdrawal',
    '提现',
    'login',
    'centre account',
    'center',
    'payments/center/wallet/withdrawal.tsx',
  ),
  page(
    '/center/myself/changeAliAccount',
    '收款账户',
    'login',
    'centre account',
    'center',
    'accounts/center/payout.tsx',
  ),
  page('/center/myself/changeEmail', '绑定邮箱', 'login', 'centre account', 'center', 'accounts/center/email.tsx'),
  page(
    '/center/myself/changePassword',
    '修改登录密码',
    'login',
    'centre account',
    'center',
    'accounts/center/password.tsx',
  ),
  page(
    '/center/myself/changePayPassword',
    '支付密码',
    'login',
    'centre account',
    'center',
    'accounts/center/pay-password.tsx',
  ),
  page('/center/myself/changePhone', '更换手机', 'login', 'centre account', 'center', 'accounts/center/phone.tsx'),
  page('/center/myself/depositWithdraw', '保证金', 'login', 'centre wallet', 'center', 'deposits/center/deposit.tsx'),
  page(
    '/center/myself/identityAuthentication',
    '实名认证',
    'login',
    'centre account',
    'center',
    'accounts/center/identity.tsx',
  ),
  page('/center/myself/recharge', '充值', 'login', 'centre account', 'center', 'payments/center/wallet/recharge.tsx'),
  page(
    '/center/myself/thirdPartyBinding',
    '第三方账号',
    'login',
    'centre account',
    'center',
    'accounts/center/third-party.tsx',
  ),
  page('/center/notices', '消息通知', 'login', 'centre account', 'center', 'notices/center/notices.tsx'),
  page('/center/mywallets', '我的钱包', 'login', 'centre wallet', 'center', 'payments/center/wallet/wallet.tsx'),
  page(
    '/center/mywallets/withdrawal',
    '提现',
    'login',
    'centre wallet',
    'center',
    'payments/center/wallet/withdrawal.tsx',
  ),
  page('/center/mywallets/list', '账单', 'login', 'centre wallet', 'center', 'payments/center/wallet/bill.tsx'),

  page('/backstage', '工作台', 'staff', 'backstage', 'backstage', 'back-office/staff/home.tsx'),
  page('/backstage/goods', '商品审核', 'staff', 'backstage', 'backstage', 'goods/staff/review-queue.tsx'),
  page('/backstage/listings', '全部商品', 'staff', 'backstage', 'backstage', 'goods/staff/listings.tsx'),
  page('/backstage/orders', '订单', 'staff', 'backstage', 'backstage', 'orders/staff/orders.tsx'),
  page('/backstage/orders/:sn', '订单详情', 'staff', 'backstage', 'backstage', 'orders/staff/order-detail.tsx'),
  page('/backstage/chat', '客服会话', 'staff', 'backstage', 'backstage', 'chat/staff/conversations.tsx'),
  page('/backstage/service', '客服管理', 'staff', 'backstage', 'backstage', 'chat/staff/quality-and-duty.tsx'),
  page('/backstage/providers', '入驻审核', 'staff', 'backstage', 'backstage', 'providers/staff/providers.tsx'),
  page('/backstage/inspections', '验号', 'staff', 'backstage', 'backstage', 'inspections/staff/inspections.tsx'),
  page('/backstage/services', '服务订单', 'staff', 'backstage', 'backstage', 'services/staff/services.tsx'),
  page('/backstage/boosting', '代练', 'staff', 'backstage', 'backstage', 'services/staff/boosting.tsx'),
  page('/backstage/recycling', '回收与估价', 'staff', 'backstage', 'backstage', 'recycling/staff/recycling.tsx'),
  page('/backstage/disputes', '申诉', 'staff', 'backstage', 'backstage', 'disputes/staff/disputes.tsx'),
  page('/backstage/disputes/:sn', '申诉案卷', 'staff', 'backstage', 'backstage', 'disputes/staff/dispute-detail.tsx'),
  page('/backstage/claims', '理赔', 'staff', 'backstage', 'backstage', 'guarantees/staff/claims.tsx'),
  page('/backstage/claims/:sn', '理赔案卷', 'staff', 'backstage', 'backstage', 'guarantees/staff/claim-detail.tsx'),
  page('/backstage/users', '用户', 'staff', 'backstage', 'backstage', 'back-office/staff/users.tsx'),
  page('/backstage/users/:userId', '用户详情', 'staff', 'backstage', 'backstage', 'back-office/staff/person.tsx'),
  page('/backstage/withdrawals', '提现审核', 'staff', 'backstage', 'backstage', 'payments/staff/withdrawals.tsx'),
  page('/backstage/payouts', '打款名单', 'staff', 'backstage', 'backstage', 'payments/staff/payouts.tsx'),
  page('/backstage/payouts/:sn', '打款名单明细', 'staff', 'backstage', 'backstage', 'payments/staff/payout-list.tsx'),
  page('/backstage/holds', '冻结款', 'staff', 'backstage', 'backstage', 'ledger/staff/holds.tsx'),
  page('/backstage/topups', '充值退回', 'staff', 'backstage', 'backstage', 'payments/staff/topups.tsx'),
  page('/backstage/reconcile', '渠道对账', 'staff', 'backstage', 'backstage', 'payments/staff/reconcile.tsx'),
  page('/backstage/campaigns', '优惠活动', 'staff', 'backstage', 'backstage', 'promotions/staff/campaigns.tsx'),
  page('/backstage/commission', '佣金结算', 'staff', 'backstage', 'backstage', 'promotions/staff/commission.tsx'),
  page(
    '/backstage/commission/days',
    '佣金日结单',
    'staff',
    'backstage',
    'backstage',
    'promotions/staff/commission-days.tsx',
  ),
  page('/backstage/transfers', '资金流水', 'staff', 'backstage', 'backstage', 'payments/staff/transfers.tsx'),
  page('/backstage/ledger', '账目', 'staff', 'backstage', 'backstage', 'ledger/staff/ledger.tsx'),
  page('/backstage/trust', '黑号与客服验真', 'staff', 'backstage', 'backstage', 'verification/staff/trust.tsx'),
  page('/backstage/goodsReports', '商品举报', 'staff', 'backstage', 'backstage', 'questions/staff/goods-reports.tsx'),
  page('/backstage/reviews', '评价举报', 'staff', 'backstage', 'backstage', 'reviews/staff/reviews.tsx'),
  page('/backstage/import', '导入库存表', 'staff', 'backstage', 'backstage', 'back-office/staff/import.tsx'),
  page('/backstage/news', '公告', 'staff', 'backstage', 'backstage', 'content/staff/news.tsx'),
  page('/backstage/cases', '案例', 'staff', 'backstage', 'backstage', 'content/staff/success-cases.tsx'),
  page('/backstage/brands', '品牌', 'staff', 'backstage', 'backstage', 'distributors/staff/brands.tsx'),
  page('/backstage/brands/:id', '品牌设置', 'staff', 'backstage', 'backstage', 'distributors/staff/brand.tsx'),
  page('/backstage/leagues', '赛事', 'staff', 'backstage', 'backstage', 'content/staff/leagues.tsx'),
  page('/backstage/games', '游戏与目录', 'staff', 'backstage', 'backstage', 'games/staff/games.tsx'),
  page('/backstage/games/:id', '编辑游戏', 'staff', 'backstage', 'backstage', 'games/staff/game.tsx'),
  page('/backstage/adverts', '广告', 'staff', 'backstage', 'backstage', 'content/staff/adverts.tsx'),
  page('/backstage/business', '合作申请', 'staff', 'backstage', 'backstage', 'content/staff/business.tsx'),
  page('/backstage/audit', '操作记录', 'staff', 'backstage', 'backstage', 'back-office/staff/audit.tsx'),
  page('/backstage/vendors', '服务商', 'staff', 'backstage', 'backstage', 'back-office/staff/vendors.tsx'),
  page('/backstage/trial', '试运行', 'staff', 'backstage', 'backstage', 'back-office/staff/trial.tsx'),
  page('/backstage/retention', '数据保留', 'staff', 'backstage', 'backstage', 'back-office/staff/retention.tsx'),
  page('/backstage/jobs', '失败任务', 'staff', 'backstage', 'backstage', 'back-office/staff/jobs.tsx'),
  page('/backstage/quarantine', '恢复隔离', 'staff', 'backstage', 'backstage', 'back-office/staff/quarantine.tsx'),
  page('/backstage/staff', '员工与角色', 'staff', 'backstage', 'backstage', 'back-office/staff/staff.tsx'),
  page('/backstage/passkeys', '我的通行密钥', 'staff', 'backstage', 'backstage', 'back-office/staff/passkeys.tsx'),
  page('/backstage/join', '设置登录方式', 'public', 'backstage', 'staff-plain', 'back-office/staff/join.tsx'),
  page('/backstage/setup', '首次设置', 'public', 'backstage', 'staff-plain', 'back-office/staff/setup.tsx'),
  page('/backstage/settings', '交易设置', 'staff', 'backstage', 'backstage', 'settings/staff/settings.tsx'),
  page('/backstage/rules', '规则与协议', 'staff', 'backstage', 'backstage', 'content/staff/rules.tsx'),
  page('/backstage/reasons', '申诉原因', 'staff', 'backstage', 'backstage', 'disputes/staff/reasons.tsx'),
  page('/backstage/words', '屏蔽词', 'staff', 'backstage', 'backstage', 'back-office/staff/words.tsx'),
  page('/backstage/synonyms', '搜索同义词', 'staff', 'backstage', 'backstage', 'goods/staff/synonyms.tsx'),
  page('/backstage/texts', '通知文案', 'staff', 'backstage', 'backstage', 'notices/staff/texts.tsx'),
  page('/backstage/login', '登录', 'public', 'backstage', 'staff-plain', 'back-office/staff/login.tsx'),
];

const byPath = new Map(urlMap.map((entry) => [trimmed(entry.path), entry]));

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** The entry whose page serves a route pattern; undefined for an unknown path. */
export function entryOf(pattern: string): UrlEntry | undefined {
  return byPath.get(trimmed(pattern));
}

/** Whether a path without parameters has a page, so that menus link only to existing pages. */
export function pageExists(path: string): boolean {
  return byPath.get(trimmed(path.split('?')[0] ?? path))?.file !== undefined;
}

/** Sections whose pages are not useful to visitors from a search engine. */
const UNLISTED: readonly string[] = ['order', 'mobile', 'account', 'backstage'];

/** Public pages without path parameters: the content of the sitemap. */
export const publicPaths: readonly string[] = urlMap
  .filter(
    ({ access, layout, file, section }) =>
      access === 'public' && STOREFRONT.includes(layout) && file && !UNLISTED.includes(section),
  )
  .map(({ path }) => path)
  .filter((path) => !path.includes(':') && path !== '/test' && path !== '/eventCase/detail' && path !== '/jump');
