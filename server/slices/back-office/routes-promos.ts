import * as c from '#contract/backstage-promos.ts';
import type { Binding } from '#server/binding.ts';
import { create, listCampaigns, open, stop } from './campaigns.ts';
import { ask, daysOf, listSettlements, pay, refuse } from './commission.ts';

/** Campaigns, and what distributors earn. */
export function bindPromos({ server }: Binding): void {
  server.serve(c.staffCampaignList, listCampaigns);
  server.serve(c.createCampaign, create);
  server.serve(c.openCampaign, open);
  server.serve(c.stopCampaign, stop);
  server.serve(c.commissionDays, daysOf);
  server.serve(c.settlementList, listSettlements);
  server.serve(c.requestSettlement, ask);
  server.serve(c.paySettlement, pay);
  server.serve(c.rejectSettlement, refuse);
}
