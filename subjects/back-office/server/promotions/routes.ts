import * as c from '#subjects/promotions/contract/staff-campaigns.ts';
import type { Binding } from '#server/binding.ts';
import { create, listCampaigns, lotteryState, open, stop } from './campaigns.ts';

/** Campaigns. */
export function bindPromos({ server }: Binding): void {
  server.serve(c.staffCampaignList, listCampaigns);
  server.serve(c.staffLottery, lotteryState);
  server.serve(c.createCampaign, create);
  server.serve(c.openCampaign, open);
  server.serve(c.stopCampaign, stop);
}
