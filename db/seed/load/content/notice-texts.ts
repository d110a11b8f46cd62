import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

/** One notice of the demo market. */
export interface NoticeSeed {
  distId: number;
  userId: number;
  kind: string;
  ref: string;
  title: string;
  body: string;
  link: string | null;
  at: Date;
}

interface NoticeLine {
  person: number;
  kind: string;
  title: string;
  body: string;
  link: string;
  /** Minutes before now. */
  ago: number;
}

const DAY = 1440;

const LINES: readonly NoticeLine[] = [
  {
    person: 0,
    kind: 'money.topup',
    title: '充值到账',
    body: '500.00 元已存入您的余额。',
    link: '/center/mywallets/list',
    ago: 6 * DAY,
  },
  {
    person: 0,
    kind: 'security.change',
    title: '登录密码已修改',
    body: '您的登录密码已修改。不是本人操作请立即联系客服。',
    link: '/center/myself/accountSecurity',
    ago: 20 * DAY,
  },
  {
    person: 0,
    kind: 'activity.notice',
    title: '平台公告',
    body: '包赔规则更新：找回理赔第 7 天到期未追回，赔付或 48 小时内裁定。',
    link: '/news/guarantee',
    ago: 35,
  },
  {
    person: 0,
    kind: 'goods.alert',
    title: '订阅的搜索有新商品',
    body: '您订阅的搜索今天有新商品符合，去看看。',
    link: '/center/buyBlackList#alerts',
    ago: 150,
  },
  {
    person: 1,
    kind: 'money.withdraw',
    title: '提现已到账',
    body: '提现 860.50 元已打款到您的收款账户，请留意查收。',
    link: '/center/mywallets/withdrawal',
    ago: 12 * DAY,
  },
  {
    person: 1,
    kind: 'money.withdraw',
    title: '提现已退回',
    body: '提现 500.00 元：收款账户信息有误，请核对后重新提交。',
    link: '/center/mywallets/withdrawal',
    ago: 9 * DAY,
  },
  {
    person: 1,
    kind: 'goods.review',
    title: '商品审核通过',
    body: '您提交的商品已上架，买家可以搜索到了。',
    link: '/center/sellOutGoods',
    ago: 52,
  },
  {
    person: 1,
    kind: 'goods.review',
    title: '商品未通过审核',
    body: '标题含有站外联系方式，请修改后重新提交。',
    link: '/center/sellOutGoods',
    ago: 3 * DAY,
  },
  {
    person: 1,
    kind: 'chat.offline',
    title: '有未读的订单消息',
    body: '有订单会话里的新消息等您回复。',
    link: '/chatSystem',
    ago: 130,
  },
];

/** Notices of the demo logins that are not about orders. */
export function noticesOf(market: Market, people: readonly Person[]): NoticeSeed[] {
  return LINES.flatMap(({ person, ago, ...line }, n): NoticeSeed[] => {
    const owner = people[person];
    return owner ? [{ ...line, distId: owner.distId, userId: owner.id, ref: `demo:${n}`, at: market.ago(ago) }] : [];
  });
}
