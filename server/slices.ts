import type { Binding } from './binding.ts';
import { bindAccounts } from './slices/accounts/routes.ts';
import { bindBackOffice } from './slices/back-office/routes.ts';
import { bindChat } from './slices/chat/routes.ts';
import { bindDisputes } from './slices/disputes/routes.ts';
import { bindDataExport } from './slices/data-export/routes.ts';
import { bindDeposits } from './slices/deposits/routes.ts';
import { bindContent } from './slices/content/routes.ts';
import { bindDistributors } from './slices/distributors/routes.ts';
import { bindGames } from './slices/games/routes.ts';
import { bindGoods } from './slices/goods/routes.ts';
import { bindGuarantees } from './slices/guarantees/routes.ts';
import { bindLedger } from './slices/ledger/jobs.ts';
import { bindLinkPush } from './slices/link-push/routes.ts';
import { bindListingImport } from './slices/listing-import/routes.ts';
import { bindMedia } from './slices/media/routes.ts';
import { bindOffers } from './slices/offers/routes.ts';
import { bindInspections } from './slices/inspections/routes.ts';
import { bindNotices } from './slices/notices/routes.ts';
import { bindOpenApi } from './slices/open-api/routes.ts';
import { bindOrders } from './slices/orders/routes.ts';
import { bindPayments } from './slices/payments/routes.ts';
import { bindPromotions } from './slices/promotions/routes.ts';
import { bindQuestions } from './slices/questions/routes.ts';
import { bindQuickCoin } from './slices/quick-coin/routes.ts';
import { bindRecycling } from './slices/recycling/routes.ts';
import { bindMiddleman } from './slices/middleman/routes.ts';
import { bindReviews } from './slices/reviews/routes.ts';
import { bindSellerStatistics } from './slices/seller-statistics/routes.ts';
import { bindSellerLevels } from './slices/seller-levels/routes.ts';
import { bindServices } from './slices/services/routes.ts';
import { bindSettings } from './slices/settings/routes.ts';
import { bindTimeSale } from './slices/time-sale/routes.ts';
import { bindValuation } from './slices/valuation/routes.ts';
import { bindVerification } from './slices/verification/routes.ts';

/** Binds every slice's calls and effects, low to high (slices/order.ts). */
export async function bindSlices(binding: Binding): Promise<void> {
  for (const bind of slices) await bind(binding);
}

const slices: readonly ((binding: Binding) => void | Promise<void>)[] = [
  bindSettings,
  bindDistributors,
  bindLedger,
  bindMedia,
  bindAccounts,
  bindVerification,
  bindDeposits,
  bindGames,
  bindGoods,
  bindOffers,
  bindPromotions,
  bindOrders,
  bindPayments,
  bindGuarantees,
  bindDisputes,
  bindSellerLevels,
  bindReviews,
  bindQuestions,
  bindQuickCoin,
  bindValuation,
  bindRecycling,
  bindInspections,
  bindServices,
  bindTimeSale,
  bindMiddleman,
  bindChat,
  bindNotices,
  bindContent,
  bindLinkPush,
  bindDataExport,
  bindListingImport,
  bindSellerStatistics,
  bindOpenApi,
  bindBackOffice,
];
