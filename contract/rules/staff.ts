/** What a member of staff is, by one role (domain.md 7): platform people, and operators of one distributor. */
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
 * Which roles may do what in the back office. The server's permission and the pages' menus and buttons are read from this one table;
 * whoever is bound to a distributor has it for that distributor's rows alone.
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

/** Whether a role has a power. */
export function staffCan(role: string, permission: StaffPermission): boolean {
  return (staffPermissions[permission] as readonly string[]).includes(role);
}
