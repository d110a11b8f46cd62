import type { CenterRole } from '#subjects/notices/contract/todo.ts';
import { pageName } from '#web/lib/pages/page-names.ts';
import type { MenuCounts } from './center-menu.ts';
import type { CenterIcon } from './center-icons.ts';

/** The menu never has more entries; everything else is on the page 全部功能. */
export const MENU_MAX = 15;
/** Shortcuts of the start page on phones, besides 全部功能. */
const SHORTCUTS = 7;

type Count = keyof MenuCounts;

interface RoleEntry {
  label: string;
  icon: CenterIcon;
  /** Its target, then the other pages that belong to it. */
  pages: readonly [string, ...string[]];
  group: string;
  /** Entries with lower values are dropped later from a menu that would be too long. */
  rank: number;
  /** Shown to users with one of these roles; to all without it. */
  needs?: readonly CenterRole[];
  /** Hidden from users with all of these roles. */
  until?: readonly CenterRole[];
  /** Their sum is the number next to the entry. */
  counts?: readonly Count[];
  /** The number means that something waits for the user. */
  urgent?: boolean;
  /** Not among the shortcuts of phones. */
  minor?: boolean;
  /** Its pages are tabs of one another. */
  tabs?: boolean;
}

const EARNS: readonly CenterRole[] = ['seller', 'shop', 'booster', 'companion', 'recycler'];

const entries: readonly RoleEntry[] = [
  { group: '', label: '个人中心', icon: 'home', pages: ['/center'], rank: 0, minor: true },
  {
    group: '接单',
    label: '陪玩订单',
    icon: 'headset',
    pages: ['/center/accompanyer/accompanyerOrder'],
    rank: 1,
    needs: ['companion'],
  },
  {
    group: '接单',
    label: '陪玩套餐',
    icon: 'calendar',
    pages: ['/center/accompanyer/setMeal'],
    rank: 2,
    needs: ['companion'],
  },
  {
    group: '接单',
    label: '代练订单',
    icon: 'swords',
    pages: ['/center/boosting/boosterOrder'],
    rank: 1,
    needs: ['booster'],
  },
  { group: '接单', label: '接单大厅', icon: 'board', pages: ['/center/boosting/board'], rank: 1, needs: ['booster'] },
  { group: '接单', label: '代练套餐', icon: 'list', pages: ['/center/boosting/setMeal'], rank: 3, needs: ['booster'] },
  { group: '接单', label: '店铺管理', icon: 'store', pages: ['/center/myshop/shopmanage'], rank: 1, needs: ['shop'] },
  { group: '接单', label: '店铺订单', icon: 'coins', pages: ['/center/myshop/shopOrder'], rank: 1, needs: ['shop'] },
  { group: '接单', label: '金币回收商', icon: 'recycle', pages: ['/center/recycler'], rank: 3, needs: ['recycler'] },
  {
    group: '卖',
    label: '我的商品',
    icon: 'box',
    pages: ['/center/sellOutGoods', '/center/goodsGrid'],
    rank: 1,
    needs: ['seller'],
  },
  {
    group: '卖',
    label: '我卖出的',
    icon: 'steps',
    pages: ['/center/sellOrder'],
    rank: 1,
    needs: ['seller'],
    counts: ['sold'],
    urgent: true,
  },
  {
    group: '卖',
    label: '提问与议价',
    icon: 'message',
    pages: ['/center/questions', '/center/sellBargainGoods'],
    rank: 2,
    needs: ['seller'],
    counts: ['questions', 'bargainsReceived'],
    urgent: true,
    tabs: true,
  },
  { group: '卖', label: '回收申请', icon: 'recycle', pages: ['/center/buyback'], rank: 4, needs: ['seller'] },
  { group: '卖', label: '经营统计', icon: 'chart', pages: ['/center/statistics'], rank: 4, needs: ['seller'] },
  { group: '卖', label: '表格导入', icon: 'list', pages: ['/center/goodsImport'], rank: 5, needs: ['seller'] },
  { group: '卖', label: '验号', icon: 'scan', pages: ['/center/inspections'], rank: 6, needs: ['seller'] },
  { group: '卖', label: '开放接口', icon: 'plug', pages: ['/center/openApi'], rank: 3, needs: ['api'], minor: true },
  {
    group: '买',
    label: '我买到的',
    icon: 'bag',
    pages: ['/center/buyGoodsOrder'],
    rank: 1,
    counts: ['bought'],
    urgent: true,
  },
  {
    group: '买',
    label: '收藏与浏览',
    icon: 'heart',
    pages: ['/center/buyLikedGoods', '/wares/myBrowseGoods'],
    rank: 3,
    tabs: true,
  },
  {
    group: '买',
    label: '议价与求购',
    icon: 'tag',
    pages: ['/center/buyBargainGoods', '/center/buyBlackList'],
    rank: 7,
    counts: ['bargainsMade'],
    urgent: true,
    tabs: true,
  },
  {
    group: '买',
    label: '包赔与申诉',
    icon: 'shield',
    pages: ['/center/buyGuarantee', '/center/buyComplaint'],
    rank: 6,
    counts: ['disputes'],
    tabs: true,
  },
  { group: '买', label: '优惠券', icon: 'ticket', pages: ['/lotterydraw/myCoupon'], rank: 7, counts: ['coupons'] },
  {
    group: '钱包',
    label: '余额与账单',
    icon: 'wallet',
    pages: ['/center/mywallets', '/center/mywallets/list', '/center/assets/assetsFinancing', '/center/myself/recharge'],
    rank: 1,
    tabs: true,
  },
  { group: '钱包', label: '提现', icon: 'coins', pages: ['/center/mywallets/withdrawal'], rank: 3, needs: EARNS },
  {
    group: '钱包',
    label: '收款账户',
    icon: 'card',
    pages: ['/center/myself/changeAliAccount'],
    rank: 8,
    minor: true,
  },
  { group: '钱包', label: '保证金', icon: 'shield', pages: ['/center/myself/depositWithdraw'], rank: 5, needs: EARNS },
  {
    group: '账户',
    label: '资料与实名',
    icon: 'user',
    pages: ['/center/myself/myselfInfo', '/center/myself/identityAuthentication'],
    rank: 2,
    minor: true,
  },
  {
    group: '账户',
    label: '安全',
    icon: 'lock',
    pages: ['/center/myself/accountSecurity', '/center/myself/thirdPartyBinding'],
    rank: 2,
    minor: true,
  },
  {
    group: '账户',
    label: '消息',
    icon: 'bell',
    pages: ['/center/notices'],
    rank: 2,
    counts: ['notices'],
    minor: true,
  },
  { group: '还可以', label: '开始卖号', icon: 'store', pages: ['/center/sell'], rank: 4, until: ['seller'] },
  {
    group: '还可以',
    label: '申请陪玩、代练',
    icon: 'headset',
    pages: ['/center/accompanyer/accompanyer', '/center/boosting/booster'],
    rank: 9,
    until: ['companion', 'booster'],
    tabs: true,
  },
];

/** An entry of the menu as a user sees it. */
export interface MenuEntry {
  label: string;
  icon: CenterIcon;
  to: string;
  pages: readonly { label: string; to: string }[];
  tabs: boolean;
  count: number;
  urgent: boolean;
  /** One of the icons that phones have on the start page. */
  shortcut: boolean;
}

export interface MenuGroup {
  name: string;
  items: MenuEntry[];
}

/**
 * The menu of the centre for a user with these roles, in groups: at most MENU_MAX entries, the least important dropped. A user without
 * roles is a buyer.
 */
export function menuOf(roles: readonly CenterRole[], counts: MenuCounts): MenuGroup[] {
  const has = (role: CenterRole) => roles.includes(role);
  const visible = entries.filter(({ needs, until }) => (!needs || needs.some(has)) && !until?.every(has));
  const byRank = visible.toSorted((a, b) => a.rank - b.rank).slice(0, MENU_MAX);
  const kept = new Set(byRank);
  const shortcuts = new Set(byRank.filter(({ minor }) => !minor).slice(0, SHORTCUTS));
  const groups = new Map<string, MenuEntry[]>();
  for (const entry of visible) {
    if (!kept.has(entry)) continue;
    const { group, label, icon, urgent = false, tabs = false, counts: keys = [] } = entry;
    const count = keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
    const pages = entry.pages.map((path) => ({ label: pageName(path) || label, to: path }));
    const item = { label, icon, to: entry.pages[0], pages, tabs, count, urgent, shortcut: shortcuts.has(entry) };
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  return [...groups].map(([name, items]) => ({ name, items }));
}
