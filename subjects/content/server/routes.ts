import * as c from '#subjects/content/contract/content.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import type { Binding } from '#server/binding.ts';
import { requestCooperation } from './business.ts';
import { beginNews } from './staff/news.ts';
import { bindContentStaff } from './staff/routes.ts';
import { ADVERTS_CHANNEL } from './staff/adverts.ts';
import { listAdverts, listCases, listMatches, listNews, readCase, readNews } from './service.ts';
import { readPublicText } from './public-texts.ts';
import { ViewCounter } from './view-counter.ts';

/** News, cases, matches, adverts, and requests for business co-operation. */
export function bindContent(binding: Binding): void {
  const { ctx, server, http, effects } = binding;
  bindContentStaff(binding);
  const viewCounter = new ViewCounter(ctx);
  http.addHook('onClose', () => viewCounter.flush());
  server.serve(c.getNews, listNews);
  server.serve(c.newsInfo, async (call, { id }) => {
    const article = await readNews(call, { id });
    viewCounter.count('news', article.id, call.ip);
    return article;
  });
  server.serve(c.newsInfo2, async (call, { code }) => {
    const article = await readNews(call, { code });
    viewCounter.count('news', article.id, call.ip);
    return article;
  });
  server.serve(c.publicTextVersions, readPublicText);
  server.serve(c.eventCaseList, listCases);
  server.serve(c.eventCaseInfo, async (call, { caseId }) => {
    const found = await readCase(call, caseId);
    viewCounter.count('event_case', caseId, call.ip);
    return found;
  });
  server.serve(getLeagueMatchList, listMatches);
  server.serve(getDistGamedsAdverList, listAdverts, { cache: { channel: ADVERTS_CHANNEL, concerns: () => true } });
  server.serve(c.setDistBus, requestCooperation);
  effects.timer('news.begin', (_ctx, id) => beginNews(ctx, Number(id)));
}
