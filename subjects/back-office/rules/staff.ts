/**
 * The roles that the program ships (domain.md 7): platform staff, and operators of one distributor. Staff make further
 * roles (table staff_role). A member of staff has exactly one.
 */
export const staffRoles = ['service', 'reviewer', 'finance', 'content', 'admin', 'operator'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** The value of the site filter that lists the platform's own members of staff, who belong to no site. */
export const NO_SITE = 0;

/**
 * The permissions of the back office, and the shipped roles that have each. A person's permissions are those of their
 * role as stored (table staff_role) and those granted to them individually; staff of a distributor have a permission
 * only for that distributor's rows.
 */
export const staffPermissions = {
  'goods.read': ['reviewer', 'admin'],
  'goods.review': ['reviewer', 'admin'],
  'inspection.read': ['reviewer', 'service', 'finance', 'admin'],
  'inspection.act': ['reviewer', 'service', 'admin'],
  'inspection.pay': ['service', 'finance', 'admin'],
  'provider.read': ['reviewer', 'service', 'admin', 'operator'],
  'provider.review': ['reviewer', 'admin'],
  'order.read': ['service', 'finance', 'admin', 'operator'],
  'order.act': ['service', 'admin'],
  'chat.serve': ['service', 'admin'],
  'chat.supervise': ['admin'],
  'dispute.read': ['service', 'finance', 'admin', 'operator'],
  'dispute.rule': ['service', 'admin'],
  'claim.read': ['service', 'finance', 'admin', 'operator'],
  'claim.decide': ['service', 'finance', 'admin'],
  'withdrawal.read': ['finance', 'admin', 'operator'],
  'withdrawal.decide': ['finance', 'admin'],
  'payout.book': ['finance', 'admin'],
  'coupon.read': ['content', 'finance', 'admin'],
  'coupon.manage': ['content', 'admin'],
  'coupon.open': ['finance', 'admin'],
  'commission.read': ['finance', 'admin', 'operator'],
  'commission.ask': ['operator'],
  'commission.pay': ['finance', 'admin'],
  'user.read': ['service', 'reviewer', 'finance', 'admin', 'operator'],
  'user.freeze': ['admin'],
  'user.unmask': ['finance', 'admin'],
  'ledger.read': ['finance', 'admin'],
  'reconcile.act': ['finance', 'admin'],
  'money.freeze': ['finance', 'admin'],
  'hold.release': ['finance', 'admin'],
  'topup.refund': ['finance', 'admin'],
  'audit.read': ['admin'],
  'job.read': ['finance', 'admin'],
  'job.act': ['admin'],
  'vendor.read': ['admin'],
  'vendor.try': ['admin'],
  'quarantine.release': ['admin'],
  'stock.import': ['reviewer', 'admin'],
  'trust.read': ['service', 'reviewer', 'admin', 'operator'],
  'trust.decide': ['reviewer', 'admin'],
  'review.read': ['service', 'reviewer', 'admin', 'operator'],
  'review.decide': ['reviewer', 'admin'],
  'number.edit': ['admin'],
  'brand.read': ['content', 'finance', 'admin', 'operator'],
  'brand.edit': ['content', 'admin', 'operator'],
  'brand.manage': ['admin'],
  'brand.terms': ['finance', 'admin'],
  'game.read': ['content', 'reviewer', 'admin'],
  'game.edit': ['content', 'admin'],
  'game.publish': ['content', 'admin'],
  'content.write': ['content', 'admin', 'operator'],
  'setup.run': ['admin'],
  'text.read': ['content', 'admin'],
  'text.write': ['content', 'admin'],
  'setting.read': ['finance', 'admin'],
  'setting.write': ['finance', 'admin'],
  'staff.read': ['admin'],
  'staff.manage': ['admin'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type StaffPermission = keyof typeof staffPermissions;

/** Display names of the permissions. A permission without a name does not compile. */
export const staffPermissionNames: Readonly<Record<StaffPermission, string>> = {
  'goods.read': '查看商品审核',
  'goods.review': '审核商品',
  'inspection.read': '查看验号',
  'inspection.act': '验号',
  'inspection.pay': '验号理赔',
  'provider.read': '查看入驻',
  'provider.review': '审核入驻',
  'order.read': '查看订单',
  'order.act': '处理订单',
  'chat.serve': '客服会话',
  'chat.supervise': '管理客服',
  'dispute.read': '查看申诉',
  'dispute.rule': '裁决申诉',
  'claim.read': '查看理赔',
  'claim.decide': '处理理赔',
  'withdrawal.read': '查看提现',
  'withdrawal.decide': '审核提现',
  'payout.book': '打款名单',
  'coupon.read': '查看优惠活动',
  'coupon.manage': '管理优惠活动',
  'coupon.open': '复核优惠活动',
  'commission.read': '查看分销佣金',
  'commission.ask': '申请结算佣金',
  'commission.pay': '结算佣金',
  'user.read': '查看用户',
  'user.freeze': '限制用户',
  'user.unmask': '查看用户完整资料',
  'ledger.read': '查看账目',
  'reconcile.act': '处理对账',
  'money.freeze': '冻结资金',
  'hold.release': '提前解冻',
  'topup.refund': '充值退回',
  'audit.read': '查看操作记录',
  'job.read': '查看失败任务',
  'job.act': '处理失败任务',
  'vendor.read': '查看服务商',
  'vendor.try': '试用服务商',
  'quarantine.release': '放行恢复隔离',
  'stock.import': '导入库存表',
  'trust.read': '查看黑号与客服验真',
  'trust.decide': '处理黑号与举报',
  'review.read': '查看内容举报',
  'review.decide': '处理内容举报',
  'number.edit': '登记官方号码',
  'brand.read': '查看品牌',
  'brand.edit': '编辑品牌',
  'brand.manage': '管理品牌与域名',
  'brand.terms': '设定品牌费率',
  'game.read': '查看游戏',
  'game.edit': '编辑游戏',
  'game.publish': '发布和导入游戏',
  'content.write': '编辑内容',
  'setup.run': '首次设置',
  'text.read': '查看规则与文案',
  'text.write': '修改规则与文案',
  'setting.read': '查看交易设置',
  'setting.write': '修改交易设置',
  'staff.read': '查看员工',
  'staff.manage': '管理员工与角色',
};

const allPermissions = Object.keys(staffPermissions) as StaffPermission[];

/** Whether a text is the code of a permission; stored ones may come from another version of the program. */
export const isStaffPermission = (code: string): code is StaffPermission => Object.hasOwn(staffPermissions, code);

/** The permissions that the program ships for a role. */
export const shippedPermissions = (role: string): StaffPermission[] =>
  allPermissions.filter((permission) => (staffPermissions[permission] as readonly string[]).includes(role));

/** The roles that have a permission as shipped. */
export const shippedRoles = (permission: StaffPermission): readonly string[] => staffPermissions[permission];

/** The person whose permissions are checked; null for a visitor. */
type Holder = { readonly permissions: readonly string[] } | null | undefined;

/** Whether a member of staff has a permission. */
export function staffCan(staff: Holder, permission: StaffPermission): boolean {
  return staff?.permissions.includes(permission) === true;
}

/** Permissions to pay out money, or to grant such permissions. */
const MONEY: readonly StaffPermission[] = [
  'withdrawal.decide',
  'payout.book',
  'commission.pay',
  'coupon.open',
  'hold.release',
  'topup.refund',
  'reconcile.act',
  'setting.write',
  'brand.terms',
  'staff.manage',
];

/**
 * Whether these permissions allow releasing money (finance and administrators as shipped): their holder needs a passkey
 * in a real market.
 */
export const releasesMoney = (permissions: readonly string[]): boolean =>
  MONEY.some((permission) => permissions.includes(permission));
