import * as c from '#subjects/content/contract/staff-content.ts';
import * as r from '#subjects/content/contract/staff-rules.ts';
import type { Binding } from '#server/binding.ts';
import { addAdvert, decideAdvert, handleBusiness, listAdverts, listBusiness, revealBusiness } from './adverts.ts';
import { dropDraft, listRules, publish, revoke, ruleHistory, saveDraft } from './public-texts.ts';

/** Adverts, requests for co-operation, and public rules and agreements, for staff. */
export function bindContentStaff({ server }: Binding): void {
  server.serve(c.staffAdvertList, listAdverts);
  server.serve(c.addAdvert, addAdvert);
  server.serve(c.decideAdvert, decideAdvert);
  server.serve(c.staffBusinessList, listBusiness);
  server.serve(c.revealBusiness, (call, { id }) => revealBusiness(call, id));
  server.serve(c.handleBusiness, async (call, input) => {
    await handleBusiness(call, input);
    return {};
  });
  server.serve(r.ruleTexts, listRules);
  server.serve(r.ruleTextHistory, ruleHistory);
  server.serve(r.saveRuleDraft, saveDraft);
  server.serve(r.dropRuleDraft, dropDraft);
  server.serve(r.publishRule, publish);
  server.serve(r.revokeRule, revoke);
}
