/** The role that carries out a transition. */
export type Role = 'buyer' | 'seller' | 'staff' | 'timer' | 'payment' | 'service';

/** The actors of transitions in the order's record. */
export const roleNames: Readonly<Record<Role, string>> = {
  buyer: '买家',
  seller: '卖家',
  staff: '平台客服',
  timer: '系统',
  payment: '系统',
  service: '服务方',
};

const SHIPPED: Partial<Record<Role, string>> = {
  service: '服务已完成，请买家验收',
  // The last step before the shipping was done.
  timer: '发货前的步骤都已完成，订单已发货',
};

/** The record's entry of a shipping. */
export const shippedText = (role: Role): string => SHIPPED[role] ?? `${roleNames[role]}已发货，请买家验收`;
