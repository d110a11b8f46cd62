/**
 * The slices from low to high. A slice may import only the service of one that stands before it; a lower one speaks upward
 * by an event written in its transaction. Read by app.ts and by the direction check.
 */
export const order = [
  'distributors',
  'accounts',
  'ledger',
  'games',
  'media',
  'verification',
  'goods',
  'payments',
  'promotions',
  'orders',
  'guarantees',
  'disputes',
  'providers',
  'quick-coin',
  'recycling',
  'chat',
  'notices',
  'content',
  'back-office',
] as const;
