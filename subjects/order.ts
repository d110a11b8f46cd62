/**
 * The subjects from low to high. A subject may import only the service of one before it; a lower subject reaches a higher one
 * by an event written in its transaction. Read by the direction check.
 */
export const order = [
  'settings',
  'distributors',
  'ledger',
  'media',
  'accounts',
  'verification',
  'deposits',
  'games',
  'valuation',
  'goods',
  'offers',
  'promotions',
  'orders',
  'payments',
  'guarantees',
  'disputes',
  'seller-levels',
  'reviews',
  'questions',
  'providers',
  'quick-coin',
  'recycling',
  'inspections',
  'services',
  'time-sale',
  'middleman',
  'chat',
  'notices',
  'content',
  'link-push',
  'data-export',
  'listing-import',
  'seller-statistics',
  'open-api',
  'back-office',
] as const;

/**
 * Folders of the larger subjects, from low to high: a file may import files of folders listed before its own, and those directly in the
 * subject's folder except its service.ts, routes.ts and jobs.ts. Read by the direction check.
 */
export const subjectFolders: Partial<Record<(typeof order)[number], readonly string[]>> = {
  accounts: ['phone'],
  games: ['editing'],
  goods: ['prices', 'search', 'correct', 'terms', 'cover', 'listing', 'market', 'following', 'review', 'selling'],
  orders: ['figures', 'placing', 'handover'],
  notices: ['wechat'],
  payments: ['cashier', 'payouts'],
  valuation: ['model'],
  recycling: ['accounts'],
  services: ['companions', 'requests', 'boosting'],
  chat: ['transport', 'groups', 'messages', 'support', 'gateway'],
  'back-office': [
    'system',
    'audit',
    'staff',
    'settings',
    'setup',
    'people',
    'trade',
    'money',
    'promotions',
    'content',
    'texts',
    'stock-import',
    'overview',
    'lists',
  ],
};
