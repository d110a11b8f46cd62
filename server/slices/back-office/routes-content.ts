import * as c from '#contract/backstage-content.ts';
import type { Binding } from '#server/binding.ts';
import { addAdvert, decideAdvert, handleBusiness, listAdverts, listBusiness, revealBusiness } from './adverts.ts';
import { caseForStaff, listCases, listNews, newsForStaff, publish, saveCase, saveNews } from './content.ts';

/** Content administration: articles, cases, adverts, requests for co-operation. */
export function bindContentAdmin({ server }: Binding): void {
  server.serve(c.staffNewsList, listNews);
  server.serve(c.staffNewsInfo, (call, { id }) => newsForStaff(call, id));
  server.serve(c.saveNews, saveNews);
  server.serve(c.publishNews, (call, input) => publish(call, 'news', input));
  server.serve(c.staffCaseList, listCases);
  server.serve(c.staffCaseInfo, (call, { id }) => caseForStaff(call, id));
  server.serve(c.saveCase, saveCase);
  server.serve(c.publishCase, (call, input) => publish(call, 'event_case', input));
  server.serve(c.staffAdvertList, listAdverts);
  server.serve(c.addAdvert, addAdvert);
  server.serve(c.decideAdvert, decideAdvert);
  server.serve(c.staffBusinessList, listBusiness);
  server.serve(c.revealBusiness, (call, { id }) => revealBusiness(call, id));
  server.serve(c.handleBusiness, async (call, input) => {
    await handleBusiness(call, input);
    return {};
  });
}
