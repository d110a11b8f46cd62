import * as c from '#contract/content.ts';
import { getDistGamedsAdverList, getLeagueMatchList } from '#contract/goods-front.ts';
import type { Binding } from '#server/binding.ts';
import { requestCooperation } from './business.ts';
import { ADVERTS_CHANNEL, listAdverts, listCases, listMatches, listNews, readCase, readNews } from './service.ts';
import { ViewCounter } from './view-counter.ts';

/** News, cases, matches, adverts, and requests for business co-operation. */
export function bindContent({ ctx, server, http }: Binding): void {
  const viewCounter = new ViewCounter(ctx);
  http.addHook('onClose', () => viewCounter.flush());
  server.serve(c.getNews, listNews);
  server.serve(c.newsInfo, async (call, { id }) => {
    const news = await readNews(call, { id });
    viewCounter.count('news', news.id, call.ip);
    return news;
  });
  server.serve(c.newsInfo2, async (call, { code }) => {
    const news = await readNews(call, { code });
    viewCounter.count('news', news.id, call.ip);
    return news;
  });
  server.serve(c.eventCaseList, listCases);
  server.serve(c.eventCaseInfo, async (call, { caseId }) => {
    const found = await readCase(call, caseId);
    viewCounter.count('event_case', caseId, call.ip);
    return found;
  });
  server.serve(getLeagueMatchList, listMatches);
  server.serve(getDistGamedsAdverList, listAdverts, { cache: { channel: ADVERTS_CHANNEL, concerns: () => true } });
  server.serve(c.setDistBus, requestCooperation);
}
