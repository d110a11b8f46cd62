/**
 * The roles of staff (domain.md 7): platform staff, and operators of one distributor. A member of staff has exactly
 * one.
 */
export const staffRoles = ['service', 'reviewer', 'finance', 'content', 'admin', 'operator'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const staffRoleNames: Readonly<Record<StaffRole, string>> = {
  service: '客服',
  reviewer: '审核',
  finance: '财务',
  content: '内容',
  admin: '管理员',
  operator: '分销商运营',
};

/**
 * Which roles have which permission in the back office. The server's checks and the pages' menus and buttons are
 * derived from this table; staff of a distributor have the permission only for that distributor's rows.
 */
export const staffPermissions = {
  'goods.read': ['reviewer', 'admin'],
  'goods.review': ['reviewer', 'admin'],
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
  'coupon.read': ['content', 'finance', 'admin'],
  'coupon.manage': ['content', 'admin'],
  'coupon.open': ['finance', 'admin'],
  'commission.read': ['finance', 'admin', 'operator'],
  'commission.ask': ['operator'],
  'commission.pay': ['finance', 'admin'],
  'user.read': ['service', 'reviewer', 'finance', 'admin', 'operator'],
  'user.freeze': ['admin'],
  'ledger.read': ['finance', 'admin'],
  'reconcile.act': ['finance', 'admin'],
  'money.freeze': ['finance', 'admin'],
  'hold.release': ['finance', 'admin'],
  'topup.refund': ['finance', 'admin'],
  'audit.read': ['admin'],
  'job.read': ['finance', 'admin'],
  'job.act': ['admin'],
  'stock.import': ['reviewer', 'admin'],
  'trust.read': ['service', 'reviewer', 'admin', 'operator'],
  'trust.decide': ['reviewer', 'admin'],
  'review.read': ['service', 'reviewer', 'admin', 'operator'],
  'review.decide': ['reviewer', 'admin'],
  'number.edit': ['admin'],
  'content.write': ['content', 'admin', 'operator'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type StaffPermission = keyof typeof staffPermissions;

/** Whether a role has a permission. */
export function staffCan(role: string, permission: StaffPermission): boolean {
  return (staffPermissions[permission] as readonly string[]).includes(role);
}
