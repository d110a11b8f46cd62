/** The back-office lists with views, chosen columns and exports. */
export const listNames = [
  'orders',
  'withdrawals',
  'users',
  'audit',
  'holds',
  'goods',
  'topups',
  'disputes',
  'claims',
  'transfers',
  'settlements',
  'services',
] as const;
export type ListName = (typeof listNames)[number];
