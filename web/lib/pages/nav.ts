import type { FloatingMenuItem } from '#web/parts/site/floating-menu.lazy.tsx';

/** An entry of the main navigation. */
export interface NavItem {
  label: string;
  to: string;
  /** Belongs to the second strip: other trading methods, next to the listings. */
  second?: boolean;
}

/** The main navigation: listings by type first, then the other methods of trading. */
export const mainNav: readonly NavItem[] = [
  { label: '首页', to: '/' },
  { label: '账号', to: '/wares?gt=1' },
  { label: '游戏币', to: '/wares?gt=2' },
  { label: '首充号', to: '/wares?gt=8' },
  { label: '道具', to: '/wares?gt=27' },
  { label: '代练', to: '/wares?gt=60' },
  { label: '陪玩', to: '/wares?gt=61' },
  { label: '全部游戏', to: '/allgame' },
  { label: '回收', to: '/recycle', second: true },
  { label: '估价', to: '/gj-wzry', second: true },
  { label: '担保中介', to: '/intermediary/intermediary', second: true },
  { label: '极速金币', to: '/fastGold/fastGoldOrder', second: true },
  { label: '成交展示', to: '/dealshow', second: true },
  { label: '黑号中心', to: '/black', second: true },
  { label: '领券', to: '/lotterydraw', second: true },
  { label: '公告', to: '/news', second: true },
];

/** The floating menu's links (product.md 2, shared screens). */
export const floatItems: readonly FloatingMenuItem[] = [
  {
    icon: 'buy',
    label: '我要买',
    to: '/wares',
    more: { label: '没找到？发布求购', to: '/center/buyBlackList?new=1', lead: '去挑商品' },
  },
  { icon: 'sell', label: '我要卖', to: '/center/sell' },
  { icon: 'history', label: '浏览', to: '/wares/myBrowseGoods' },
  { icon: 'heart', label: '收藏', to: '/center/buyLikedGoods' },
  { icon: 'recycle', label: '回收', to: '/recycle' },
];

export interface StripLink {
  label: string;
  to: string;
  count?: number;
  safe?: boolean;
}

/** The links of the top strip; counts only for a signed-in user. */
export function stripLinks(user: { followNum: number; unread: number } | null): StripLink[] {
  return [
    { label: '个人中心', to: '/center' },
    { label: '买家中心', to: '/center/buyGoodsOrder' },
    { label: '卖家中心', to: '/center/sellOrder' },
    { label: '我的收藏', to: '/center/buyLikedGoods', ...(user && { count: user.followNum }) },
    { label: '消息', to: '/chatSystem', ...(user && { count: user.unread }) },
    { label: '公告中心', to: '/news' },
    { label: '客服验真', to: '/kfyz', safe: true },
  ];
}

/** The notice that the specification links by its code: how to report a trade that was moved to WeChat. */
const WECHAT_COMPLAINT = '/news/wechat-complaint';

/** Top bar, variant 2 (product.md 2): a label with a menu of links; one with a single link goes there directly. */
export function stripMenus(
  user: { followNum: number; unread: number } | null,
): { label: string; links: StripLink[] }[] {
  return [
    {
      label: '买家中心',
      links: [
        { label: '我买到的', to: '/center/buyGoodsOrder' },
        { label: '我的收藏', to: '/center/buyLikedGoods', ...(user && { count: user.followNum }) },
        { label: '我的求购', to: '/center/buyBlackList' },
        { label: '我的包赔', to: '/center/buyGuarantee' },
        { label: '交易群', to: '/chatSystem', ...(user && { count: user.unread }) },
      ],
    },
    {
      label: '卖家中心',
      links: [
        { label: '发布商品', to: '/center/sell' },
        { label: '我的商品', to: '/center/sellOutGoods' },
        { label: '我卖出的', to: '/center/sellOrder' },
        { label: '回收申请', to: '/center/buyback' },
      ],
    },
    {
      label: '公告',
      links: [
        { label: '公告中心', to: '/news' },
        { label: '事件案例', to: '/eventCase' },
        { label: '赛事', to: '/competition' },
      ],
    },
    {
      label: '安全',
      links: [
        { label: '客服验真', to: '/kfyz', safe: true },
        { label: '黑号查询', to: '/black' },
      ],
    },
    {
      label: '微信投诉',
      links: [{ label: '微信投诉', to: WECHAT_COMPLAINT }],
    },
  ];
}

/** Footer links of a distributor that has set none (product.md 2); each is the notice of that code. */
export const defaultFooterLinks: readonly { title: string; url: string }[] = [
  { title: '关于我们', url: '/news/about' },
  { title: '合作伙伴', url: '/news/partners' },
  { title: '合作联系', url: '/news/contact' },
  { title: '隐私政策', url: '/news/privacy' },
  { title: '投诉建议', url: '/news/complaints' },
  { title: '免责声明', url: '/news/disclaimer' },
  { title: '诚聘英才', url: '/news/recruitment' },
  { title: '卖家入驻', url: '/news/joining' },
  { title: '新游合作', url: '/news/newgame' },
  { title: '交易安全', url: '/news/security' },
];
