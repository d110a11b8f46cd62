import type { Data } from '#contract/endpoint.ts';
import type { todoCounts } from '#subjects/notices/contract/todo.ts';
import type { userInfo } from '#subjects/accounts/contract/user.ts';

/** Role flags that make a group of the menu visible (product.md 2: items 35-37, 703-704, 712-713). */
type Flag = 'isQuickShop' | 'isBooster' | 'isAccompanyer';

/** The numbers of the menu: items that wait for the user, or totals. */
export type MenuCounts = Readonly<
  Partial<Record<Exclude<keyof Data<typeof todoCounts>, 'roles'> | 'follows' | 'notices', number>>
>;

interface CenterItem {
  label: string;
  to: string;
  flag?: Flag;
  /** Hidden from users who already have this role. */
  until?: Flag;
}

export interface CenterGroup {
  name: string;
  items: readonly CenterItem[];
}

/**
 * All functions of the centre in the specification's groups, with those of shops, boosters and companions in one of them: the page 全部功能.
 * The menu itself is shorter, by role (role-menu.ts).
 */
export const centerMenu: readonly CenterGroup[] = [
  {
    name: '',
    items: [
      { label: '个人中心', to: '/center' },
      { label: '全部功能', to: '/center/all' },
    ],
  },
  {
    name: '买家',
    items: [
      { label: '买家中心', to: '/center/buyers' },
      { label: '我买到的', to: '/center/buyGoodsOrder' },
      { label: '我的收藏', to: '/center/buyLikedGoods' },
      { label: '浏览记录', to: '/wares/myBrowseGoods' },
      { label: '我的求购', to: '/center/buyBlackList' },
      { label: '我的议价', to: '/center/buyBargainGoods' },
      { label: '我的包赔', to: '/center/buyGuarantee' },
      { label: '我的申诉', to: '/center/buyComplaint' },
      { label: '热卖商城', to: '/wares/hotShoppingMall' },
      { label: '极速金币订单', to: '/center/buyFastGold' },
      { label: '我的优惠券', to: '/lotterydraw/myCoupon' },
    ],
  },
  {
    name: '卖家',
    items: [
      { label: '发布商品', to: '/center/sell' },
      { label: '我的商品', to: '/center/sellOutGoods' },
      { label: '表格导入', to: '/center/goodsImport' },
      { label: '我卖出的', to: '/center/sellOrder' },
      { label: '经营统计', to: '/center/statistics' },
      { label: '收到的提问', to: '/center/questions' },
      { label: '收到的议价', to: '/center/sellBargainGoods' },
      { label: '验号', to: '/center/inspections' },
      { label: '回收申请', to: '/center/buyback' },
      { label: '金币回收', to: '/wares/goldRecycling' },
      { label: '金币回收商', to: '/center/recycler' },
      { label: '开放接口', to: '/center/openApi' },
    ],
  },
  {
    name: '钱包',
    items: [
      { label: '我的钱包', to: '/center/mywallets' },
      { label: '充值', to: '/center/myself/recharge' },
      { label: '提现', to: '/center/mywallets/withdrawal' },
      { label: '账单', to: '/center/mywallets/list' },
      { label: '收款账户', to: '/center/myself/changeAliAccount' },
      { label: '资金收支', to: '/center/assets/assetsFinancing' },
      { label: '保证金', to: '/center/myself/depositWithdraw' },
    ],
  },
  {
    name: '店铺与服务',
    items: [
      { label: '申请开店', to: '/center/myshop/joinshop', until: 'isQuickShop' },
      { label: '店铺管理', to: '/center/myshop/shopmanage', flag: 'isQuickShop' },
      { label: '店铺订单', to: '/center/myshop/shopOrder', flag: 'isQuickShop' },
      { label: '代练发单', to: '/center/boosting/requests' },
      { label: '接单大厅', to: '/center/boosting/board', flag: 'isBooster' },
      { label: '申请代练', to: '/center/boosting/booster', until: 'isBooster' },
      { label: '代练套餐', to: '/center/boosting/setMeal', flag: 'isBooster' },
      { label: '代练订单', to: '/center/boosting/boosterOrder', flag: 'isBooster' },
      { label: '申请陪玩', to: '/center/accompanyer/accompanyer', until: 'isAccompanyer' },
      { label: '陪玩套餐', to: '/center/accompanyer/setMeal', flag: 'isAccompanyer' },
      { label: '陪玩订单', to: '/center/accompanyer/accompanyerOrder', flag: 'isAccompanyer' },
    ],
  },
  {
    name: '账户',
    items: [
      { label: '个人资料', to: '/center/myself/myselfInfo?tabIndex=0' },
      { label: '实名认证', to: '/center/myself/identityAuthentication' },
      { label: '账户安全', to: '/center/myself/accountSecurity' },
      { label: '消息通知', to: '/center/notices' },
      { label: '第三方账号', to: '/center/myself/thirdPartyBinding' },
      { label: '我的推广', to: '/center/extend/extendMyExtension' },
      { label: '推广二维码', to: '/center/extend/qrCode' },
    ],
  },
  {
    name: '帮助',
    items: [
      { label: '联系客服', to: '/customerService' },
      { label: '客服验真', to: '/kfyz' },
      { label: '黑号查询', to: '/black' },
    ],
  },
];

/** The functions that exist and that this user may open. */
export function allFunctions(user: Data<typeof userInfo> | null): CenterGroup[] {
  return centerMenu
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ flag, until }) => (!flag || user?.[flag] === 1) && !(until && user?.[until] === 1)),
    }))
    .filter(({ items }) => items.length > 0);
}
