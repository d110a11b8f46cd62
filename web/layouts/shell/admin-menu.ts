import { type StaffPermission, staffCan } from '#subjects/back-office/rules/staff.ts';
import { staffPageName } from '#web/lib/pages/staff-page-names.ts';

interface AdminMenuItem {
  to: string;
  name: string;
}

export interface AdminGroup {
  name: string;
  items: AdminMenuItem[];
}

/** The rail's groups: each page with the permission that it needs (null = all staff). */
const groups: readonly { name: string; pages: readonly (readonly [to: string, power: StaffPermission | null])[] }[] = [
  { name: '', pages: [['/backstage', null]] },
  {
    name: '交易',
    pages: [
      ['/backstage/goods', 'goods.read'],
      ['/backstage/listings', 'goods.read'],
      ['/backstage/orders', 'order.read'],
      ['/backstage/chat', 'chat.serve'],
      ['/backstage/service', 'chat.supervise'],
      ['/backstage/providers', 'provider.read'],
      ['/backstage/inspections', 'inspection.read'],
      ['/backstage/services', 'order.read'],
      ['/backstage/boosting', 'order.read'],
      ['/backstage/recycling', 'order.read'],
      ['/backstage/disputes', 'dispute.read'],
      ['/backstage/claims', 'claim.read'],
      ['/backstage/users', 'user.read'],
      ['/backstage/trust', 'trust.read'],
      ['/backstage/goodsReports', 'review.read'],
      ['/backstage/reviews', 'review.read'],
    ],
  },
  {
    name: '资金',
    pages: [
      ['/backstage/withdrawals', 'withdrawal.read'],
      ['/backstage/payouts', 'payout.book'],
      ['/backstage/holds', 'ledger.read'],
      ['/backstage/topups', 'ledger.read'],
      ['/backstage/reconcile', 'ledger.read'],
      ['/backstage/commission', 'commission.read'],
      ['/backstage/campaigns', 'coupon.read'],
      ['/backstage/transfers', 'ledger.read'],
      ['/backstage/ledger', 'ledger.read'],
    ],
  },
  {
    name: '内容',
    pages: [
      ['/backstage/brands', 'brand.read'],
      ['/backstage/games', 'game.read'],
      ['/backstage/news', 'content.write'],
      ['/backstage/cases', 'content.write'],
      ['/backstage/leagues', 'content.write'],
      ['/backstage/rules', 'text.read'],
      ['/backstage/texts', 'text.read'],
      ['/backstage/reasons', 'text.read'],
      ['/backstage/words', 'text.read'],
      ['/backstage/synonyms', 'text.read'],
      ['/backstage/adverts', 'content.write'],
      ['/backstage/business', 'content.write'],
    ],
  },
  {
    name: '运营',
    pages: [
      ['/backstage/import', 'stock.import'],
      ['/backstage/audit', 'audit.read'],
      ['/backstage/jobs', 'job.read'],
      ['/backstage/retention', 'job.read'],
      ['/backstage/vendors', 'vendor.read'],
      ['/backstage/quarantine', 'job.read'],
      ['/backstage/settings', 'setting.read'],
      ['/backstage/staff', 'staff.read'],
      ['/backstage/passkeys', null],
    ],
  },
];

/** The rail of a member of staff: the pages allowed by their permissions. */
export function adminMenu(staff: { permissions: readonly string[] }): AdminGroup[] {
  return groups
    .map(({ name, pages }) => ({
      name,
      items: pages
        .filter(([, permission]) => permission === null || staffCan(staff, permission))
        .map(([to]) => ({ to, name: staffPageName(to) })),
    }))
    .filter(({ items }) => items.length > 0);
}
