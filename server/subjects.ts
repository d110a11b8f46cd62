import type { Binding } from './binding.ts';
import { bindAccounts } from '#subjects/accounts/server/routes.ts';
import { bindBackOffice } from '#subjects/back-office/server/routes.ts';
import { bindChat } from '#subjects/chat/server/routes.ts';
import { bindDisputes } from '#subjects/disputes/server/routes.ts';
import { bindDataExport } from '#subjects/data-export/server/routes.ts';
import { bindDeposits } from '#subjects/deposits/server/routes.ts';
import { bindContent } from '#subjects/content/server/routes.ts';
import { bindDistributors } from '#subjects/distributors/server/routes.ts';
import { bindGames } from '#subjects/games/server/routes.ts';
import { bindGoods } from '#subjects/goods/server/routes.ts';
import { bindGuarantees } from '#subjects/guarantees/server/routes.ts';
import { bindLedger } from '#subjects/ledger/server/routes.ts';
import { bindLinkPush } from '#subjects/link-push/server/routes.ts';
import { bindListingImport } from '#subjects/listing-import/server/routes.ts';
import { bindMedia } from '#subjects/media/server/routes.ts';
import { bindOffers } from '#subjects/offers/server/routes.ts';
import { bindInspections } from '#subjects/inspections/server/routes.ts';
import { bindNotices } from '#subjects/notices/server/routes.ts';
import { bindOpenApi } from '#subjects/open-api/server/routes.ts';
import { bindOrders } from '#subjects/orders/server/routes.ts';
import { bindPayments } from '#subjects/payments/server/routes.ts';
import { bindPromotions } from '#subjects/promotions/server/routes.ts';
import { bindQuestions } from '#subjects/questions/server/routes.ts';
import { bindQuickCoin } from '#subjects/quick-coin/server/routes.ts';
import { bindRecycling } from '#subjects/recycling/server/routes.ts';
import { bindMiddleman } from '#subjects/middleman/server/routes.ts';
import { bindReviews } from '#subjects/reviews/server/routes.ts';
import { bindSellerStatistics } from '#subjects/seller-statistics/server/routes.ts';
import { bindSellerLevels } from '#subjects/seller-levels/server/routes.ts';
import { bindServices } from '#subjects/services/server/routes.ts';
import { bindSettings } from '#subjects/settings/server/routes.ts';
import { bindTimeSale } from '#subjects/time-sale/server/routes.ts';
import { bindValuation } from '#subjects/valuation/server/routes.ts';
import { bindVerification } from '#subjects/verification/server/routes.ts';

/** Binds every subject's calls and effects, low to high (subjects/order.ts). */
export async function bindSubjects(binding: Binding): Promise<void> {
  for (const bind of subjects) await bind(binding);
}

const subjects: readonly ((binding: Binding) => void | Promise<void>)[] = [
  bindSettings,
  bindDistributors,
  bindLedger,
  bindMedia,
  bindAccounts,
  bindVerification,
  bindDeposits,
  bindGames,
  bindValuation,
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
