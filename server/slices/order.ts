/**
 * The slices from low to high. A slice may import only the service of one that stands before it; a lower one speaks upward
 * by an event written in its transaction. Read by the direction check.
 */
export const order = [
  'distributors',
  'ledger',
  'media',
  'accounts',
  'verification',
  'deposits',
  'games',
  'goods',
  'offers',
  'promotions',
  'orders',
  'payments',
  'guarantees',
  'disputes',
  'seller-levels',
  'reviews',
  'providers',
  'quick-coin',
  'recycling',
  'time-sale',
  'middleman',
  'chat',
  'notices',
  'content',
  'data-export',
  'back-office',
] as const;
