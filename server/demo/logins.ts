/** The log-ins of the demo market; printed at start and shown by the self-check page, never used elsewhere. */
export const DEMO_PASSWORD = 'youshi2026';

/** The pay password of the demo users. A user without one sets it before the first payment. */
export const DEMO_PAY_PASSWORD = '835274';
/** The demo user without a pay password, with a balance. */
export const WITHOUT_PAY_PASSWORD = '13800000005';

export interface DemoUser {
  phone: string;
  nickName: string;
  /** The purpose of the demo account. */
  about: string;
  /** Distributor by its code. */
  site: string;
  verified: boolean;
}

/** The first people of the demo market, in order of their ids from 10001. */
export const DEMO_USERS: readonly DemoUser[] = [
  { phone: '13800000001', nickName: '买家小游', about: '买家：有余额和各种状态的订单', site: 'youshi', verified: true },
  {
    phone: '13800000002',
    nickName: '卖家阿市',
    about: '卖家：有商品、订单、冻结款和提现',
    site: 'youshi',
    verified: true,
  },
  { phone: '13800000003', nickName: '新来的小陈', about: '新用户：未实名，没有余额', site: 'youshi', verified: false },
  { phone: '13800000004', nickName: '月下买号人', about: '月光站的买家', site: 'moon', verified: true },
  { phone: '13800000005', nickName: '星海玩家', about: '星河站的买家，还没有支付密码', site: 'star', verified: true },
  { phone: '13800000006', nickName: '阿市号铺', about: '商家：用库存表批量导入', site: 'youshi', verified: true },
];

export interface DemoStaff {
  login: string;
  name: string;
  role: 'service' | 'reviewer' | 'finance' | 'content' | 'admin' | 'operator';
  about: string;
  /** The code of the distributor that an operator is bound to. */
  site?: string;
}

/** Staff of the demo market, in order of their ids from 101. */
export const DEMO_STAFF: readonly DemoStaff[] = [
  { login: 'kefu1', name: '客服小安', role: 'service', about: '订单客服' },
  { login: 'kefu2', name: '客服小宁', role: 'service', about: '订单客服' },
  { login: 'shenhe', name: '审核阿正', role: 'reviewer', about: '商品审核' },
  { login: 'caiwu', name: '财务老秦', role: 'finance', about: '提现、冻结与账目' },
  { login: 'neirong', name: '内容小沐', role: 'content', about: '公告与内容' },
  { login: 'admin', name: '管理员', role: 'admin', about: '全部权限，也是大额提现的第二人' },
  { login: 'fenxiao', name: '月光运营', role: 'operator', about: '月光站的分销商：只看本站的订单与佣金', site: 'moon' },
];
