/** The audience of a page: everyone, a signed-in user, a user with a role flag, a member of staff. */
export type Access = 'public' | 'login' | 'isQuickShop' | 'isBooster' | 'isAccompanyer' | 'staff';

/**
 * The layout of a page (product.md 2, layouts), which also determines its scripts. `index` is the home page's, in the distributor's arrangement; `store` is the default;
 * `bare` has neither navigation nor footer; `single` has one column without side content.
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

/** Back-office URLs without a page: staff see a message in the back office's own layout. */
export const LOST_STAFF_PAGE = '/backstage/*';

export interface UrlEntry {
  path: string;
  /** Name of the page in menus, titles and breadcrumbs. */
  name: string;
  access: Access;
  section: string;
  layout: LayoutName;
  /** The page's file under subjects/, or under web/ if it begins with `pages/`. */
  file: string;
}

/** The path of a page's file in the repository. */
export const sourceOf = (file: string): string => `${file.startsWith('pages/') ? 'web' : 'subjects'}/${file}`;

function page(path: string, name: string, access: Access, section: string, layout: LayoutName, file: string): UrlEntry {
  return { path, name, access, section, layout, file };
}

const centerPage = (path: string, name: string, access: Access, section: string, file: string): UrlEntry =>
  page(path, name, access, section, 'center', file);

const staffPage = (path: string, name: string, file: string): UrlEntry =>
  page(path, name, 'staff', 'backstage', 'backstage', file);

/**
 * Every URL of the site (product.md 2), and of the back office, which exists only on its own host. To add a page, add
 * its line.
 */
export const urlMap: readonly UrlEntry[] = [
  page('/', '首页', 'public', 'top', 'index', 'pages/home/home.tsx'),
  page('/allgame', '全部游戏', 'public', 'top', 'store', 'games/web/all-games.tsx'),
  page('/black', '黑号查询', 'public', 'black', 'black', 'verification/web/black.tsx'),
  page('/black/blackList', '黑号名单', 'public', 'black', 'black', 'verification/web/black-list.tsx'),
  page('/black/center', '我的举报', 'login', 'black', 'black', 'verification/web/my-reports.tsx'),
  page('/black/releaseBlack', '举报黑号', 'login', 'black', 'black', 'verification/web/report.tsx'),
  page('/black/zhgs', '账号公示', 'public', 'black', 'black', 'goods/web/belonging.tsx'),
  page('/black/:sn', '黑号记录', 'public', 'black', 'black', 'verification/web/record.tsx'),
  centerPage('/center', '个人中心', 'login', 'centre', 'pages/center/home/home.tsx'),
  centerPage('/center/all', '全部功能', 'login', 'centre', 'pages/center/home/all.tsx'),
  page('/chatSystem', '交易群', 'login', 'chat', 'chat', 'chat/center/chat.tsx'),
  page('/competition', '赛事', 'public', 'activity', 'store', 'content/web/competition.tsx'),
  page('/customerService', '联系客服', 'login', 'chat', 'chat', 'chat/center/service.tsx'),
  page('/customerAssess', '评价订单', 'login', 'order', 'store', 'reviews/web/rate.tsx'),
  page('/dealshow', '成交展示', 'public', 'trade', 'store', 'orders/web/dealshow.tsx'),
  page('/dealshow/selltime', '售出时长', 'public', 'trade', 'store', 'goods/web/selltime.tsx'),
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
  page('/guarantee/:no', '包赔证书', 'public', 'trust', 'store', 'guarantees/web/certificate.tsx'),
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
  page('/wares/goldRecycling', '金币回收', 'public', 'goods', 'store', 'recycling/web/sell-coin.tsx'),
  page('/wares/hotShoppingMall', '热卖商城', 'public', 'goods', 'store', 'quick-coin/web/mall.tsx'),
  page('/wares/viewed', '看过的商品', 'public', 'goods', 'store', 'goods/web/viewed.tsx'),
  page('/wares/myBrowseGoods', '浏览记录', 'login', 'goods', 'store', 'goods/web/browsed.tsx'),
  page('/wares/:sn/order', '确认订单', 'login', 'order', 'store', 'orders/web/confirm.tsx'),
  page('/wares/:sn/pay', '支付订单', 'login', 'order', 'store', 'payments/web/pay.tsx'),
  page('/wares/:sn/success', '支付成功', 'login', 'order', 'store', 'orders/web/success.tsx'),
  page('/wares/:sn/timePurchase', '限时抢购', 'public', 'goods', 'store', 'time-sale/web/time-purchase.tsx'),
  page('/goods/:sn?/order', '确认订单', 'login', 'order', 'store', 'orders/web/confirm.tsx'),
  page('/goods/:sn?/pay', '支付订单', 'login', 'order', 'store', 'payments/web/pay.tsx'),
  page('/goods/:sn?/success', '支付成功', 'login', 'order', 'store', 'orders/web/success.tsx'),
  page('/detail/:sn?', '商品详情', 'public', 'goods', 'store', 'goods/web/detail.tsx'),
  page('/JDetail/:sn?', '商品详情', 'public', 'goods', 'store', 'goods/web/detail.tsx'),
  page('/h/', '首页', 'public', 'mobile', 'index', 'pages/home/home.tsx'),
  page('/h/goodsDetail/:sn', '商品详情', 'public', 'mobile', 'store', 'goods/web/detail.tsx'),
  page('/seller/:sellerId', '卖家主页', 'public', 'goods', 'store', 'reviews/web/seller.tsx'),
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
  centerPage('/center/buyers', '买家中心', 'login', 'centre buyer', 'orders/center/buyers.tsx'),
  centerPage('/center/buyGoodsOrder', '我买到的', 'login', 'centre buyer', 'orders/center/orders.tsx'),
  centerPage('/center/buyLikedGoods', '我的收藏', 'login', 'centre buyer', 'goods/center/liked/liked.tsx'),
  centerPage('/center/buyBlackList', '我的求购', 'login', 'centre buyer', 'offers/center/want/wants.tsx'),
  centerPage('/center/buyBargainGoods', '我的议价', 'login', 'centre buyer', 'offers/center/bargain/buy.tsx'),
  centerPage('/center/buyFastGold', '极速金币订单', 'login', 'centre buyer', 'quick-coin/center/bought.tsx'),
  centerPage(
    '/center/buyFastGoldDetail',
    '金币订单详情',
    'login',
    'centre buyer',
    'quick-coin/center/order-detail.tsx',
  ),
  centerPage('/center/buyComplaint', '我的申诉', 'login', 'centre buyer', 'disputes/center/complaint.tsx'),
  centerPage('/center/buyGuarantee', '我的包赔', 'login', 'centre buyer', 'guarantees/center/guarantee.tsx'),
  centerPage('/center/buyOrderDetail', '订单详情', 'login', 'centre buyer', 'orders/center/order-detail.tsx'),
  centerPage('/center/sell', '发布商品', 'login', 'centre seller', 'goods/center/sell/sell.tsx'),
  centerPage('/center/sellOutGoods', '我的商品', 'login', 'centre seller', 'goods/center/selling/goods.tsx'),
  centerPage('/center/goodsGrid', '批量编辑', 'login', 'centre seller', 'goods/center/selling/grid.tsx'),
  centerPage('/center/goodsImport', '表格导入', 'login', 'centre seller', 'listing-import/center/import.tsx'),
  centerPage('/center/statistics', '经营统计', 'login', 'centre seller', 'seller-statistics/center/statistics.tsx'),
  centerPage('/center/sellOrder', '我卖出的', 'login', 'centre seller', 'orders/center/seller-orders.tsx'),
  centerPage('/center/questions', '收到的提问', 'login', 'centre seller', 'questions/center/questions.tsx'),
  centerPage('/center/openApi', '开放接口', 'login', 'centre seller', 'open-api/center/open-api.tsx'),
  centerPage('/center/sellBargainGoods', '收到的议价', 'login', 'centre seller', 'offers/center/bargain/sell.tsx'),
  page('/center/myshop/joinshop', '申请开店', 'login', 'centre shop', 'shop', 'quick-coin/center/join.tsx'),
  page('/center/myshop/shopmanage', '店铺管理', 'isQuickShop', 'centre shop', 'shop', 'quick-coin/center/manage.tsx'),
  page('/center/myshop/shopOrder', '店铺订单', 'isQuickShop', 'centre shop', 'shop', 'quick-coin/center/sold.tsx'),
  centerPage(
    '/center/boosting/requests',
    '代练发单',
    'login',
    'centre boosting',
    'services/center/boosting/requests.tsx',
  ),
  centerPage(
    '/center/boosting/board',
    '接单大厅',
    'isBooster',
    'centre boosting',
    'services/center/boosting/board.tsx',
  ),
  centerPage('/center/boosting/booster', '申请代练', 'login', 'centre boosting', 'services/center/boosting/join.tsx'),
  centerPage(
    '/center/boosting/setMeal',
    '代练套餐',
    'isBooster',
    'centre boosting',
    'services/center/boosting/packages.tsx',
  ),
  centerPage(
    '/center/boosting/boosterOrder',
    '代练订单',
    'isBooster',
    'centre boosting',
    'services/center/boosting/orders.tsx',
  ),
  centerPage(
    '/center/accompanyer/accompanyer',
    '申请陪玩',
    'login',
    'centre companion',
    'services/center/companion/join.tsx',
  ),
  centerPage(
    '/center/accompanyer/setMeal',
    '陪玩套餐',
    'isAccompanyer',
    'centre companion',
    'services/center/companion/packages.tsx',
  ),
  centerPage(
    '/center/accompanyer/accompanyerOrder',
    '陪玩订单',
    'isAccompanyer',
    'centre companion',
    'services/center/companion/orders.tsx',
  ),
  centerPage('/center/recycler', '金币回收商', 'login', 'centre seller', 'recycling/center/recycler.tsx'),
  centerPage('/center/inspections', '验号', 'login', 'centre other', 'inspections/center/inspections.tsx'),
  centerPage('/center/buyback', '回收申请', 'login', 'centre other', 'recycling/center/buyback.tsx'),
  centerPage('/center/assets/assetsFinancing', '资金收支', 'login', 'centre other', 'payments/center/financing.tsx'),
  centerPage(
    '/center/extend/extendMyExtension',
    '我的推广',
    'login',
    'centre other',
    'orders/center/invitations/extension.tsx',
  ),
  page(
    '/center/extend/qrCode',
    '推广二维码',
    'login',
    'centre other',
    'centerCode',
    'orders/center/invitations/qr-code.tsx',
  ),
  centerPage('/center/myself/myselfInfo', '个人资料', 'login', 'centre account', 'accounts/center/info.tsx'),
  centerPage('/center/myself/accountSecurity', '账户安全', 'login', 'centre account', 'accounts/center/security.tsx'),
  centerPage(
    '/center/myself/cashWithdrawal',
    '提现',
    'login',
    'centre account',
    'payments/center/wallet/withdrawal.tsx',
  ),
  centerPage(
    '/center/myself/changeAliAccount',
    '收款账户',
    'login',
    'centre account',
    'verification/center/payout.tsx',
  ),
  centerPage('/center/myself/changeEmail', '绑定邮箱', 'login', 'centre account', 'accounts/center/email.tsx'),
  centerPage(
    '/center/myself/changePassword',
    '修改登录密码',
    'login',
    'centre account',
    'accounts/center/password.tsx',
  ),
  centerPage(
    '/center/myself/changePayPassword',
    '支付密码',
    'login',
    'centre account',
    'accounts/center/pay-password.tsx',
  ),
  centerPage('/center/myself/changePhone', '更换手机', 'login', 'centre account', 'accounts/center/phone.tsx'),
  centerPage('/center/myself/depositWithdraw', '保证金', 'login', 'centre wallet', 'deposits/center/deposit.tsx'),
  centerPage(
    '/center/myself/identityAuthentication',
    '实名认证',
    'login',
    'centre account',
    'verification/center/identity.tsx',
  ),
  centerPage('/center/myself/recharge', '充值', 'login', 'centre account', 'payments/center/wallet/recharge.tsx'),
  centerPage(
    '/center/myself/thirdPartyBinding',
    '第三方账号',
    'login',
    'centre account',
    'accounts/center/third-party.tsx',
  ),
  centerPage('/center/notices', '消息通知', 'login', 'centre account', 'notices/center/notices.tsx'),
  centerPage('/center/mywallets', '我的钱包', 'login', 'centre wallet', 'payments/center/wallet/wallet.tsx'),
  centerPage('/center/mywallets/withdrawal', '提现', 'login', 'centre wallet', 'payments/center/wallet/withdrawal.tsx'),
  centerPage('/center/mywallets/list', '账单', 'login', 'centre wallet', 'payments/center/wallet/bill.tsx'),

  staffPage('/backstage', '工作台', 'back-office/staff/home.tsx'),
  staffPage('/backstage/goods', '商品审核', 'goods/staff/review-queue.tsx'),
  staffPage('/backstage/listings', '全部商品', 'goods/staff/listings.tsx'),
  staffPage('/backstage/orders', '订单', 'orders/staff/orders.tsx'),
  staffPage('/backstage/orders/:sn', '订单详情', 'orders/staff/order-detail.tsx'),
  staffPage('/backstage/chat', '客服会话', 'chat/staff/conversations.tsx'),
  staffPage('/backstage/service', '客服管理', 'chat/staff/quality-and-duty.tsx'),
  staffPage('/backstage/providers', '入驻审核', 'providers/staff/providers.tsx'),
  staffPage('/backstage/inspections', '验号', 'inspections/staff/inspections.tsx'),
  staffPage('/backstage/services', '服务订单', 'services/staff/services.tsx'),
  staffPage('/backstage/boosting', '代练', 'services/staff/boosting.tsx'),
  staffPage('/backstage/recycling', '回收与估价', 'recycling/staff/recycling.tsx'),
  staffPage('/backstage/disputes', '申诉', 'disputes/staff/disputes.tsx'),
  staffPage('/backstage/disputes/:sn', '申诉案卷', 'disputes/staff/dispute-detail.tsx'),
  staffPage('/backstage/claims', '理赔', 'guarantees/staff/claims.tsx'),
  staffPage('/backstage/claims/:sn', '理赔案卷', 'guarantees/staff/claim-detail.tsx'),
  staffPage('/backstage/users', '用户', 'accounts/staff/users.tsx'),
  staffPage('/backstage/users/:userId', '用户详情', 'back-office/staff/person.tsx'),
  staffPage('/backstage/withdrawals', '提现审核', 'payments/staff/withdrawals.tsx'),
  staffPage('/backstage/payouts', '打款名单', 'payments/staff/payouts.tsx'),
  staffPage('/backstage/payouts/:sn', '打款名单明细', 'payments/staff/payout-list.tsx'),
  staffPage('/backstage/holds', '冻结款', 'ledger/staff/holds.tsx'),
  staffPage('/backstage/topups', '充值退回', 'payments/staff/topups.tsx'),
  staffPage('/backstage/reconcile', '渠道对账', 'payments/staff/reconcile.tsx'),
  staffPage('/backstage/campaigns', '优惠活动', 'promotions/staff/campaigns.tsx'),
  staffPage('/backstage/commission', '佣金结算', 'promotions/staff/commission.tsx'),
  staffPage('/backstage/commission/days', '佣金日结单', 'promotions/staff/commission-days.tsx'),
  staffPage('/backstage/transfers', '资金流水', 'payments/staff/transfers.tsx'),
  staffPage('/backstage/ledger', '账目', 'ledger/staff/ledger.tsx'),
  staffPage('/backstage/trust', '黑号与客服验真', 'verification/staff/trust.tsx'),
  staffPage('/backstage/goodsReports', '商品举报', 'questions/staff/goods-reports.tsx'),
  staffPage('/backstage/reviews', '评价举报', 'reviews/staff/reviews.tsx'),
  staffPage('/backstage/import', '导入库存表', 'back-office/staff/import.tsx'),
  staffPage('/backstage/news', '公告', 'content/staff/news.tsx'),
  staffPage('/backstage/cases', '案例', 'content/staff/success-cases.tsx'),
  staffPage('/backstage/brands', '品牌', 'distributors/staff/brands.tsx'),
  staffPage('/backstage/brands/:id', '品牌设置', 'distributors/staff/brand.tsx'),
  staffPage('/backstage/leagues', '赛事', 'content/staff/leagues.tsx'),
  staffPage('/backstage/games', '游戏与目录', 'games/staff/games.tsx'),
  staffPage('/backstage/games/:id', '编辑游戏', 'games/staff/game.tsx'),
  staffPage('/backstage/adverts', '广告', 'content/staff/adverts.tsx'),
  staffPage('/backstage/business', '合作申请', 'content/staff/business.tsx'),
  staffPage('/backstage/audit', '操作记录', 'back-office/staff/audit.tsx'),
  staffPage('/backstage/vendors', '服务商', 'back-office/staff/vendors.tsx'),
  staffPage('/backstage/trial', '试运行', 'back-office/staff/trial.tsx'),
  staffPage('/backstage/retention', '数据保留', 'back-office/staff/retention.tsx'),
  staffPage('/backstage/jobs', '失败任务', 'back-office/staff/jobs.tsx'),
  staffPage('/backstage/quarantine', '恢复隔离', 'back-office/staff/quarantine.tsx'),
  staffPage('/backstage/staff', '员工与角色', 'back-office/staff/staff.tsx'),
  staffPage('/backstage/passkeys', '我的通行密钥', 'back-office/staff/passkeys.tsx'),
  page('/backstage/join', '设置登录方式', 'public', 'backstage', 'staff-plain', 'back-office/staff/join.tsx'),
  page('/backstage/setup', '首次设置', 'public', 'backstage', 'staff-plain', 'back-office/staff/setup.tsx'),
  staffPage('/backstage/settings', '交易设置', 'settings/staff/settings.tsx'),
  staffPage('/backstage/rules', '规则与协议', 'content/staff/rules.tsx'),
  staffPage('/backstage/reasons', '申诉原因', 'disputes/staff/reasons.tsx'),
  staffPage('/backstage/words', '屏蔽词', 'back-office/staff/words.tsx'),
  staffPage('/backstage/synonyms', '搜索同义词', 'goods/staff/synonyms.tsx'),
  staffPage('/backstage/texts', '通知文案', 'notices/staff/texts.tsx'),
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

/** Sections whose pages are not useful to visitors from a search engine. */
const UNLISTED: readonly string[] = ['order', 'mobile', 'account', 'backstage'];

/** Public pages without path parameters: the content of the sitemap. */
export const publicPaths: readonly string[] = urlMap
  .filter(
    ({ access, layout, section }) => access === 'public' && STOREFRONT.includes(layout) && !UNLISTED.includes(section),
  )
  .map(({ path }) => path)
  .filter((path) => !path.includes(':') && path !== '/test' && path !== '/eventCase/detail' && path !== '/jump');
